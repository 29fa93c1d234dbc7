//! Migrations: version 1 has no ids and counts records, version 2 an old name of a role.

use super::jsonl::{
    Edit, insert_edit, json_string, line_with, lossy_text, offset_in, raw_offset, splice_point, spliced_fields,
};
use super::load::FoundHeader;
use super::{Diagnostic, DiagnosticKind, Index};
use crate::entry::{EntryId, EntryKind, Record};
use crate::numbers::Numbers;

/// So many bytes of a record are looked at for where fields go: more than `{"type":"..."` takes.
const START: usize = 64;

/// Where something stands in a record: its start and its end.
type Span = (usize, usize);

/// The number of an id whose entry is still to come.
const AHEAD: Index = Index::MAX;

/// An entry on its way into the tree.
pub(super) struct Draft {
    pub(super) id: Option<EntryId>,
    pub(super) parent_id: Option<EntryId>,
    pub(super) timestamp: Box<str>,
    pub(super) kind: EntryKind,
    pub(super) line: u32,
    /// Whether it was read in another form than it is stored in.
    pub(super) rewritten: bool,
    /// Whether its id stands in the file, or will once that is saved.
    pub(super) id_is_stored: bool,
    /// Where it stands in the file.
    pub(super) place: (usize, usize),
    pub(super) edits: Vec<Edit>,
    /// Its number as version 1 counts.
    number: u32,
    /// The number version 1 names as first kept, and where the field stands in the record.
    first_kept_index: Option<(f64, Option<(usize, usize)>)>,
    /// Where the old name of the role stands in the record.
    old_role_at: Option<(usize, usize)>,
    /// Where the values of these fields stand in the record, also where they are null.
    id_at: Option<(usize, usize)>,
    parent_id_at: Option<(usize, usize)>,
    first_kept_id_at: Option<(usize, usize)>,
}

impl Draft {
    pub(super) fn new(record: Record<'_>, text: &str, line: u32, number: u32, place: (usize, usize)) -> Self {
        let span = |part: &str| offset_in(text, part).map(|offset| (offset, offset + part.len()));
        Self {
            id: record.id.filter(|id| !id.is_empty()).map(|id| EntryId::from(&*id)),
            parent_id: record.parent_id.map(|id| EntryId::from(&*id)),
            timestamp: record.timestamp.into(),
            kind: record.kind,
            line,
            rewritten: false,
            id_is_stored: true,
            place,
            edits: Vec::new(),
            number,
            first_kept_index: record.first_kept_entry_index.map(|(index, part)| (index, span(part))),
            old_role_at: record.hook_message_role.and_then(span),
            id_at: record.texts.id.and_then(span),
            parent_id_at: record.texts.parent_id.and_then(span),
            first_kept_id_at: record.texts.first_kept_entry_id.and_then(span),
        }
    }

    /// The bytes of the record.
    fn record<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        bytes.get(self.place.0..self.place.1).unwrap_or_default()
    }

    /// Adds a change of the text from `start` to `end`, keeping them in the order of the record.
    fn edit(&mut self, bytes: &[u8], start: usize, end: usize, text: String) {
        let record = self.record(bytes);
        let edit = Edit { start: raw_offset(record, start), end: raw_offset(record, end), text };
        insert_edit(&mut self.edits, edit);
    }

    /// Gives fields their values: in the place of a null, behind a value that is no value for them,
    /// which stays and no longer counts, else spliced in.
    fn set(&mut self, bytes: &[u8], fields: &[(&str, Option<Span>, String)]) {
        let mut new = String::new();
        for (name, at, value) in fields {
            let field = ["\"", name, "\":", value].concat();
            match *at {
                Some((start, end)) if self.is_null(bytes, start) => self.edit(bytes, start, end, value.clone()),
                Some((_, end)) => self.edit(bytes, end, end, format!(",{field}")),
                None => {
                    if !new.is_empty() {
                        new.push(',');
                    }
                    new.push_str(&field);
                }
            }
        }
        if !new.is_empty() {
            // The start of the record tells where fields go; the rest need not be looked at again.
            let start = self.record(bytes);
            let record = String::from_utf8_lossy(start.get(..START.min(start.len())).unwrap_or_default()).into_owned();
            let point = splice_point(&record);
            self.edit(bytes, point, point, spliced_fields(&record, point, &new));
        }
    }

    fn is_null(&self, bytes: &[u8], start: usize) -> bool {
        let record = self.record(bytes);
        record.get(raw_offset(record, start)) == Some(&b'n')
    }

    pub(super) fn unreadable(
        id: String,
        parent_id: Option<String>,
        line: u32,
        number: u32,
        place: (usize, usize),
    ) -> Self {
        Self {
            id: Some(id.into()),
            parent_id: parent_id.map(EntryId::from),
            timestamp: "".into(),
            kind: EntryKind::Unreadable,
            line,
            rewritten: false,
            id_is_stored: true,
            place,
            edits: Vec::new(),
            number,
            first_kept_index: None,
            old_role_at: None,
            id_at: None,
            parent_id_at: None,
            first_kept_id_at: None,
        }
    }
}

