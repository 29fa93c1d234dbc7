//! The session as JavaScript holds it.

use super::data::{ContextNotes, ContextUsageData, DiagnosticData, NothingToDoData};
use super::errors::to_js_error;
use super::preparation::PreparationHandle;
use super::stateless::rules;
use super::tokenizer::TokenizerHandle;
use super::value::{count, settings, to_js, window};
use super::view::ViewHandle;
use crate::compaction::{Prepare, Trigger, find_cut_point, prepare_compaction};
use crate::entry::Message;
use crate::error::Error;
use crate::session::{Index, Session, UsageQuery};
use crate::tokens::{TokenRule, estimate_message};
use std::cell::{Ref, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// A session that lives in wasm memory. Entries go by their numbers; the facade maps them to ids.
#[wasm_bindgen]
pub struct SessionHandle {
    pub(super) session: Rc<RefCell<Session>>,
}

/// The leaf that a call means: a number, nothing (before the first entry), or the current one.
const CURRENT: i32 = -2;

impl SessionHandle {
    fn of(session: Session) -> Self {
        Self { session: Rc::new(RefCell::new(session)) }
    }

    /// The session with all that it holds counted.
    pub(super) fn counted(&self) -> Ref<'_, Session> {
        self.session.borrow_mut().count_rest();
        self.session.borrow()
    }

    pub(super) fn leaf(&self, leaf: i32) -> Option<Index> {
        if leaf == CURRENT { self.session.borrow().leaf() } else { Index::try_from(leaf).ok() }
    }
}

#[wasm_bindgen]
impl SessionHandle {
    /// A new session.
    pub fn create(
        preset: &str,
        images: Option<String>,
        id: &str,
        cwd: &str,
        now: &str,
        seed: f64,
    ) -> Result<SessionHandle, JsValue> {
        Ok(Self::of(Session::create(rules(preset, images)?, id, cwd, now, seed.to_bits())))
    }

    /// A session from the bytes of a JSONL file.
    #[wasm_bindgen(js_name = fromJsonl)]
    pub fn from_jsonl(
        bytes: Vec<u8>,
        preset: &str,
        images: Option<String>,
        seed: f64,
    ) -> Result<SessionHandle, JsValue> {
        Session::from_jsonl(bytes, rules(preset, images)?, seed.to_bits()).map(Self::of).map_err(to_js_error)
    }

    /// Counts exactly from here on. What is there already is counted later.
    #[wasm_bindgen(js_name = useTokenizer)]
    pub fn use_tokenizer(&self, tokenizer: &TokenizerHandle) -> Result<(), JsValue> {
        self.session.borrow_mut().use_tokenizer(tokenizer.tokenizer).map_err(to_js_error)
    }

    /// Counts about so many bytes of text that are not counted yet; whether all is counted.
    #[wasm_bindgen(js_name = countSome)]
    pub fn count_some(&self, bytes: u32) -> bool {
        self.session.borrow_mut().count_some(bytes as usize)
    }

    /// The session as JSONL.
    #[wasm_bindgen(js_name = toJsonl)]
    pub fn to_jsonl(&self) -> Vec<u8> {
        self.session.borrow().to_jsonl()
    }

    /// What the session holds, counted: messages, calls, results, branches, compactions, images.
    pub fn counts(&self) -> Vec<u32> {
        let counts = self.session.borrow().counts();
        vec![counts.messages, counts.calls, counts.results, counts.branches, counts.compactions, counts.images]
    }

    /// Forbids a cut between an entry and the one before it.
    pub fn join(&self, index: u32) {
        self.session.borrow_mut().join(index);
    }

