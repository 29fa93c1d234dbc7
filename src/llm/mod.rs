//! From session messages to what a model reads.

mod cluster;
mod convert;
mod escapes;
pub mod literals;
pub(crate) mod prompts;
mod serialize;
mod shorten;
mod tags;
mod template;

pub use convert::{Converted, convert};
pub use serialize::{serialize_conversation, serialize_conversation_into};
pub use shorten::TOOL_RESULT_CHARACTERS;
pub use tags::{TAG_NAMES, escape_tags};

pub(crate) use convert::one_line;
pub(crate) use escapes::plain_characters;
pub(crate) use serialize::serialize_conversation_with_starts;
pub(crate) use shorten::{shorten, utf16_length};
pub(crate) use tags::{FILE_LIST_TAGS, escape_named_tags, is_between_tag_parts, name_at};
pub(crate) use template::fill;
