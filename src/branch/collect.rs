//! What is left behind when the leaf moves: the branch below the deepest common ancestor.

use crate::session::{Index, Session};

/// The branch that a move of the leaf leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collected {
    /// Its entries of every type, oldest first, the old leaf last.
    pub entries: Vec<Index>,
    /// The deepest entry on the paths to both leaves; `None` where they share none.
    pub common_ancestor: Option<Index>,
}

/// Collects the entries from `old_leaf` up to the deepest common ancestor with `target`, which is
/// not among them; `None` is the place before the first entry. Compactions end nothing: the whole
/// paths are compared. It costs the entries that it gives, each with a search in the path to the
/// target that takes logarithmic time.
///
/// ```
/// use threadfold::branch::collect_entries;
/// use threadfold::session::{Preset, Session};
/// let now = "2026-01-01T00:00:00.000Z";
/// let mut session = Session::create(Preset::Safe, "s", "/", now, 1);
/// for content in ["A", "B", "C"] {
///     session.append(&format!(r#"{{"type":"message","message":{{"role":"user","content":"{content}"}}}}"#), now)?;
/// }
/// let collected = collect_entries(&session, session.leaf(), Some(0));
/// assert_eq!((collected.entries, collected.common_ancestor), (vec![1, 2], Some(0)));
/// # Ok::<(), threadfold::error::Error>(())
/// ```
pub fn collect_entries(session: &Session, old_leaf: Option<Index>, target: Option<Index>) -> Collected {
    let mut entries = Vec::new();
    let mut common_ancestor = None;
    for index in session.ancestors(old_leaf.filter(|&leaf| session.entry(leaf).is_some())) {
        if session.is_on_path(index, target) {
            common_ancestor = Some(index);
            break;
        }
        entries.push(index);
    }
    entries.reverse();
    Collected { entries, common_ancestor }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::testing::{add, session};

    /// A trunk `0 1 2` with the branches `3 4 K5 6` and `7 8`, and another root `9 10`.
    fn tree() -> Session {
        let mut session = session(&["U", "A", "U", "A", "U", "K:4", "A"]);
        let third = session.entry(2).unwrap().id.clone();
        session.branch(&third).unwrap();
        for word in ["A", "U"] {
            add(&mut session, word);
        }
        session.reset_leaf();
        for word in ["U", "A"] {
            add(&mut session, word);
        }
        session
    }

    #[test]
    fn the_branch_below_the_deepest_common_ancestor() {
        let session = tree();
        for (what, old_leaf, target, entries, common_ancestor) in [
            ("another branch, across a compaction", Some(6), Some(8), &[3, 4, 5, 6][..], Some(2)),
            ("and back", Some(8), Some(6), &[7, 8], Some(2)),
            ("an ancestor", Some(6), Some(1), &[2, 3, 4, 5, 6], Some(1)),
            ("an ancestor behind the compaction", Some(6), Some(5), &[6], Some(5)),
            ("a descendant", Some(1), Some(8), &[], Some(1)),
            ("the leaf itself", Some(6), Some(6), &[], Some(6)),
            ("the first entry", Some(8), Some(0), &[1, 2, 7, 8], Some(0)),
            ("before the first entry", Some(8), None, &[0, 1, 2, 7, 8], None),
            ("from before the first entry", None, Some(8), &[], None),
            ("nowhere to nowhere", None, None, &[], None),
            ("another root", Some(4), Some(10), &[0, 1, 2, 3, 4], None),
            ("a target that is not there", Some(10), Some(99), &[9, 10], None),
            ("a leaf that is not there", Some(99), Some(1), &[], None),
        ] {
            let collected = collect_entries(&session, old_leaf, target);
            assert_eq!((&*collected.entries, collected.common_ancestor), (entries, common_ancestor), "{what}");
        }
    }
}
