//! New sessions and new entries.

use super::jsonl::{Stored, json_string, splice_point, spliced_fields};
use super::load::{Lenient, escapes_surrogates, rewrite};
use super::{Diagnostic, Header, Index, Node, Session, SessionRules};
use crate::entry::{Entry, EntryId, EntryKind, FieldTexts, FileLists, Read, read_record};
use crate::error::{Error, ErrorCode, Quoted};
use crate::numbers::Numbers;

/// What a compaction stores.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NewCompaction {
    /// The summary.
    pub summary: String,
    /// Two or three sentences for a screen.
    pub short_summary: Option<String>,
    /// The first entry that stays verbatim.
    pub first_kept_entry_id: String,
    /// The context size before, in tokens.
    pub tokens_before: u64,
    /// JSON that is stored with it as `details`: the files read and modified, or what a hook gave.
    pub details: Option<String>,
    /// JSON that a hook wants kept with it.
    pub preserve_data: Option<String>,
    /// Whether a hook made the summary.
    pub from_extension: bool,
}

impl Session {
    /// A new session without entries.
    ///
    /// `now` is the time as ISO 8601, `seed` any number: the same seed gives the same ids.
    pub fn create(rules: impl Into<SessionRules>, id: &str, cwd: &str, now: &str, seed: u64) -> Self {
        let line = format!(
            r#"{{"type":"session","version":3,"id":{},"timestamp":{},"cwd":{}}}"#,
            json_string(id),
            json_string(now),
            json_string(cwd)
        );
        let mut session = Self::empty(rules.into(), Vec::new(), seed);
        session.header = Some(Header { id: id.into(), stored: Stored::Appended(line.into()) });
        session
    }

    pub(super) fn empty(rules: SessionRules, bytes: Vec<u8>, seed: u64) -> Self {
        Self {
            rules,
            counting: None,
            bytes,
            header: None,
            nodes: Vec::new(),
            by_id: Numbers::new(),
            call_ids: Numbers::new(),
            leaf: None,
            labels: Numbers::new(),
            diagnostics: Vec::new(),
            ids: fastrand::Rng::with_seed(seed),
            busy: false,
            rewrites: 0,
        }
    }

    /// Appends an entry below the leaf and moves the leaf to it. `json` is the entry without `id`,
    /// `parentId` and `timestamp`, which the session gives; `now` is the time as ISO 8601.
    ///
    /// ```
    /// use threadfold::session::{Preset, Session};
    /// let now = "2026-01-01T00:00:00.000Z";
    /// let mut session = Session::create(Preset::Safe, "s", "/", now, 1);
    /// let index = session.append(r#"{"type":"message","message":{"role":"user","content":"Hello"}}"#, now)?;
    /// assert_eq!(session.leaf(), Some(index));
    /// assert_eq!(session.entry(index).map(|entry| entry.id.len()), Some(8));
    /// # Ok::<(), threadfold::error::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `invalid-entry` for what is no entry, `unknown-entry` for a compaction or label that names
    /// an entry which is not there. The session is unchanged then.
    pub fn append(&mut self, json: &str, now: &str) -> Result<Index, Error> {
        let json = json.trim_ascii();
        // Half of a surrogate pair is met as it is in a file: read as U+FFFD, reported, stored as it came.
        let lenient = if escapes_surrogates(json.as_bytes()) { rewrite(json) } else { None };
        let read = lenient.as_ref().map_or(json, |lenient| &lenient.text);
        let record = match read_record(read) {
            Ok((Read::Entry(record), end)) if read.get(end..).is_some_and(|rest| rest.trim().is_empty()) => record,
            Ok((Read::Header(_), _)) => {
                return Err(invalid_entry(
                    "type: \"session\" is the header, which a session has already; allowed is an entry",
                ));
            }
            Ok(_) => return Err(invalid_entry("more than one JSON value was given; allowed is one object")),
            Err(error) => return Err(invalid_entry(&format!("not the JSON of an entry: {error}"))),
        };
        if let Some(field) = record.wrong_shape.first() {
            return Err(invalid_entry(&format!("{field}: the value has a wrong type for this entry")));
        }
        // Also null: the last of a duplicate key would win over what the session gives.
        let FieldTexts { id, parent_id, timestamp_given, .. } = record.texts;
        if id.or(parent_id).is_some() || timestamp_given {
            return Err(invalid_entry("id, parentId and timestamp are given by the session; leave them out"));
        }
        if let Some(field) = record.missing.first() {
            return Err(invalid_entry(&format!("{field}: an entry of this type needs it, and it is not there")));
        }
        self.check_references(&record.kind)?;
        let id = self.new_id();
        let parent_id = self.leaf.and_then(|leaf| self.entry(leaf)).map(|leaf| leaf.id.clone());
        let fields = format!(
            r#""id":"{id}","parentId":{},"timestamp":{}"#,
            parent_id.as_deref().map_or_else(|| "null".to_owned(), json_string),
            json_string(now)
        );
        let point = splice_point(json);
        let mut line = String::with_capacity(json.len() + fields.len() + 1);
        line.push_str(json.get(..point).unwrap_or_default());
        line.push_str(&spliced_fields(json, point, &fields));
        line.push_str(json.get(point..).unwrap_or_default());
        if line.contains(['\n', '\r']) {
            // They stand between the values: no string of JSON holds one as it is.
            line = line.replace(['\n', '\r'], " ");
        }
        let kind = record.kind;
        let entry = Entry { id, parent_id, timestamp: now.into(), kind };
        // What is appended now was counted with every prune above it.
        let index = self.push(Node::new(entry, Stored::Appended(line.into())), self.leaf, 0);
        self.report_lenient(index, lenient);
        Ok(index)
    }

