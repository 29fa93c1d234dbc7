//! OpenAI's Responses: a flat list of items.
//!
//! Sources: the API reference “Create a response” and the guides “Reasoning models”, “Function calling” and
//! “Conversation state” in OpenAI's documentation; the declarations of the package `openai`.

use super::piece::{Kind, Piece, Role, Slot};
use super::table::{Blank, CallIds, Form, Laws, Part, Reasoning, Results, Table, Tag, part};
use super::write::{rule_of, write_part};

pub(super) static OPENAI_RESPONSES: Table = Table {
    name: "openai-responses",
    roles: &[
        ("user", Role::User),
        ("assistant", Role::Assistant),
        ("system", Role::System),
        ("developer", Role::System),
    ],
    list: "content",
    parts: PARTS,
    result_parts: PARTS,
    lists: &[],
    fields: &[],
    items: &[
        part(
            Tag::Type("function_call"),
            Kind::Call,
            &[
                ("call_id", Slot::Id, Form::Plain),
                ("name", Slot::Name, Form::Plain),
                ("arguments", Slot::Body, Form::JsonText),
            ],
        ),
        part(
            Tag::Type("function_call_output"),
            Kind::Result,
            &[("call_id", Slot::Id, Form::Plain), ("output", Slot::Body, Form::Content)],
        ),
        part(
            Tag::Type("custom_tool_call"),
            Kind::Call,
            &[
                ("call_id", Slot::Id, Form::Plain),
                ("name", Slot::Name, Form::Plain),
                ("input", Slot::Body, Form::Plain),
            ],
        ),
        part(
            Tag::Type("custom_tool_call_output"),
            Kind::Result,
            &[("call_id", Slot::Id, Form::Plain), ("output", Slot::Body, Form::Content)],
        ),
        Part {
            needs: &[Slot::Id, Slot::Body],
            ..part(
                Tag::Type("reasoning"),
                Kind::Reasoning,
                &[
                    ("id", Slot::Id, Form::Plain),
                    ("summary", Slot::Body, Form::Texts),
                    ("encrypted_content", Slot::Signature, Form::Plain),
                ],
            )
        },
        Part {
            needs: &[Slot::Id, Slot::Name, Slot::Body],
            ..part(Tag::Type("mcp_approval_request"), Kind::Request, MCP_CALL)
        },
        Part {
            needs: &[Slot::Id, Slot::Body],
            ..part(
                Tag::Type("mcp_approval_response"),
                Kind::Response,
                &[("approval_request_id", Slot::Id, Form::Plain), ("approve", Slot::Body, Form::Plain)],
            )
        },
        // The provider itself runs these and answers in the item.
        Part { needs: &[Slot::Id, Slot::Name, Slot::Body], ..part(Tag::Type("mcp_call"), Kind::Other, MCP_CALL) },
        served("web_search_call"),
        served("file_search_call"),
        served("code_interpreter_call"),
        served("image_generation_call"),
        // What else ends so pairs by its id: shell, patch and computer calls, and those that are yet to come.
        part(
            Tag::TypeEnd("_call_output"),
            Kind::Result,
            &[
                ("call_id", Slot::Id, Form::Plain),
                // A local shell names its call by `id`.
                ("id", Slot::Id, Form::Plain),
                ("output", Slot::Body, Form::Content),
            ],
        ),
        // A search for tools answers without the word in its type.
        part(
            Tag::Type("tool_search_output"),
            Kind::Result,
            &[("call_id", Slot::Id, Form::Plain), ("tools", Slot::Body, Form::Content)],
        ),
        Part {
            needs: &[Slot::Id],
            ..part(
                Tag::TypeEnd("_call"),
                Kind::Call,
                &[("call_id", Slot::Id, Form::Plain), ("action", Slot::Body, Form::Plain)],
            )
        },
    ],
    flat: true,
    string_of: &[Role::User, Role::Assistant, Role::System, Role::Tool],
    laws: Laws {
        // “No tool output found for function call”, and the same for an output without its call.
        results: Results::Anywhere,
        user_first: false,
        blank: Blank::Nowhere,
        last_may_be_empty: false,
        instead_of_content: &[],
        call_ids: CallIds::UntilAnswered,
        server_results: false,
        // “Duplicate item found with id”.
        item_id: Some("id"),
        // “Item of type 'reasoning' was provided without its required following item.”
        reasoning: Reasoning::BeforeItem,
    },
    after_reading: Some(provider_runs),
};

/// A search for tools that the provider ran itself names no call, and goes through untouched.
fn provider_runs(pieces: &mut Vec<Piece<'_>>) {
    for piece in pieces.iter_mut().filter(|piece| piece.id().is_none()) {
        let searches = piece.rest.text_of("type").is_some_and(|kind| kind.starts_with("tool_search_"));
        if let (true, Some((_, rule))) = (searches, rule_of(&OPENAI_RESPONSES, piece)) {
            piece.rest = write_part(&OPENAI_RESPONSES, rule, piece.clone());
            (piece.kind, piece.fault) = (Kind::Other, None);
        }
    }
}

static PARTS: &[Part] = &[
    Part { only: GIVEN, ..part(Tag::Type("input_text"), Kind::Text, &[("text", Slot::Body, Form::Plain)]) },
    Part { only: MADE, ..part(Tag::Type("output_text"), Kind::Text, &[("text", Slot::Body, Form::Plain)]) },
    Part { only: GIVEN, ..part(Tag::Type("text"), Kind::Text, &[("text", Slot::Body, Form::Plain)]) },
    Part { only: GIVEN, ..part(Tag::Type("input_image"), Kind::Image, &[("image_url", Slot::Data, Form::DataUrl)]) },
    // What a computer shows behind its call.
    part(Tag::Type("computer_screenshot"), Kind::Image, &[("image_url", Slot::Data, Form::DataUrl)]),
    Part { only: MADE, ..part(Tag::Type("refusal"), Kind::Other, &[("refusal", Slot::Body, Form::Plain)]) },
    Part { only: GIVEN, ..part(Tag::Type("input_file"), Kind::Other, &[("filename", Slot::Name, Form::Plain)]) },
];

const MCP_CALL: &[(&str, Slot, Form)] =
    &[("id", Slot::Id, Form::Plain), ("name", Slot::Name, Form::Plain), ("arguments", Slot::Body, Form::Plain)];

/// An item of a tool that the provider runs, known by its id.
const fn served(name: &'static str) -> Part {
    Part { needs: &[Slot::Id], ..part(Tag::Type(name), Kind::Other, &[("id", Slot::Id, Form::Plain)]) }
}

/// What is given to the model, and what the model made.
const GIVEN: &[Role] = &[Role::User, Role::System, Role::Tool];
const MADE: &[Role] = &[Role::Assistant];
