//! Levels in place of ranks.
//!
//! Merging a piece makes, again and again, the merge of the lowest rank. Where two merges lie apart in
//! the piece, their order does not matter. It matters only where they share a part: of `a b c`, `a b`
//! or `b c` is merged, and then the other cannot be. So a partial order is enough, and numbers that
//! respect it, the levels, may be far fewer and more even than ranks.
//!
//! # Which order is enough
//!
//! For each token merging its own bytes ends with one last merge of two parts, its *split*. No other two
//! parts ever make the token where merging goes by ranks: what is merged inside of two neighbours does
//! not depend on what lies around them. Suppose that merging by levels makes a merge `u` of `b` and `c`
//! that merging by ranks does not make at this place, and that it is the first such. By ranks, one of
//! both was merged with its other neighbour instead, say `t` of `a` and `b` (or `c` with what follows it).
//! By levels, `t` was not made yet. So it would have been made before `u`, and that it is made first is
//! what is asked of the levels, if each token's level is above the levels of its parts:
//!
//! - where `b c` is the split of `u`: the level of `t` is below that of `u` wherever its rank is. (The
//!   same token on both sides, as in `x x x`, has one level, and then the first place goes first, by ranks too.)
//! - where it is not: by ranks `b` and `c` never stood side by side, so `t` was made before `c` was whole,
//!   and its rank is below that of `c`. By levels, `u` waits for `c` as well. So the level of `t` has to be
//!   below the level of `u` or that of `c`.
//!
//! Every token of every encoding has a higher rank than the parts of its split, which the above takes for
//! granted and [`levels`] makes sure of.
//!
//! # Which of the possible levels
//!
//! For each token there is a lowest level, above all that goes before it, and a highest one, below all that
//! goes behind it. Most have much room between them, and take the roundest number there is: what is often
//! the same is small in a file.

use std::collections::{BTreeMap, HashMap};

use super::Ranks;
use crate::vocabulary::Level;

/// The highest level before they are numbered anew. The longest row of merges that have to follow each
/// other is a third of that.
const HIGHEST: u32 = (1 << 12) - 1;

/// The level of each token: from 1 on for those that merging makes, else 0.
pub(crate) fn levels(ranks: &Ranks) -> BTreeMap<Vec<u8>, Level> {
    let order = Order::of(ranks);
    let levels = order.assign();
    let mut distinct: Vec<u32> = levels.iter().copied().filter(|&level| level > 0).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let numbered = |level: u32| distinct.binary_search(&level).map_or(0, |place| place as Level + 1);
    order.tokens.iter().zip(levels).map(|(token, level)| (token.to_vec(), numbered(level))).collect()
}

/// A token by its place in the order of ranks.
type Token = usize;

/// The tokens and what has to go before what.
struct Order<'a> {
    /// In the order of their ranks.
    tokens: Vec<&'a [u8]>,
    /// The split of each; none for single bytes and for what merging does not make.
    splits: Vec<Option<[Token; 2]>>,
    /// For each token those whose split begins with it, and those whose split ends with it, in order.
    made_with: [Vec<Vec<Token>>; 2],
    /// What has to go before each token.
    before: Vec<Vec<Before>>,
}

/// Tokens that have to go before another one.
#[derive(Clone, Copy)]
struct Before {
    /// Which side of their splits is `part`.
    side: usize,
    part: Token,
    /// The first so many of them.
    count: usize,
    /// They need not where this one goes behind them.
    or: Option<Token>,
}

const LEFT: usize = 0;
const RIGHT: usize = 1;

impl<'a> Order<'a> {
    fn of(ranks: &'a Ranks) -> Self {
        let mut tokens: Vec<(&[u8], u32)> = ranks.iter().map(|(token, &rank)| (token.as_slice(), rank)).collect();
        tokens.sort_by_key(|&(_, rank)| rank);
        let tokens: Vec<&[u8]> = tokens.into_iter().map(|(token, _)| token).collect();
        assert_eq!(tokens.iter().filter(|token| token.len() == 1).count(), 256, "every byte is a token");
        let places: HashMap<&[u8], Token> = tokens.iter().enumerate().map(|(place, &token)| (token, place)).collect();
        let splits: Vec<Option<[Token; 2]>> = tokens.iter().map(|token| split(&places, token)).collect();
        let mut made_with = [vec![Vec::new(); tokens.len()], vec![Vec::new(); tokens.len()]];
        for (token, parts) in splits.iter().enumerate() {
            for (lists, part) in made_with.iter_mut().zip(parts.iter().flatten()) {
                assert!(*part < token, "a token goes behind its parts");
                if let Some(list) = lists.get_mut(*part) {
                    list.push(token);
                }
            }
        }
        let before = vec![Vec::new(); tokens.len()];
        let mut order = Self { tokens, splits, made_with, before };
        order.find_what_goes_before(&places);
        order
    }

