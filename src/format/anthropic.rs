//! Anthropic's Messages.
//!
//! Sources: the API reference “Messages” and the guides “Tool use”, “Extended thinking” and “Errors” in
//! Anthropic's documentation; the declarations of the package `@anthropic-ai/sdk`.

use super::piece::{Kind, Role, Slot};
use super::table::{Blank, CallIds, Form, Laws, Part, Reasoning, Results, Table, Tag, part};

pub(super) static ANTHROPIC: Table = Table {
    name: "anthropic",
    roles: &[("user", Role::User), ("assistant", Role::Assistant)],
    list: "content",
    parts: PARTS,
    result_parts: PARTS,
    lists: &[],
    fields: &[],
    items: &[],
    flat: false,
    string_of: &[Role::User, Role::Assistant, Role::Tool],
    laws: Laws {
        // A `tool_use` must have its `tool_result` in the next message, before anything else in it.
        results: Results::NextTurn,
        user_first: true,
        blank: Blank::Spaces,
        last_may_be_empty: true,
        instead_of_content: &[],
        call_ids: CallIds::InArray,
        server_results: true,
        item_id: None,
        reasoning: Reasoning::NotLast,
    },
    after_reading: None,
};

static PARTS: &[Part] = &[
    part(Tag::Type("text"), Kind::Text, &[("text", Slot::Body, Form::Plain)]),
    Part {
        needs: &[Slot::Body, Slot::Signature],
        ..part(
            Tag::Type("thinking"),
            Kind::Reasoning,
            &[("thinking", Slot::Body, Form::Plain), ("signature", Slot::Signature, Form::Plain)],
        )
    },
    Part {
        needs: &[Slot::Signature],
        ..part(Tag::Type("redacted_thinking"), Kind::Reasoning, &[("data", Slot::Signature, Form::Plain)])
    },
    part(
        Tag::Type("tool_use"),
        Kind::Call,
        &[("id", Slot::Id, Form::Plain), ("name", Slot::Name, Form::Plain), ("input", Slot::Body, Form::Plain)],
    ),
    Part {
        needs: &[Slot::Id],
        ..part(
            Tag::Type("tool_result"),
            Kind::Result,
            &[
                ("tool_use_id", Slot::Id, Form::Plain),
                ("content", Slot::Body, Form::Content),
                ("is_error", Slot::IsError, Form::Plain),
            ],
        )
    },
    Part {
        only: &[Role::User, Role::Tool],
        // Bytes, a link or an uploaded file.
        needs: &[Slot::Name],
        with: &[("source.type", "base64")],
        ..part(
            Tag::Type("image"),
            Kind::Image,
            &[
                ("source.type", Slot::Name, Form::Plain),
                ("source.data", Slot::Data, Form::Plain),
                ("source.media_type", Slot::MimeType, Form::Plain),
            ],
        )
    },
    Part {
        only: &[Role::User, Role::Tool],
        needs: &[Slot::Data],
        ..part(
            Tag::Type("document"),
            Kind::Other,
            &[("title", Slot::Name, Form::Plain), ("source", Slot::Data, Form::Plain)],
        )
    },
    part(
        Tag::TypeEnd("_tool_use"),
        Kind::ServerCall,
        &[("id", Slot::Id, Form::Plain), ("name", Slot::Name, Form::Plain), ("input", Slot::Body, Form::Plain)],
    ),
    part(
        Tag::TypeEnd("_tool_result"),
        Kind::ServerResult,
        &[("tool_use_id", Slot::Id, Form::Plain), ("content", Slot::Body, Form::Plain)],
    ),
];
