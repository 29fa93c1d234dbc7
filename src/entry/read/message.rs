//! From the JSON of a message to a message: its role, its content, its usage.

use super::super::field::{Field, Fields, Plain, Shape, Target};
use super::super::json::{self, List, Scalar, Stop};
use super::super::object::value;
use super::super::{
    AssistantMessage, Block, Content, Execution, MentionedFile, Message, ModelChoice, StopReason, Thinking, ToolCall,
    ToolResult,
};
use super::boxed;
use super::media::{MediaFields, Within};
use super::usage::UsageFields;
use crate::error::{Error, ErrorCode};
use std::borrow::Cow;

/// Every known field of every known role.
#[derive(Default)]
pub(super) struct MessageFields<'a> {
    role: Plain<'a>,
    content: Field<ContentRead>,
    provider: Plain<'a>,
    model: Plain<'a>,
    usage: Field<UsageFields<'a>>,
    stop_reason: Plain<'a>,
    error_message: Plain<'a>,
    tool_call_id: Plain<'a>,
    tool_name: Plain<'a>,
    is_error: Plain<'a>,
    pruned_at: Plain<'a>,
    command: Plain<'a>,
    code: Plain<'a>,
    output: Plain<'a>,
    exit_code: Plain<'a>,
    cancelled: Plain<'a>,
    truncated: Plain<'a>,
    full_output_path: Plain<'a>,
    exclude_from_context: Plain<'a>,
    files: Field<FilesRead>,
    summary: Plain<'a>,
}

impl<'de> Fields<'de> for MessageFields<'de> {
    fn target(&mut self, key: &str) -> Target<'_, 'de> {
        match key {
            "role" => Target::Value(&mut self.role),
            "content" => Target::Value(&mut self.content),
            "provider" => Target::Value(&mut self.provider),
            "model" => Target::Value(&mut self.model),
            "usage" => Target::Value(&mut self.usage),
            "stopReason" => Target::Value(&mut self.stop_reason),
            "errorMessage" => Target::Value(&mut self.error_message),
            "toolCallId" => Target::Value(&mut self.tool_call_id),
            "toolName" => Target::Value(&mut self.tool_name),
            "isError" => Target::Value(&mut self.is_error),
            "prunedAt" => Target::Value(&mut self.pruned_at),
            "command" => Target::Value(&mut self.command),
            "code" => Target::Value(&mut self.code),
            "output" => Target::Value(&mut self.output),
            "exitCode" => Target::Value(&mut self.exit_code),
            "cancelled" => Target::Value(&mut self.cancelled),
            "truncated" => Target::Value(&mut self.truncated),
            "fullOutputPath" => Target::Value(&mut self.full_output_path),
            "excludeFromContext" => Target::Value(&mut self.exclude_from_context),
            "files" => Target::Value(&mut self.files),
            "summary" => Target::Value(&mut self.summary),
            _ => Target::Nowhere,
        }
    }
}

