//! Chance with a seed: SplitMix64, the same on every machine.

/// A seeded source of numbers.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `low` up to and including `high`.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high.saturating_sub(low) + 1)
    }

    /// True in `percent` of a hundred cases.
    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    /// One of the items; the default of the type when there are none.
    pub(crate) fn pick<T: Copy + Default>(&mut self, items: &[T]) -> T {
        let index = self.next() % items.len().max(1) as u64;
        items.get(index as usize).copied().unwrap_or_default()
    }

    /// Lower-case hex digits.
    pub(crate) fn hex(&mut self, digits: usize) -> String {
        (0..digits).map(|_| char::from_digit(self.between(0, 15) as u32, 16).unwrap_or('0')).collect()
    }

    /// Letters and digits, as in ids that services hand out.
    pub(crate) fn token(&mut self, length: usize) -> String {
        const ALPHABET: &str = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
        (0..length)
            .map(|_| {
                let index = self.next() as usize % ALPHABET.len();
                ALPHABET.chars().nth(index).unwrap_or('A')
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_gives_one_sequence() {
        let (mut left, mut right) = (Rng::new(7), Rng::new(7));
        assert!((0..100).all(|_| left.next() == right.next()));
        assert_eq!(Rng::new(1).hex(8).len(), 8);
        assert!((0..100).all(|_| (3..=5).contains(&left.between(3, 5))));
    }
}
