//! Reading parts of any JSON.

use super::field::{Field, Shape};
use super::json::{Object, Scalar, Stop, read};
use std::borrow::Cow;

/// The value of a JSON text, if it has the right shape.
pub(super) fn value<'a, T: Shape<'a>>(json: &'a str) -> Option<T> {
    let mut field = Field::Absent;
    match (read(json, &mut field), field) {
        (Ok(()), Field::Is(value)) => Some(value),
        _ => None,
    }
}

/// A number; none where a double cannot hold it.
pub(crate) fn number(json: &str) -> Option<f64> {
    value::<Scalar<'_>>(json)?.as_number()
}

/// A string.
pub(crate) fn text(json: &str) -> Option<String> {
    Some(value::<Scalar<'_>>(json)?.into_text()?.into_owned())
}

/// Whether a text is JSON of any kind.
pub(crate) fn is_json(text: &str) -> bool {
    read(text, &mut Field::<Scalar<'_>>::Absent).is_ok()
}

/// The JSON text of a field of an object; of a duplicate key the last.
pub(crate) fn raw_field<'a>(json: &'a str, name: &str) -> Option<&'a str> {
    let object: RawObject<'a> = value(json)?;
    object.0.into_iter().rev().find(|(key, _)| key == name).map(|(_, value)| value)
}

/// The strings of an object with their keys, in their order; strings longer than `longest` bytes,
/// as they are written, are left out.
pub(crate) fn strings(json: &str, longest: usize) -> Vec<(Box<str>, Box<str>)> {
    let raw: Option<RawObject<'_>> = value(json);
    raw.into_iter()
        .flat_map(|object| object.0)
        .filter(|(_, text)| text.len() <= longest && text.starts_with('"'))
        .filter_map(|(key, text)| Some((key.into(), value::<Scalar<'_>>(text)?.into_text()?.into())))
        .collect()
}

/// The keys of an object, in their order; none where the text is no object.
pub(crate) fn keys(json: &str) -> Option<Vec<String>> {
    Some(value::<Keys>(json)?.0)
}

struct RawObject<'a>(Vec<(Cow<'a, str>, &'a str)>);

impl<'de> Shape<'de> for RawObject<'de> {
    fn object(object: &mut dyn Object<'de>) -> Result<Option<Self>, Stop> {
        let mut fields = Vec::new();
        while let Some(key) = object.key()? {
            fields.push((key, object.raw()?));
        }
        Ok(Some(Self(fields)))
    }
}

struct Keys(Vec<String>);

impl<'de> Shape<'de> for Keys {
    fn object(object: &mut dyn Object<'de>) -> Result<Option<Self>, Stop> {
        let mut keys = Vec::new();
        while let Some(key) = object.key()? {
            object.skip()?;
            keys.push(key.into_owned());
        }
        Ok(Some(Self(keys)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strings_of_an_object() {
        let found = strings(r#"{"path":"\u00e9","n":1,"deep":{"a":"b"},"long":"12345678"}"#, 8);
        assert_eq!(found, [("path".into(), "é".into())]);
        assert_eq!(strings("[]", 8), []);
        assert_eq!(strings("{", 8), []);
    }

    #[test]
    fn a_field_by_its_name() {
        assert_eq!(raw_field(r#"{"a":1,"b": [ ] ,"a":"\u00e9"}"#, "a"), Some(r#""\u00e9""#));
        assert_eq!(raw_field(r#"{"a":1}"#, "b"), None);
        assert_eq!(raw_field(r#"["a"]"#, "a"), None);
        assert_eq!(raw_field(r#"{"a":1"#, "a"), None);
    }

    #[test]
    fn json_of_any_kind() {
        for json in ["{}", " [1e999] ", "null", "1", "\"\"", r#"{"a":"\ud800"}"#] {
            assert!(is_json(json), "{json}");
        }
        for text in ["", "a", "{", "[] []", "\u{feff}{}"] {
            assert!(!is_json(text), "{text}");
        }
    }

    #[test]
    fn keys_and_numbers() {
        assert_eq!(keys(r#"{"a":1,"b":[]}"#).unwrap(), ["a", "b"]);
        assert_eq!(keys("1"), None);
        assert_eq!((number("1.5"), number("1e999"), number("\"1\"")), (Some(1.5), None, None));
    }
}