    fn find_what_goes_before(&mut self, places: &HashMap<&[u8], Token>) {
        let is_made = |token: Token| self.tokens[token].len() == 1 || self.splits[token].is_some();
        let mut before = std::mem::take(&mut self.before);
        for (token, bytes) in self.tokens.iter().enumerate() {
            let Some(split) = self.splits[token] else { continue };
            for at in 1..bytes.len() {
                let (Some(&left), Some(&right)) = (places.get(&bytes[..at]), places.get(&bytes[at..])) else {
                    continue;
                };
                if !is_made(left) || !is_made(right) {
                    continue;
                }
                // Who takes the left part away ends with it; who takes the right one begins with it.
                let mut add = |who: Token, side: usize, part: Token, ahead_of: Token, or: Option<Token>| {
                    let count = self.made_with[side][part].partition_point(|&other| other < ahead_of);
                    if count > 0 {
                        before[who].push(Before { side, part, count, or });
                    }
                };
                if split == [left, right] {
                    add(token, RIGHT, left, token, None);
                    add(token, LEFT, right, token, None);
                    continue;
                }
                for (side, part, other) in [(RIGHT, left, right), (LEFT, right, left)] {
                    if other > token {
                        add(other, side, part, other, None);
                    } else {
                        add(token, side, part, other, Some(other));
                    }
                }
            }
        }
        self.before = before;
    }

    fn assign(&self) -> Vec<u32> {
        let highest = self.highest_levels();
        let mut levels = vec![0; self.tokens.len()];
        // For each list of `made_with`, the highest level among the first so many of it.
        let mut reached = self.made_with.each_ref().map(|lists| vec![Vec::<u32>::new(); lists.len()]);
        for (token, split) in self.splits.iter().enumerate() {
            let Some([left, right]) = *split else { continue };
            let mut below = levels[left].max(levels[right]);
            for &Before { side, part, count, or } in &self.before[token] {
                let level = reached[side][part][count - 1];
                if or.is_none_or(|other| levels[other] <= level) {
                    below = below.max(level);
                }
            }
            let level = roundest(below + 1, highest[token]);
            levels[token] = level;
            for (side, part) in [(RIGHT, right), (LEFT, left)] {
                let list = &mut reached[side][part];
                list.push(level.max(list.last().copied().unwrap_or(0)));
            }
        }
        levels
    }

    /// The highest level of each token that leaves room for all that goes behind it.
    fn highest_levels(&self) -> Vec<u32> {
        let mut highest = vec![HIGHEST; self.tokens.len()];
        // For each list of `made_with`, what the first so many of it may be at most, and the place in the
        // list of the last token that was looked at with what holds for it.
        let mut limits = self
            .made_with
            .each_ref()
            .map(|lists| lists.iter().map(|list| vec![HIGHEST; list.len() + 1]).collect::<Vec<_>>());
        for (token, split) in self.splits.iter().enumerate().rev() {
            let Some([left, right]) = *split else { continue };
            let mut level = highest[token];
            for (side, part) in [(RIGHT, right), (LEFT, left)] {
                let list = &self.made_with[side][part];
                let count = list.partition_point(|&other| other <= token);
                let limits = &mut limits[side][part];
                // A limit of more of them is a limit of fewer, too.
                let beyond = limits.get(count + 1).copied().unwrap_or(HIGHEST);
                limits[count] = limits[count].min(beyond);
                level = level.min(limits[count]);
            }
            highest[token] = level;
            for part in [left, right] {
                highest[part] = highest[part].min(level - 1);
            }
            for &Before { side, part, count, .. } in &self.before[token] {
                let limit = &mut limits[side][part][count];
                *limit = (*limit).min(level - 1);
            }
        }
        highest
    }
}

