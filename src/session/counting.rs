//! Counting what a session holds by a tokenizer, a part of it at a time.
//!
//! A session is loaded with estimates, which cost next to nothing. With a tokenizer its entries are
//! counted anew, parents before children, and each is linked again with what was counted: the sums of
//! its path are exact then, and those of the entries below it still wait. Whoever asks for tokens
//! meanwhile has the rest counted first.

use super::load::PrunedResults;
use super::{Index, Preset, Session};
use crate::error::{Error, ErrorCode};
use crate::tokens::{TextRule, TokenEstimate, estimate_message_by};
use tokenizer::{Progress, Tokenizer};

/// What an entry without text takes of what is to be counted, in bytes.
const ENTRY_COST: usize = 64;

/// How far a session is counted.
#[derive(Debug)]
pub(super) struct Counting {
    /// The entries that were there when it began, parents first. What is appended meanwhile comes behind them.
    order: Vec<Index>,
    /// The place of the entry at hand.
    at: usize,
    pruned: PrunedResults,
    /// The tokens of the texts of that entry, as far as they are counted.
    texts: Vec<u64>,
    /// How far the next text is counted.
    progress: Progress,
}

impl Session {
    /// Counts with a tokenizer from here on. What is there already is counted by [`Session::count_some`],
    /// and before a run, a prune or a withdrawal. Whoever reads a size of a session that is not counted to its
    /// end calls [`Session::count_rest`] first: until then the sizes are partly estimates.
    ///
    /// # Errors
    ///
    /// `invalid-argument` for the preset `classic`, whose counts are those of its history.
    pub fn use_tokenizer(&mut self, tokenizer: &'static Tokenizer) -> Result<(), Error> {
        if self.preset() == Preset::Classic {
            let message = "tokenizer: the preset \"classic\" counts as it always did; allowed is a tokenizer with the preset \"safe\"";
            return Err(Error::new(ErrorCode::InvalidArgument, message));
        }
        self.rules.tokens.text = TextRule::Exact(tokenizer);
        self.counting = Some(Counting {
            order: self.parents_first(),
            at: 0,
            pruned: PrunedResults::of(self),
            texts: Vec::new(),
            progress: Progress::default(),
        });
        Ok(())
    }

    /// Counts some of what is not counted yet: about so many bytes of text. Whether all is counted now.
    pub fn count_some(&mut self, bytes: usize) -> bool {
        let Some(mut counting) = self.counting.take() else { return true };
        let mut left = bytes;
        while let Some(index) = counting.next_entry(self) {
            let parent = self.parent(index);
            let Some(tokens) = counting.count(self, index, &mut left) else {
                self.counting = Some(counting);
                return false;
            };
            let pruned_since = counting.pruned_since(self, index);
            self.link_counted(index, parent, pruned_since, tokens);
            counting.pruned.note(self, index);
            counting.at += 1;
            left = left.saturating_sub(ENTRY_COST);
        }
        true
    }

    /// Counts all that is not counted yet.
    pub fn count_rest(&mut self) {
        while !self.count_some(usize::MAX) {}
    }

    /// Every entry once, each behind its parent.
    fn parents_first(&self) -> Vec<Index> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut placed = vec![false; self.nodes.len()];
        let mut walk = Vec::new();
        for start in 0..self.nodes.len() as Index {
            let mut next = Some(start);
            while let Some(index) = next.filter(|&index| placed.get(index as usize) == Some(&false)) {
                if let Some(placed) = placed.get_mut(index as usize) {
                    *placed = true;
                }
                walk.push(index);
                next = self.parent(index);
            }
            order.extend(walk.drain(..).rev());
        }
        order
    }
}

impl Counting {
    /// The entry at hand; none behind the last.
    fn next_entry(&self, session: &Session) -> Option<Index> {
        let appended = Some(self.at).filter(|&at| at < session.nodes.len()).map(|at| at as Index);
        self.order.get(self.at).copied().or(appended)
    }

    /// What an entry takes; `None` where no more was to be counted before its end. Takes off `left` what it counted.
    fn count(&mut self, session: &Session, index: Index, left: &mut usize) -> Option<TokenEstimate> {
        let node = session.node(index)?;
        let rule = session.token_rule();
        let (TextRule::Exact(tokenizer), Some(message)) = (rule.text, node.entry.message()) else {
            return Some(TokenEstimate::default());
        };
        if node.is_message() && !node.seen {
            return Some(TokenEstimate::default());
        }
        let mut place = 0;
        let counted = estimate_message_by(&message, rule, &mut |text| {
            place += 1;
            // Once one text is not counted to its end, those behind it are left for the next time.
            if place == self.texts.len() + 1 {
                let before = self.progress.at;
                let is_done = tokenizer.count_some(text, &mut self.progress, *left);
                *left = left.saturating_sub(self.progress.at - before);
                if is_done {
                    self.texts.push(std::mem::take(&mut self.progress).tokens);
                }
            }
            self.texts.get(place - 1).map_or(0, |tokens| 100 * tokens)
        });
        let is_done = place == self.texts.len();
        if is_done {
            self.texts.clear();
        }
        is_done.then_some(counted)
    }

    /// What results above a turn had more when its usage was counted, by the new counts.
    fn pruned_since(&self, session: &Session, index: Index) -> u64 {
        if (index as usize) < self.order.len() {
            self.pruned.saved_since(session, index, session.parent(index))
        } else {
            session.node(index).map_or(0, |node| node.pruned_since)
        }
    }
}

#[cfg(test)]
mod tests;
