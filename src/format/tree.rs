//! The JSON of a message as a tree, read once and written back as it was.
//!
//! Only what the formats look into becomes a tree. All else stays JSON text, so that numbers keep
//! their digits, and values of any depth cost no recursion: serde_json refuses what is looked into
//! at a depth of 128.

use crate::entry::{JsonList, JsonObject, JsonScalar, JsonSink, JsonStop, json_number, json_text, read_json};
use std::borrow::Cow;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Tree<'a> {
    /// A string.
    Text(Cow<'a, str>),
    /// JSON text that is not looked into: strings as they are written, numbers, booleans, null, and values of
    /// other keys.
    Raw(Cow<'a, str>),
    /// A list.
    List(Vec<Tree<'a>>),
    /// An object, its keys in their order.
    Object(Vec<(Cow<'a, str>, Tree<'a>)>),
}

/// The keys whose strings are read at once; all others stay as they are written, since most only go through.
const READ_AT_ONCE: [&str; 2] = ["type", "role"];

/// The keys whose lists are looked into.
const LISTS: [&str; 4] = ["content", "parts", "tool_calls", "summary"];

/// The keys whose objects are looked into as well.
const OBJECTS: [&str; 10] = [
    "content",
    "function",
    "custom",
    "image_url",
    "source",
    "inlineData",
    "functionCall",
    "functionResponse",
    "function_call",
    "image",
];

const NULL: Tree<'_> = Tree::Raw(Cow::Borrowed("null"));

impl Default for Tree<'_> {
    fn default() -> Self {
        NULL
    }
}

impl<'a> Tree<'a> {
    /// Reads one value and nothing behind it; says what is wrong where it is none.
    pub(crate) fn read(json: &'a str) -> Result<Self, String> {
        let mut tree = NULL;
        read_json(json, &mut tree).map_err(|error| error.to_string())?;
        Ok(tree)
    }

    /// An object without keys.
    pub(crate) fn empty() -> Self {
        Self::Object(Vec::new())
    }

    /// A string.
    pub(crate) fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Self::Raw(text) if text == "null")
    }

    pub(crate) fn is_true(&self) -> bool {
        matches!(self, Self::Raw(text) if text == "true")
    }

    pub(crate) fn is_empty_list(&self) -> bool {
        match self {
            Self::Raw(text) => text == "[]",
            Self::List(items) => items.is_empty(),
            _ => false,
        }
    }

    /// Whether it says nothing: null, or an object without keys.
    pub(crate) fn is_nothing(&self) -> bool {
        self.is_null() || matches!(self, Self::Object(fields) if fields.is_empty())
    }

    /// Its string, if it is one.
    pub(crate) fn as_text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Text(text) => Some(Cow::Borrowed(text)),
            Self::Raw(text) => json_text(text).map(Cow::Owned),
            _ => None,
        }
    }

    /// The same, given away.
    pub(crate) fn into_text(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Text(text) => Some(text),
            Self::Raw(text) => json_text(&text).map(Cow::Owned),
            _ => None,
        }
    }

    /// Its number, if it is one.
    pub(crate) fn as_number(&self) -> Option<f64> {
        match self {
            Self::Raw(text) => json_number(text),
            _ => None,
        }
    }

    /// The value of a key; of a duplicate key the last.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(fields) => fields.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The string of a key.
    pub(crate) fn text_of(&self, key: &str) -> Option<Cow<'_, str>> {
        self.get(key)?.as_text()
    }

    /// Takes the value of a key out of an object.
    pub(crate) fn take(&mut self, key: &str) -> Option<Self> {
        let Self::Object(fields) = self else { return None };
        let place = fields.iter().rposition(|(name, _)| name == key)?;
        let (_, value) = fields.remove(place);
        // An earlier one of the same key has no say.
        fields.retain(|(name, _)| name != key);
        Some(value)
    }

    /// Takes all keys out of an object.
    pub(crate) fn take_all(&mut self) -> Vec<(Cow<'a, str>, Self)> {
        match self {
            Self::Object(fields) => std::mem::take(fields),
            _ => Vec::new(),
        }
    }

    /// Sets a key of an object; anything else becomes one.
    pub(crate) fn set(&mut self, key: impl Into<Cow<'a, str>>, value: Self) {
        let key = key.into();
        if !matches!(self, Self::Object(_)) {
            *self = Self::empty();
        }
        let Self::Object(fields) = self else { return };
        match fields.iter_mut().find(|(name, _)| *name == key) {
            Some((_, old)) => *old = value,
            None => fields.push((key, value)),
        }
    }

    /// Whether it is a string.
    pub(crate) fn is_string(&self) -> bool {
        match self {
            Self::Text(_) => true,
            Self::Raw(text) => text.starts_with('"'),
            _ => false,
        }
    }

    /// A tree of a list or an object that stands as text, one level deep.
    pub(crate) fn opened(self) -> Self {
        match self {
            Self::Raw(Cow::Borrowed(text)) if text.starts_with(['{', '[']) => Self::read(text).unwrap_or(NULL),
            Self::Raw(Cow::Owned(text)) if text.starts_with(['{', '[']) => {
                Tree::read(&text).map_or(NULL, Tree::into_owned)
            }
            other => other,
        }
    }

    /// The items of a list.
    pub(crate) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// Writes it as JSON.
    pub(crate) fn write(&self, out: &mut String) {
        match self {
            Self::Text(text) => out.push_str(&crate::session::json_string(text)),
            Self::Raw(text) => out.push_str(text),
            Self::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Self::Object(fields) => {
                out.push('{');
                for (index, (key, value)) in fields.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    out.push_str(&crate::session::json_string(key));
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }

    /// It as JSON.
    pub(crate) fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    /// The same, borrowing nothing.
    pub(crate) fn into_owned(self) -> Tree<'static> {
        match self {
            Self::Text(text) => Tree::Text(Cow::Owned(text.into_owned())),
            Self::Raw(text) => Tree::Raw(Cow::Owned(text.into_owned())),
            Self::List(items) => Tree::List(items.into_iter().map(Tree::into_owned).collect()),
            Self::Object(fields) => Tree::Object(
                fields.into_iter().map(|(key, value)| (Cow::Owned(key.into_owned()), value.into_owned())).collect(),
            ),
        }
    }
}

