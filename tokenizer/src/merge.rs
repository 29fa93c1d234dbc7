//! Merging a short piece: how many tokens it comes to, and where they begin.

use crate::vocabulary::{Level, NO_TOKEN, Vocabulary};

/// The most parts that are merged at once: a bit of a word for each.
pub(crate) const MOST_PARTS: usize = 64;
/// Enough for most pieces. To make ready for more than are needed takes as long as to merge a few.
pub(crate) const FEW_PARTS: usize = 16;

/// A part of a text, merged.
pub(crate) struct Merged<const PARTS: usize> {
    /// The bytes at which its first parts began, from the start of the text on.
    begins: [u32; PARTS],
    /// Those at which tokens begin.
    starts: u64,
    /// The byte behind it.
    pub(crate) end: usize,
}

impl<const PARTS: usize> Merged<PARTS> {
    /// How many tokens there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.count_ones() as usize
    }

    /// Where they begin.
    pub(crate) fn starts(&self) -> impl Iterator<Item = usize> {
        let mut starts = self.starts;
        std::iter::from_fn(move || {
            let begin = self.begins.get(starts.trailing_zeros() as usize)?;
            starts &= starts.wrapping_sub(1);
            Some(*begin as usize)
        })
    }
}

/// Merges `text[from..to]`, which is not empty, or as much of it as makes so many parts, at most 64.
///
/// Every character that no merge cuts begins as one part, every other byte as one. As long as two
/// neighbours make a token, those of the lowest level are merged, the first of them where several are as low.
pub(crate) fn merge<const PARTS: usize>(vocabulary: &Vocabulary, text: &[u8], from: usize, to: usize) -> Merged<PARTS> {
    let mut merging = Merging::<PARTS>::of(vocabulary, text, from, to);
    while let Some(part) = merging.lowest() {
        let merged = merging.next(part);
        let end = merging.next(merged);
        merging.remove(merged);
        let level =
            if end < merging.count { merging.level(vocabulary, text, part, merging.next(end)) } else { NO_TOKEN };
        merging.set(part, level);
        if let Some(before) = merging.before(part) {
            merging.set(before, merging.level(vocabulary, text, before, end));
        }
    }
    merging.merged
}

struct Merging<const PARTS: usize> {
    merged: Merged<PARTS>,
    count: usize,
    /// For each part its level together with the next one, and its number; the lowest goes first.
    ranks: [u32; PARTS],
}

impl<const PARTS: usize> Merging<PARTS> {
    #[inline(always)]
    fn of(vocabulary: &Vocabulary, text: &[u8], from: usize, to: usize) -> Self {
        let merged = Merged { begins: [0; PARTS], starts: 0, end: to };
        let mut merging = Self { merged, count: 0, ranks: [u32::MAX; PARTS] };
        let mut at = from;
        for slot in &mut merging.merged.begins {
            if at >= to {
                break;
            }
            *slot = at as u32;
            at += vocabulary.whole_character(text, at, from, to);
            merging.count += 1;
        }
        merging.merged.end = at;
        merging.merged.starts = u64::MAX >> (MOST_PARTS - merging.count);
        for part in 0..merging.count.saturating_sub(1) {
            merging.set(part, merging.level(vocabulary, text, part, part + 2));
        }
        merging
    }

    /// The byte at which a part begins; the end for the one behind the last.
    #[inline(always)]
    fn begin(&self, part: usize) -> usize {
        self.merged.begins.get(part).filter(|_| part < self.count).map_or(self.merged.end, |&begin| begin as usize)
    }

    /// The level of what lies between two parts.
    #[inline(always)]
    fn level(&self, vocabulary: &Vocabulary, text: &[u8], part: usize, end: usize) -> Level {
        vocabulary.level(text, self.begin(part), self.begin(end))
    }

    #[inline(always)]
    fn set(&mut self, part: usize, level: Level) {
        if let Some(rank) = self.ranks.get_mut(part) {
            // What no merge makes has the level 0, and is as little merged as what is no token.
            *rank = if level == NO_TOKEN || level == 0 { u32::MAX } else { u32::from(level) << 8 | part as u32 };
        }
    }

    /// The part to be merged with the next one.
    #[inline(always)]
    fn lowest(&self) -> Option<usize> {
        let ranks = self.ranks.get(..self.count).unwrap_or_default();
        let lowest = ranks.iter().fold(u32::MAX, |lowest, &rank| lowest.min(rank));
        (lowest != u32::MAX).then_some((lowest & 0xff) as usize)
    }

    #[inline(always)]
    fn remove(&mut self, part: usize) {
        self.merged.starts &= !(1_u64.wrapping_shl(part as u32));
        if let Some(rank) = self.ranks.get_mut(part) {
            *rank = u32::MAX;
        }
    }

    /// The next part; 64 behind the last one.
    #[inline(always)]
    fn next(&self, part: usize) -> usize {
        let behind = self.merged.starts & u64::MAX.checked_shl(part as u32 + 1).unwrap_or(0);
        behind.trailing_zeros() as usize
    }

    #[inline(always)]
    fn before(&self, part: usize) -> Option<usize> {
        let before = self.merged.starts & !(u64::MAX << (part as u32 & 63));
        (before != 0).then(|| 63 - before.leading_zeros() as usize)
    }
}
