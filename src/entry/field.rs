//! Lenient reading of one field: a value of a wrong type counts as absent and is told apart from
//! a field that is not there, so that it can be reported; the last of a duplicate key wins.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// What a record says in one field.
#[derive(Debug)]
pub(super) enum Field<T> {
    /// Nothing, or null.
    Absent,
    /// A value of a wrong type.
    Wrong,
    /// A value of the right type.
    Is(T),
}

impl<T> Default for Field<T> {
    fn default() -> Self {
        Self::Absent
    }
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

impl<'de> Shape<'de> for Cow<'de, str> {
    fn text(value: Cow<'de, str>) -> Option<Self> {
        Some(value)
    }
}

impl<'de> Shape<'de> for String {
    fn text(value: Cow<'de, str>) -> Option<Self> {
        Some(value.into_owned())
    }
}

impl<'de> Shape<'de> for bool {
    fn boolean(value: bool) -> Option<Self> {
        Some(value)
    }
}

impl<'de> Shape<'de> for f64 {
    fn number(value: f64) -> Option<Self> {
        Some(value)
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

/// The length of a string that is not needed itself, such as the data of an image.
#[derive(Debug, Clone, Copy)]
pub(super) struct Length(pub(super) usize);

impl<'de> Shape<'de> for Length {
    fn text(value: Cow<'de, str>) -> Option<Self> {
        Some(Self(value.len()))
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

/// The raw JSON text of a value.
pub(super) fn raw<'de, A: MapAccess<'de>>(map: &mut A) -> Result<&'de str, A::Error> {
    Ok(map.next_value::<&RawValue>()?.get())
}
