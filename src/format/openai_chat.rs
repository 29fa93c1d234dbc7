//! OpenAI's Chat Completions, as most servers of models speak it.
//!
//! Sources: the API reference “Create chat completion” and the guide “Function calling” in OpenAI's
//! documentation; the declarations of the package `openai`.

use super::piece::{Kind, Role, Slot};
use super::table::{Blank, CallIds, Form, Laws, Part, Reasoning, Results, Table, Tag, part};

pub(super) static OPENAI_CHAT: Table = Table {
    name: "openai-chat",
    roles: &[
        ("user", Role::User),
        ("assistant", Role::Assistant),
        ("system", Role::System),
        ("developer", Role::System),
        ("tool", Role::Tool),
        ("function", Role::Tool),
    ],
    list: "content",
    parts: PARTS,
    result_parts: RESULT_PARTS,
    lists: &[(
        "tool_calls",
        &[
            part(
                Tag::Type("function"),
                Kind::Call,
                &[
                    ("id", Slot::Id, Form::Plain),
                    ("function.name", Slot::Name, Form::Plain),
                    ("function.arguments", Slot::Body, Form::JsonText),
                ],
            ),
            part(
                Tag::Type("custom"),
                Kind::Call,
                &[
                    ("id", Slot::Id, Form::Plain),
                    ("custom.name", Slot::Name, Form::Plain),
                    ("custom.input", Slot::Body, Form::Plain),
                ],
            ),
        ],
    )],
    fields: &[
        // Not in OpenAI's reference; servers of open models give reasoning here and take it back.
        (
            "reasoning_content",
            part(Tag::Field("reasoning_content"), Kind::Reasoning, &[("reasoning_content", Slot::Body, Form::Plain)]),
        ),
        // The forerunner of tool calls: one call, which its result names by the function.
        (
            "function_call",
            part(
                Tag::Field("function_call"),
                Kind::Call,
                &[
                    ("function_call.name", Slot::Id, Form::Plain),
                    ("function_call.arguments", Slot::Body, Form::JsonText),
                ],
            ),
        ),
    ],
    items: &[
        part(
            Tag::Role("tool"),
            Kind::Result,
            &[("tool_call_id", Slot::Id, Form::Plain), ("content", Slot::Body, Form::Content)],
        ),
        part(
            Tag::Role("function"),
            Kind::Result,
            &[("name", Slot::Id, Form::Plain), ("content", Slot::Body, Form::Content)],
        ),
    ],
    flat: false,
    string_of: &[Role::User, Role::Assistant, Role::System, Role::Tool],
    laws: Laws {
        // “An assistant message with tool_calls must be followed by tool messages responding to each.”
        results: Results::RightBehind,
        user_first: false,
        blank: Blank::Nowhere,
        last_may_be_empty: false,
        instead_of_content: &[("assistant", "refusal"), ("assistant", "audio")],
        call_ids: CallIds::InMessage,
        server_results: false,
        item_id: None,
        reasoning: Reasoning::NotAlone,
    },
    after_reading: None,
};

static PARTS: &[Part] = &[
    part(Tag::Type("text"), Kind::Text, &[("text", Slot::Body, Form::Plain)]),
    Part {
        only: USER,
        needs: &[Slot::Data],
        ..part(Tag::Type("image_url"), Kind::Image, &[("image_url.url", Slot::Data, Form::DataUrl)])
    },
    Part { only: MADE, ..part(Tag::Type("refusal"), Kind::Other, &[("refusal", Slot::Body, Form::Plain)]) },
    Part { only: USER, ..part(Tag::Type("file"), Kind::Other, &[("file.filename", Slot::Name, Form::Plain)]) },
    Part { only: USER, ..part(Tag::Type("input_audio"), Kind::Other, &[]) },
];

/// A tool message holds texts alone.
static RESULT_PARTS: &[Part] = &[part(Tag::Type("text"), Kind::Text, &[("text", Slot::Body, Form::Plain)])];

const USER: &[Role] = &[Role::User];
const MADE: &[Role] = &[Role::Assistant];
