//! Lenient reading of one field: a value of a wrong type counts as absent and is told apart from
//! a field that is not there, so that it can be reported; the last of a duplicate key wins.

use super::json::{self, Into, List, Object, Scalar, Sink, Stop};
use serde::de::{Deserialize, DeserializeSeed, Deserializer};
use std::borrow::Cow;

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
    fn or_wrong(value: Option<T>) -> Self {
        value.map_or(Self::Wrong, Self::Is)
    }

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
    fn scalar(_: Scalar<'de>) -> Option<Self> {
        None
    }
    fn list(list: &mut dyn List<'de>) -> Result<Option<Self>, Stop> {
        list.skip()?;
        Ok(None)
    }
    fn object(object: &mut dyn Object<'de>) -> Result<Option<Self>, Stop> {
        while object.key()?.is_some() {
            object.skip()?;
        }
        Ok(None)
    }
}

impl<'de> Shape<'de> for Scalar<'de> {
    fn scalar(value: Scalar<'de>) -> Option<Self> {
        Some(value)
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
    fn list(list: &mut dyn List<'de>) -> Result<Option<Self>, Stop> {
        let mut items = Vec::new();
        let mut field = Field::Absent;
        while list.next(&mut field)? {
            if let Field::Is(item) = std::mem::take(&mut field) {
                items.push(item);
            }
        }
        Ok(Some(items))
    }
}

impl<'de, T: Shape<'de>> Sink<'de> for Field<T> {
    fn scalar(&mut self, value: Option<Scalar<'de>>) {
        *self = match value {
            Some(value) => Self::or_wrong(T::scalar(value)),
            None => Self::Absent,
        };
    }

    fn list(&mut self, list: &mut dyn List<'de>) -> Result<(), Stop> {
        *self = Self::or_wrong(T::list(list)?);
        Ok(())
    }

    fn object(&mut self, object: &mut dyn Object<'de>) -> Result<(), Stop> {
        *self = Self::or_wrong(T::object(object)?);
        Ok(())
    }
}

impl<'de, T: Shape<'de>> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut field = Self::Absent;
        Into(&mut field).deserialize(deserializer)?;
        Ok(field)
    }
}

/// Where the value of a key goes.
pub(super) enum Target<'t, 'de> {
    /// Into a field.
    Value(&'t mut dyn Sink<'de>),
    /// Its JSON text into this.
    Raw(&'t mut Option<&'de str>),
    /// Both.
    Placed(&'t mut Placed<'de>),
    /// It is skipped.
    Nowhere,
}

/// The fields of an object that are read.
pub(super) trait Fields<'de> {
    /// Where the value of a key goes.
    fn target(&mut self, key: &str) -> Target<'_, 'de>;
}

impl<'de, T: Fields<'de> + Default> Shape<'de> for T {
    fn object(object: &mut dyn Object<'de>) -> Result<Option<Self>, Stop> {
        let mut all = T::default();
        read_fields(object, &mut all)?;
        Ok(Some(all))
    }
}

/// Reads an object field by field.
fn read_fields<'de>(object: &mut dyn Object<'de>, fields: &mut dyn Fields<'de>) -> Result<(), Stop> {
    while let Some(key) = object.key()? {
        match fields.target(&key) {
            Target::Value(field) => object.value(field)?,
            Target::Raw(text) => *text = Some(object.raw()?),
            Target::Placed(placed) => {
                let text = object.raw()?;
                placed.text = Some(text);
                // An error gets its place from the record; one that names a place in the value would
                // be taken for it.
                json::read(text, &mut placed.value).map_err(|_| object.refuse("a value that cannot be read"))?;
            }
            Target::Nowhere => object.skip()?,
        }
    }
    Ok(())
}

/// A scalar with its JSON text in the record: whether the field is there at all, and where.
#[derive(Debug, Default)]
pub(super) struct Placed<'a> {
    pub(super) value: Plain<'a>,
    pub(super) text: Option<&'a str>,
}
