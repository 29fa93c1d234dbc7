//! From one JSON record to an entry or a header.

use super::field::{Field, Placed, Plain, Scalar, Shape, fields, placed, plain, raw};
use super::image_size::image_size;
use super::{
    AssistantMessage, Block, BranchSummary, Compaction, Content, CustomMessage, EntryKind, Execution, FileLists, Image,
    MentionedFile, Message, ModelChoice, StopReason, Thinking, ToolCall, ToolResult, Usage,
};
use crate::error::{Error, ErrorCode};
use serde::de::{Deserialize, MapAccess, SeqAccess};
use std::borrow::Cow;

/// What one record is.
#[allow(clippy::large_enum_variant, reason = "one lives at a time, and nearly all are entries")]
pub(crate) enum Read<'a> {
    /// The header of a session.
    Header(Header<'a>),
    /// An entry, or an object that could be one of a type this version does not know.
    Entry(Record<'a>),
}

/// The fields of a header.
pub(crate) struct Header<'a> {
    pub(crate) version: Option<u32>,
    pub(crate) id: Option<Cow<'a, str>>,
    /// Where the value of `version` stands in the record.
    pub(crate) version_text: Option<&'a str>,
    /// Known fields whose value has a wrong type and counts as absent.
    pub(crate) wrong_shape: Vec<&'static str>,
}

/// The fields of an entry.
pub(crate) struct Record<'a> {
    /// Whether its type is one that sessions have.
    pub(crate) known_type: bool,
    pub(crate) id: Option<Cow<'a, str>>,
    pub(crate) parent_id: Option<Cow<'a, str>>,
    pub(crate) timestamp: Cow<'a, str>,
    pub(crate) kind: EntryKind,
    /// The old field that counts records, with its text in the record.
    pub(crate) first_kept_entry_index: Option<(f64, &'a str)>,
    /// The role as it stands in the record, where migration renames it.
    pub(crate) hook_message_role: Option<&'a str>,
    /// The values of these fields as they stand in the record, also where they are null.
    pub(crate) texts: FieldTexts<'a>,
    /// Known fields whose value has a wrong type and counts as absent.
    pub(crate) wrong_shape: Vec<&'static str>,
    /// Fields that an entry of this type needs and that are not there.
    pub(crate) missing: Vec<&'static str>,
}

/// The JSON texts of the fields that a session gives or a migration changes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FieldTexts<'a> {
    pub(crate) id: Option<&'a str>,
    pub(crate) parent_id: Option<&'a str>,
    pub(crate) timestamp_given: bool,
    pub(crate) first_kept_entry_id: Option<&'a str>,
}

/// Reads the record at the start of `text`; also gives the number of bytes it takes.
pub(crate) fn read_record(text: &str) -> Result<(Read<'_>, usize), serde_json::Error> {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Field<Fields<'_>>>();
    match stream.next() {
        Some(Ok(Field::Is(fields))) => Ok((fields.classify(), stream.byte_offset())),
        Some(Ok(_)) | None => Err(serde::de::Error::custom("not an object")),
        Some(Err(error)) => Err(error),
    }
}

/// Every known field of every known type; each type takes its own.
#[derive(Default)]
struct Fields<'a> {
    kind: Plain<'a>,
    id: Placed<'a>,
    parent_id: Placed<'a>,
    timestamp: Plain<'a>,
    /// Whether there is a timestamp at all, also one that is null.
    timestamp_given: bool,
    message: Field<MessageFields<'a>>,
    summary: Plain<'a>,
    short_summary: Plain<'a>,
    first_kept_entry_id: Placed<'a>,
    first_kept_entry_index: Option<&'a str>,
    tokens_before: Plain<'a>,
    details: Field<DetailsFields>,
    from_extension: Plain<'a>,
    from_hook: Plain<'a>,
    from_id: Plain<'a>,
    custom_type: Plain<'a>,
    content: Field<ContentRead>,
    provider: Plain<'a>,
    model_id: Plain<'a>,
    model: Plain<'a>,
    thinking_level: Plain<'a>,
    target_id: Plain<'a>,
    label: Plain<'a>,
    entry_ids: Field<Vec<Scalar<'a>>>,
    version: Option<&'a str>,
}

