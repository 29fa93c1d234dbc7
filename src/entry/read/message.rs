//! From the JSON of a message to a message: its role, its content, its usage.

use super::super::field::{Field, Plain, Scalar, Shape, fields, plain, raw};
use super::super::image_size::image_size;
use super::super::{
    AssistantMessage, Block, Content, Execution, Image, MentionedFile, Message, ModelChoice, StopReason, Thinking,
    ToolCall, ToolResult, Usage,
};
use super::{boxed, whole};
use crate::error::{Error, ErrorCode};
use serde::de::{Deserialize, MapAccess, SeqAccess};
use std::borrow::Cow;

/// Every known field of every known role.
#[derive(Default)]
pub(super) struct MessageFields<'a> {
    role: Plain<'a>,
    content: Field<ContentRead>,
    provider: Plain<'a>,
    model: Plain<'a>,
    usage: Field<UsageFields>,
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

impl<'de> Shape<'de> for MessageFields<'de> {
    fn object<A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        let mut all = Self::default();
        fields(map, |key, map| {
            match key {
                "role" => all.role = plain(map)?,
                "content" => all.content = map.next_value()?,
                "provider" => all.provider = plain(map)?,
                "model" => all.model = plain(map)?,
                "usage" => all.usage = map.next_value()?,
                "stopReason" => all.stop_reason = plain(map)?,
                "errorMessage" => all.error_message = plain(map)?,
                "toolCallId" => all.tool_call_id = plain(map)?,
                "toolName" => all.tool_name = plain(map)?,
                "isError" => all.is_error = plain(map)?,
                "prunedAt" => all.pruned_at = plain(map)?,
                "command" => all.command = plain(map)?,
                "code" => all.code = plain(map)?,
                "output" => all.output = plain(map)?,
                "exitCode" => all.exit_code = plain(map)?,
                "cancelled" => all.cancelled = plain(map)?,
                "truncated" => all.truncated = plain(map)?,
                "fullOutputPath" => all.full_output_path = plain(map)?,
                "excludeFromContext" => all.exclude_from_context = plain(map)?,
                "files" => all.files = map.next_value()?,
                "summary" => all.summary = plain(map)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(Some(all))
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
                    usage: self.usage.take("message.usage", wrong).map(|read| {
                        if read.wrong {
                            wrong.push("message.usage");
                        }
                        read.usage
                    }),
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
    fn text(value: Cow<'de, str>) -> Option<Self> {
        Some(Self { content: Content::Text(value.into_owned()), wrong: false })
    }

    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Option<Self>, A::Error> {
        let mut blocks = Vec::new();
        let mut wrong = false;
        while let Some(field) = list.next_element::<Field<BlockRead>>()? {
            match field {
                Field::Is(read) => {
                    blocks.push(read.block);
                    wrong |= read.wrong;
                }
                Field::Wrong | Field::Absent => wrong = true,
            }
        }
        Ok(Some(Self { content: Content::Blocks(blocks), wrong }))
    }
}

struct BlockRead {
    block: Block,
    wrong: bool,
}

impl<'de> Shape<'de> for BlockRead {
    fn object<A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        let mut kind = Plain::Absent;
        let mut text = Plain::Absent;
        let mut thinking = Plain::Absent;
        let mut id = Plain::Absent;
        let mut name = Plain::Absent;
        let mut arguments = "";
        let mut image = ImageFields::default();
        fields(map, |key, map| {
            match key {
                "type" => kind = plain(map)?,
                "text" => text = plain(map)?,
                "thinking" => thinking = plain(map)?,
                "id" => id = plain(map)?,
                "name" => name = plain(map)?,
                "arguments" => arguments = raw(map)?,
                other => return image.field(other, map),
            }
            Ok(true)
        })?;
        let mut wrong = Vec::new();
        let kind = kind.text("type", &mut wrong).unwrap_or_default();
        let block = match &*kind {
            "text" => Block::Text(text.string("text", &mut wrong).unwrap_or_default()),
            "thinking" => {
                Block::Thinking(Thinking { text: thinking.string("thinking", &mut wrong).unwrap_or_default() })
            }
            "toolCall" => Block::ToolCall(ToolCall {
                id: boxed(id.text("id", &mut wrong)),
                name: boxed(name.text("name", &mut wrong)),
                arguments: arguments.into(),
            }),
            "image" => Block::Image(image.finish(&mut wrong)),
            _ => Block::Unknown,
        };
        Ok(Some(Self { block, wrong: !wrong.is_empty() }))
    }
}

#[derive(Default)]
struct ImageFields<'a> {
    mime_type: Plain<'a>,
    data: Plain<'a>,
}

