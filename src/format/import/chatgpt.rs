//! ChatGPT's export `conversations.json`: conversations, each a tree of nodes in `mapping`.
//!
//! Every conversation is a root of its own: an entry that holds all but the tree, and the nodes below it, branches
//! as they are. The leaf is the `current_node` of the conversation that was updated last. What the model sends to
//! a tool is a call, and the messages of the tool behind it are its result; the export has no ids for them, so a
//! call has that of its node.
//!
//! Source: exports of 2023 to 2025; the format is not documented.

use super::answer::{MODEL, PROVIDER, stop_reason};
use super::transcript::{Draft, Origin, Transcript, What, first_of, opened, time};
use crate::entry::is_json;
use crate::format::piece::{Kind, Piece, Role, Slot};
use crate::format::table::Table;
use crate::format::tree::Tree;
use crate::numbers::Numbers;
use std::borrow::Cow;

/// Names the format where its parts are kept beside those of the core; it is never read or written by it.
pub(super) static CHATGPT: Table = Table { name: "chatgpt", ..Table::READ_ONLY };

/// Where the text of a content stands that has no `parts`.
const TEXTS: [&str; 5] = ["text", "result", "user_profile", "user_instructions", "model_set_context"];

/// Contents that only a screen shows.
const SHOWN: [&str; 1] = ["reasoning_recap"];

/// A tool message of this content failed.
const FAILED: &str = "system_error";

pub(super) fn import<'a>(mut conversations: Vec<Tree<'a>>, mut transcript: Transcript<'a>) -> Transcript<'a> {
    let updated = |conversation: &Tree<'_>| {
        first_of(conversation, &["update_time", "create_time"]).and_then(Tree::as_number).unwrap_or(0.0)
    };
    // The one that was updated last ends the file, and so is the one that the session is opened at.
    let mut newest = 0;
    for (number, conversation) in conversations.iter().enumerate() {
        if conversations.get(newest).is_some_and(|newest| updated(newest) < updated(conversation)) {
            newest = number;
        }
    }
    if newest < conversations.len() {
        let last = conversations.remove(newest);
        conversations.push(last);
    }
    for (number, conversation) in conversations.into_iter().enumerate() {
        Conversation::import(&mut transcript, number as u32 + 1, conversation);
    }
    transcript
}

struct Node<'a> {
    id: Cow<'a, str>,
    /// The node as it is.
    raw: Tree<'a>,
    tree: Tree<'a>,
    parent: Option<usize>,
    children: Vec<usize>,
    /// Whether it is the leaf, or the leaf stands below it.
    on_path: bool,
    /// Whether its parent is nowhere, or below itself.
    astray: bool,
}

/// What a message of a tool answers behind a draft: the call, and the draft of its result, where there is one.
#[derive(Clone)]
struct Asked {
    call: String,
    result: Option<usize>,
}

struct Conversation<'t, 'a> {
    transcript: &'t mut Transcript<'a>,
    line: u32,
    model: Option<Tree<'a>>,
    /// By draft, from the root of the conversation on.
    asked: Vec<Option<Asked>>,
    root: usize,
}

impl<'t, 'a> Conversation<'t, 'a> {
    fn import(transcript: &'t mut Transcript<'a>, line: u32, mut conversation: Tree<'a>) {
        let mapping = conversation.take("mapping").map(Tree::opened).unwrap_or_default();
        let id = first_of(&conversation, &["conversation_id", "id"]).cloned();
        let timestamp = time(conversation.get("create_time"));
        // The last conversation is the one that is opened.
        transcript.header = Tree::empty();
        transcript.note("id", id.clone());
        transcript.note("title", conversation.get("title").cloned());
        transcript.note("timestamp", timestamp.clone().map(Tree::text));
        let model = conversation.get("default_model_slug").cloned();
        let current = conversation.text_of("current_node").map(Cow::into_owned);
        let origin = Origin { line, id: id.and_then(Tree::into_text).map(Cow::into_owned), timestamp };
        let root = transcript.push(origin, None, What::Kept("conversation".to_owned(), conversation), None);
        let mut nodes = read_nodes(mapping);
        let roots = link(&mut nodes, current.as_deref());
        let mut reader = Conversation { transcript, line, model, asked: vec![None], root };
        let mut leaf = None;
        let mut open: Vec<(usize, usize)> = roots.into_iter().rev().map(|number| (number, root)).collect();
        while let Some((number, parent)) = open.pop() {
            let Some(node) = nodes.get_mut(number) else { continue };
            if node.astray {
                reader.transcript.report_parent(line, &node.id);
            }
            let draft = reader.node(parent, &node.id, node.raw.clone(), std::mem::take(&mut node.tree));
            if current.as_deref() == Some(&*node.id) {
                leaf = Some(draft);
            }
            open.extend(std::mem::take(&mut node.children).into_iter().rev().map(|child| (child, draft)));
        }
        reader.transcript.leaf = leaf.or(reader.transcript.newest());
    }