impl<'de> Shape<'de> for Fields<'de> {
    fn object<A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        let mut all = Self::default();
        fields(map, |key, map| {
            match key {
                "type" => all.kind = plain(map)?,
                "id" => all.id = placed(map)?,
                "parentId" => all.parent_id = placed(map)?,
                "timestamp" => {
                    all.timestamp = plain(map)?;
                    all.timestamp_given = true;
                }
                "message" => all.message = map.next_value()?,
                "summary" => all.summary = plain(map)?,
                "shortSummary" => all.short_summary = plain(map)?,
                "firstKeptEntryId" => all.first_kept_entry_id = placed(map)?,
                "firstKeptEntryIndex" => all.first_kept_entry_index = Some(raw(map)?),
                "tokensBefore" => all.tokens_before = plain(map)?,
                "details" => all.details = map.next_value()?,
                "fromExtension" => all.from_extension = plain(map)?,
                "fromHook" => all.from_hook = plain(map)?,
                "fromId" => all.from_id = plain(map)?,
                "customType" => all.custom_type = plain(map)?,
                "content" => all.content = map.next_value()?,
                "provider" => all.provider = plain(map)?,
                "modelId" => all.model_id = plain(map)?,
                "model" => all.model = plain(map)?,
                "thinkingLevel" => all.thinking_level = plain(map)?,
                "targetId" => all.target_id = plain(map)?,
                "label" => all.label = plain(map)?,
                "entryIds" => all.entry_ids = map.next_value()?,
                "version" => all.version = Some(raw(map)?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(Some(all))
    }
}

impl<'a> Fields<'a> {
    /// Fields without which an entry of this type says nothing. Only new entries are held to them.
    fn missing(&self) -> Vec<&'static str> {
        let Field::Is(Scalar::Text(kind)) = &self.kind else { return vec!["type"] };
        let mut missing = Vec::new();
        let mut need = |there: bool, name: &'static str| {
            if !there {
                missing.push(name);
            }
        };
        match &**kind {
            "message" => match &self.message {
                Field::Is(message) => match &message.role {
                    Field::Is(Scalar::Text(role)) => match &**role {
                        "user" | "assistant" | "custom" | "hookMessage" => {
                            need(message.content.is_there(), "message.content");
                        }
                        "toolResult" => {
                            need(message.content.is_there(), "message.content");
                            need(message.tool_call_id.is_text(), "message.toolCallId");
                        }
                        "bashExecution" => need(message.command.is_text(), "message.command"),
                        "pythonExecution" => need(message.code.is_text(), "message.code"),
                        "fileMention" => need(message.files.is_there(), "message.files"),
                        "branchSummary" | "compactionSummary" => need(message.summary.is_text(), "message.summary"),
                        _ => {}
                    },
                    _ => need(false, "message.role"),
                },
                _ => need(false, "message"),
            },
            "compaction" => {
                need(self.summary.is_text(), "summary");
                need(self.first_kept_entry_id.value.is_text(), "firstKeptEntryId");
                need(self.tokens_before.is_size(), "tokensBefore");
            }
            "branch_summary" => need(self.summary.is_text(), "summary"),
            "custom_message" => need(self.content.is_there(), "content"),
            "thinking_level_change" => need(self.thinking_level.is_text(), "thinkingLevel"),
            "model_change" => need(self.model.is_text() || self.model_id.is_text(), "modelId"),
            "label" => need(self.target_id.is_text(), "targetId"),
            "prune" => need(self.entry_ids.is_there(), "entryIds"),
            _ => {}
        }
        missing
    }

    fn classify(self) -> Read<'a> {
        let mut wrong = Vec::new();
        let missing = self.missing();
        let kind = self.kind.text("type", &mut wrong).unwrap_or_default();
        let texts = FieldTexts {
            id: self.id.text,
            parent_id: self.parent_id.text,
            timestamp_given: self.timestamp_given,
            first_kept_entry_id: self.first_kept_entry_id.text,
        };
        let id = self.id.value.text("id", &mut wrong);
        if kind == "session" {
            let version = self.version.and_then(super::object::number);
            if version.is_none() && self.version.is_some_and(|text| text != "null") {
                wrong.push("version");
            }
            return Read::Header(Header {
                version: version.map(|version| version as u32),
                id,
                version_text: self.version,
                wrong_shape: wrong,
            });
        }
        let mut hook_message_role = None;
        let mut first_kept_entry_index = None;
        let wrong = &mut wrong;
        let mut known_type = true;
        let from_extension = |new: Plain<'a>, old: Plain<'a>, wrong: &mut Vec<&'static str>| {
            new.boolean("fromExtension", wrong).or_else(|| old.boolean("fromHook", wrong)).unwrap_or(false)
        };
        let kind = match &*kind {
            "message" => match self.message.take("message", wrong) {
                Some(message) => {
                    let (message, old_role) = message.classify(wrong);
                    hook_message_role = old_role;
                    EntryKind::Message(message)
                }
                None => EntryKind::Message(Message::Unknown),
            },
            "compaction" => {
                let index = self.first_kept_entry_index.filter(|&text| text != "null");
                first_kept_entry_index =
                    index.and_then(|text| super::object::number(text).map(|number| (number, text)));
                if index.is_some() && first_kept_entry_index.is_none() {
                    wrong.push("firstKeptEntryIndex");
                }
                EntryKind::Compaction(Compaction {
                    summary: self.summary.string("summary", wrong).unwrap_or_default(),
                    short_summary: self.short_summary.string("shortSummary", wrong),
                    first_kept_entry_id: boxed(self.first_kept_entry_id.value.text("firstKeptEntryId", wrong)),
                    tokens_before: self.tokens_before.number("tokensBefore", wrong).map_or(0, whole),
                    files: file_lists(self.details),
                    from_extension: from_extension(self.from_extension, self.from_hook, wrong),
                })
            }
            "branch_summary" => EntryKind::BranchSummary(BranchSummary {
                from_id: boxed(self.from_id.text("fromId", wrong)),
                summary: self.summary.string("summary", wrong).unwrap_or_default(),
                files: file_lists(self.details),
                from_extension: from_extension(self.from_extension, self.from_hook, wrong),
            }),
            "custom_message" => EntryKind::CustomMessage(CustomMessage {
                custom_type: boxed(self.custom_type.text("customType", wrong)),
                content: read_content(self.content, "content", wrong),
            }),
            "custom" => EntryKind::Custom,
            "model_change" => {
                let provider = self.provider.text("provider", wrong);
                let model_id = self.model_id.text("modelId", wrong);
                let model = self.model.text("model", wrong);
                // The newer way names both in one string, `provider/id`; the id may hold slashes.
                let joined = model.as_deref().and_then(|model| model.split_once('/'));
                EntryKind::ModelChange(match (provider, model_id, joined) {
                    (None, None, Some((provider, id))) => {
                        ModelChoice { provider: provider.into(), model_id: id.into() }
                    }
                    (provider, model_id, _) => {
                        ModelChoice { provider: boxed(provider), model_id: boxed(model_id.or(model)) }
                    }
                })
            }
            "thinking_level_change" => {
                EntryKind::ThinkingLevelChange(boxed(self.thinking_level.text("thinkingLevel", wrong)))
            }
            "label" => EntryKind::Label {
                target_id: boxed(self.target_id.text("targetId", wrong)),
                label: self.label.text("label", wrong).map(|label| label.into()),
            },
            "prune" => {
                let ids = self.entry_ids.take("entryIds", wrong).unwrap_or_default();
                let count = ids.len();
                let entry_ids: Vec<_> = ids.into_iter().filter_map(|id| id.into_text().map(|id| id.into())).collect();
                if entry_ids.len() < count {
                    wrong.push("entryIds");
                }
                EntryKind::Prune { entry_ids }
            }
            "session_info" => EntryKind::SessionInfo,
            _ => {
                known_type = false;
                EntryKind::Unknown
            }
        };
        Read::Entry(Record {
            known_type,
            id,
            parent_id: self.parent_id.value.text("parentId", wrong),
            timestamp: self.timestamp.text("timestamp", wrong).unwrap_or_default(),
            kind,
            first_kept_entry_index,
            hook_message_role,
            texts,
            wrong_shape: std::mem::take(wrong),
            missing,
        })
    }
}

