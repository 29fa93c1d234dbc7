//! A transcript on its way into a session: drafts of its entries, in the order of the file.

use super::answer::update;
use super::records::Record;
use crate::entry::{iso, milliseconds};
use crate::error::Quoted;
use crate::format::piece::{Kind, Piece, Role};
use crate::format::table::Table;
use crate::format::tree::Tree;
use crate::session::{Diagnostic, DiagnosticKind};
use std::borrow::Cow;

/// A transcript as far as it was read.
pub(super) struct Transcript<'a> {
    /// The name of its format.
    pub(super) format: &'static str,
    /// By which its pieces become messages of the core.
    pub(super) table: &'static Table,
    /// What the source says of the whole session: its `id`, `cwd`, `timestamp` and `title`.
    pub(super) header: Tree<'a>,
    pub(super) drafts: Vec<Draft<'a>>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The draft behind which the host goes on; the newest where none is named.
    pub(super) leaf: Option<usize>,
}

/// An entry to be, or several: the messages that one record holds.
pub(super) struct Draft<'a> {
    /// Where it comes from.
    pub(super) origin: Origin,
    /// The draft that it follows.
    pub(super) parent: Option<usize>,
    pub(super) what: What<'a>,
    /// What the records say beside, kept with the entry.
    pub(super) records: Vec<Tree<'a>>,
}

/// Where a draft comes from.
#[derive(Debug, Clone, Default)]
pub(super) struct Origin {
    /// The line of the file, from 1; the number of the message where the file is one array.
    pub(super) line: u32,
    /// The source's own id.
    pub(super) id: Option<String>,
    /// When it was made, ISO 8601.
    pub(super) timestamp: Option<String>,
}

