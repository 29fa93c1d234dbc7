//! The AI SDK's model messages (`ModelMessage`), what `generateText` and `streamText` take.
//!
//! Sources: the reference “ModelMessage” and the guides “Prompts”, “Tool calling” and “Tool execution approval” in
//! the AI SDK's documentation; the schemas of the package `ai`, majors 5 and 6.

use super::piece::{Kind, Piece, Role, Slot};
use super::table::{Blank, CallIds, Form, Laws, Part, Reasoning, Results, Table, Tag, part};
use super::tree::Tree;
use super::write::{rule_of, write_part};

pub(super) static AI_SDK_MODEL: Table = Table {
    name: "ai-sdk-model",
    roles: &[("user", Role::User), ("assistant", Role::Assistant), ("system", Role::System), ("tool", Role::Tool)],
    list: "content",
    parts: PARTS,
    result_parts: RESULT_PARTS,
    lists: &[],
    fields: &[],
    items: &[],
    flat: false,
    string_of: &[Role::User, Role::Assistant, Role::System],
    laws: Laws {
        // `MissingToolResultsError` where another speaks while a call waits.
        results: Results::ToolMessages,
        user_first: false,
        blank: Blank::Alone,
        last_may_be_empty: false,
        instead_of_content: &[],
        call_ids: CallIds::InMessage,
        server_results: false,
        item_id: None,
        reasoning: Reasoning::NotAlone,
    },
    after_reading: Some(server_tools),
};

/// Calls that the provider runs itself have their results in the same message, and go through untouched.
fn server_tools(pieces: &mut Vec<Piece<'_>>) {
    for piece in pieces.iter_mut() {
        let runs_there = piece.kind == Kind::Call && piece.rest.get("providerExecuted").is_some_and(Tree::is_true);
        let answered_there = piece.kind == Kind::Result && piece.role == Role::Assistant;
        if let (true, Some((_, rule))) = (runs_there || answered_there, rule_of(&AI_SDK_MODEL, piece)) {
            piece.rest = write_part(&AI_SDK_MODEL, rule, piece.clone());
            piece.kind = if runs_there { Kind::ServerCall } else { Kind::ServerResult };
        }
    }
}

static PARTS: &[Part] = &[
    Part { only: SPEAKERS, ..part(Tag::Type("text"), Kind::Text, &[("text", Slot::Body, Form::Plain)]) },
    part(Tag::Type("reasoning"), Kind::Reasoning, &[("text", Slot::Body, Form::Plain)]),
    Part {
        only: &[Role::User],
        needs: &[Slot::Data],
        ..part(
            Tag::Type("image"),
            Kind::Image,
            &[("image", Slot::Data, Form::DataUrl), ("mediaType", Slot::MimeType, Form::Plain)],
        )
    },
    Part {
        only: SPEAKERS,
        needs: &[Slot::Data, Slot::MimeType],
        ..part(
            Tag::Type("file"),
            Kind::Image,
            &[("data", Slot::Data, Form::DataUrl), ("mediaType", Slot::MimeType, Form::Plain)],
        )
    },
    part(
        Tag::Type("tool-call"),
        Kind::Call,
        &[
            ("toolCallId", Slot::Id, Form::Plain),
            ("toolName", Slot::Name, Form::Plain),
            ("input", Slot::Body, Form::Plain),
        ],
    ),
    Part {
        needs: &[Slot::Id, Slot::Name, Slot::Body],
        ..part(
            Tag::Type("tool-result"),
            Kind::Result,
            &[
                ("toolCallId", Slot::Id, Form::Plain),
                ("toolName", Slot::Name, Form::Plain),
                ("output", Slot::Body, Form::Output),
            ],
        )
    },
    Part {
        only: &[Role::Assistant],
        needs: &[Slot::Id, Slot::Call],
        ..part(
            Tag::Type("tool-approval-request"),
            Kind::Request,
            &[("approvalId", Slot::Id, Form::Plain), ("toolCallId", Slot::Call, Form::Plain)],
        )
    },
    Part {
        only: &[Role::Tool],
        needs: &[Slot::Id, Slot::Body],
        ..part(
            Tag::Type("tool-approval-response"),
            Kind::Response,
            &[("approvalId", Slot::Id, Form::Plain), ("approved", Slot::Body, Form::Plain)],
        )
    },
];

const SPEAKERS: &[Role] = &[Role::User, Role::Assistant];

/// What the output of a result may hold. Major 6 tells images from files by other names, and takes these too.
static RESULT_PARTS: &[Part] = &[
    part(Tag::Type("text"), Kind::Text, &[("text", Slot::Body, Form::Plain)]),
    part(Tag::Type("media"), Kind::Image, IMAGE),
    part(Tag::Type("image-data"), Kind::Image, IMAGE),
];

const IMAGE: &[(&str, Slot, Form)] = &[("data", Slot::Data, Form::Plain), ("mediaType", Slot::MimeType, Form::Plain)];