/// The number from `lowest` to `highest` that is divisible by two most often, the first of them.
fn roundest(lowest: u32, highest: u32) -> u32 {
    assert!(lowest <= highest, "there is no level between {lowest} and {highest}");
    let rounded_up = (0..u32::BITS).map(|bits| lowest.next_multiple_of(1 << bits));
    rounded_up.take_while(|&level| level <= highest).last().unwrap_or(lowest)
}

/// The two parts that merging the bytes of a token by rank makes it of at last.
fn split(places: &HashMap<&[u8], Token>, token: &[u8]) -> Option<[Token; 2]> {
    let mut borders: Vec<usize> = (0..=token.len()).collect();
    while borders.len() > 3 {
        let pairs = borders.windows(3).enumerate();
        let merges = pairs.filter_map(|(at, pair)| Some((places.get(&token[pair[0]..pair[2]])?, at)));
        let (_, at) = merges.min()?;
        borders.remove(at + 1);
    }
    let &[from, between, to] = borders.as_slice() else { return None };
    Some([*places.get(&token[from..between])?, *places.get(&token[between..to])?])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts that are left when, again and again, the pair of the lowest number is merged, the first such.
    fn merged(bytes: &[u8], number_of: impl Fn(&[u8]) -> Option<u32>) -> Vec<Vec<u8>> {
        let mut parts: Vec<Vec<u8>> = bytes.iter().map(|&byte| vec![byte]).collect();
        while let Some((_, at)) =
            parts.windows(2).enumerate().filter_map(|(at, pair)| Some((number_of(&pair.concat())?, at))).min()
        {
            let second = parts.remove(at + 1);
            parts[at].extend(second);
        }
        parts
    }

    /// A vocabulary as training makes it: each new token joins two parts that texts are merged to so far.
    fn trained(chance: &mut Chance, letters: &[u8], count: u32) -> Ranks {
        let mut ranks: Ranks = (0..=255).map(|byte| (vec![byte], u32::from(byte))).collect();
        while ranks.len() < 256 + count as usize {
            let text = chance.text(letters, 12);
            let parts = merged(&text, |pair| ranks.get(pair).copied());
            if let Some(pair) = parts.windows(2).nth(chance.below(parts.len().max(2) - 1)) {
                let rank = ranks.len() as u32;
                ranks.entry(pair.concat()).or_insert(rank);
            }
        }
        ranks
    }

    struct Chance(u64);

    impl Chance {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % limit
        }

        fn text(&mut self, letters: &[u8], longest: usize) -> Vec<u8> {
            let length = 1 + self.below(longest);
            (0..length).map(|_| letters[self.below(letters.len())]).collect()
        }
    }

    #[test]
    fn merging_by_levels_gives_the_tokens_that_merging_by_ranks_gives() {
        let mut chance = Chance(2_026);
        let mut saved = 0;
        for letters in [&b"ab"[..], b"abc", b"abcdefgh"] {
            for count in [4, 20, 60] {
                for _ in 0..8 {
                    let ranks = trained(&mut chance, letters, count);
                    let levels = levels(&ranks);
                    saved += count - levels.values().copied().max().map_or(0, u32::from);
                    for _ in 0..60 {
                        let text = chance.text(letters, 40);
                        let by_level = merged(&text, |pair| levels.get(pair).map(|&level| u32::from(level)));
                        let by_rank = merged(&text, |pair| ranks.get(pair).copied());
                        assert_eq!(by_level, by_rank, "{:?} of {ranks:?}", String::from_utf8_lossy(&text));
                    }
                }
            }
        }
        assert!(saved > 0, "there were fewer levels than ranks");
    }

    #[test]
    fn the_roundest_number_has_the_most_zeros_at_its_end() {
        for (lowest, highest, roundest_of_them) in [(1, 4_095, 2_048), (5, 7, 6), (5, 5, 5), (9, 40, 32), (33, 40, 40)]
        {
            assert_eq!(roundest(lowest, highest), roundest_of_them, "{lowest} to {highest}");
        }
    }
}
