//! From one JSON record to an entry or a header.

use super::field::{Field, Length, Shape, fields, raw};
use super::{
    AssistantMessage, Block, BranchSummary, Compaction, Content, CustomMessage, EntryKind, Execution, FileLists, Image,
    MentionedFile, Message, ModelChoice, StopReason, Thinking, ToolCall, ToolResult, Usage,
};
use serde::de::{Deserialize, IgnoredAny, MapAccess, SeqAccess};
use std::borrow::Cow;

/// What one record is.
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
    /// Known fields whose value has a wrong type and counts as absent.
    pub(crate) wrong_shape: Vec<&'static str>,
    /// Fields that an entry of this type needs and that are not there.
    pub(crate) missing: Vec<&'static str>,
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
    kind: Field<Cow<'a, str>>,
    id: Field<Cow<'a, str>>,
    parent_id: Field<Cow<'a, str>>,
    timestamp: Field<Cow<'a, str>>,
    message: Field<MessageFields<'a>>,
    summary: Field<String>,
    short_summary: Field<String>,
    first_kept_entry_id: Field<Cow<'a, str>>,
    first_kept_entry_index: Option<&'a str>,
    tokens_before: Field<f64>,
    details: Field<DetailsFields>,
    from_extension: Field<bool>,
    from_hook: Field<bool>,
    from_id: Field<Cow<'a, str>>,
    custom_type: Field<Cow<'a, str>>,
    content: Field<ContentRead>,
    provider: Field<Cow<'a, str>>,
    model_id: Field<Cow<'a, str>>,
    model: Field<Cow<'a, str>>,
    thinking_level: Field<Cow<'a, str>>,
    target_id: Field<Cow<'a, str>>,
    label: Field<Cow<'a, str>>,
    version: Option<&'a str>,
}

