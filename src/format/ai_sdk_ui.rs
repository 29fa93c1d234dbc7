//! The AI SDK's UI messages (`UIMessage`), what `useChat` holds: a call and its result are one part.
//!
//! Sources: the reference “UIMessage” and the guides “Chatbot tool usage” and “Message persistence” in the AI
//! SDK's documentation; the schemas of the package `ai`, majors 5 and 6.

use super::piece::{Fault, Kind, Piece, Role, Slot};
use super::table::{Blank, CallIds, Form, Laws, Part, Reasoning, Results, Table, Tag, part};
use super::tree::Tree;
use super::write::{rule_of, write_part};

pub(super) static AI_SDK_UI: Table = Table {
    name: "ai-sdk-ui",
    roles: &[("user", Role::User), ("assistant", Role::Assistant), ("system", Role::System)],
    list: "parts",
    parts: PARTS,
    result_parts: PARTS,
    lists: &[],
    fields: &[],
    items: &[],
    flat: false,
    string_of: &[],
    laws: Laws {
        // A part has its input and its output; `state` says how far it is.
        results: Results::SamePart,
        user_first: false,
        blank: Blank::Alone,
        last_may_be_empty: false,
        instead_of_content: &[],
        call_ids: CallIds::InStep,
        server_results: false,
        item_id: Some("id"),
        reasoning: Reasoning::NotAlone,
    },
    after_reading: Some(split_tools),
};

const CALL: &[(&str, Slot, Form)] = &[("toolCallId", Slot::Id, Form::Plain), ("input", Slot::Body, Form::Plain)];
const DYNAMIC_CALL: &[(&str, Slot, Form)] =
    &[("toolName", Slot::Name, Form::Plain), ("toolCallId", Slot::Id, Form::Plain), ("input", Slot::Body, Form::Plain)];

/// What a call came to.
enum Outcome<'a> {
    /// Nothing yet.
    Waits,
    /// It gave this.
    Gave(Tree<'a>),
    /// It failed, or was not allowed, for this reason.
    Failed(Tree<'a>),
}

/// Makes two pieces of a part that holds a call and its result.
fn split_tools(pieces: &mut Vec<Piece<'_>>) {
    let mut all = Vec::with_capacity(pieces.len() * 2);
    for mut piece in pieces.drain(..) {
        if piece.kind != Kind::Call {
            all.push(piece);
            continue;
        }
        piece.fault = piece.fault.or_else(|| fault_of(&piece));
        let is_open = piece.rest.text_of("state").is_some_and(|state| !state.starts_with("output-"));
        let streams = piece.rest.text_of("state").is_some_and(|state| state == "input-streaming");
        let runs_there = is_open && piece.rest.get("providerExecuted").is_some_and(Tree::is_true);
        if let (true, Some((_, rule))) = (streams || runs_there, rule_of(&AI_SDK_UI, &piece)) {
            // Nobody but the provider answers it, or it is not sent at all.
            piece.rest = write_part(&AI_SDK_UI, rule, piece.clone());
            piece.kind = Kind::ServerCall;
            all.push(piece);
            continue;
        }
        let mut result = Piece::new(Role::Tool, Kind::Result);
        (result.item, result.part, result.list) = (piece.item, piece.part, piece.list);
        for slot in [Slot::Id, Slot::Name] {
            if let Some(value) = piece.get(slot) {
                result.set(slot, value.clone());
            }
        }
        // What the call lacks its result lacks too, and both are one part.
        let content = match outcome(&mut piece.rest) {
            Outcome::Waits => {
                all.push(piece);
                continue;
            }
            Outcome::Gave(value) => value.opened(),
            Outcome::Failed(reason) => {
                result.set(Slot::IsError, Tree::Raw("true".into()));
                reason.opened()
            }
        };
        if !content.is_string() {
            result.rest.set(super::read::AS_JSON, Tree::empty());
        }
        result.content.push(super::read::text_piece(content));
        all.push(piece);
        all.push(result);
    }
    *pieces = all;
}

/// What a part lacks of what its state speaks of.
fn fault_of(piece: &Piece<'_>) -> Option<Fault> {
    let part = &piece.rest;
    let state = part.text_of("state");
    let lacks = match state.as_deref() {
        Some("input-streaming") => false,
        Some("output-error") => part.text_of("errorText").is_none(),
        Some("output-available") => piece.get(Slot::Body).is_none() || part.get("output").is_none(),
        Some("input-available" | "approval-requested" | "approval-responded" | "output-denied") => {
            piece.get(Slot::Body).is_none()
        }
        _ => true,
    };
    if lacks {
        return Some(Fault::Lacks);
    }
    (!has_its_approval(part)).then_some(Fault::NotAsked)
}

/// Whether a part has the approval that its state speaks of.
fn has_its_approval(part: &Tree<'_>) -> bool {
    let approval = part.get("approval").cloned().unwrap_or_default().opened();
    let asked = approval.text_of("id").is_some();
    match part.text_of("state").as_deref() {
        Some("approval-requested") => asked,
        Some("approval-responded") => asked && approval.get("approved").is_some(),
        Some("output-denied") => asked && approval.get("approved").is_some_and(|approved| !approved.is_true()),
        _ => asked || part.get("approval").is_none(),
    }
}

/// What the state of a part says. The output leaves the part, its state stays.
fn outcome<'a>(part: &mut Tree<'a>) -> Outcome<'a> {
    let state = part.text_of("state").unwrap_or_default().into_owned();
    match state.as_str() {
        "output-available" => Outcome::Gave(part.take("output").unwrap_or_default()),
        "output-error" => Outcome::Failed(part.take("errorText").unwrap_or_default()),
        "output-denied" => Outcome::Failed(Tree::text(super::read::NOT_ALLOWED)),
        _ => Outcome::Waits,
    }
}

