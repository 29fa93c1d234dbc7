//! Lenient reading of one field: a value of a wrong type counts as absent and is told apart from
//! a field that is not there, so that it can be reported; the last of a duplicate key wins.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// What a record says in one field.
#[derive(Debug, Default)]
pub(super) enum Field<T> {
    /// Nothing, or null.
    #[default]
    Absent,
    /// A value of a wrong type.
    Wrong,
    /// A value of the right type.
    Is(T),
}

impl<T> Field<T> {
    /// Whether it holds a value of the right type.
    pub(super) fn is_there(&self) -> bool {
        matches!(self, Self::Is(_))
    }

    /// The value, noting the field's name where its type is wrong.
    pub(super) fn take(self, name: &'static str, wrong: &mut Vec<&'static str>) -> Option<T> {
        match self {
            Self::Is(value) => Some(value),
            Self::Absent => None,
            Self::Wrong => {
                wrong.push(name);
                None
            }
        }
    }
}

/// A type that a field may hold. Each constructor says how a JSON value of its kind is taken.
pub(super) trait Shape<'de>: Sized {
    fn text(_: Cow<'de, str>) -> Option<Self> {
        None
    }
    fn boolean(_: bool) -> Option<Self> {
        None
    }
    fn number(_: f64) -> Option<Self> {
        None
    }
    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Option<Self>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }
    fn object<A: MapAccess<'de>>(mut map: A) -> Result<Option<Self>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

/// A string, a boolean or a number. One type for all of them keeps the engine small: each type that
/// a field may have costs a reader of its own.
#[derive(Debug)]
pub(super) enum Scalar<'a> {
    Text(Cow<'a, str>),
    Boolean(bool),
    Number(f64),
}

impl<'de> Shape<'de> for Scalar<'de> {
    fn text(value: Cow<'de, str>) -> Option<Self> {
        Some(Self::Text(value))
    }
    fn boolean(value: bool) -> Option<Self> {
        Some(Self::Boolean(value))
    }
    fn number(value: f64) -> Option<Self> {
        Some(Self::Number(value))
    }
}

impl<'a> Scalar<'a> {
    pub(super) fn into_text(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }
}

/// A field that should hold a string, a boolean or a number.
pub(super) type Plain<'a> = Field<Scalar<'a>>;

impl<'a> Plain<'a> {
    /// The string, noting the field's name where it holds something else.
    pub(super) fn text(self, name: &'static str, wrong: &mut Vec<&'static str>) -> Option<Cow<'a, str>> {
        match self {
            Self::Is(Scalar::Text(text)) => Some(text),
            other => other.other(name, wrong),
        }
    }

    /// The same as a text of its own.
    pub(super) fn string(self, name: &'static str, wrong: &mut Vec<&'static str>) -> Option<String> {
        self.text(name, wrong).map(Cow::into_owned)
    }

    /// The boolean, noting the field's name where it holds something else.
    pub(super) fn boolean(self, name: &'static str, wrong: &mut Vec<&'static str>) -> Option<bool> {
        match self {
            Self::Is(Scalar::Boolean(value)) => Some(value),
            other => other.other(name, wrong),
        }
    }

    /// The number, noting the field's name where it holds something else.
    pub(super) fn number(self, name: &'static str, wrong: &mut Vec<&'static str>) -> Option<f64> {
        match self {
            Self::Is(Scalar::Number(value)) => Some(value),
            other => other.other(name, wrong),
        }
    }

    fn other<T>(self, name: &'static str, wrong: &mut Vec<&'static str>) -> Option<T> {
        if !matches!(self, Self::Absent) {
            wrong.push(name);
        }
        None
    }

    /// Whether it holds a number that can be a size.
    pub(super) fn is_size(&self) -> bool {
        matches!(self, Self::Is(Scalar::Number(number)) if *number >= 0.0)
    }

    /// Whether it holds a string.
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::Is(Scalar::Text(_)))
    }
}

impl<'de, T: Shape<'de>> Shape<'de> for Vec<T> {
    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Option<Self>, A::Error> {
        let mut items = Vec::new();
        while let Some(field) = list.next_element::<Field<T>>()? {
            if let Field::Is(item) = field {
                items.push(item);
            }
        }
        Ok(Some(items))
    }
}

impl<'de, T: Shape<'de>> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FieldVisitor(PhantomData))
    }
}

struct FieldVisitor<T>(PhantomData<T>);

impl<'de, T: Shape<'de>> Visitor<'de> for FieldVisitor<T> {
    type Value = Field<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Field<T>, E> {
        Ok(Field::Absent)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Field<T>, E> {
        Ok(T::boolean(value).map_or(Field::Wrong, Field::Is))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Field<T>, E> {
        Ok(T::number(value as f64).map_or(Field::Wrong, Field::Is))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Field<T>, E> {
        Ok(T::number(value as f64).map_or(Field::Wrong, Field::Is))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Field<T>, E> {
        Ok(T::number(value).map_or(Field::Wrong, Field::Is))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Field<T>, E> {
        Ok(T::text(Cow::Borrowed(value)).map_or(Field::Wrong, Field::Is))
    }

    fn visit_str<E>(self, value: &str) -> Result<Field<T>, E> {
        Ok(T::text(Cow::Owned(value.to_owned())).map_or(Field::Wrong, Field::Is))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Field<T>, A::Error> {
        Ok(T::list(list)?.map_or(Field::Wrong, Field::Is))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Field<T>, A::Error> {
        Ok(T::object(map)?.map_or(Field::Wrong, Field::Is))
    }
}

/// A key of an object, borrowed from the line where it holds no escape.
pub(super) struct Key<'de>(pub(super) Cow<'de, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }
            fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(value)))
            }
            fn visit_str<E>(self, value: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(value.to_owned())))
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

/// Reads an object field by field: `field` takes the value of each key it knows and says whether
/// it did; the others are skipped.
pub(super) fn fields<'de, A: MapAccess<'de>>(
    mut map: A,
    mut field: impl FnMut(&str, &mut A) -> Result<bool, A::Error>,
) -> Result<(), A::Error> {
    while let Some(Key(key)) = map.next_key()? {
        if !field(&key, &mut map)? {
            map.next_value::<IgnoredAny>()?;
        }
    }
    Ok(())
}

/// A string, a boolean or a number.
pub(super) fn plain<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Plain<'de>, A::Error> {
    map.next_value()
}

/// A scalar with its JSON text in the record: whether the field is there at all, and where.
#[derive(Debug, Default)]
pub(super) struct Placed<'a> {
    pub(super) value: Plain<'a>,
    pub(super) text: Option<&'a str>,
}

pub(super) fn placed<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Placed<'de>, A::Error> {
    let text = raw(map)?;
    // An error gets its place from the record; one that names a place in the value would be taken for it.
    let value = serde_json::from_str(text).map_err(|_| serde::de::Error::custom("a value that cannot be read"))?;
    Ok(Placed { value, text: Some(text) })
}

/// The raw JSON text of a value.
pub(super) fn raw<'de, A: MapAccess<'de>>(map: &mut A) -> Result<&'de str, A::Error> {
    Ok(map.next_value::<&RawValue>()?.get())
}
