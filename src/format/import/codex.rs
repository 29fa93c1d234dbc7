//! Codex's rollouts: a record a line, with `type` and `payload`; early ones without that envelope.
//!
//! A `response_item` is an item of Responses. A `compacted` record holds a summary, or, in
//! `replacement_history`, what the model sees from there on: its messages come behind the compaction. Where the
//! provider made the summary it is encrypted, and goes through as it is.
//!
//! Source: files that Codex wrote from August 2025 on; the format is not documented.

use super::answer::{MODEL, PROVIDER, usage};
use super::records::Record;
use super::transcript::{Draft, Folded, Origin, Transcript, What, opened, time};
use crate::format::openai_responses::OPENAI_RESPONSES;
use crate::format::piece::{Kind, Piece, Slot};
use crate::format::read::read_item;
use crate::format::tree::Tree;
use crate::llm::literals::ENCRYPTED_SUMMARY;

/// Items of Responses that no request holds.
const NOT_SAID: [&str; 1] = ["ghost_snapshot"];

pub(super) fn import<'a>(records: Vec<Record<'a>>, transcript: Transcript<'a>) -> Transcript<'a> {
    let mut reader = Reader { transcript, open: None, measured: None, answer: Tree::empty(), tokens: 0.0, items: 0 };
    for record in records {
        reader.record(record);
    }
    reader.transcript
}

struct Reader<'a> {
    transcript: Transcript<'a>,
    /// The answer that may go on.
    open: Option<usize>,
    /// The newest answer, as long as nobody said what it cost.
    measured: Option<usize>,
    /// The model in force.
    answer: Tree<'a>,
    /// The newest context size, in tokens.
    tokens: f64,
    items: usize,
}

impl<'a> Reader<'a> {
    fn record(&mut self, mut record: Record<'a>) {
        let Some(mut tree) = self.transcript.object(&mut record) else { return };
        let origin = Origin { line: record.line, id: None, timestamp: time(tree.get("timestamp")) };
        let kind = tree.text_of("type").or_else(|| tree.text_of("record_type")).unwrap_or("header".into()).into_owned();
        let is_item = tree.text_of("type").is_some() && tree.get("payload").is_none();
        let payload = if is_item { std::mem::take(&mut tree) } else { opened(&tree, "payload") };
        let inner = payload.text_of("type").unwrap_or_default().into_owned();
        if is_item || kind == "response_item" {
            tree.take("payload");
            if self.item(origin.clone(), payload, Some(tree)) {
                return;
            }
        } else if kind == "compacted" {
            return self.compacted(origin, payload);
        } else {
            self.note(&kind, &inner, &tree, &payload);
        }
        let is_nested = matches!(kind.as_str(), "event_msg" | "response_item") && !inner.is_empty();
        let kind = if is_nested { [kind.as_str(), "/", &inner].concat() } else { kind };
        self.transcript.keep(origin, kind, Tree::Raw(record.text.into()));
    }

    /// What a record that is kept as it is says of the session.
    fn note(&mut self, kind: &str, inner: &str, tree: &Tree<'a>, payload: &Tree<'a>) {
        match (kind, inner) {
            ("header" | "session_meta", _) => {
                let meta = if kind == "header" { tree } else { payload };
                for key in ["id", "cwd", "timestamp"] {
                    self.transcript.note(key, meta.get(key).cloned());
                }
                let provider = meta.get("model_provider").cloned().unwrap_or_else(|| Tree::text("openai"));
                self.answer.set(PROVIDER, provider);
            }
            ("turn_context", _) => {
                self.transcript.note("cwd", payload.get("cwd").cloned());
                if let Some(model) = payload.get("model") {
                    self.answer.set(MODEL, model.clone());
                }
            }
            ("event_msg", "token_count") => {
                let last = opened(&opened(payload, "info"), "last_token_usage");
                let Some(total) = last.get("total_tokens").and_then(Tree::as_number) else { return };
                self.tokens = total;
                let measured = self.measured.take().and_then(|number| self.transcript.drafts.get_mut(number));
                if let (Some(Draft { what: What::Said(_, answer), .. }), Some(usage)) = (measured, usage(&last)) {
                    answer.set("usage", usage);
                }
            }
            _ => {}
        }
    }

    /// Takes an item of Responses in; says whether it could.
    fn item(&mut self, origin: Origin, item: Tree<'a>, record: Option<Tree<'a>>) -> bool {
        if item.text_of("type").is_some_and(|kind| NOT_SAID.contains(&&*kind)) {
            return false;
        }
        let mut pieces = Vec::new();
        let Ok((_, rest)) = read_item(&OPENAI_RESPONSES, item, &mut pieces) else { return false };
        let Some(first) = pieces.first_mut().filter(|piece| piece.kind != Kind::Nothing) else { return false };
        first.item_rest = Some(rest);
        pieces.iter_mut().for_each(|piece| piece.item = self.items);
        self.items += 1;
        let answer = if self.answer.get(MODEL).is_some() { self.answer.clone() } else { Tree::empty() };
        let place = self.transcript.flow(&mut self.open, origin, pieces, answer, record);
        if self.open.is_some() {
            self.measured = Some(place);
        }
        true
    }

    fn compacted(&mut self, origin: Origin, mut payload: Tree<'a>) {
        let message = payload.text_of("message").filter(|message| !message.is_empty()).map(|text| text.into_owned());
        let history = payload.take("replacement_history").map(Tree::opened);
        let summary = Some(message.clone().unwrap_or_else(|| ENCRYPTED_SUMMARY.to_owned()));
        let folded = Folded { summary, tokens_before: self.tokens, first_kept: None };
        (self.open, self.measured) = (None, None);
        self.transcript.follow(origin.clone(), What::Compaction(folded), Some(payload));
        let Some(Tree::List(items)) = history else { return };
        for item in items {
            let raw = item.clone();
            // The summary stands among the messages too, behind an introduction.
            let repeats = message.as_deref().is_some_and(|message| says(&item, message));
            if repeats || !self.item(origin.clone(), item, None) {
                self.transcript.keep(origin.clone(), "replacement_history".to_owned(), raw);
            }
        }
        (self.open, self.measured) = (None, None);
    }
}

/// Whether an item is a message that ends so.
fn says(item: &Tree<'_>, end: &str) -> bool {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    read_item(&OPENAI_RESPONSES, item.clone(), &mut pieces).is_ok()
        && matches!(pieces.as_slice(), [only] if only.kind == Kind::Text
            && only.text(Slot::Body).is_some_and(|text| text.ends_with(end)))
}