    /// Adds a node behind a draft; gives the draft that it became or joined.
    fn node(&mut self, parent: usize, id: &str, raw: Tree<'a>, mut tree: Tree<'a>) -> usize {
        let mut message = tree.take("message").map(Tree::opened).unwrap_or_default();
        let author = opened(&message, "author");
        let role = author.text_of("role");
        let role = CHATGPT.roles.iter().find(|(name, _)| role.as_deref() == Some(name)).map(|(_, role)| *role);
        let mut content = message.take("content").map(Tree::opened).unwrap_or_default();
        let kind = content.text_of("content_type").unwrap_or(Cow::Borrowed("node")).into_owned();
        let metadata = opened(&message, "metadata");
        let timestamp = time(message.get("create_time"));
        let origin = Origin { line: self.line, id: Some(id.to_owned()), timestamp };
        let asked = self.asked.get(parent - self.root).cloned().flatten();
        let mut pieces = if SHOWN.contains(&kind.as_str()) { Vec::new() } else { pieces_of(&mut content) };
        let (Some(role), false) = (role, pieces.is_empty()) else {
            return self.add(origin, parent, What::Kept(kind, raw), None, asked);
        };
        let recipient = message.text_of("recipient").filter(|to| *to != "all" && role == Role::Assistant);
        let recipient = recipient.map(Cow::into_owned);
        message.set("content", content);
        tree.set("message", message);
        let mut asks = None;
        if let Some(tool) = recipient {
            pieces = vec![call(id, tool, pieces)];
            asks = Some(Asked { call: id.to_owned(), result: None });
        } else if let (Role::Tool, Some(asked)) = (role, asked) {
            let joined = asked.result.filter(|result| *result == parent);
            if let Some(place) = joined
                && let Some(Draft { what: What::Said(said, _), records, .. }) = self.transcript.drafts.get_mut(place)
                && let Some(result) = said.first_mut()
            {
                result.content.append(&mut pieces);
                records.push(tree);
                return place;
            }
            let mut result = Piece::new(Role::Tool, Kind::Result);
            result.set(Slot::Id, Tree::text(asked.call.clone()));
            if let Some(name) = author.text_of("name") {
                result.set(Slot::Name, Tree::text(name.into_owned()));
            }
            if kind == FAILED {
                result.set(Slot::IsError, Tree::Raw("true".into()));
            }
            result.content = pieces;
            pieces = vec![result];
            asks = Some(Asked { result: Some(self.transcript.drafts.len()), ..asked });
        }
        let number = self.transcript.drafts.len();
        let is_one_text = matches!(pieces.as_slice(), [only] if only.kind == Kind::Text);
        for (part, piece) in pieces.iter_mut().enumerate() {
            (piece.role, piece.item, piece.part) = (role, number, (!is_one_text).then_some(part));
        }
        if let Some(first) = pieces.first_mut() {
            first.item_rest = Some(Tree::empty());
        }
        let mut answer = Tree::empty();
        let model = metadata.get("model_slug").cloned().or_else(|| self.model.clone()).filter(|model| !model.is_null());
        if let Some(model) = model {
            answer.set(PROVIDER, Tree::text("openai"));
            answer.set(MODEL, model);
        }
        if let Some(ended) = opened(&metadata, "finish_details").get("type").and_then(stop_reason) {
            answer.set("stopReason", ended);
        }
        self.add(origin, parent, What::Said(pieces, answer), Some(tree), asks)
    }

    fn add(
        &mut self,
        origin: Origin,
        parent: usize,
        what: What<'a>,
        record: Option<Tree<'a>>,
        asked: Option<Asked>,
    ) -> usize {
        self.asked.push(asked);
        self.transcript.push(origin, Some(parent), what, record)
    }
}