/// Every known field of every known role.
#[derive(Default)]
struct MessageFields<'a> {
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
    /// Its JSON text, where it is not null.
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
    /// The message, and its role as it stands in the record where migration renames it.
    fn classify(self, wrong: &mut Vec<&'static str>) -> (Message, Option<&'a str>) {
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
                    Field::Is(Scalar::Text(time)) => super::milliseconds(&time),
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
struct ContentRead {
    content: Content,
    wrong: bool,
}

fn read_content(field: Field<ContentRead>, name: &'static str, wrong: &mut Vec<&'static str>) -> Content {
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

struct DetailsFields(FileLists);

/// Details are the host's own: what is no object of ours simply names no files.
fn file_lists(details: Field<DetailsFields>) -> FileLists {
    match details {
        Field::Is(DetailsFields(lists)) => lists,
        _ => FileLists::default(),
    }
}

impl<'de> Shape<'de> for DetailsFields {
    fn object<A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        let mut lists = FileLists::default();
        fields(map, |key, map| {
            let list = match key {
                "readFiles" => &mut lists.read_files,
                "modifiedFiles" => &mut lists.modified_files,
                _ => return Ok(false),
            };
            if let Field::Is(files) = map.next_value::<Field<Vec<Scalar<'_>>>>()? {
                *list = files.into_iter().filter_map(|file| Some(file.into_text()?.into_owned())).collect();
            }
            Ok(true)
        })?;
        Ok(Some(Self(lists)))
    }
}

