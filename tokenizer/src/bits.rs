//! Sets of small numbers.

/// Which of some numbers are in a set.
pub(crate) struct Bits(Box<[u64]>);

impl Bits {
    /// None of the numbers below `below`.
    pub(crate) fn new(below: usize) -> Self {
        Self(vec![0; below.div_ceil(64)].into_boxed_slice())
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, number: usize) {
        if let Some(word) = self.0.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
    }

    /// Sixty-four of them at once, from a multiple of sixty-four on.
    pub(crate) fn word(&self, from: usize) -> u64 {
        self.0.get(from / 64).copied().unwrap_or(0)
    }

    /// The same, to be set.
    pub(crate) fn set_word(&mut self, from: usize, bits: u64) {
        if let Some(word) = self.0.get_mut(from / 64) {
            *word = bits;
        }
    }

    #[inline(always)]
    pub(crate) fn has(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }
}