impl<'de> JsonSink<'de> for Tree<'de> {
    fn scalar(&mut self, value: Option<JsonScalar<'de>>) {
        *self = match value {
            Some(JsonScalar::Text(text)) => Self::Text(text),
            Some(JsonScalar::Boolean(true)) => Self::Raw(Cow::Borrowed("true")),
            Some(JsonScalar::Boolean(false)) => Self::Raw(Cow::Borrowed("false")),
            // A number where no format has one: what it is exactly is not asked for.
            Some(JsonScalar::Number(number)) => Self::Raw(Cow::Owned((number as i64).to_string())),
            None => NULL,
        };
    }

    fn list(&mut self, list: &mut dyn JsonList<'de>) -> Result<(), JsonStop> {
        let mut items = Vec::new();
        let mut item = NULL;
        while list.next(&mut item)? {
            items.push(std::mem::take(&mut item));
        }
        *self = Self::List(items);
        Ok(())
    }

    fn object(&mut self, object: &mut dyn JsonObject<'de>) -> Result<(), JsonStop> {
        let mut fields = Vec::new();
        while let Some(key) = object.key()? {
            let mut value = NULL;
            if READ_AT_ONCE.contains(&&*key) {
                object.value(&mut value)?;
            } else {
                let text = object.raw()?;
                value = Self::Raw(Cow::Borrowed(text));
                let looked_into = match text.as_bytes().first() {
                    Some(b'[') => LISTS.contains(&&*key),
                    Some(b'{') => OBJECTS.contains(&&*key),
                    _ => false,
                };
                if looked_into {
                    value = value.opened();
                }
            }
            fields.push((key, value));
        }
        *self = Self::Object(fields);
        Ok(())
    }
}
