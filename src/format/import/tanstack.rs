//! TanStack AI's UI messages. They look like those of the AI SDK, but texts stand under `content`, and calls and
//! results are parts of their own. Only imported: nothing asks to write them.
//!
//! Source: the declarations of the package `@tanstack/ai`.

use crate::format::piece::{Kind, Slot};
use crate::format::table::{Form, Table, Tag, part};

pub(super) static TANSTACK: Table = Table {
    name: "tanstack-ui",
    parts: &[
        part(Tag::Type("text"), Kind::Text, &[("content", Slot::Body, Form::Plain)]),
        part(Tag::Type("thinking"), Kind::Reasoning, &[("content", Slot::Body, Form::Plain)]),
        part(
            Tag::Type("tool-call"),
            Kind::Call,
            &[
                ("id", Slot::Id, Form::Plain),
                ("name", Slot::Name, Form::Plain),
                ("arguments", Slot::Body, Form::JsonText),
            ],
        ),
        part(
            Tag::Type("tool-result"),
            Kind::Result,
            &[("toolCallId", Slot::Id, Form::Plain), ("content", Slot::Body, Form::Content)],
        ),
    ],
    ..Table::READ_ONLY
};