/// Puts a result into the part of its call, as it is written.
pub(super) fn join<'a>(call: &mut Tree<'a>, mut result: Piece<'a>) {
    let failed = result.is_error();
    let state = call.text_of("state").map(std::borrow::Cow::into_owned);
    if state.as_deref() == Some("output-denied") {
        return;
    }
    let as_json = result.rest.take(super::read::AS_JSON).is_some();
    let Some(value) = super::write::json_of(std::mem::take(&mut result.content), as_json) else { return };
    if state.as_deref() == Some("approval-requested") {
        // What nobody has answered was not allowed.
        let mut approval = call.take("approval").map(Tree::opened).unwrap_or_default();
        approval.set("approved", Tree::Raw("false".into()));
        approval.set("reason", value);
        call.set("approval", approval);
        call.set("state", Tree::text("output-denied"));
        return;
    }
    if state.is_none_or(|state| !state.starts_with("output-")) {
        call.set("state", Tree::text(if failed { "output-error" } else { "output-available" }));
    }
    call.set(if failed { "errorText" } else { "output" }, value);
}

static PARTS: &[Part] = &[
    part(Tag::Type("text"), Kind::Text, &[("text", Slot::Body, Form::Plain)]),
    part(Tag::Type("reasoning"), Kind::Reasoning, &[("text", Slot::Body, Form::Plain)]),
    Part {
        needs: &[Slot::Data, Slot::MimeType],
        ..part(
            Tag::Type("file"),
            Kind::Image,
            &[("url", Slot::Data, Form::DataUrl), ("mediaType", Slot::MimeType, Form::Plain)],
        )
    },
    Part { needs: &[Slot::Id, Slot::Name], ..part(Tag::TypeBeginning("tool-"), Kind::Call, CALL) },
    Part { needs: &[Slot::Id, Slot::Name], ..part(Tag::Type("dynamic-tool"), Kind::Call, DYNAMIC_CALL) },
];
