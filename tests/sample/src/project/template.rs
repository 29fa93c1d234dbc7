//! Templates with `@names@` to be filled in.

/// Fills every `@key@` of the template.
pub(crate) fn fill(template: &str, values: &[(&str, String)]) -> String {
    values.iter().fold(template.to_owned(), |text, (key, value)| text.replace(&format!("@{key}@"), value))
}

/// The items, one a line, each through `line`.
pub(crate) fn lines<T>(items: impl IntoIterator<Item = T>, line: impl FnMut(T) -> String) -> String {
    items.into_iter().map(line).collect::<Vec<_>>().join("\n")
}
