//! Filling the placeholders of a template.

/// Appends a template with its `{{name}}` placeholders replaced, in one pass: what is inserted is
/// never looked at for placeholders. A name without a value stays as it is.
pub(crate) fn fill(out: &mut String, template: &str, values: &[(&str, &str)]) {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let value = after.split_once("}}").and_then(|(name, behind)| {
            values.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value, behind))
        });
        match value {
            Some((value, behind)) => {
                out.push_str(value);
                rest = behind;
            }
            None => {
                out.push_str("{{");
                rest = after;
            }
        }
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(template: &str, values: &[(&str, &str)], expected: &str) {
        let mut out = String::new();
        fill(&mut out, template, values);
        assert_eq!(out, expected);
    }

    #[test]
    fn inserted_text_is_never_read() {
        check("<{{a}}|{{b}}>", &[("a", "{{b}}"), ("b", "{{a}} $& {{")], "<{{b}}|{{a}} $& {{>");
        check("{{a}}{{a}}", &[("a", "x")], "xx");
    }

    #[test]
    fn what_is_no_placeholder_stays() {
        check("{{ a }} {{b}} {{", &[("a", "x")], "{{ a }} {{b}} {{");
        check("", &[], "");
    }
}