impl<'de> Shape<'de> for Fields<'de> {
    fn object<A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        let mut all = Self::default();
        fields(map, |key, map| {
            match key {
                "type" => all.kind = map.next_value()?,
                "id" => all.id = map.next_value()?,
                "parentId" => all.parent_id = map.next_value()?,
                "timestamp" => all.timestamp = map.next_value()?,
                "message" => all.message = map.next_value()?,
                "summary" => all.summary = map.next_value()?,
                "shortSummary" => all.short_summary = map.next_value()?,
                "firstKeptEntryId" => all.first_kept_entry_id = map.next_value()?,
                "firstKeptEntryIndex" => all.first_kept_entry_index = Some(raw(map)?),
                "tokensBefore" => all.tokens_before = map.next_value()?,
                "details" => all.details = map.next_value()?,
                "fromExtension" => all.from_extension = map.next_value()?,
                "fromHook" => all.from_hook = map.next_value()?,
                "fromId" => all.from_id = map.next_value()?,
                "customType" => all.custom_type = map.next_value()?,
                "content" => all.content = map.next_value()?,
                "provider" => all.provider = map.next_value()?,
                "modelId" => all.model_id = map.next_value()?,
                "model" => all.model = map.next_value()?,
                "thinkingLevel" => all.thinking_level = map.next_value()?,
                "targetId" => all.target_id = map.next_value()?,
                "label" => all.label = map.next_value()?,
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
        let Field::Is(kind) = &self.kind else { return vec!["type"] };
        let mut missing = Vec::new();
        let mut need = |there: bool, name: &'static str| {
            if !there {
                missing.push(name);
            }
        };
        match &**kind {
            "message" => match &self.message {
                Field::Is(message) => match &message.role {
                    Field::Is(role) => match &**role {
                        "user" | "assistant" | "custom" | "hookMessage" => {
                            need(message.content.is_there(), "message.content");
                        }
                        "toolResult" => {
                            need(message.content.is_there(), "message.content");
                            need(message.tool_call_id.is_there(), "message.toolCallId");
                        }
                        "bashExecution" => need(message.command.is_there(), "message.command"),
                        "pythonExecution" => need(message.code.is_there(), "message.code"),
                        "fileMention" => need(message.files.is_there(), "message.files"),
                        "branchSummary" | "compactionSummary" => need(message.summary.is_there(), "message.summary"),
                        _ => {}
                    },
                    _ => need(false, "message.role"),
                },
                _ => need(false, "message"),
            },
            "compaction" => {
                need(self.summary.is_there(), "summary");
                need(self.first_kept_entry_id.is_there(), "firstKeptEntryId");
            }
            "branch_summary" => need(self.summary.is_there(), "summary"),
            "custom_message" => need(self.content.is_there(), "content"),
            "thinking_level_change" => need(self.thinking_level.is_there(), "thinkingLevel"),
            "model_change" => need(self.model.is_there() || self.model_id.is_there(), "modelId"),
            "label" => need(self.target_id.is_there(), "targetId"),
            _ => {}
        }
        missing
    }

    fn classify(self) -> Read<'a> {
        let mut wrong = Vec::new();
        let missing = self.missing();
        let kind = self.kind.take("type", &mut wrong).unwrap_or_default();
        let id = self.id.take("id", &mut wrong);
        if kind == "session" {
            return Read::Header(Header {
                version: self.version.and_then(super::object::number).map(|version| version as u32),
                id,
                version_text: self.version,
            });
        }
        let mut hook_message_role = None;
        let mut first_kept_entry_index = None;
        let wrong = &mut wrong;
        let mut known_type = true;
        let from_extension = |new: Field<bool>, old: Field<bool>, wrong: &mut Vec<&'static str>| {
            new.take("fromExtension", wrong).or_else(|| old.take("fromHook", wrong)).unwrap_or(false)
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
                first_kept_entry_index =
                    self.first_kept_entry_index.and_then(|text| super::object::number(text).map(|index| (index, text)));
                EntryKind::Compaction(Compaction {
                    summary: self.summary.take("summary", wrong).unwrap_or_default(),
                    short_summary: self.short_summary.take("shortSummary", wrong),
                    first_kept_entry_id: boxed(self.first_kept_entry_id.take("firstKeptEntryId", wrong)),
                    tokens_before: self.tokens_before.take("tokensBefore", wrong).map_or(0, whole),
                    files: self.details.take("details", wrong).map_or_else(FileLists::default, |details| details.0),
                    from_extension: from_extension(self.from_extension, self.from_hook, wrong),
                })
            }
            "branch_summary" => EntryKind::BranchSummary(BranchSummary {
                from_id: boxed(self.from_id.take("fromId", wrong)),
                summary: self.summary.take("summary", wrong).unwrap_or_default(),
                files: self.details.take("details", wrong).map_or_else(FileLists::default, |details| details.0),
                from_extension: from_extension(self.from_extension, self.from_hook, wrong),
            }),
            "custom_message" => EntryKind::CustomMessage(CustomMessage {
                custom_type: boxed(self.custom_type.take("customType", wrong)),
                content: read_content(self.content, "content", wrong),
            }),
            "custom" => EntryKind::Custom,
            "model_change" => {
                let provider = self.provider.take("provider", wrong);
                let model_id = self.model_id.take("modelId", wrong);
                let model = self.model.take("model", wrong);
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
                EntryKind::ThinkingLevelChange(boxed(self.thinking_level.take("thinkingLevel", wrong)))
            }
            "label" => EntryKind::Label {
                target_id: boxed(self.target_id.take("targetId", wrong)),
                label: self.label.take("label", wrong).map(|label| label.into()),
            },
            "session_info" => EntryKind::SessionInfo,
            _ => {
                known_type = false;
                EntryKind::Unknown
            }
        };
        Read::Entry(Record {
            known_type,
            id,
            parent_id: self.parent_id.take("parentId", wrong),
            timestamp: self.timestamp.take("timestamp", wrong).unwrap_or_default(),
            kind,
            first_kept_entry_index,
            hook_message_role,
            wrong_shape: std::mem::take(wrong),
            missing,
        })
    }
}

/// Every known field of every known role.
#[derive(Default)]
struct MessageFields<'a> {
    role: Field<Cow<'a, str>>,
    content: Field<ContentRead>,
    provider: Field<Cow<'a, str>>,
    model: Field<Cow<'a, str>>,
    usage: Field<UsageFields>,
    stop_reason: Field<Cow<'a, str>>,
    tool_call_id: Field<Cow<'a, str>>,
    tool_name: Field<Cow<'a, str>>,
    is_error: Field<bool>,
    pruned_at: bool,
    command: Field<String>,
    code: Field<String>,
    output: Field<String>,
    exit_code: Field<f64>,
    cancelled: Field<bool>,
    truncated: Field<bool>,
    full_output_path: Field<String>,
    exclude_from_context: Field<bool>,
    files: Field<Vec<MentionedFile>>,
    summary: Field<String>,
}