/// What a draft becomes.
pub(super) enum What<'a> {
    /// Messages, with what is known of the answer among them, in the fields of the core.
    Said(Vec<Piece<'a>>, Tree<'a>),
    /// A message of the core.
    Message(Tree<'a>),
    /// A compaction.
    Compaction(Folded),
    /// A `custom` entry: the type of the record, and the record.
    Kept(String, Tree<'a>),
}

/// What a compaction says.
#[derive(Default)]
pub(super) struct Folded {
    pub(super) summary: Option<String>,
    pub(super) tokens_before: f64,
    /// The first draft that stays verbatim; none where nothing does.
    pub(super) first_kept: Option<usize>,
}

impl<'a> Transcript<'a> {
    pub(super) fn new(format: &'static str, table: &'static Table) -> Self {
        Self { format, table, header: Tree::empty(), drafts: Vec::new(), diagnostics: Vec::new(), leaf: None }
    }

    /// Takes a text of the header over where nothing said it before.
    #[inline(never)]
    pub(super) fn note(&mut self, key: &'static str, value: Option<Tree<'a>>) {
        let says = |value: &Tree<'_>| value.as_text().is_some_and(|text| !text.is_empty());
        if let Some(value) = value.filter(says)
            && self.header.get(key).is_none()
        {
            self.header.set(key, value);
        }
    }

    /// The newest draft.
    pub(super) fn newest(&self) -> Option<usize> {
        self.drafts.len().checked_sub(1)
    }

    /// Adds a draft behind another, with the record that it comes from; gives its number.
    #[inline(never)]
    pub(super) fn push(
        &mut self,
        origin: Origin,
        parent: Option<usize>,
        what: What<'a>,
        record: Option<Tree<'a>>,
    ) -> usize {
        self.drafts.push(Draft { origin, parent, what, records: record.into_iter().collect() });
        self.drafts.len() - 1
    }

    /// Adds a draft behind the newest.
    pub(super) fn follow(&mut self, origin: Origin, what: What<'a>, record: Option<Tree<'a>>) -> usize {
        let parent = self.newest();
        self.push(origin, parent, what, record)
    }

    /// Keeps a record that has no counterpart, behind the newest draft.
    pub(super) fn keep(&mut self, origin: Origin, kind: String, data: Tree<'a>) -> usize {
        self.follow(origin, What::Kept(kind, data), None)
    }

    /// The object of a record; otherwise keeps and reports what stands there.
    #[inline(never)]
    pub(super) fn object(&mut self, record: &mut Record<'a>) -> Option<Tree<'a>> {
        if record.half_pairs {
            self.report(record.line, DiagnosticKind::LoneSurrogate, "half of a surrogate pair is read as U+FFFD");
        }
        let (kind, fault, message, data) = match record.tree.take() {
            Some(tree @ Tree::Object(_)) => return Some(tree),
            Some(value) => ("no-object", DiagnosticKind::WrongShape, "no object; kept as a custom entry", value),
            None => {
                let text = Tree::Text(Cow::Borrowed(record.text));
                ("unreadable", DiagnosticKind::MalformedLine, "not JSON; its text is kept in a custom entry", text)
            }
        };
        self.report(record.line, fault, message);
        self.keep(Origin { line: record.line, ..Origin::default() }, kind.to_owned(), data);
        None
    }

    pub(super) fn report(&mut self, line: u32, kind: DiagnosticKind, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic { line: Some(line), kind, entry_id: None, message: message.into() });
    }

    /// Reports a parent that is nowhere, or only further on.
    pub(super) fn report_parent(&mut self, line: u32, parent: &str) {
        let message = format!("the parent {} does not stand before it; it begins a root", Quoted(parent));
        self.report(line, DiagnosticKind::MissingParent, message);
    }

    /// Adds pieces of a flat format: what the model says in a row is one message, `open` while it goes on.
    pub(super) fn flow(
        &mut self,
        open: &mut Option<usize>,
        origin: Origin,
        mut pieces: Vec<Piece<'a>>,
        answer: Tree<'a>,
        record: Option<Tree<'a>>,
    ) -> usize {
        let goes_on = is_the_models(&pieces);
        if let Some(place) = open.filter(|_| goes_on)
            && let Some(Draft { what: What::Said(said, known), records, .. }) = self.drafts.get_mut(place)
        {
            said.append(&mut pieces);
            update(known, answer);
            records.extend(record);
            return place;
        }
        let place = self.follow(origin, What::Said(pieces, answer), record);
        *open = goes_on.then_some(place);
        place
    }
}

/// Whether the model says all of it.
pub(super) fn is_the_models(pieces: &[Piece<'_>]) -> bool {
    pieces.iter().all(|piece| piece.role == Role::Assistant && piece.kind != Kind::Result)
}

/// Whether pieces say nothing: they stand for lists without parts.
pub(super) fn say_nothing(pieces: &[Piece<'_>]) -> bool {
    pieces.iter().all(|piece| piece.kind == Kind::Nothing)
}

/// A time of ISO 8601, or in milliseconds or seconds since 1970, as sessions write it.
pub(super) fn time(value: Option<&Tree<'_>>) -> Option<String> {
    /// A number below it counts seconds: as milliseconds it would be in 1973 or earlier.
    const SECONDS: f64 = 1e11;
    let value = value?;
    if let Some(number) = value.as_number() {
        return iso((if number.abs() < SECONDS { number * 1_000.0 } else { number }) as i64);
    }
    value.as_text().filter(|text| milliseconds(text).is_some()).map(Cow::into_owned)
}

/// The first of these keys that an object has a value for.
pub(super) fn first_of<'t, 'a>(tree: &'t Tree<'a>, keys: &[&str]) -> Option<&'t Tree<'a>> {
    keys.iter().find_map(|key| tree.get(key).filter(|value| !value.is_null()))
}

/// The value of a key, read one level deep.
pub(super) fn opened<'a>(tree: &Tree<'a>, key: &str) -> Tree<'a> {
    tree.get(key).cloned().map(Tree::opened).unwrap_or_default()
}
