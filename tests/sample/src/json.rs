//! JSON values whose keys stay in the order they were given in, as agents write them.

use std::fmt;

/// A JSON value.
#[derive(Clone, Debug)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(u64),
    /// A literal that is written as it stands: a decimal, or a spelling that a parser would change.
    Raw(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

impl Json {
    /// The key and value pairs of an object; none for anything else.
    pub(crate) fn push(&mut self, key: &'static str, value: impl Into<Json>) {
        if let Json::Object(members) = self {
            members.push((key, value.into()));
        }
    }
}

/// An object of the given members.
pub(crate) fn object<const N: usize>(members: [(&'static str, Json); N]) -> Json {
    Json::Object(members.into())
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Json::Text(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Json::Text(text)
    }
}

impl From<u64> for Json {
    fn from(number: u64) -> Self {
        Json::Number(number)
    }
}

impl From<bool> for Json {
    fn from(flag: bool) -> Self {
        Json::Bool(flag)
    }
}

impl From<Vec<Json>> for Json {
    fn from(items: Vec<Json>) -> Self {
        Json::List(items)
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(flag) => write!(f, "{flag}"),
            Json::Number(number) => write!(f, "{number}"),
            Json::Raw(literal) => f.write_str(literal),
            Json::Text(text) => write!(f, "{}", serde_json::Value::from(text.as_str())),
            Json::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        f.write_str(",")?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_str("]")
            }
            Json::Object(members) => {
                f.write_str("{")?;
                for (index, (key, value)) in members.iter().enumerate() {
                    if index > 0 {
                        f.write_str(",")?;
                    }
                    write!(f, "{}:{value}", serde_json::Value::from(*key))?;
                }
                f.write_str("}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_order_and_text_is_escaped() {
        let mut value = object([("z", 1.into()), ("a", "say \"hi\"\n".into())]);
        value.push("m", vec![Json::Null, true.into(), Json::Raw("1.50".into())]);
        assert_eq!(value.to_string(), r#"{"z":1,"a":"say \"hi\"\n","m":[null,true,1.50]}"#);
    }
}
