//! Sorting pairs of numbers.

use std::collections::BinaryHeap;

/// The pairs in their order, which most are in already. By a heap: the quicksort of the standard
/// library takes eight kilobytes of the engine, and there is never much to sort.
pub(super) fn sorted(pairs: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    if pairs.is_sorted() {
        return pairs;
    }
    BinaryHeap::from(pairs).into_sorted_vec()
}
