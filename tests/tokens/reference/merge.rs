//! Byte pair merging by ranks: of all pairs of neighbours that make a token, the one of the lowest rank is merged
//! first, the leftmost of equals.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

/// The tokens of an encoding with their ranks.
pub(crate) struct Ranks(HashMap<Vec<u8>, u32>);

impl Ranks {
    pub(crate) fn new(tokens: BTreeMap<Vec<u8>, u32>) -> Self {
        Self(tokens.into_iter().collect())
    }

    pub(crate) fn tokens(&self) -> impl Iterator<Item = &Vec<u8>> {
        self.0.keys()
    }

    /// The tokens of a piece. One that is a token itself is never merged.
    pub(crate) fn count(&self, piece: &[u8]) -> u64 {
        if self.0.contains_key(piece) {
            return 1;
        }
        let end = piece.len();
        // The part that begins at each byte: where the next begins, and the one before.
        let mut next: Vec<usize> = (1..=end).collect();
        let mut previous: Vec<usize> = (0..end).map(|start| start.wrapping_sub(1)).collect();
        let mut alive = vec![true; end];
        let rank = |start: usize, next: &[usize]| {
            let middle = next[start];
            if middle == end { None } else { self.0.get(&piece[start..next[middle]]).copied() }
        };
        let mut merges: BinaryHeap<Reverse<(u32, usize, usize)>> = BinaryHeap::new();
        let mut parts = end as u64;
        let note = |start: usize, next: &[usize], merges: &mut BinaryHeap<_>| {
            if let Some(rank) = rank(start, next) {
                merges.push(Reverse((rank, start, next[next[start]])));
            }
        };
        for start in 0..end {
            note(start, &next, &mut merges);
        }
        while let Some(Reverse((_, start, until))) = merges.pop() {
            // A merge that was noted before one of its parts grew is none any more.
            let middle = next[start];
            if !alive[start] || middle == end || next[middle] != until {
                continue;
            }
            alive[middle] = false;
            next[start] = until;
            parts -= 1;
            if until < end {
                previous[until] = start;
                note(start, &next, &mut merges);
            }
            if start > 0 {
                note(previous[start], &next, &mut merges);
            }
        }
        parts
    }
}