impl<'a> MessageFields<'a> {
    /// Names the fields without which a message of this role says nothing, and whether they are there.
    pub(super) fn needs(&self, need: &mut dyn FnMut(bool, &'static str)) {
        match &self.role {
            Field::Is(Scalar::Text(role)) => match &**role {
                "user" | "assistant" | "custom" | "hookMessage" => {
                    need(self.content.is_there(), "message.content");
                }
                "toolResult" => {
                    need(self.content.is_there(), "message.content");
                    need(self.tool_call_id.is_text(), "message.toolCallId");
                }
                "bashExecution" => need(self.command.is_text(), "message.command"),
                "pythonExecution" => need(self.code.is_text(), "message.code"),
                "fileMention" => need(self.files.is_there(), "message.files"),
                "branchSummary" | "compactionSummary" => need(self.summary.is_text(), "message.summary"),
                _ => {}
            },
            _ => need(false, "message.role"),
        }
    }

    /// The message, and its role as it stands in the record where migration renames it.
    pub(super) fn classify(self, wrong: &mut Vec<&'static str>) -> (Message, Option<&'a str>) {
        let role = self.role.text("message.role", wrong).unwrap_or_default();
        let content = self.content;
        let content = |wrong: &mut Vec<&'static str>| read_content(content, "message.content", wrong);
        let message = match &*role {
            "user" => Message::User { content: content(wrong) },
            "assistant" => {
                let provider = self.provider.text("message.provider", wrong);
                let model = self.model.text("message.model", wrong);
                Message::Assistant(AssistantMessage {
                    content: match content(wrong) {
                        Content::Blocks(blocks) => blocks,
                        Content::Text(text) => vec![Block::Text(text)],
                    },
                    model: model.map(|model| ModelChoice { provider: boxed(provider), model_id: model.into() }),
                    usage: self.usage.take("message.usage", wrong).map(|usage| usage.usage(wrong)),
                    stop_reason: match self.stop_reason.text("message.stopReason", wrong).as_deref() {
                        Some("stop") => StopReason::Stop,
                        Some("length") => StopReason::Length,
                        Some("toolUse") => StopReason::ToolUse,
                        Some("error") => StopReason::Error,
                        Some("aborted") => StopReason::Aborted,
                        _ => StopReason::Unknown,
                    },
                    error_message: self.error_message.text("message.errorMessage", wrong).map(Into::into),
                })
            }
            "toolResult" => Message::ToolResult(ToolResult {
                tool_call_id: boxed(self.tool_call_id.text("message.toolCallId", wrong)),
                tool_name: boxed(self.tool_name.text("message.toolName", wrong)),
                content: content(wrong),
                is_error: self.is_error.boolean("message.isError", wrong).unwrap_or(false),
                pruned: matches!(self.pruned_at, Field::Is(Scalar::Number(_) | Scalar::Text(_))),
                pruned_at: match self.pruned_at {
                    Field::Is(Scalar::Number(time)) => Some(time as i64),
                    Field::Is(Scalar::Text(time)) => super::super::milliseconds(&time),
                    Field::Absent => None,
                    _ => {
                        wrong.push("message.prunedAt");
                        None
                    }
                },
            }),
            "bashExecution" | "pythonExecution" => {
                let bash = role == "bashExecution";
                let source = if bash {
                    self.command.string("message.command", wrong)
                } else {
                    self.code.string("message.code", wrong)
                };
                let execution = Execution {
                    source: source.unwrap_or_default(),
                    output: self.output.string("message.output", wrong).unwrap_or_default(),
                    exit_code: self.exit_code.number("message.exitCode", wrong).map(|code| code as i64),
                    cancelled: self.cancelled.boolean("message.cancelled", wrong).unwrap_or(false),
                    truncated: self.truncated.boolean("message.truncated", wrong).unwrap_or(false),
                    full_output_path: self.full_output_path.string("message.fullOutputPath", wrong),
                    exclude_from_context: self
                        .exclude_from_context
                        .boolean("message.excludeFromContext", wrong)
                        .unwrap_or(false),
                };
                if bash { Message::BashExecution(execution) } else { Message::PythonExecution(execution) }
            }
            "fileMention" => {
                let read = self.files.take("message.files", wrong).unwrap_or_default();
                if read.wrong {
                    wrong.push("message.files");
                }
                Message::FileMention { files: read.files }
            }
            "custom" => Message::Custom { content: content(wrong) },
            "hookMessage" => {
                let message = Message::Custom { content: content(wrong) };
                // Written with escapes it is not found again, and keeps its old name.
                return (message, if let Cow::Borrowed(role) = role { Some(role) } else { None });
            }
            "branchSummary" => {
                Message::BranchSummary { summary: self.summary.string("message.summary", wrong).unwrap_or_default() }
            }
            "compactionSummary" => Message::CompactionSummary {
                summary: self.summary.string("message.summary", wrong).unwrap_or_default(),
            },
            _ => Message::Unknown,
        };
        (message, None)
    }
}

/// Content, and whether a part of it has a wrong type and counts as absent.
#[derive(Debug)]
pub(super) struct ContentRead {
    content: Content,
    wrong: bool,
}

pub(super) fn read_content(field: Field<ContentRead>, name: &'static str, wrong: &mut Vec<&'static str>) -> Content {
    let Some(read) = field.take(name, wrong) else { return Content::default() };
    if read.wrong {
        wrong.push(name);
    }
    read.content
}

impl<'de> Shape<'de> for ContentRead {
    fn scalar(value: Scalar<'de>) -> Option<Self> {
        Some(Self { content: Content::Text(value.into_text()?.into_owned()), wrong: false })
    }

    fn list(list: &mut dyn List<'de>) -> Result<Option<Self>, Stop> {
        let mut blocks = Vec::new();
        let mut wrong = false;
        let mut field = Field::<BlockFields<'_>>::Absent;
        while list.next(&mut field)? {
            match std::mem::take(&mut field) {
                Field::Is(read) => read.push_to(&mut blocks, Within::Message, &mut wrong),
                Field::Wrong | Field::Absent => wrong = true,
            }
        }
        Ok(Some(Self { content: Content::Blocks(blocks), wrong }))
    }
}

/// Every known field of every known block.
#[derive(Default)]
pub(super) struct BlockFields<'a> {
    kind: Plain<'a>,
    text: Plain<'a>,
    thinking: Plain<'a>,
    id: Plain<'a>,
    name: Plain<'a>,
    arguments: Option<&'a str>,
    media: MediaFields<'a>,
}

