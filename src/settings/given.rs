//! A value as a host gave it, before it is known to be right.

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A value as a host gave it. Deeper than settings ever nest it is `Other`, so that a cyclic
/// object is refused like any other wrong value instead of being followed without end.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    /// `null` or `undefined`: the setting keeps its default.
    Nothing,
    /// A boolean.
    Bool(bool),
    /// A number, also NaN and the infinities.
    Number(f64),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Given>),
    /// An object, in its own order.
    Object(Vec<(String, Given)>),
    /// Something that no setting is made of.
    Other,
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(value) => f.write_str(&number(*value)),
            Self::Text(value) => write!(f, "{}", crate::error::Quoted(value)),
            Self::List(_) => f.write_str("an array"),
            Self::Object(_) => f.write_str("an object"),
            Self::Other => f.write_str("a value of another kind"),
        }
    }
}

/// A number in a message. The formatting of the standard library, and that of serde_json, would
/// bring twenty kilobytes of exact arithmetic into the engine for the sake of an error text.
pub(crate) fn number(value: f64) -> String {
    // 2^53: beyond it a double names no single whole number.
    const LARGE: f64 = 9_007_199_254_740_992.0;
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.abs() >= LARGE {
        let name = if value.is_finite() { "a number beyond 2^53" } else { "Infinity" };
        return if value < 0.0 { format!("-{name}") } else { name.to_owned() };
    }
    let whole = (value as i64).to_string();
    let millionths = ((value.fract().abs() * 1e6) as u64).to_string();
    let sign = if value < 0.0 && value > -1.0 { "-" } else { "" };
    if value.fract() == 0.0 {
        whole
    } else {
        format!("{sign}{whole}.{millionths:0>6}").trim_end_matches('0').to_owned()
    }
}

/// Settings nest two deep and a list below that; one more to name what is too deep.
const DEPTH: u8 = 4;

impl<'de> serde::Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Seed(DEPTH).deserialize(deserializer)
    }
}

struct Seed(u8);

impl<'de> DeserializeSeed<'de> for Seed {
    type Value = Given;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Given, D::Error> {
        if self.0 == 0 {
            deserializer.deserialize_ignored_any(IgnoredAny)?;
            return Ok(Given::Other);
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed {
    type Value = Given;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a setting")
    }

    fn visit_unit<E>(self) -> Result<Given, E> {
        Ok(Given::Nothing)
    }

    fn visit_none<E>(self) -> Result<Given, E> {
        Ok(Given::Nothing)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Given, E> {
        Ok(Given::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Given, E> {
        Ok(Given::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Given, E> {
        Ok(Given::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Given, E> {
        Ok(Given::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Given, E> {
        Ok(Given::Text(value.to_owned()))
    }

    fn visit_bytes<E>(self, _: &[u8]) -> Result<Given, E> {
        Ok(Given::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Given, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(Seed(self.0 - 1))? {
            items.push(item);
        }
        Ok(Given::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Given, A::Error> {
        let mut fields = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value_seed(Seed(self.0 - 1))?;
            fields.push((key, value));
        }
        Ok(Given::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_in_messages() {
        for (value, text) in [
            (0.0, "0"),
            (-3.0, "-3"),
            (0.5, "0.5"),
            (-0.25, "-0.25"),
            (-12.125, "-12.125"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
            (1e300, "a number beyond 2^53"),
        ] {
            assert_eq!(number(value), text);
        }
    }
}
