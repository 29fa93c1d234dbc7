//! The short strings among the arguments of calls, read once an entry.

use super::{Index, Session};
use crate::entry::object;

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
                    strings: object::strings(&call.arguments, LONGEST),
                })
                .collect()
        })
    }
}