/// The version of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Version {
    One,
    Two,
    Three,
    /// One that this library does not know.
    Unknown(u32),
}

impl Version {
    /// Without a readable header the version is told from the entries.
    pub(super) fn of(header: Option<&FoundHeader>, drafts: &[Draft]) -> Self {
        // A version that cannot be read is as good as none at all.
        match header.filter(|header| header.version.is_some() || header.version_at.is_none()) {
            Some(header) => match header.version {
                None | Some(0 | 1) => Self::One,
                Some(2) => Self::Two,
                Some(3) => Self::Three,
                Some(version) => Self::Unknown(version),
            },
            None if drafts.iter().any(|draft| draft.id.is_some()) => Self::Three,
            None => Self::One,
        }
    }
}

/// Gives every entry an id and brings it to the current version. Gives the number of each id.
pub(super) fn migrate(
    version: Version,
    drafts: &mut [Draft],
    bytes: &[u8],
    diagnostics: &mut Vec<Diagnostic>,
) -> Numbers {
    if version < Version::Three {
        for draft in drafts.iter_mut() {
            if let Some((start, end)) = draft.old_role_at {
                draft.edit(bytes, start, end, "custom".to_owned());
            }
        }
    }
    let ids = give_ids(version, drafts, bytes, diagnostics);
    if version == Version::One {
        first_kept_ids(drafts, bytes);
    }
    ids
}

