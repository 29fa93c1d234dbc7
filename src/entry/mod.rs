//! Entries of a session: what each type and each message role holds.
//!
//! An entry here is a typed index over a stored line: what the rules read. The line itself stays
//! with the session, byte for byte, so that fields nobody here knows are never lost.

mod attachment;
mod base64;
mod field;
mod image_size;
mod json;
mod message;
pub(crate) mod object;
mod pdf_pages;
mod playing_time;
mod read;
pub(crate) mod scan;
mod time;
mod usage;

pub use attachment::{Attachment, AttachmentKind};
pub(crate) use attachment::{MOST_PAGES, MOST_SECONDS};
pub use image_size::PixelSize;
pub(crate) use json::{
    List as JsonList, Object as JsonObject, Scalar as JsonScalar, Sink as JsonSink, Stop as JsonStop, read as read_json,
};
pub(crate) use message::keeps_nothing;
pub use message::{
    AssistantMessage, Block, Content, Execution, Image, MentionedFile, Message, StopReason, Thinking, ToolCall,
    ToolResult,
};
pub(crate) use object::{is_json, number as json_number, raw_field, text as json_text};
pub(crate) use read::{FieldTexts, RECORD_TYPES, Read, Record, read_record};
pub(crate) use time::{iso, milliseconds};
pub use usage::{Usage, calculate_context_tokens, calculate_prompt_tokens};

use std::borrow::Cow;
use std::sync::Arc;

/// The id of an entry: 8 hex characters for new ones, any string found in a file.
pub type EntryId = Arc<str>;

/// One entry of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its id.
    pub id: EntryId,
    /// The id of the entry it follows, as stored; `None` for a root.
    pub parent_id: Option<EntryId>,
    /// When it was made, ISO 8601, as stored; empty where the record has none.
    pub timestamp: Box<str>,
    /// What it is.
    pub kind: EntryKind,
}

/// What an entry is.
#[derive(Debug, Clone, PartialEq)]
pub enum EntryKind {
    /// A message.
    Message(Message),
    /// A compaction: earlier history rewritten into a summary.
    Compaction(Compaction),
    /// The summary of an abandoned branch.
    BranchSummary(BranchSummary),
    /// A message that an extension put into the context.
    CustomMessage(CustomMessage),
    /// State of an extension; never sent to the model.
    Custom,
    /// The model in force from here on.
    ModelChange(ModelChoice),
    /// The thinking level in force from here on.
    ThinkingLevelChange(Box<str>),
    /// A label set on an entry, or cleared.
    Label {
        /// The labelled entry.
        target_id: Box<str>,
        /// The label; `None` clears it.
        label: Option<Box<str>>,
    },
    /// Which tool outputs are seen as pruned from here on; their entries stay as they are.
    Prune {
        /// The entries of the results: these and no others, whatever an earlier prune names.
        entry_ids: Vec<EntryIdText>,
    },
    /// What is known about the session.
    SessionInfo,
    /// A type that this version does not know.
    Unknown,
    /// Bytes of which only the ids could be read.
    Unreadable,
}

/// A compaction entry.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Compaction {
    /// The summary that stands for the entries before the first kept one.
    pub summary: String,
    /// Two or three sentences for a screen; never sent to the model.
    pub short_summary: Option<String>,
    /// The first entry that stays verbatim.
    pub first_kept_entry_id: EntryIdText,
    /// The context size before the compaction, in tokens.
    pub tokens_before: u64,
    /// The files named in `details`.
    pub files: FileLists,
    /// Whether a hook made the summary.
    pub from_extension: bool,
}

/// An id as text; empty where the record has none.
pub type EntryIdText = Box<str>;

/// A branch summary entry.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BranchSummary {
    /// The leaf that was left, or `root`.
    pub from_id: EntryIdText,
    /// The summary.
    pub summary: String,
    /// The files named in `details`.
    pub files: FileLists,
    /// Whether a hook made the summary.
    pub from_extension: bool,
}

/// A custom message entry.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CustomMessage {
    /// Whose message it is.
    pub custom_type: Box<str>,
    /// What the model reads.
    pub content: Content,
}

/// A model, as a change or an assistant message names it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelChoice {
    /// The provider.
    pub provider: Box<str>,
    /// The provider's id of the model.
    pub model_id: Box<str>,
}

/// Files read and files modified, as `details` stores them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileLists {
    /// Files that were only read.
    pub read_files: Vec<String>,
    /// Files that were modified.
    pub modified_files: Vec<String>,
}

impl Entry {
    /// The message this entry becomes in a view, if any. A compaction becomes its summary message,
    /// which a view puts in front.
    pub fn message(&self) -> Option<Cow<'_, Message>> {
        match &self.kind {
            EntryKind::Message(message) => Some(Cow::Borrowed(message)),
            EntryKind::Compaction(compaction) => {
                Some(Cow::Owned(Message::CompactionSummary { summary: compaction.summary.clone() }))
            }
            EntryKind::BranchSummary(branch) if !branch.summary.is_empty() => {
                Some(Cow::Owned(Message::BranchSummary { summary: branch.summary.clone() }))
            }
            EntryKind::CustomMessage(custom) => Some(Cow::Owned(Message::Custom { content: custom.content.clone() })),
            _ => None,
        }
    }

    /// The compaction, if this entry is one.
    pub fn compaction(&self) -> Option<&Compaction> {
        match &self.kind {
            EntryKind::Compaction(compaction) => Some(compaction),
            _ => None,
        }
    }

    /// The assistant message, if this entry holds one.
    pub fn assistant(&self) -> Option<&AssistantMessage> {
        match &self.kind {
            EntryKind::Message(Message::Assistant(message)) => Some(message),
            _ => None,
        }
    }

    /// The tool result, if this entry holds one.
    pub fn tool_result(&self) -> Option<&ToolResult> {
        match &self.kind {
            EntryKind::Message(Message::ToolResult(message)) => Some(message),
            _ => None,
        }
    }
}
