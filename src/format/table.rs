//! A format as data: its roles, its parts and where each keeps what the core knows, and its laws.

use super::piece::{Kind, Piece, Role, Slot};

/// A format. Reading and writing go by the same table, so that nothing is read otherwise than it
/// is written.
pub(crate) struct Table {
    /// The name, as callers give it.
    pub(crate) name: &'static str,
    /// The names of roles; the first of a role is the one that is written.
    pub(crate) roles: &'static [(&'static str, Role)],
    /// The key of the list of parts.
    pub(crate) list: &'static str,
    /// What may stand in that list.
    pub(crate) parts: &'static [Part],
    /// What may stand in the content of a result.
    pub(crate) result_parts: &'static [Part],
    /// Other lists of an assistant message, with what may stand in them.
    pub(crate) lists: &'static [(&'static str, &'static [Part])],
    /// Fields of an assistant message that are a piece themselves, by their keys.
    pub(crate) fields: &'static [(&'static str, Part)],
    /// What an item itself may be: by its `type`, or in the role of a tool.
    pub(crate) items: &'static [Part],
    /// Whether items are known by their `type`, and only those without one or of type `message` by a role.
    pub(crate) flat: bool,
    /// Whether the content of a message of this role is a string, where it is one text and nothing says more.
    pub(crate) string_of: &'static [Role],
    /// What an array must look like.
    pub(crate) laws: Laws,
    /// What the table cannot say: how pieces are changed after reading.
    pub(crate) after_reading: Option<fn(&mut Vec<Piece<'_>>)>,
}

impl Table {
    /// The rules by which pieces of a kind are written; the first where nothing says otherwise.
    pub(crate) fn rules_of(&self, kind: Kind) -> impl Iterator<Item = &'static Part> {
        let lists = self.lists.iter().flat_map(|(_, parts)| *parts);
        let fields = self.fields.iter().map(|(_, part)| part);
        self.parts.iter().chain(lists).chain(fields).chain(self.items).filter(move |part| part.kind == kind)
    }
}

impl Table {
    /// A format that is only read.
    pub(crate) const READ_ONLY: Self = Self {
        name: "",
        roles: &[("user", Role::User), ("assistant", Role::Assistant), ("system", Role::System), ("tool", Role::Tool)],
        list: "parts",
        parts: &[],
        result_parts: &[],
        lists: &[],
        fields: &[],
        items: &[],
        flat: false,
        string_of: &[],
        laws: Laws {
            results: Results::RightBehind,
            user_first: false,
            blank: Blank::Nowhere,
            last_may_be_empty: false,
            instead_of_content: &[],
            call_ids: CallIds::InMessage,
            server_results: false,
            item_id: None,
            reasoning: Reasoning::NotAlone,
        },
        after_reading: None,
    };
}

/// A part of a message.
pub(crate) struct Part {
    /// How it is known.
    pub(crate) tag: Tag,
    /// What it is.
    pub(crate) kind: Kind,
    /// Where each slot stands: a path of keys with dots between them, and its form.
    pub(crate) slots: &'static [(&'static str, Slot, Form)],
    /// What it may not lack.
    pub(crate) needs: &'static [Slot],
    /// Who can say it; empty where its kind tells.
    pub(crate) only: &'static [Role],
    /// What has to stand beside the bytes of an image, where nothing else does.
    pub(crate) with: &'static [(&'static str, &'static str)],
}

/// A part that needs what its kind needs.
pub(crate) const fn part(tag: Tag, kind: Kind, slots: &'static [(&'static str, Slot, Form)]) -> Part {
    let needs: &[Slot] = match kind {
        Kind::Call | Kind::ServerCall => &[Slot::Id, Slot::Name, Slot::Body],
        Kind::Result | Kind::ServerResult => &[Slot::Id, Slot::Body],
        Kind::Text | Kind::Reasoning => &[Slot::Body],
        Kind::Request | Kind::Response => &[Slot::Id],
        Kind::Image | Kind::Other | Kind::Nothing => &[],
    };
    Part { tag, kind, slots, needs, only: &[], with: &[] }
}

/// How a part is known.
#[derive(Clone, Copy)]
pub(crate) enum Tag {
    /// By its `type`.
    Type(&'static str),
    /// By the beginning of its `type`; the rest of it is the name of the tool.
    TypeBeginning(&'static str),
    /// By the end of its `type`.
    TypeEnd(&'static str),
    /// By a key that it has.
    Key(&'static str),
    /// By a key that is true, beside another.
    True(&'static str),
    /// It is an item of this role.
    Role(&'static str),
    /// It is a field of a message.
    Field(&'static str),
}

/// The form of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As it is.
    Plain,
    /// JSON inside a string.
    JsonText,
    /// The content of a result: a string, or parts.
    Content,
    /// The content of a result: an object with a `type` and a `value`.
    Output,
    /// The content of a result: an object.
    Object,
    /// A list of objects with a `text`, which belong together.
    Texts,
    /// A data URL with media type and bytes; another URL stays where it is.
    DataUrl,
}

/// Where the results of a message's calls stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Results {
    /// In messages of their own, right behind that of the calls.
    RightBehind,
    /// At the beginning of the user's turn right behind it.
    NextTurn,
    /// In the one content right behind it, and as many as the calls.
    NextContent,
    /// In one message of a tool or several, right behind that of the calls.
    ToolMessages,
    /// Anywhere behind.
    Anywhere,
    /// In the part of the call.
    SamePart,
}

/// Which texts are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blank {
    /// None.
    Nowhere,
    /// An empty one that is all that a message says.
    Alone,
    /// An empty one, but where it carries a signature.
    Empty,
    /// An empty one, and one of white space.
    Spaces,
}

/// Where the id of a call may stand once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallIds {
    /// In an array.
    InArray,
    /// In a message.
    InMessage,
    /// In a step of a message.
    InStep,
    /// As long as its result has not come.
    UntilAnswered,
}

/// What reasoning needs beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reasoning {
    /// The item that follows.
    BeforeItem,
    /// A part behind it, in the same message.
    NotLast,
    /// Another part in the same message.
    NotAlone,
}

/// What an array must look like. Each format's file names the sources.
pub(crate) struct Laws {
    /// Where results stand.
    pub(crate) results: Results,
    /// Whether the first message must be the user's.
    pub(crate) user_first: bool,
    /// Which texts are refused.
    pub(crate) blank: Blank,
    /// Whether the model's last message may be empty, as no other may.
    pub(crate) last_may_be_empty: bool,
    /// Fields that stand for content where there is none, each with the role whose messages have it.
    pub(crate) instead_of_content: &'static [(&'static str, &'static str)],
    /// Where the id of a call may stand once.
    pub(crate) call_ids: CallIds,
    /// Whether a call that the provider runs needs its result once somebody else has spoken.
    pub(crate) server_results: bool,
    /// The key of an item's own id, which may stand once; none where items have none.
    pub(crate) item_id: Option<&'static str>,
    /// What reasoning needs.
    pub(crate) reasoning: Reasoning,
}