impl<'a> ImageFields<'a> {
    fn field<A: MapAccess<'a>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "mimeType" => self.mime_type = plain(map)?,
            "data" => self.data = plain(map)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn finish(self, wrong: &mut Vec<&'static str>) -> Image {
        let data = self.data.text("data", wrong).unwrap_or_default();
        Image {
            mime_type: boxed(self.mime_type.text("mimeType", wrong)),
            data_length: data.len(),
            size: image_size(&data),
        }
    }
}

impl<'de> Shape<'de> for ImageFields<'de> {
    fn object<A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        let mut image = Self::default();
        fields(map, |key, map| image.field(key, map))?;
        Ok(Some(image))
    }
}

/// Files, and whether a part of them has a wrong type and counts as absent.
#[derive(Default)]
struct FilesRead {
    files: Vec<MentionedFile>,
    wrong: bool,
}

impl<'de> Shape<'de> for FilesRead {
    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Option<Self>, A::Error> {
        let mut all = Self::default();
        while let Some(field) = list.next_element::<Field<FileRead>>()? {
            match field {
                Field::Is(read) => {
                    all.files.push(read.file);
                    all.wrong |= read.wrong;
                }
                Field::Wrong | Field::Absent => all.wrong = true,
            }
        }
        Ok(Some(all))
    }
}

struct FileRead {
    file: MentionedFile,
    wrong: bool,
}

impl<'de> Shape<'de> for FileRead {
    fn object<A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        let mut path = Plain::Absent;
        let mut content = Plain::Absent;
        let mut image = Field::<ImageFields<'_>>::Absent;
        fields(map, |key, map| {
            match key {
                "path" => path = plain(map)?,
                "content" => content = plain(map)?,
                "image" => image = map.next_value()?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let mut wrong = Vec::new();
        let file = MentionedFile {
            path: path.string("path", &mut wrong).unwrap_or_default(),
            content: content.string("content", &mut wrong).unwrap_or_default(),
            image: image.take("image", &mut wrong).map(|image| image.finish(&mut wrong)),
        };
        Ok(Some(Self { file, wrong: !wrong.is_empty() }))
    }
}

/// Usage, and whether a part of it has a wrong type and counts as absent.
struct UsageFields {
    usage: Usage,
    wrong: bool,
}

impl<'de> Shape<'de> for UsageFields {
    fn object<A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        let mut usage = Usage::default();
        let mut any_wrong = false;
        fields(map, |key, map| {
            let part = match key {
                "input" => &mut usage.input,
                "output" => &mut usage.output,
                "cacheRead" => &mut usage.cache_read,
                "cacheWrite" => &mut usage.cache_write,
                "totalTokens" => &mut usage.total_tokens,
                _ => return Ok(false),
            };
            let mut wrong = Vec::new();
            *part = plain(map)?.number("usage", &mut wrong).map_or(0, whole);
            any_wrong |= !wrong.is_empty();
            Ok(true)
        })?;
        Ok(Some(Self { usage, wrong: any_wrong }))
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
        let mut deserializer = serde_json::Deserializer::from_str(json);
        let field = Field::<MessageFields<'_>>::deserialize(&mut deserializer)
            .and_then(|field| deserializer.end().map(|()| field))
            .map_err(|error| refuse(&error.to_string()))?;
        match field {
            Field::Is(fields) => Ok(fields.classify(&mut Vec::new()).0),
            Field::Absent | Field::Wrong => Err(refuse("not an object")),
        }
    }
}
