//! From drafts to the lines of a session file.

use super::Imported;
use super::answer::{MODEL, PROVIDER};
use super::report::{ImportReport, Kept};
use super::transcript::{Draft, Transcript, What};
use crate::format::core::{Beside, Names, to_core_with, tool_names};
use crate::format::tree::Tree;
use crate::numbers::Numbers;
use crate::session::{Diagnostic, DiagnosticKind};
use std::borrow::Cow;

/// Stands for the time of a transcript that names none.
const NO_TIME: &str = "1970-01-01T00:00:00.000Z";

/// The number of an id whose draft is still to come.
const AHEAD: u32 = u32::MAX;

/// Writes a transcript as a session file.
pub(super) fn write(mut transcript: Transcript<'_>) -> Imported {
    let names = tool_names(transcript.drafts.iter().flat_map(|draft| match &draft.what {
        What::Said(pieces, _) => pieces.as_slice(),
        _ => &[],
    }));
    let mut lines = Lines::new(&transcript, &names);
    let drafts = std::mem::take(&mut transcript.drafts);
    let count = drafts.len();
    for draft in drafts {
        lines.write(draft);
    }
    if let Some(leaf) = transcript.leaf.filter(|leaf| leaf + 1 != count) {
        lines.name_leaf(leaf, transcript.header.take("title"));
    }
    transcript.diagnostics.append(&mut lines.diagnostics);
    let (jsonl, kept) = (lines.out, lines.kept);
    let report = ImportReport { format: transcript.format, custom: kept, diagnostics: transcript.diagnostics };
    Imported { jsonl: Some(jsonl), report }
}

struct Lines<'n> {
    format: &'static str,
    table: &'static crate::format::table::Table,
    names: &'n Names,
    out: String,
    /// The number of the draft that has an id.
    ids: Numbers,
    /// The first and the last entry of each draft.
    written: Vec<(String, String)>,
    timestamp: String,
    kept: Vec<Kept>,
    /// Where each type stands in `kept`.
    kinds: Numbers,
    diagnostics: Vec<Diagnostic>,
}

impl<'n> Lines<'n> {
    fn new(transcript: &Transcript<'_>, names: &'n Names) -> Self {
        let header = &transcript.header;
        let said = |key: &str| header.text_of(key).map(Cow::into_owned);
        let first = || transcript.drafts.iter().find_map(|draft| draft.origin.timestamp.clone());
        let began = said("timestamp").or_else(first).unwrap_or_else(|| NO_TIME.to_owned());
        let mut ids = Numbers::new();
        for id in transcript.drafts.iter().filter_map(|draft| draft.origin.id.as_deref()) {
            ids.insert(id.into(), AHEAD);
        }
        let mut lines = Self {
            format: transcript.format,
            table: transcript.table,
            names,
            out: String::new(),
            ids,
            written: Vec::with_capacity(transcript.drafts.len()),
            timestamp: began,
            kept: Vec::new(),
            kinds: Numbers::new(),
            diagnostics: Vec::new(),
        };
        let mut line = Tree::empty();
        line.set("type", Tree::text("session"));
        line.set("version", Tree::Raw("3".into()));
        let id = said("id").unwrap_or_else(|| lines.derived_id(&lines.timestamp.clone()));
        line.set("id", Tree::text(id));
        line.set("timestamp", Tree::text(lines.timestamp.clone()));
        line.set("cwd", Tree::text(said("cwd").unwrap_or_default()));
        line.set("importedFrom", Tree::text(transcript.format));
        lines.push(&line);
        lines
    }

    fn push(&mut self, line: &Tree<'_>) {
        let start = self.out.len();
        line.write(&mut self.out);
        if self.out.get(start..).is_some_and(|line| line.contains(['\n', '\r'])) {
            // JSON that goes through as it is may be indented. No string of JSON holds a line end.
            let line = self.out.split_off(start);
            line.split(['\n', '\r']).for_each(|part| self.out.push_str(part.trim_start()));
        }
        self.out.push('\n');
    }

    /// An id that nothing has, derived from what it is for and from how much stands before it.
    fn derived_id(&mut self, text: &str) -> String {
        let mut seed = self.out.len() as u64;
        loop {
            let hash = xxhash_rust::xxh64::xxh64(text.as_bytes(), seed);
            let id = format!("{:08x}", hash as u32);
            if !self.ids.contains_key(&*id) {
                self.ids.insert(id.as_str().into(), AHEAD - 1);
                return id;
            }
            seed = hash;
        }
    }

    /// The id of a draft: the source's own where no earlier one has it.
    fn id_of(&mut self, draft: &Draft<'_>) -> String {
        let number = self.written.len() as u32;
        if let Some(id) = &draft.origin.id {
            if let Some(place) = self.ids.get_mut(&**id).filter(|place| **place == AHEAD) {
                *place = number;
                return id.clone();
            }
            let fresh = self.derived_id(id);
            self.diagnostics.push(Diagnostic {
                line: Some(draft.origin.line),
                kind: DiagnosticKind::DuplicateId,
                entry_id: Some(fresh.as_str().into()),
                message: format!("the id {id:?} is taken by an earlier entry; this one is {fresh:?}"),
            });
            return fresh;
        }
        let text = match &draft.what {
            What::Kept(_, data) => data.to_json(),
            _ => String::new(),
        };
        self.derived_id(&text)
    }