fn read_nodes(mapping: Tree<'_>) -> Vec<Node<'_>> {
    let Tree::Object(fields) = mapping else { return Vec::new() };
    let mut nodes = Vec::with_capacity(fields.len());
    for (id, raw) in fields {
        let tree = raw.clone().opened();
        nodes.push(Node { id, raw, tree, parent: None, children: Vec::new(), on_path: false, astray: false });
    }
    nodes
}

/// Links nodes to their parents; gives the roots. Where the leaf stands comes last, of roots and of children.
fn link(nodes: &mut [Node<'_>], current: Option<&str>) -> Vec<usize> {
    let mut numbers = Numbers::new();
    for (number, node) in nodes.iter().enumerate() {
        numbers.entry((&*node.id).into()).or_insert(number as u32);
    }
    let number_of = |id: &str| numbers.get(id).map(|number| *number as usize);
    // Children in the order in which their parent lists them, then those that it does not list.
    let mut order: Vec<usize> = Vec::with_capacity(nodes.len());
    for node in nodes.iter_mut() {
        let parent = node.tree.text_of("parent").filter(|parent| !parent.is_empty());
        (node.parent, node.astray) = match parent {
            Some(parent) => (number_of(&parent), number_of(&parent).is_none()),
            None => (None, false),
        };
        let listed = opened(&node.tree, "children");
        order.extend(listed.items().iter().filter_map(|child| number_of(&child.as_text()?)));
    }
    order.extend(0..nodes.len());
    let mut placed = vec![false; nodes.len()];
    let mut roots = Vec::new();
    for number in order {
        let Some(place) = placed.get_mut(number).filter(|placed| !**placed) else { continue };
        *place = true;
        match nodes.get(number).and_then(|node| node.parent) {
            Some(parent) => nodes.get_mut(parent).into_iter().for_each(|parent| parent.children.push(number)),
            None => roots.push(number),
        }
    }
    cut_cycles(nodes, &mut roots);
    let mut next = current.and_then(number_of);
    while let Some(node) = next.and_then(|number| nodes.get_mut(number)).filter(|node| !node.on_path) {
        node.on_path = true;
        next = node.parent;
    }
    let flags: Vec<bool> = nodes.iter().map(|node| node.on_path).collect();
    put_last(&mut roots, &flags);
    for node in nodes.iter_mut() {
        put_last(&mut node.children, &flags);
    }
    roots
}

/// The first node of a cycle of parents becomes a root.
fn cut_cycles(nodes: &mut [Node<'_>], roots: &mut Vec<usize>) {
    let mut reached = vec![false; nodes.len()];
    let mut open = roots.clone();
    for start in 0..=nodes.len() {
        while let Some(number) = open.pop() {
            let Some(place) = reached.get_mut(number).filter(|reached| !**reached) else { continue };
            *place = true;
            open.extend(nodes.get(number).map(|node| node.children.as_slice()).unwrap_or_default());
        }
        if reached.get(start) == Some(&false) {
            let parent = nodes.get_mut(start).and_then(|node| {
                node.astray = true;
                node.parent.take()
            });
            if let Some(parent) = parent.and_then(|parent| nodes.get_mut(parent)) {
                parent.children.retain(|child| *child != start);
            }
            roots.push(start);
            open.push(start);
        }
    }
}

/// Puts the one that is flagged behind the others.
fn put_last(numbers: &mut Vec<usize>, flags: &[bool]) {
    if let Some(place) = numbers.iter().position(|number| flags.get(*number) == Some(&true)) {
        let last = numbers.remove(place);
        numbers.push(last);
    }
}

/// What a content says; what it says beside stays in it.
fn pieces_of<'a>(content: &mut Tree<'a>) -> Vec<Piece<'a>> {
    let piece = |kind, rest, text: Option<Tree<'a>>| {
        let mut piece = Piece::new(Role::User, kind);
        piece.rest = rest;
        if let Some(text) = text {
            piece.set(Slot::Body, text);
        }
        piece
    };
    let says = |text: &Tree<'_>| text.as_text().is_some_and(|text| !text.is_empty());
    let mut pieces = Vec::new();
    if let Some(Tree::List(parts)) = content.take("parts") {
        for mut part in parts {
            match part.take("text") {
                Some(text) => pieces.push(piece(Kind::Text, part, Some(text))),
                None if matches!(part, Tree::Object(_)) => {
                    let name = part.get("content_type").cloned().unwrap_or_default();
                    let pointer = part.get("asset_pointer").cloned();
                    let mut other = piece(Kind::Other, part, pointer);
                    other.set(Slot::Name, name);
                    pieces.push(other);
                }
                None if says(&part) => pieces.push(piece(Kind::Text, Tree::empty(), Some(part))),
                None => {}
            }
        }
    }
    let thoughts = opened(content, "thoughts");
    let texts: Vec<Cow<'_, str>> = thoughts.items().iter().filter_map(|thought| thought.text_of("content")).collect();
    if !texts.is_empty() {
        pieces.push(piece(Kind::Reasoning, Tree::empty(), Some(Tree::text(texts.join("\n\n")))));
    }
    for key in TEXTS {
        if content.get(key).is_some_and(says) {
            let text = content.take(key);
            pieces.push(piece(Kind::Text, Tree::empty(), text));
        }
    }
    pieces
}

/// What is sent to a tool, as a call of it.
fn call<'a>(id: &str, tool: String, pieces: Vec<Piece<'a>>) -> Piece<'a> {
    let mut call = Piece::new(Role::Assistant, Kind::Call);
    call.set(Slot::Id, Tree::text(id.to_owned()));
    call.set(Slot::Name, Tree::text(tool));
    let texts: Vec<Cow<'_, str>> = pieces.iter().filter_map(|piece| piece.text(Slot::Body)).collect();
    let input = texts.join("\n");
    let is_object = input.trim_start().starts_with('{') && is_json(&input);
    call.set(Slot::Body, if is_object { Tree::Raw(input.into()) } else { Tree::Text(input.into()) });
    call
}
