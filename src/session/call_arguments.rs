//! The short strings among the arguments of calls, read once an entry.

use super::{Index, Session};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// The strings that one call was given.
#[derive(Debug)]
pub(crate) struct CallArguments {
    /// The tool.
    pub(crate) tool: Box<str>,
    /// Keys and values, in their order; what is no string, or long like the content of a file, is
    /// left out.
    pub(crate) strings: Vec<(Box<str>, Box<str>)>,
}

/// The longest string that may be a path, in bytes (PATH_MAX of Linux).
const LONGEST: usize = 4_096;

impl Session {
    /// The calls of an entry with their short strings.
    pub(crate) fn call_arguments(&self, index: Index) -> &[CallArguments] {
        let Some(node) = self.node(index) else { return &[] };
        node.call_arguments.get_or_init(|| {
            let calls = node.entry.assistant().into_iter().flat_map(crate::entry::AssistantMessage::tool_calls);
            calls
                .map(|call| CallArguments {
                    tool: call.name.clone(),
                    strings: serde_json::from_str(&call.arguments)
                        .map_or_else(|_| Vec::new(), |Strings(strings)| strings),
                })
                .collect()
        })
    }
}

struct Strings(Vec<(Box<str>, Box<str>)>);

impl<'de> Deserialize<'de> for Strings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct StringsVisitor;
        impl<'de> Visitor<'de> for StringsVisitor {
            type Value = Strings;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Strings, A::Error> {
                let mut strings = Vec::new();
                while let Some(key) = map.next_key::<Cow<'de, str>>()? {
                    let value = map.next_value::<&'de serde_json::value::RawValue>()?.get();
                    if value.len() <= LONGEST && value.starts_with('"') {
                        if let Ok(value) = serde_json::from_str::<String>(value) {
                            strings.push((key.into(), value.into()));
                        }
                    }
                }
                Ok(Strings(strings))
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<Strings, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Strings(Vec::new()))
            }
        }
        deserializer.deserialize_any(StringsVisitor)
    }
}
