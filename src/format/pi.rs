//! The core's own messages, as pi and oh-my-pi write them.
//!
//! Source: section 1 of the behaviour contract; the declarations of the package `@mariozechner/pi-ai`.

use super::piece::{Kind, Piece, Role, Slot};
use super::read::ANY_ROLE;
use super::table::{Blank, CallIds, Form, Laws, Part, Reasoning, Results, Table, Tag, part};

pub(super) static PI: Table = Table {
    name: "pi",
    roles: &[
        ("user", Role::User),
        ("assistant", Role::Assistant),
        ("custom", Role::System),
        ("toolResult", Role::Tool),
        ("hookMessage", Role::System),
        ("bashExecution", Role::User),
        ("pythonExecution", Role::User),
        ("fileMention", Role::User),
        ("branchSummary", Role::User),
        ("compactionSummary", Role::User),
        // Extensions bring roles of their own, which no model sees.
        (ANY_ROLE, Role::System),
    ],
    list: "content",
    parts: PARTS,
    result_parts: PARTS,
    lists: &[],
    fields: &[],
    items: &[Part {
        needs: &[Slot::Id, Slot::Body],
        ..part(
            Tag::Role("toolResult"),
            Kind::Result,
            &[
                ("toolCallId", Slot::Id, Form::Plain),
                ("toolName", Slot::Name, Form::Plain),
                ("content", Slot::Body, Form::Content),
                ("isError", Slot::IsError, Form::Plain),
            ],
        )
    }],
    flat: false,
    string_of: &[Role::User, Role::System],
    laws: Laws {
        results: Results::RightBehind,
        user_first: false,
        blank: Blank::Nowhere,
        last_may_be_empty: false,
        instead_of_content: &[
            ("branchSummary", "summary"),
            ("compactionSummary", "summary"),
            ("bashExecution", "command"),
            ("pythonExecution", "code"),
            ("fileMention", "files"),
        ],
        call_ids: CallIds::InMessage,
        server_results: false,
        item_id: None,
        reasoning: Reasoning::NotAlone,
    },
    after_reading: Some(pass_over_failed),
};

/// A turn that failed is never sent: nobody awaits the results of its calls.
fn pass_over_failed(pieces: &mut Vec<Piece<'_>>) {
    let mut failed = false;
    for piece in pieces.iter_mut() {
        if let Some(item) = &piece.item_rest {
            failed = item.text_of("stopReason").is_some_and(|reason| reason == "error" || reason == "aborted");
        }
        piece.failed = failed;
    }
}

static PARTS: &[Part] = &[
    part(Tag::Type("text"), Kind::Text, &[("text", Slot::Body, Form::Plain)]),
    part(
        Tag::Type("thinking"),
        Kind::Reasoning,
        &[("thinking", Slot::Body, Form::Plain), ("thinkingSignature", Slot::Signature, Form::Plain)],
    ),
    part(
        Tag::Type("toolCall"),
        Kind::Call,
        &[("id", Slot::Id, Form::Plain), ("name", Slot::Name, Form::Plain), ("arguments", Slot::Body, Form::Plain)],
    ),
    part(
        Tag::Type("image"),
        Kind::Image,
        &[("data", Slot::Data, Form::Plain), ("mimeType", Slot::MimeType, Form::Plain)],
    ),
];