impl<'de> Shape<'de> for MessageFields<'de> {
    fn object<A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        let mut all = Self::default();
        fields(map, |key, map| {
            match key {
                "role" => all.role = map.next_value()?,
                "content" => all.content = map.next_value()?,
                "provider" => all.provider = map.next_value()?,
                "model" => all.model = map.next_value()?,
                "usage" => all.usage = map.next_value()?,
                "stopReason" => all.stop_reason = map.next_value()?,
                "toolCallId" => all.tool_call_id = map.next_value()?,
                "toolName" => all.tool_name = map.next_value()?,
                "isError" => all.is_error = map.next_value()?,
                "prunedAt" => all.pruned_at = raw(map)? != "null",
                "command" => all.command = map.next_value()?,
                "code" => all.code = map.next_value()?,
                "output" => all.output = map.next_value()?,
                "exitCode" => all.exit_code = map.next_value()?,
                "cancelled" => all.cancelled = map.next_value()?,
                "truncated" => all.truncated = map.next_value()?,
                "fullOutputPath" => all.full_output_path = map.next_value()?,
                "excludeFromContext" => all.exclude_from_context = map.next_value()?,
                "files" => all.files = map.next_value()?,
                "summary" => all.summary = map.next_value()?,
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
        let role = self.role.take("message.role", wrong).unwrap_or_default();
        let content = self.content;
        let content = |wrong: &mut Vec<&'static str>| read_content(content, "message.content", wrong);
        let message = match &*role {
            "user" => Message::User { content: content(wrong) },
            "assistant" => {
                let provider = self.provider.take("message.provider", wrong);
                let model = self.model.take("message.model", wrong);
                Message::Assistant(AssistantMessage {
                    content: match content(wrong) {
                        Content::Blocks(blocks) => blocks,
                        Content::Text(text) => vec![Block::Text(text)],
                    },
                    model: model.map(|model| ModelChoice { provider: boxed(provider), model_id: model.into() }),
                    usage: self.usage.take("message.usage", wrong).map(|usage| usage.0),
                    stop_reason: match self.stop_reason.take("message.stopReason", wrong).as_deref() {
                        Some("stop") => StopReason::Stop,
                        Some("length") => StopReason::Length,
                        Some("toolUse") => StopReason::ToolUse,
                        Some("error") => StopReason::Error,
                        Some("aborted") => StopReason::Aborted,
                        _ => StopReason::Unknown,
                    },
                })
            }
            "toolResult" => Message::ToolResult(ToolResult {
                tool_call_id: boxed(self.tool_call_id.take("message.toolCallId", wrong)),
                tool_name: boxed(self.tool_name.take("message.toolName", wrong)),
                content: content(wrong),
                is_error: self.is_error.take("message.isError", wrong).unwrap_or(false),
                pruned: self.pruned_at,
            }),
            "bashExecution" | "pythonExecution" => {
                let bash = role == "bashExecution";
                let source = if bash {
                    self.command.take("message.command", wrong)
                } else {
                    self.code.take("message.code", wrong)
                };
                let execution = Execution {
                    source: source.unwrap_or_default(),
                    output: self.output.take("message.output", wrong).unwrap_or_default(),
                    exit_code: self.exit_code.take("message.exitCode", wrong).map(|code| code as i64),
                    cancelled: self.cancelled.take("message.cancelled", wrong).unwrap_or(false),
                    truncated: self.truncated.take("message.truncated", wrong).unwrap_or(false),
                    full_output_path: self.full_output_path.take("message.fullOutputPath", wrong),
                    exclude_from_context: self
                        .exclude_from_context
                        .take("message.excludeFromContext", wrong)
                        .unwrap_or(false),
                };
                if bash { Message::BashExecution(execution) } else { Message::PythonExecution(execution) }
            }
            "fileMention" => {
                Message::FileMention { files: self.files.take("message.files", wrong).unwrap_or_default() }
            }
            "custom" => Message::Custom { content: content(wrong) },
            "hookMessage" => {
                let message = Message::Custom { content: content(wrong) };
                return (message, if let Cow::Borrowed(role) = role { Some(role) } else { None });
            }
            "branchSummary" => {
                Message::BranchSummary { summary: self.summary.take("message.summary", wrong).unwrap_or_default() }
            }
            "compactionSummary" => {
                Message::CompactionSummary { summary: self.summary.take("message.summary", wrong).unwrap_or_default() }
            }
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
        let mut kind = Field::<Cow<'de, str>>::Absent;
        let mut text = Field::<String>::Absent;
        let mut thinking = Field::<String>::Absent;
        let mut id = Field::<Cow<'de, str>>::Absent;
        let mut name = Field::<Cow<'de, str>>::Absent;
        let mut arguments = "";
        let mut image = ImageFields::default();
        fields(map, |key, map| {
            match key {
                "type" => kind = map.next_value()?,
                "text" => text = map.next_value()?,
                "thinking" => thinking = map.next_value()?,
                "id" => id = map.next_value()?,
                "name" => name = map.next_value()?,
                "arguments" => arguments = raw(map)?,
                other => return image.field(other, map),
            }
            Ok(true)
        })?;
        let mut wrong = Vec::new();
        let kind = kind.take("type", &mut wrong).unwrap_or_default();
        let block = match &*kind {
            "text" => Block::Text(text.take("text", &mut wrong).unwrap_or_default()),
            "thinking" => Block::Thinking(Thinking { text: thinking.take("thinking", &mut wrong).unwrap_or_default() }),
            "toolCall" => Block::ToolCall(ToolCall {
                id: boxed(id.take("id", &mut wrong)),
                name: boxed(name.take("name", &mut wrong)),
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
    mime_type: Field<Cow<'a, str>>,
    data: Field<Length>,
}

impl<'a> ImageFields<'a> {
    fn field<A: MapAccess<'a>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "mimeType" => self.mime_type = map.next_value()?,
            "data" => self.data = map.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn finish(self, wrong: &mut Vec<&'static str>) -> Image {
        Image {
            mime_type: boxed(self.mime_type.take("mimeType", wrong)),
            data_length: self.data.take("data", wrong).map_or(0, |length| length.0),
        }
    }
}

impl<'de> Shape<'de> for Image {
    fn object<A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        let mut image = ImageFields::default();
        fields(map, |key, map| image.field(key, map))?;
        Ok(Some(image.finish(&mut Vec::new())))
    }
}

impl<'de> Shape<'de> for MentionedFile {
    fn object<A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        let mut path = Field::<String>::Absent;
        let mut content = Field::<String>::Absent;
        let mut image = Field::<Image>::Absent;
        fields(map, |key, map| {
            match key {
                "path" => path = map.next_value()?,
                "content" => content = map.next_value()?,
                "image" => image = map.next_value()?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let wrong = &mut Vec::new();
        Ok(Some(Self {
            path: path.take("path", wrong).unwrap_or_default(),
            content: content.take("content", wrong).unwrap_or_default(),
            image: image.take("image", wrong),
        }))
    }
}

struct UsageFields(Usage);

impl<'de> Shape<'de> for UsageFields {
    fn object<A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        let mut usage = Usage::default();
        fields(map, |key, map| {
            let part = match key {
                "input" => &mut usage.input,
                "output" => &mut usage.output,
                "cacheRead" => &mut usage.cache_read,
                "cacheWrite" => &mut usage.cache_write,
                "totalTokens" => &mut usage.total_tokens,
                _ => return Ok(false),
            };
            *part = match map.next_value()? {
                Field::Is(number) => whole(number),
                _ => 0,
            };
            Ok(true)
        })?;
        Ok(Some(Self(usage)))
    }
}

struct DetailsFields(FileLists);

impl<'de> Shape<'de> for DetailsFields {
    // Details are the host's own; what is no object of ours simply names no files.
    fn text(_: Cow<'de, str>) -> Option<Self> {
        Some(Self(FileLists::default()))
    }
    fn boolean(_: bool) -> Option<Self> {
        Some(Self(FileLists::default()))
    }
    fn number(_: f64) -> Option<Self> {
        Some(Self(FileLists::default()))
    }
    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Option<Self>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Some(Self(FileLists::default())))
    }
    fn object<A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        let mut lists = FileLists::default();
        fields(map, |key, map| {
            let list = match key {
                "readFiles" => &mut lists.read_files,
                "modifiedFiles" => &mut lists.modified_files,
                _ => return Ok(false),
            };
            if let Field::Is(files) = map.next_value()? {
                *list = files;
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
    number as u64
}

/// Reads a message that stands alone, outside of an entry.
pub(crate) fn read_message(text: &str) -> Result<Message, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let field = Field::<MessageFields<'_>>::deserialize(&mut deserializer)?;
    deserializer.end()?;
    match field {
        Field::Is(fields) => Ok(fields.classify(&mut Vec::new()).0),
        _ => Err(serde::de::Error::custom("not an object")),
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