impl<'de> Fields<'de> for BlockFields<'de> {
    fn target(&mut self, key: &str) -> Target<'_, 'de> {
        match key {
            "type" => Target::Value(&mut self.kind),
            "text" => Target::Value(&mut self.text),
            "thinking" => Target::Value(&mut self.thinking),
            "id" => Target::Value(&mut self.id),
            "name" => Target::Value(&mut self.name),
            "arguments" => Target::Raw(&mut self.arguments),
            other => self.media.target(other),
        }
    }
}

impl BlockFields<'_> {
    /// Adds the block, noting whether a part of it has a wrong type and counts as absent.
    pub(super) fn push_to(mut self, blocks: &mut Vec<Block>, within: Within, any_wrong: &mut bool) {
        let mut wrong = Vec::new();
        let media = std::mem::take(&mut self.media);
        let kind = self.kind.text("type", &mut wrong).unwrap_or_default();
        match &*kind {
            "text" => {
                blocks.push(Block::Text(self.text.string("text", &mut wrong).unwrap_or_default()));
                // Where it stands for a file of another format, that file is what the model is given.
                if let Some(BlockFields { kind, media, .. }) = media.stands_for().and_then(value) {
                    let kind = kind.text("type", &mut Vec::new()).unwrap_or_default();
                    media.push_file(&kind, within, blocks);
                }
            }
            "thinking" => {
                let text = self.thinking.string("thinking", &mut wrong).unwrap_or_default();
                blocks.push(Block::Thinking(Thinking { text }));
            }
            "toolCall" => blocks.push(Block::ToolCall(ToolCall {
                id: boxed(self.id.text("id", &mut wrong)),
                name: boxed(self.name.text("name", &mut wrong)),
                arguments: self.arguments.unwrap_or_default().into(),
            })),
            "image" => blocks.push(Block::Image(media.image(&mut wrong))),
            other => {
                if !media.push_file(other, within, blocks) {
                    blocks.push(Block::Unknown);
                }
            }
        }
        *any_wrong |= !wrong.is_empty();
    }
}

/// Files, and whether a part of them has a wrong type and counts as absent.
#[derive(Default)]
struct FilesRead {
    files: Vec<MentionedFile>,
    wrong: bool,
}

impl<'de> Shape<'de> for FilesRead {
    fn list(list: &mut dyn List<'de>) -> Result<Option<Self>, Stop> {
        let mut all = Self::default();
        let mut field = Field::<FileFields<'_>>::Absent;
        while list.next(&mut field)? {
            match std::mem::take(&mut field) {
                Field::Is(read) => all.files.push(read.file(&mut all.wrong)),
                Field::Wrong | Field::Absent => all.wrong = true,
            }
        }
        Ok(Some(all))
    }
}

#[derive(Default)]
struct FileFields<'a> {
    path: Plain<'a>,
    content: Plain<'a>,
    image: Field<MediaFields<'a>>,
}

impl<'de> Fields<'de> for FileFields<'de> {
    fn target(&mut self, key: &str) -> Target<'_, 'de> {
        match key {
            "path" => Target::Value(&mut self.path),
            "content" => Target::Value(&mut self.content),
            "image" => Target::Value(&mut self.image),
            _ => Target::Nowhere,
        }
    }
}

impl FileFields<'_> {
    /// The file, noting whether a part of it has a wrong type and counts as absent.
    fn file(self, any_wrong: &mut bool) -> MentionedFile {
        let mut wrong = Vec::new();
        let file = MentionedFile {
            path: self.path.string("path", &mut wrong).unwrap_or_default(),
            content: self.content.string("content", &mut wrong).unwrap_or_default(),
            image: self.image.take("image", &mut wrong).map(|image| image.image(&mut wrong)),
        };
        *any_wrong |= !wrong.is_empty();
        file
    }
}

impl Message {
    /// A message from its JSON, as it stands in an entry.
    ///
    /// # Errors
    ///
    /// `invalid-entry` for what is no JSON object.
    ///
    /// ```
    /// use threadfold::entry::{Content, Message};
    /// let message = Message::from_json(r#"{"role":"user","content":"Fix the parser."}"#)?;
    /// assert_eq!(message, Message::User { content: Content::Text("Fix the parser.".into()) });
    /// # Ok::<(), threadfold::error::Error>(())
    /// ```
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let refuse = |reason: &str| {
            Error::new(
                ErrorCode::InvalidEntry,
                format!("not the JSON of a message: {reason}; allowed is an object with a role"),
            )
        };
        let mut field = Field::<MessageFields<'_>>::Absent;
        json::read(json, &mut field).map_err(|error| refuse(&error.to_string()))?;
        match field {
            Field::Is(fields) => Ok(fields.classify(&mut Vec::new()).0),
            Field::Absent | Field::Wrong => Err(refuse("not an object")),
        }
    }
}