    /// How many entries there are.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> u32 {
        self.session.borrow().len() as u32
    }

    /// The number of the leaf, -1 before the first entry.
    #[wasm_bindgen(getter = leafIndex)]
    pub fn leaf_index(&self) -> i32 {
        self.session.borrow().leaf().map_or(-1, |leaf| leaf as i32)
    }

    /// The ids of so many entries from a number on, as a JSON array; fewer where the session ends.
    #[wasm_bindgen(js_name = idsFrom)]
    pub fn ids_from(&self, first: u32, count: u32) -> String {
        let session = self.session.borrow();
        let ids: Vec<&str> = (first..first.saturating_add(count))
            .map_while(|index| session.entry(index))
            .map(|entry| &*entry.id)
            .collect();
        serde_json::to_string(&ids).unwrap_or_default()
    }

    /// The number of an id, -1 where no entry has it.
    #[wasm_bindgen(js_name = indexOf)]
    pub fn index_of(&self, id: &str) -> i32 {
        self.session.borrow().index_of(id).map_or(-1, |index| index as i32)
    }

    /// The JSON of an entry; nothing where only its ids could be read.
    #[wasm_bindgen(js_name = entryJson)]
    pub fn entry_json(&self, index: u32) -> Option<String> {
        self.session.borrow().entry_json(index)
    }

    /// The JSON of the header.
    #[wasm_bindgen(js_name = headerJson)]
    pub fn header_json(&self) -> Option<String> {
        self.session.borrow().header_json()
    }

    /// The parent of each entry, -1 for a root.
    pub fn parents(&self) -> Vec<i32> {
        let session = self.session.borrow();
        (0..session.len() as Index).map(|index| session.parent(index).map_or(-1, |parent| parent as i32)).collect()
    }

    /// The entries from the root to a leaf.
    pub fn path(&self, leaf: i32) -> Vec<u32> {
        self.session.borrow().path(self.leaf(leaf))
    }

    /// The entries that follow one.
    pub fn children(&self, index: u32) -> Vec<u32> {
        self.session.borrow().children(index).collect()
    }

    /// What an entry takes in a view at the leaf, in tokens.
    #[wasm_bindgen(js_name = entryTokens)]
    pub fn entry_tokens(&self, index: u32) -> f64 {
        let session = self.counted();
        session.tokens_at(index, session.leaf()) as f64
    }

    /// What was found damaged.
    pub fn diagnostics(&self) -> Result<JsValue, JsValue> {
        let session = self.session.borrow();
        to_js(session.diagnostics().iter().map(DiagnosticData::from).collect::<Vec<_>>())
    }

    /// The label of an id.
    pub fn label(&self, id: &str) -> Option<String> {
        self.session.borrow().label(id).map(str::to_owned)
    }

    /// Every label, as a JSON array of id and label.
    pub fn labels(&self) -> String {
        let session = self.session.borrow();
        serde_json::to_string(&session.labels().collect::<Vec<_>>()).unwrap_or_default()
    }

    /// Sets or clears a label; gives the id of the entry that says so.
    #[wasm_bindgen(js_name = setLabel)]
    pub fn set_label(&self, id: &str, label: Option<String>, now: &str) -> Result<String, JsValue> {
        self.appended(|session| session.set_label(id, label.as_deref(), now))
    }

    /// Appends an entry; gives its id.
    pub fn append(&self, json: &str, now: &str) -> Result<String, JsValue> {
        self.appended(|session| session.append(json, now))
    }

    /// Moves the leaf to an entry.
    pub fn branch(&self, id: &str) -> Result<(), JsValue> {
        self.session.borrow_mut().branch(id).map_err(to_js_error)
    }

    /// Moves the leaf before the first entry.
    #[wasm_bindgen(js_name = resetLeaf)]
    pub fn reset_leaf(&self) {
        self.session.borrow_mut().reset_leaf();
    }

    /// Moves the leaf and appends a branch summary there; gives its id.
    #[wasm_bindgen(js_name = branchWithSummary)]
    pub fn branch_with_summary(
        &self,
        target: Option<String>,
        summary: &str,
        details: Option<String>,
        from_extension: bool,
        now: &str,
    ) -> Result<String, JsValue> {
        self.appended(|session| {
            session.branch_with_summary(target.as_deref(), summary, details.as_deref(), from_extension, now)
        })
    }

    /// The view at a leaf, with its model, thinking level, repairs and pending calls.
    #[wasm_bindgen(js_name = contextMessages)]
    pub fn context_messages(&self, leaf: i32) -> Result<ViewHandle, JsValue> {
        let session = self.session.borrow();
        let context = session.build_session_context(self.leaf(leaf));
        Ok(ViewHandle::new(&context.messages, to_js(ContextNotes::from(&context))?))
    }

    /// How large the context is at the leaf. `pending` is the JSON of messages that are not in the
    /// session yet.
    #[wasm_bindgen(js_name = contextUsage)]
    pub fn context_usage(
        &self,
        context_window: Option<f64>,
        fixed_tokens: Option<f64>,
        pending: Vec<String>,
        given: Option<String>,
    ) -> Result<JsValue, JsValue> {
        let session = self.counted();
        let context_window = window(context_window)?;
        let budgets = settings(given)?.budgets(context_window).map_err(to_js_error)?;
        let (pending_tokens, _) = self::pending(&pending, session.token_rule())?;
        let usage = session.context_usage(
            session.leaf(),
            &UsageQuery {
                context_window,
                reserve_tokens: budgets.reserve_tokens,
                pending_tokens,
                fixed_tokens: count("fixedTokens", fixed_tokens)?,
            },
        );
        to_js(ContextUsageData::from(&usage))
    }

    /// The cut in a part of the path: first kept position, start of the split turn or -1.
    #[wasm_bindgen(js_name = findCutPoint)]
    pub fn find_cut_point(&self, start: u32, end: u32, keep_recent_tokens: f64) -> Vec<i32> {
        let session = self.counted();
        let row = session.path(session.leaf());
        let cut = find_cut_point(&session, &row, start as usize, end as usize, keep_recent_tokens as u64);
        vec![cut.first_kept as i32, cut.turn_start.map_or(-1, |start| start as i32)]
    }

    /// Prepares a compaction: the plan, or data that says why there is nothing to do.
    #[wasm_bindgen(js_name = prepareCompaction)]
    pub fn prepare_compaction(
        &self,
        leaf: i32,
        context_window: Option<f64>,
        fixed_tokens: Option<f64>,
        given: Option<String>,
    ) -> Result<JsValue, JsValue> {
        let leaf = self.leaf(leaf);
        let session = self.counted();
        let settings = settings(given)?;
        let prepare = Prepare {
            settings: &settings,
            context_window: window(context_window)?,
            fixed_tokens: count("fixedTokens", fixed_tokens)?,
            pending_tokens: 0,
            trigger: Trigger::Manual,
        };
        match prepare_compaction(&session, leaf, &prepare).map_err(to_js_error)? {
            Ok(plan) => Ok(PreparationHandle::new(Rc::clone(&self.session), Arc::new(plan)).into()),
            Err(nothing) => to_js(NothingToDoData::from(&nothing)),
        }
    }
}

impl SessionHandle {
    fn appended(&self, append: impl FnOnce(&mut Session) -> Result<Index, Error>) -> Result<String, JsValue> {
        let mut session = self.session.borrow_mut();
        let index = append(&mut session).map_err(to_js_error)?;
        Ok(session.entry(index).map_or_else(String::new, |entry| entry.id.to_string()))
    }
}

/// What messages take that are not in the session yet, in tokens, and whether the user speaks in one.
pub(super) fn pending(messages: &[String], rule: TokenRule) -> Result<(u64, bool), JsValue> {
    let (mut tokens, mut from_user) = (0_u64, false);
    for json in messages {
        let message = Message::from_json(json).map_err(to_js_error)?;
        tokens = tokens.saturating_add(estimate_message(&message, rule).tokens);
        from_user |= matches!(message, Message::User { .. });
    }
    Ok((tokens, from_user))
}
