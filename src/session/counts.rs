//! What a session holds, counted.

use super::{Index, Session};
use crate::entry::{Block, Content, EntryKind, Message};

/// How much of each kind a session holds, on all branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SessionCounts {
    /// Messages, of every role.
    pub messages: u32,
    /// Calls of tools in them.
    pub calls: u32,
    /// Messages that are results.
    pub results: u32,
    /// Entries with more than one child.
    pub branches: u32,
    /// Compactions.
    pub compactions: u32,
    /// Images in the messages.
    pub images: u32,
}

impl Session {
    /// Counts what the session holds.
    pub fn counts(&self) -> SessionCounts {
        let mut counts = SessionCounts::default();
        for index in 0..self.len() as Index {
            counts.branches += u32::from(self.children(index).nth(1).is_some());
            match self.entry(index).map(|entry| &entry.kind) {
                Some(EntryKind::Compaction(_)) => counts.compactions += 1,
                Some(EntryKind::Message(message)) => counts.add(message),
                Some(EntryKind::CustomMessage(custom)) => {
                    counts.messages += 1;
                    counts.images += custom.content.images().count() as u32;
                }
                _ => {}
            }
        }
        counts
    }
}

impl SessionCounts {
    fn add(&mut self, message: &Message) {
        self.messages += 1;
        match message {
            Message::Assistant(answer) => {
                let count = |is: fn(&Block) -> bool| answer.content.iter().filter(|block| is(block)).count() as u32;
                self.calls += count(|block| matches!(block, Block::ToolCall(_)));
                self.images += count(|block| matches!(block, Block::Image(_)));
            }
            Message::ToolResult(result) => {
                self.results += 1;
                self.add_images(&result.content);
            }
            Message::User { content } | Message::Custom { content } => self.add_images(content),
            _ => {}
        }
    }

    fn add_images(&mut self, content: &Content) {
        self.images += content.images().count() as u32;
    }
}
