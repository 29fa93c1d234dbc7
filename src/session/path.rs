//! Paths through the tree: from the root to an entry, and who lies above whom.

use super::{Index, Session};

/// A path, or the lower part of one: entries from above to below.
pub(crate) type Path = Vec<Index>;

impl Session {
    /// The path from the root to an entry, that entry included.
    pub fn path(&self, leaf: Option<Index>) -> Vec<Index> {
        self.path_below(None, leaf)
    }

    /// The lower part of a path: from `top`, included, down to `leaf`. The whole path where `top`
    /// does not lie on it. It costs what it gives.
    pub(crate) fn path_below(&self, top: Option<Index>, leaf: Option<Index>) -> Path {
        let mut path = Path::new();
        // A loop by hand: plans and views spend a tenth of their time here.
        let mut next = leaf.filter(|&leaf| Some(leaf) != top);
        while let Some(index) = next {
            path.push(index);
            next = self.parent(index).filter(|&parent| Some(parent) != top);
        }
        path.extend(top.filter(|&top| self.is_on_path(top, leaf)));
        path.reverse();
        path
    }

    /// An entry and everything above it, upwards. It ends for every tree: loading leaves no cycle.
    pub(crate) fn ancestors(&self, leaf: Option<Index>) -> impl Iterator<Item = Index> {
        std::iter::successors(leaf, |&index| self.parent(index))
    }

    /// Whether an entry lies on the path to `leaf`, in time logarithmic in the path.
    pub fn is_on_path(&self, index: Index, leaf: Option<Index>) -> bool {
        let Some(wanted) = self.node(index).map(|node| node.path.depth) else { return false };
        let mut next = leaf;
        while let Some(node) = next.and_then(|next| self.node(next)) {
            if node.path.depth <= wanted {
                return next == Some(index);
            }
            // The jump is taken where it does not go past the wanted depth.
            let jump = self.node(node.path.jump).filter(|jump| jump.path.depth >= wanted);
            next = if jump.is_some() { Some(node.path.jump) } else { node.parent };
        }
        false
    }

    /// Where a child of `parent` jumps to.
    ///
    /// These are the jump pointers of the skew-binary number system (Myers, "An applicative
    /// random-access stack", 1983): two jumps of equal length above make one of their sum.
    pub(super) fn jump_for(&self, parent: Index) -> Index {
        let depth = |index: Index| self.node(index).map_or(0, |node| node.path.depth);
        let jump = |index: Index| self.node(index).map_or(index, |node| node.path.jump);
        let first = jump(parent);
        let second = jump(first);
        if depth(parent) - depth(first) == depth(first) - depth(second) { second } else { parent }
    }
}

#[cfg(test)]
mod tests {
    use crate::session::{Preset, Session};
    use proptest::prelude::*;

    /// A tree in which each entry hangs below the numbered one, or is a root.
    fn tree(parents: &[Option<usize>]) -> Session {
        let mut session = Session::create(Preset::Safe, "s", "/", "2026-01-01T00:00:00.000Z", 1);
        for parent in parents {
            match parent {
                None => session.reset_leaf(),
                Some(parent) => {
                    let id = session.entry(*parent as u32).unwrap().id.clone();
                    session.branch(&id).unwrap();
                }
            }
            session.append(r#"{"type":"custom","customType":"t"}"#, "2026-01-01T00:00:00.000Z").unwrap();
        }
        session
    }

    proptest! {
        #[test]
        fn an_entry_is_on_a_path_exactly_where_walking_up_meets_it(choices in prop::collection::vec(any::<u16>(), 1..80)) {
            let parents: Vec<Option<usize>> = choices
                .iter()
                .enumerate()
                .map(|(index, &choice)| (choice as usize % (index + 1)).checked_sub(1))
                .collect();
            let session = tree(&parents);
            for leaf in 0..parents.len() as u32 {
                let path = session.path(Some(leaf));
                for index in 0..parents.len() as u32 {
                    prop_assert_eq!(session.is_on_path(index, Some(leaf)), path.contains(&index));
                }
            }
        }
    }
}