    /// Appends a compaction below the leaf.
    ///
    /// # Errors
    ///
    /// `unknown-entry` where the first kept entry is not on the path to the leaf; `invalid-entry` for
    /// an empty summary, and for details or data that are no JSON.
    pub fn append_compaction(&mut self, new: &NewCompaction, now: &str) -> Result<Index, Error> {
        let mut json = format!(r#"{{"type":"compaction","summary":{}"#, json_string(&new.summary));
        if let Some(short) = &new.short_summary {
            json.push_str(&format!(r#","shortSummary":{}"#, json_string(short)));
        }
        json.push_str(&format!(
            r#","firstKeptEntryId":{},"tokensBefore":{}"#,
            json_string(&new.first_kept_entry_id),
            new.tokens_before
        ));
        push_json(&mut json, "details", new.details.as_deref())?;
        push_json(&mut json, "preserveData", new.preserve_data.as_deref())?;
        end_made_by(&mut json, new.from_extension);
        self.append(&json, now)
    }

    /// Moves the leaf to an entry, or before the first one, and appends the summary of the branch
    /// that was left there. `details` is JSON to be stored with it.
    ///
    /// # Errors
    ///
    /// `unknown-entry` where no entry has the id; `invalid-entry` for details that are no JSON. The
    /// leaf is unchanged then.
    pub fn branch_with_summary(
        &mut self,
        target: Option<&str>,
        summary: &str,
        details: Option<&str>,
        from_extension: bool,
        now: &str,
    ) -> Result<Index, Error> {
        let target = target.map(|id| self.require("branchWithSummary", id)).transpose()?;
        let left = self.leaf;
        let from_id = left.and_then(|leaf| self.entry(leaf)).map_or("root", |leaf| &leaf.id);
        let mut json = format!(
            r#"{{"type":"branch_summary","fromId":{},"summary":{}"#,
            json_string(from_id),
            json_string(summary)
        );
        push_json(&mut json, "details", details)?;
        end_made_by(&mut json, from_extension);
        self.leaf = target;
        self.append(&json, now).inspect_err(|_| self.leaf = left)
    }

    /// Sets or clears the label of an entry; the change is an entry itself.
    ///
    /// # Errors
    ///
    /// `unknown-entry` where no entry has the id.
    pub fn set_label(&mut self, id: &str, label: Option<&str>, now: &str) -> Result<Index, Error> {
        let mut json = format!(r#"{{"type":"label","targetId":{}"#, json_string(id));
        if let Some(label) = label {
            json.push_str(&format!(r#","label":{}"#, json_string(label)));
        }
        json.push('}');
        self.append(&json, now)
    }

    /// Adds a node below `parent` and moves the leaf to it. `pruned_since` is what results above it had
    /// more, in tokens, when its usage was counted.
    pub(super) fn push(&mut self, node: Node, parent: Option<Index>, pruned_since: u64) -> Index {
        let index = self.nodes.len() as Index;
        self.by_id.insert(node.entry.id.clone(), index);
        self.nodes.push(node);
        self.note_label(index);
        self.link(index, parent, pruned_since);
        self.note_child(index);
        self.leaf = Some(index);
        index
    }

    /// Reports what was read otherwise than it is stored.
    fn report_lenient(&mut self, index: Index, lenient: Option<Lenient>) {
        let (Some(lenient), Some(node)) = (lenient, self.nodes.get_mut(index as usize)) else { return };
        node.rewritten = true;
        let id = node.entry.id.clone();
        self.diagnostics.extend(lenient.reports().map(|(kind, message)| Diagnostic {
            line: None,
            kind,
            entry_id: Some(id.clone()),
            message: message.to_owned(),
        }));
    }

    pub(super) fn note_label(&mut self, index: Index) {
        let Some(node) = self.nodes.get_mut(index as usize) else { return };
        if let EntryKind::Label { target_id, .. } = &node.entry.kind {
            node.previous_label =
                self.labels.insert((&**target_id).into(), index).filter(|&change| change != super::GONE);
        }
    }

    /// An entry may name only entries that are there.
    fn check_references(&self, kind: &EntryKind) -> Result<(), Error> {
        match kind {
            EntryKind::Compaction(compaction) => {
                if compaction.summary.trim().is_empty() {
                    return Err(invalid_entry("summary: a compaction without text would lose what it covers"));
                }
                let first_kept = self.require("firstKeptEntryId", &compaction.first_kept_entry_id)?;
                if !self.is_on_path(first_kept, self.leaf) {
                    return Err(Error::new(
                        ErrorCode::UnknownEntry,
                        format!(
                            "firstKeptEntryId: the entry {} is not on the path to the leaf; allowed is an entry of session.path()",
                            Quoted(&compaction.first_kept_entry_id)
                        ),
                    ));
                }
                Ok(())
            }
            EntryKind::Label { target_id, .. } => self.require("targetId", target_id).map(|_| ()),
            EntryKind::Prune { entry_ids } => {
                entry_ids.iter().try_for_each(|id| self.require("entryIds", id).map(|_| ()))
            }
            _ => Ok(()),
        }
    }

    /// An id of 8 hex characters that no entry has.
    fn new_id(&mut self) -> EntryId {
        loop {
            let id = format!("{:08x}", self.ids.u32(..));
            if !self.by_id.contains_key(&*id) {
                return id.into();
            }
        }
    }
}

/// File lists as the JSON of `details`.
pub(crate) fn file_details(files: &FileLists) -> String {
    let list = |files: &[String]| files.iter().map(|file| json_string(file)).collect::<Vec<_>>().join(",");
    format!(r#"{{"readFiles":[{}],"modifiedFiles":[{}]}}"#, list(&files.read_files), list(&files.modified_files))
}

/// Adds a field that a caller gave as JSON.
fn push_json(json: &mut String, name: &str, value: Option<&str>) -> Result<(), Error> {
    let Some(value) = value else { return Ok(()) };
    if serde_json::from_str::<serde::de::IgnoredAny>(value).is_err() {
        return Err(invalid_entry(&format!("{name}: {} is no JSON; allowed is one value", Quoted(value))));
    }
    json.push_str(&format!(r#","{name}":{value}"#));
    Ok(())
}

/// Ends an entry, saying whether a hook made it.
fn end_made_by(json: &mut String, from_extension: bool) {
    if from_extension {
        json.push_str(r#","fromExtension":true"#);
    }
    json.push('}');
}

fn invalid_entry(message: &str) -> Error {
    Error::new(ErrorCode::InvalidEntry, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Preset;
    use crate::session::testing::{NOW, session};

    #[test]
    fn json_over_several_lines_is_stored_as_one() {
        let mut story = session(&["U"]);
        let json =
            "\r\n {\n\t\"type\": \"message\",\r\n\t\"message\": {\"role\": \"user\", \"content\": \"a\\nb\"}\n}\n";
        let index = story.append(json, NOW).unwrap();
        let again = Session::from_jsonl(story.to_jsonl(), Preset::Safe, 9).unwrap();
        assert_eq!((again.len(), again.entry(index)), (2, story.entry(index)));
        assert_eq!(again.diagnostics(), []);
    }

    #[test]
    fn details_that_are_no_json_are_refused_and_nothing_moves() {
        for details in ["", "{", "1,\"summary\":\"other\"", "{} {}"] {
            let mut story = session(&["U", "A"]);
            let root = story.entry(0).unwrap().id.clone();
            let error = story.branch_with_summary(Some(&root), "s", Some(details), false, NOW).unwrap_err();
            assert_eq!((error.code, story.leaf(), story.len()), (ErrorCode::InvalidEntry, Some(1), 2), "{details}");
        }
    }

    #[test]
    fn a_branch_summary_hangs_below_its_target_and_names_the_leaf_that_was_left() {
        let mut story = session(&["U", "A"]);
        let (root, left) = (story.entry(0).unwrap().id.clone(), story.entry(1).unwrap().id.clone());
        let index = story.branch_with_summary(Some(&root), "s", Some(r#"{"readFiles":["a"]}"#), true, NOW).unwrap();
        let EntryKind::BranchSummary(branch) = &story.entry(index).unwrap().kind else { panic!("another kind") };
        assert_eq!((story.parent(index), &*branch.from_id, branch.from_extension), (Some(0), &*left, true));
        assert_eq!(branch.files.read_files, ["a"]);
        let below_none = story.branch_with_summary(None, "s", None, false, NOW).unwrap();
        assert_eq!(story.parent(below_none), None);
    }
}