fn boxed(text: Option<Cow<'_, str>>) -> Box<str> {
    text.unwrap_or_default().into()
}

/// A count of tokens as a whole number: fractions are cut, what is negative or no number is 0.
fn whole(number: f64) -> u64 {
    // Beyond 2^53 a double names no single whole number, and no session is that large.
    (number as u64).min(1 << 53)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str) -> Record<'_> {
        match read_record(text).unwrap() {
            (Read::Entry(record), _) => record,
            (Read::Header(_), _) => panic!("a header"),
        }
    }

    #[test]
    fn a_field_of_a_wrong_type_counts_as_absent_and_is_reported() {
        let record = entry(r#"{"type":"message","id":7,"message":{"role":"user","content":3}}"#);
        assert_eq!(record.id, None);
        assert_eq!(record.wrong_shape, ["id", "message.content"]);
        assert_eq!(record.kind, EntryKind::Message(Message::User { content: Content::default() }));
    }

    #[test]
    fn a_result_is_pruned_where_it_says_when() {
        for (pruned_at, pruned, wrong) in
            [("1", true, 0), (r#""2026-01-01""#, true, 0), ("null", false, 0), ("false", false, 1), ("{}", false, 1)]
        {
            let text = format!(
                r#"{{"type":"message","message":{{"role":"toolResult","toolCallId":"c","content":"","prunedAt":{pruned_at}}}}}"#
            );
            let record = entry(&text);
            let EntryKind::Message(Message::ToolResult(result)) = record.kind else { panic!("a result") };
            assert_eq!((result.pruned, record.wrong_shape.len()), (pruned, wrong), "{pruned_at}");
        }
    }

    #[test]
    fn of_a_duplicate_key_the_last_wins() {
        let record = entry(r#"{"type":"custom","id":"a","id":"b","type":"label","targetId":"x"}"#);
        assert_eq!(record.id.as_deref(), Some("b"));
        assert!(matches!(record.kind, EntryKind::Label { .. }));
    }

    #[test]
    fn null_is_absent() {
        let record =
            entry(r#"{"type":"message","id":"a","parentId":null,"message":{"role":"assistant","usage":null}}"#);
        assert_eq!((record.parent_id, record.wrong_shape.len()), (None, 0));
    }

    #[test]
    fn a_record_ends_where_it_ends() {
        let (_, length) = read_record(r#"{"type":"custom"}{"type":"label"}"#).unwrap();
        assert_eq!(length, 17);
    }

    #[test]
    fn deep_values_are_skipped_without_recursion() {
        let deep = format!(r#"{{"type":"custom","id":"a","data":{}1{}}}"#, "[".repeat(200_000), "]".repeat(200_000));
        assert_eq!(entry(&deep).id.as_deref(), Some("a"));
        let call = format!(
            r#"{{"type":"message","message":{{"role":"assistant","content":[{{"type":"toolCall","id":"c","name":"t","arguments":{}{}}}]}}}}"#,
            "[".repeat(200_000),
            "]".repeat(200_000)
        );
        assert!(matches!(entry(&call).kind, EntryKind::Message(Message::Assistant(_))));
        let wrong = format!(
            r#"{{"type":"message","message":{{"role":"user","content":[{}{}]}}}}"#,
            "[".repeat(200_000),
            "]".repeat(200_000)
        );
        assert!(matches!(entry(&wrong).kind, EntryKind::Message(Message::User { .. })));
    }

    #[test]
    fn both_ways_of_a_model_change() {
        let choice = |provider: &str, model_id: &str| {
            EntryKind::ModelChange(ModelChoice { provider: provider.into(), model_id: model_id.into() })
        };
        assert_eq!(entry(r#"{"type":"model_change","provider":"p","modelId":"m"}"#).kind, choice("p", "m"));
        assert_eq!(entry(r#"{"type":"model_change","model":"p/m/n"}"#).kind, choice("p", "m/n"));
    }
}
