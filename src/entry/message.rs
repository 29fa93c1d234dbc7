//! Messages by role, and the blocks of their content.

use super::{Attachment, EntryIdText, ModelChoice, PixelSize, Usage};

/// A message, by its role.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// What the user said.
    User {
        /// Text, or text and images.
        content: Content,
    },
    /// What the model answered.
    Assistant(AssistantMessage),
    /// What a tool gave back.
    ToolResult(ToolResult),
    /// A shell command that the user ran.
    BashExecution(Execution),
    /// Code that the user ran.
    PythonExecution(Execution),
    /// Files that the user mentioned.
    FileMention {
        /// The files, in their order.
        files: Vec<MentionedFile>,
    },
    /// A message of an extension: role `custom`, or `hookMessage` by its old name.
    Custom {
        /// What the model reads.
        content: Content,
    },
    /// The summary of an abandoned branch.
    BranchSummary {
        /// The summary.
        summary: String,
    },
    /// The summary of earlier history.
    CompactionSummary {
        /// The summary.
        summary: String,
    },
    /// A role that this version does not know.
    Unknown,
}

/// Content: a string, or blocks.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// A string.
    Text(String),
    /// Blocks, in their order.
    Blocks(Vec<Block>),
}

impl Default for Content {
    fn default() -> Self {
        Self::Blocks(Vec::new())
    }
}

/// A block of content.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// Text.
    Text(String),
    /// Reasoning of the model.
    Thinking(Thinking),
    /// A call of a tool.
    ToolCall(ToolCall),
    /// An image.
    Image(Image),
    /// A PDF, a recording or another file, in the form of any provider.
    Attachment(Attachment),
    /// A block of a type that this version does not know.
    Unknown,
}

/// Reasoning of the model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Thinking {
    /// The readable part; empty where the provider hides it.
    pub text: String,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolCall {
    /// The id that the result names.
    pub id: Box<str>,
    /// The tool.
    pub name: Box<str>,
    /// The arguments, as JSON text as stored; empty where there are none.
    pub arguments: Box<str>,
}

/// An image. Its data stays in the stored line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Image {
    /// Its media type, empty where the record has none.
    pub mime_type: Box<str>,
    /// The length of its data, in characters of base64.
    pub data_length: usize,
    /// Its width and height, where its data says them.
    pub size: Option<PixelSize>,
}

/// An assistant message.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AssistantMessage {
    /// Text, reasoning and calls.
    pub content: Vec<Block>,
    /// The model that answered, where it is named.
    pub model: Option<ModelChoice>,
    /// What the provider counted, where it said.
    pub usage: Option<Usage>,
    /// Why the answer ended.
    pub stop_reason: StopReason,
    /// What went wrong, where the answer says.
    pub error_message: Option<Box<str>>,
}

/// Why an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StopReason {
    /// It was finished.
    Stop,
    /// It reached the output limit.
    Length,
    /// It calls tools.
    ToolUse,
    /// It ended with an error.
    Error,
    /// It was stopped by the user.
    Aborted,
    /// None of these, or not said.
    #[default]
    Unknown,
}

/// A tool result.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolResult {
    /// The call it answers.
    pub tool_call_id: Box<str>,
    /// The tool.
    pub tool_name: Box<str>,
    /// What it gave back.
    pub content: Content,
    /// Whether the tool failed.
    pub is_error: bool,
    /// Whether the content was pruned.
    pub pruned: bool,
    /// When it was, in milliseconds since 1970; none where the record says no time.
    pub pruned_at: Option<i64>,
}

/// A command or code that the user ran.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Execution {
    /// The command, or the code.
    pub source: String,
    /// What it printed.
    pub output: String,
    /// Its exit code, where it had one.
    pub exit_code: Option<i64>,
    /// Whether the user stopped it.
    pub cancelled: bool,
    /// Whether the output was cut.
    pub truncated: bool,
    /// Where the whole output is.
    pub full_output_path: Option<String>,
    /// Whether the model never sees it.
    pub exclude_from_context: bool,
}

/// A file that the user mentioned.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MentionedFile {
    /// Its path.
    pub path: String,
    /// Its text.
    pub content: String,
    /// Its image, if it is one.
    pub image: Option<Image>,
}

impl AssistantMessage {
    /// Whether a view leaves the turn out: it ended with an error or was aborted.
    pub fn is_failed(&self) -> bool {
        matches!(self.stop_reason, StopReason::Error | StopReason::Aborted)
    }

    /// The usage, if it measures something: not that of a failed turn, and not all zero.
    pub fn valid_usage(&self) -> Option<&Usage> {
        self.usage.as_ref().filter(|usage| !self.is_failed() && super::calculate_context_tokens(usage) > 0)
    }

    /// The calls, in their order.
    pub fn tool_calls(&self) -> impl DoubleEndedIterator<Item = &ToolCall> {
        self.content.iter().filter_map(|block| match block {
            Block::ToolCall(call) => Some(call),
            _ => None,
        })
    }
}

impl Content {
    /// The blocks; a string has none.
    pub fn blocks(&self) -> &[Block] {
        match self {
            Self::Text(_) => &[],
            Self::Blocks(blocks) => blocks,
        }
    }

    /// The texts, in their order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let whole = match self {
            Self::Text(text) => Some(text.as_str()),
            Self::Blocks(_) => None,
        };
        whole.into_iter().chain(self.blocks().iter().filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str()),
            _ => None,
        }))
    }

    /// The images, in their order.
    pub fn images(&self) -> impl Iterator<Item = &Image> {
        self.blocks().iter().filter_map(|block| match block {
            Block::Image(image) => Some(image),
            _ => None,
        })
    }
}

/// The first kept entry of a compaction that keeps nothing is the compaction itself.
pub(crate) fn keeps_nothing(first_kept_entry_id: &EntryIdText, id: &str) -> bool {
    &**first_kept_entry_id == id
}
