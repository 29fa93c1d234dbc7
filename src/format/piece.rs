//! What an array of messages says, piece by piece, whatever its format: a text, a call, a result.
//!
//! Every format is read into pieces and written from them by its table; what answers what, what is
//! empty and what stands where is asked of the pieces alone.

use super::read::{AS_JSON, AS_LIST, AS_ONE};
use super::tree::Tree;
use std::borrow::Cow;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The application: system and developer messages.
    System,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// A tool.
    Tool,
}

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A text.
    Text,
    /// Reasoning of the model, readable or not.
    Reasoning,
    /// An image.
    Image,
    /// A call that the application answers.
    Call,
    /// What answers a call.
    Result,
    /// A request to allow a call.
    Request,
    /// What answers such a request.
    Response,
    /// A call that the provider itself answers.
    ServerCall,
    /// What answers it.
    ServerResult,
    /// A file, a source, or a part of a type that we do not know. It goes through untouched.
    Other,
    /// Nothing: it stands for a message without parts.
    Nothing,
}

impl Kind {
    /// Whether it goes through as it is, with a text in its place for whoever reads along.
    pub(crate) fn is_opaque(self) -> bool {
        matches!(self, Self::Request | Self::Response | Self::ServerCall | Self::ServerResult | Self::Other)
    }
}

/// What is wrong with a piece by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It lacks what its type needs.
    Lacks,
    /// Nobody of its role can say it.
    WrongRole,
    /// It speaks of an approval that was not asked for.
    NotAsked,
    /// It is a string, or one part, where a list of parts is needed.
    NoList,
}

/// What a piece may say, each a value of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    /// The text; of a call its arguments, of a result its content.
    Body,
    /// The id by which a result finds its call, or a response its request.
    Id,
    /// The tool.
    Name,
    /// The signature of reasoning.
    Signature,
    /// Whether a result is an error.
    IsError,
    /// The bytes of an image, in base64.
    Data,
    /// Its media type.
    MimeType,
    /// The id of the call that a request is about.
    Call,
}

/// How many slots there are.
const SLOTS: usize = 8;

/// A piece.
#[derive(Debug, Clone)]
pub(crate) struct Piece<'a> {
    /// The item of the array.
    pub(crate) item: usize,
    /// Its number in a list of the item; none where it is the item itself, or all its content.
    pub(crate) part: Option<usize>,
    /// The key of that list, or of the field that it is.
    pub(crate) list: &'static str,
    pub(crate) role: Role,
    pub(crate) kind: Kind,
    slots: [Option<Tree<'a>>; SLOTS],
    /// The parts of a result's content.
    pub(crate) content: Vec<Piece<'a>>,
    /// Whether it is of a turn that failed, which is never sent.
    pub(crate) failed: bool,
    /// What is wrong with it.
    pub(crate) fault: Option<Fault>,
    /// What the part holds beside, its tag with it.
    pub(crate) rest: Tree<'a>,
    /// What the item holds beside, on the first piece of each item.
    pub(crate) item_rest: Option<Tree<'a>>,
}

impl<'a> Piece<'a> {
    pub(crate) fn new(role: Role, kind: Kind) -> Self {
        Self {
            item: 0,
            part: None,
            list: "",
            role,
            kind,
            slots: [const { None }; SLOTS],
            content: Vec::new(),
            failed: false,
            fault: None,
            rest: Tree::empty(),
            item_rest: None,
        }
    }

    pub(crate) fn get(&self, slot: Slot) -> Option<&Tree<'a>> {
        self.slots.get(slot as usize)?.as_ref()
    }

    pub(crate) fn text(&self, slot: Slot) -> Option<Cow<'_, str>> {
        self.get(slot)?.as_text()
    }

    pub(crate) fn take(&mut self, slot: Slot) -> Option<Tree<'a>> {
        self.slots.get_mut(slot as usize)?.take()
    }

    pub(crate) fn set(&mut self, slot: Slot, value: Tree<'a>) {
        if let Some(place) = self.slots.get_mut(slot as usize) {
            *place = Some(value);
        }
    }

    /// Makes a text all that a result says.
    pub(crate) fn say(&mut self, text: String) {
        let mut says = Self::new(self.role, Kind::Text);
        says.set(Slot::Body, Tree::text(text));
        self.content = vec![says];
        // Marks of the content before, and what stood beside it.
        for key in [AS_LIST, AS_JSON, AS_ONE, "output"] {
            self.rest.take(key);
        }
    }

    /// Whether it is the result of something that failed.
    pub(crate) fn is_error(&self) -> bool {
        self.get(Slot::IsError).is_some_and(Tree::is_true)
    }

    /// The id, where there is one that says something.
    pub(crate) fn id(&self) -> Option<Cow<'_, str>> {
        self.text(Slot::Id).filter(|id| !id.is_empty())
    }
}
