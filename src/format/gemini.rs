//! Gemini's contents.
//!
//! Sources: the API reference “Content” and the guides “Function calling” and “Thought signatures” in the
//! documentation of the Gemini API; the declarations of the package `@google/genai`.

use super::piece::{Kind, Piece, Role, Slot};
use super::read::WITHOUT;
use super::table::{Blank, CallIds, Form, Laws, Part, Reasoning, Results, Table, Tag, part};
use super::tree::Tree;
use std::borrow::Cow;

pub(super) static GEMINI: Table = Table {
    name: "gemini",
    roles: &[("user", Role::User), ("model", Role::Assistant), ("function", Role::User), ("", Role::User)],
    list: "parts",
    parts: PARTS,
    result_parts: PARTS,
    lists: &[],
    fields: &[],
    items: &[],
    flat: false,
    string_of: &[],
    laws: Laws {
        // “The number of function response parts must be equal to the number of function call parts of the
        // function call turn”, and that turn comes right before.
        results: Results::NextContent,
        user_first: true,
        blank: Blank::Empty,
        last_may_be_empty: false,
        instead_of_content: &[],
        call_ids: CallIds::InMessage,
        server_results: false,
        item_id: None,
        reasoning: Reasoning::NotAlone,
    },
    after_reading: Some(name_calls),
};

/// The mark of an id that we gave: the API needs none.
const GIVEN: &str = "gemini-call-";

/// How many calls that wait are looked at for a response.
const REACH: usize = 256;

/// Gives calls without an id one, and responses without one that of the call of their name in the content before.
fn name_calls(pieces: &mut Vec<Piece<'_>>) {
    // The calls of the newest content with calls that still wait: their names and ids.
    let mut waiting: Vec<(String, String)> = Vec::new();
    let mut of_item = None;
    let mut given = 0_usize;
    for piece in pieces.iter_mut() {
        let name = piece.text(Slot::Name).unwrap_or_default().into_owned();
        let id = piece.id().map(Cow::into_owned);
        if piece.kind == Kind::Call {
            if of_item != Some(piece.item) {
                waiting.clear();
                of_item = Some(piece.item);
            }
            let id = id.unwrap_or_else(|| {
                given += 1;
                let id = format!("{GIVEN}{given}");
                piece.set(Slot::Id, Tree::text(id.clone()));
                id
            });
            waiting.push((name, id));
        } else if piece.kind == Kind::Result {
            let is_its = |(call, call_id): &(String, String)| match &id {
                Some(id) => call_id == id,
                None => *call == name,
            };
            let Some(place) = waiting.iter().take(REACH).position(is_its) else { continue };
            let (_, call_id) = waiting.remove(place);
            if id.is_none() {
                piece.rest.set(WITHOUT, Tree::empty());
                piece.set(Slot::Id, Tree::text(call_id));
            }
        }
    }
}

/// Whether an id is one that we gave, which is not written.
pub(super) fn is_given(id: &str) -> bool {
    id.starts_with(GIVEN)
}

static PARTS: &[Part] = &[
    // Reasoning first: it has a text as well.
    part(
        Tag::True("thought"),
        Kind::Reasoning,
        &[("text", Slot::Body, Form::Plain), ("thoughtSignature", Slot::Signature, Form::Plain)],
    ),
    part(Tag::Key("text"), Kind::Text, &[("text", Slot::Body, Form::Plain)]),
    Part {
        needs: &[Slot::Name],
        ..part(
            Tag::Key("functionCall"),
            Kind::Call,
            &[
                ("functionCall.id", Slot::Id, Form::Plain),
                ("functionCall.name", Slot::Name, Form::Plain),
                ("functionCall.args", Slot::Body, Form::Plain),
            ],
        )
    },
    Part {
        needs: &[Slot::Name, Slot::Body],
        ..part(
            Tag::Key("functionResponse"),
            Kind::Result,
            &[
                ("functionResponse.id", Slot::Id, Form::Plain),
                ("functionResponse.name", Slot::Name, Form::Plain),
                ("functionResponse.response", Slot::Body, Form::Object),
            ],
        )
    },
    Part {
        needs: &[Slot::Data, Slot::MimeType],
        ..part(
            Tag::Key("inlineData"),
            Kind::Image,
            &[("inlineData.data", Slot::Data, Form::Plain), ("inlineData.mimeType", Slot::MimeType, Form::Plain)],
        )
    },
    Part {
        needs: &[Slot::Body],
        ..part(Tag::Key("executableCode"), Kind::Other, &[("executableCode.code", Slot::Body, Form::Plain)])
    },
    Part {
        needs: &[Slot::Id],
        ..part(
            Tag::Key("codeExecutionResult"),
            Kind::Other,
            &[
                ("codeExecutionResult.outcome", Slot::Id, Form::Plain),
                ("codeExecutionResult.output", Slot::Body, Form::Plain),
            ],
        )
    },
];