    fn write(&mut self, draft: Draft<'_>) {
        let id = self.id_of(&draft);
        let Draft { origin, parent, what, mut records } = draft;
        let mut parent = parent.and_then(|parent| self.written.get(parent)).map(|(_, last)| last.clone());
        if let Some(timestamp) = origin.timestamp {
            self.timestamp = timestamp;
        }
        let mut record = match records.len() {
            0 | 1 => records.pop(),
            _ => Some(Tree::List(records)),
        };
        let bodies = self.bodies(what, &id);
        let (first, mut last) = (id.clone(), id);
        for (number, body) in bodies.into_iter().enumerate() {
            if number > 0 {
                let next = format!("{first}.{number}");
                last = if self.ids.contains_key(&*next) { self.derived_id(&next) } else { next };
            }
            let mut line = self.line(body, &last, parent.as_deref());
            if let Some(record) = record.take().filter(|record| !record.is_nothing()) {
                line.set(self.format, record);
            }
            self.push(&line);
            parent = Some(last.clone());
        }
        self.written.push((first, last));
    }

    /// An entry: its type in front, then its ids, then the rest.
    fn line<'t>(&self, mut body: Tree<'t>, id: &str, parent: Option<&str>) -> Tree<'t> {
        let mut line = Tree::empty();
        line.set("type", body.take("type").unwrap_or_default());
        line.set("id", Tree::text(id.to_owned()));
        line.set("parentId", parent.map_or_else(Tree::default, |parent| Tree::text(parent.to_owned())));
        line.set("timestamp", Tree::text(self.timestamp.clone()));
        for (key, value) in body.take_all() {
            line.set(key, value);
        }
        line
    }

    /// What the entries of a draft say.
    fn bodies<'t>(&mut self, what: What<'t>, id: &str) -> Vec<Tree<'t>> {
        match what {
            What::Said(pieces, answer) => {
                let core = to_core_with(self.table, pieces, Beside::Everything, self.names);
                let is_answer = |json: &str| json.starts_with(r#"{"role":"assistant""#);
                let last = core.iter().rposition(|message| is_answer(&message.json));
                let mut bodies = Vec::with_capacity(core.len());
                for (number, message) in core.into_iter().enumerate() {
                    let mut json = message.json;
                    if is_answer(&json) {
                        write_answer(&answer, Some(number) == last, &mut json);
                    }
                    bodies.push(message_body(Tree::Raw(json.into())));
                }
                bodies
            }
            What::Message(message) => vec![message_body(message)],
            What::Kept(kind, data) => vec![self.keep(kind, data)],
            What::Compaction(folded) => {
                let first_kept = folded.first_kept.and_then(|first| self.written.get(first));
                let first_kept = first_kept.map_or_else(|| id.to_owned(), |(first, _)| first.clone());
                let mut body = Tree::empty();
                body.set("type", Tree::text("compaction"));
                body.set("summary", Tree::text(folded.summary.unwrap_or_default()));
                body.set("firstKeptEntryId", Tree::text(first_kept));
                body.set("tokensBefore", Tree::Raw((folded.tokens_before as u64).to_string().into()));
                vec![body]
            }
        }
    }

    /// A record as a custom entry, counted.
    fn keep<'t>(&mut self, kind: String, data: Tree<'t>) -> Tree<'t> {
        let mut body = Tree::empty();
        body.set("type", Tree::text("custom"));
        body.set("customType", Tree::Text(Cow::Owned(format!("{}:{kind}", self.format))));
        body.set("data", data);
        let place = self.kinds.get(&*kind).and_then(|place| self.kept.get_mut(*place as usize));
        match place {
            Some(kept) => kept.count += 1,
            None => {
                self.kinds.insert(kind.as_str().into(), self.kept.len() as u32);
                self.kept.push(Kept { kind, count: 1 });
            }
        }
        body
    }

    /// Ends the file with an entry behind the leaf: a session is opened at its last entry.
    fn name_leaf(&mut self, leaf: usize, title: Option<Tree<'_>>) {
        let Some((_, leaf)) = self.written.get(leaf).cloned() else { return };
        let id = self.derived_id("leaf");
        let mut body = Tree::empty();
        body.set("type", Tree::text("session_info"));
        if let Some(title) = title {
            body.set("name", title);
        }
        let line = self.line(body, &id, Some(&leaf));
        self.push(&line);
    }
}

/// Puts what is known of an answer into its message. What it cost and why it ended belong to the last of several.
fn write_answer(answer: &Tree<'_>, is_last: bool, json: &mut String) {
    let Tree::Object(fields) = answer else { return };
    json.pop();
    for (key, value) in fields.iter().filter(|(key, _)| is_last || [PROVIDER, MODEL].contains(&&**key)) {
        json.push_str(",\"");
        json.push_str(key);
        json.push_str("\":");
        value.write(json);
    }
    json.push('}');
}

fn message_body(message: Tree<'_>) -> Tree<'_> {
    let mut body = Tree::empty();
    body.set("type", Tree::text("message"));
    body.set("message", message);
    body
}