/// The change that brings a header to the current version.
pub(super) fn header_edits(version: Version, header: &FoundHeader, bytes: &[u8]) -> Vec<Edit> {
    if version >= Version::Three {
        return Vec::new();
    }
    let raw = bytes.get(header.start..header.end).unwrap_or_default();
    if let Some((start, end)) = header.version_at {
        let (start, end) = (raw_offset(raw, start), raw_offset(raw, end));
        let is_version = header.version.is_some() || raw.get(start) == Some(&b'n');
        // What is no version stays, and no longer counts.
        let (start, text) = if is_version { (start, "3") } else { (end, r#","version":3"#) };
        return vec![Edit { start, end, text: text.to_owned() }];
    }
    let record = lossy_text(raw);
    let point = splice_point(&record);
    let text = spliced_fields(&record, point, r#""version":3"#);
    let point = raw_offset(raw, point);
    vec![Edit { start: point, end: point, text }]
}

/// Ids for entries that have none or one that is taken. They derive from where the record stands
/// and what it says once it is migrated, so that the same file always gets the same ids, also after
/// it was saved.
fn give_ids(version: Version, drafts: &mut [Draft], bytes: &[u8], diagnostics: &mut Vec<Diagnostic>) -> Numbers {
    let mut ids = Numbers::new();
    for id in drafts.iter().filter_map(|draft| draft.id.clone()) {
        ids.insert(id, AHEAD);
    }
    let mut previous: Option<EntryId> = None;
    // Which record of its line one is: glued records may say the same.
    let mut place = (0, 0_u32);
    for (index, draft) in drafts.iter_mut().enumerate() {
        let index = index as Index;
        place = if place.0 == draft.line { (draft.line, place.1 + 1) } else { (draft.line, 0) };
        match draft.id.as_ref().map(|id| (id, ids.get_mut(id))) {
            Some((_, Some(number))) if *number == AHEAD => *number = index,
            Some((id, _)) => {
                let id_at = draft.id_at.filter(|_| version == Version::One);
                let since = if id_at.is_some() { "from now on" } else { "in memory" };
                let message = format!("the id {id:?} is taken by an earlier entry; {since} this one is ");
                let fresh = derived_id(draft, place.1, index, bytes, &mut ids);
                diagnostics.push(Diagnostic {
                    line: Some(draft.line),
                    kind: DiagnosticKind::DuplicateId,
                    entry_id: Some(fresh.clone()),
                    message: message + &format!("{fresh:?}"),
                });
                // What else the migration changes would give another id at the next load.
                if id_at.is_some() {
                    draft.set(bytes, &[("id", id_at, json_string(&fresh))]);
                }
                draft.id_is_stored = id_at.is_some();
                draft.id = Some(fresh);
            }
            None => {
                let id = derived_id(draft, place.1, index, bytes, &mut ids);
                let chained = draft.parent_id.is_none();
                if chained {
                    draft.parent_id = previous.clone();
                }
                if version == Version::One {
                    let mut fields = vec![("id", draft.id_at, json_string(&id))];
                    if chained {
                        let parent = draft.parent_id.as_deref().map_or_else(|| "null".to_owned(), json_string);
                        fields.push(("parentId", draft.parent_id_at, parent));
                    }
                    draft.set(bytes, &fields);
                } else {
                    draft.id_is_stored = false;
                    diagnostics.push(Diagnostic {
                        line: Some(draft.line),
                        kind: DiagnosticKind::MissingId,
                        entry_id: Some(id.clone()),
                        message: format!("the record has no id; in memory it is {id:?}, below the entry before it"),
                    });
                }
                draft.id = Some(id);
            }
        }
        previous = draft.id.clone();
    }
    ids
}

/// An id that no entry has, for the entry of this number.
fn derived_id(draft: &Draft, on_line: u32, index: Index, bytes: &[u8], ids: &mut Numbers) -> EntryId {
    let record = line_with(bytes, draft.place.0, draft.place.1, &draft.edits);
    let mut seed = u64::from(on_line) << 32 | u64::from(draft.line);
    loop {
        let hash = xxhash_rust::xxh64::xxh64(&record, seed);
        let id = EntryId::from(format!("{:08x}", hash as u32));
        if !ids.contains_key(&id) {
            ids.insert(id.clone(), index);
            return id;
        }
        seed = hash;
    }
}

/// The number of the first kept record becomes its id.
fn first_kept_ids(drafts: &mut [Draft], bytes: &[u8]) {
    // Drafts are in the order in which they were counted.
    let by_number: Vec<(u32, EntryId)> =
        drafts.iter().filter_map(|draft| Some((draft.number, draft.id.clone()?))).collect();
    let numbered = |number: u32| {
        let place = by_number.binary_search_by_key(&number, |&(number, _)| number).ok()?;
        by_number.get(place).map(|(_, id)| id.clone())
    };
    let first = by_number.first().map(|(_, id)| id.clone());
    for draft in drafts.iter_mut() {
        let Some((index, value_at)) = draft.first_kept_index else { continue };
        let EntryKind::Compaction(compaction) = &mut draft.kind else { continue };
        // The header, number 0, stands before all: everything is kept.
        let id = if index == 0.0 { first.clone() } else { numbered(index as u32) };
        let Some(id) = id.filter(|_| index.fract() == 0.0) else { continue };
        if !compaction.first_kept_entry_id.is_empty() {
            continue;
        }
        compaction.first_kept_entry_id = (&*id).into();
        let record = lossy_text(draft.record(bytes));
        let old =
            value_at.and_then(|(start, end)| Some((record.get(..start)?.rfind(r#""firstKeptEntryIndex""#)?, end)));
        let value = json_string(&id);
        match (old, draft.first_kept_id_at) {
            // The old field turns into the new one.
            (Some((start, end)), None) => draft.edit(bytes, start, end, format!("\"firstKeptEntryId\":{value}")),
            (_, at) => draft.set(bytes, &[("firstKeptEntryId", at, value)]),
        }
    }
}
