//! From one JSON record to an entry or a header.

use super::field::{Field, Fields, Placed, Plain, Target};
use super::json::Scalar;
use super::{BranchSummary, Compaction, CustomMessage, EntryKind, Message, ModelChoice};
use std::borrow::Cow;

mod details;
mod media;
mod message;
mod usage;

use details::{DetailsFields, file_lists};
use message::{ContentRead, MessageFields, read_content};

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

/// The types of records that sessions have.
pub(crate) const RECORD_TYPES: [&str; 11] = [
    "session",
    "message",
    "compaction",
    "branch_summary",
    "custom_message",
    "custom",
    "model_change",
    "thinking_level_change",
    "label",
    "prune",
    "session_info",
];

/// Reads the record at the start of `text`; also gives the number of bytes it takes.
pub(crate) fn read_record(text: &str) -> Result<(Read<'_>, usize), serde_json::Error> {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Field<RecordFields<'_>>>();
    match stream.next() {
        Some(Ok(Field::Is(fields))) => Ok((fields.classify(), stream.byte_offset())),
        Some(Ok(_)) | None => Err(serde::de::Error::custom("not an object")),
        Some(Err(error)) => Err(error),
    }
}

/// Every known field of every known type; each type takes its own.
#[derive(Default)]
struct RecordFields<'a> {
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
    details: Field<DetailsFields<'a>>,
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

impl<'de> Fields<'de> for RecordFields<'de> {
    fn target(&mut self, key: &str) -> Target<'_, 'de> {
        match key {
            "type" => Target::Value(&mut self.kind),
            "id" => Target::Placed(&mut self.id),
            "parentId" => Target::Placed(&mut self.parent_id),
            "timestamp" => {
                self.timestamp_given = true;
                Target::Value(&mut self.timestamp)
            }
            "message" => Target::Value(&mut self.message),
            "summary" => Target::Value(&mut self.summary),
            "shortSummary" => Target::Value(&mut self.short_summary),
            "firstKeptEntryId" => Target::Placed(&mut self.first_kept_entry_id),
            "firstKeptEntryIndex" => Target::Raw(&mut self.first_kept_entry_index),
            "tokensBefore" => Target::Value(&mut self.tokens_before),
            "details" => Target::Value(&mut self.details),
            "fromExtension" => Target::Value(&mut self.from_extension),
            "fromHook" => Target::Value(&mut self.from_hook),
            "fromId" => Target::Value(&mut self.from_id),
            "customType" => Target::Value(&mut self.custom_type),
            "content" => Target::Value(&mut self.content),
            "provider" => Target::Value(&mut self.provider),
            "modelId" => Target::Value(&mut self.model_id),
            "model" => Target::Value(&mut self.model),
            "thinkingLevel" => Target::Value(&mut self.thinking_level),
            "targetId" => Target::Value(&mut self.target_id),
            "label" => Target::Value(&mut self.label),
            "entryIds" => Target::Value(&mut self.entry_ids),
            "version" => Target::Raw(&mut self.version),
            _ => Target::Nowhere,
        }
    }
}

impl<'a> RecordFields<'a> {
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
                Field::Is(message) => message.needs(&mut need),
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
        let known_type = RECORD_TYPES.contains(&&*kind);
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
            _ => EntryKind::Unknown,
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

fn boxed(text: Option<Cow<'_, str>>) -> Box<str> {
    text.unwrap_or_default().into()
}

/// A count of tokens as a whole number: fractions are cut, what is negative or no number is 0.
fn whole(number: f64) -> u64 {
    // Beyond 2^53 a double names no single whole number, and no session is that large.
    (number as u64).min(1 << 53)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Content;

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
