//! Plain data as one tree of values: the form in which all of it crosses to JavaScript.
//!
//! One piece of code hands the tree out. A serializer for each type of data would weigh ten
//! times as much.

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

/// A value of plain data.
#[derive(Debug, Clone)]
pub enum Value {
    /// Nothing: a field that has it is left out.
    Nothing,
    /// A field that is there and says that there is nothing.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(f64),
    /// One of the texts that the engine itself holds.
    Word(&'static str),
    /// A text.
    Text(String),
    /// An array.
    List(Vec<Value>),
    /// An object, in the order of its fields.
    Object(Object),
}

/// The fields of an object.
#[derive(Debug, Clone)]
pub struct Object(Vec<(&'static str, Value)>);

/// More fields than most objects have: the list of one seldom has to grow.
const USUAL_FIELDS: usize = 8;

impl Default for Object {
    #[inline(never)]
    fn default() -> Self {
        Self(Vec::with_capacity(USUAL_FIELDS))
    }
}

impl Object {
    /// Adds a field, unless its value is nothing.
    // One copy for each kind of value serves every object.
    #[inline(never)]
    pub fn set<T: Into<Value>>(&mut self, name: &'static str, value: T) {
        let value = value.into();
        if !matches!(value, Value::Nothing) {
            self.0.push((name, value));
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nothing | Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(value) => serializer.serialize_f64(*value),
            Self::Word(text) => serializer.serialize_str(text),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(values) => serializer.collect_seq(values),
            Self::Object(Object(fields)) => {
                let mut object = serializer.serialize_struct("", fields.len())?;
                for (name, value) in fields {
                    object.serialize_field(name, value)?;
                }
                object.end()
            }
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Number(value.into())
    }
}

impl From<&'static str> for Value {
    fn from(text: &'static str) -> Self {
        Self::Word(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Self {
        let mut list = Vec::with_capacity(values.len());
        for value in values {
            list.push(value.into());
        }
        Self::List(list)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, Into::into)
    }
}

impl Value {
    /// The value of a field that is there also where it has none.
    pub fn or_null<T: Into<Self>>(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}
