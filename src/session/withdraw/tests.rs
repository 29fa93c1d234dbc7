//! A session from which an entry was taken back is one in which it never was.

use super::*;
use crate::session::testing::{NOW, add_at, session};
use crate::session::{DiagnosticKind, Preset, UsageQuery};
use proptest::prelude::*;

/// Something done to a session, in the words of [`add_at`], in which numbers name entries by when they
/// were appended.
#[derive(Debug, Clone)]
enum Deed {
    Add(&'static str),
    /// With a usage of so many tokens.
    Turn(u32),
    /// A compaction that keeps from an entry of the path on.
    Fold(prop::sample::Index),
    Branch(prop::sample::Index),
    Reset,
    Label(prop::sample::Index, Option<&'static str>),
    /// A prune entry that hides some entries.
    Hide(Vec<prop::sample::Index>),
    /// A prune that rewrites some entries.
    Rewrite(Vec<prop::sample::Index>),
}

const WORDS: [&str; 14] =
    ["U@3", "A@2", "A:a@2", "A:a,b", "A:b@5", "E:a", "R:a@60", "R:a@90", "R:b@80", "R:c@70", "X", "C@4", "S", "M"];

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let index = any::<prop::sample::Index>;
    let some = move || prop::collection::vec(any::<prop::sample::Index>(), 0..4);
    let label = prop::option::weighted(0.7, prop::sample::select(vec!["one", "two"]));
    let deed = prop_oneof![
        12 => prop::sample::select(WORDS.to_vec()).prop_map(Deed::Add),
        3 => (50_u32..900).prop_map(Deed::Turn),
        2 => index().prop_map(Deed::Fold),
        2 => index().prop_map(Deed::Branch),
        1 => Just(Deed::Reset),
        2 => (index(), label).prop_map(|(index, label)| Deed::Label(index, label)),
        2 => some().prop_map(Deed::Hide),
        1 => some().prop_map(Deed::Rewrite),
    ];
    prop::collection::vec(deed, 1..24)
}

/// A session under way, and which of its entries each deed appended.
struct Story {
    session: Session,
    appended: Vec<Option<Index>>,
    /// The deed whose entry is not there, or will not be.
    without: usize,
}

impl Story {
    /// It begins with every call, so that their ids have the same numbers in each session. Some of it is
    /// loaded, without a line end where that is torn.
    fn new(without: usize, loaded: bool) -> Self {
        let mut session = session(&["U", "A:a,b,c", "R:a@50"]);
        if loaded {
            let mut bytes = session.to_jsonl();
            bytes.pop();
            session = Session::from_jsonl(bytes, Preset::Safe, 7).unwrap();
        }
        Self { session, appended: Vec::new(), without }
    }

    fn id(&self, index: Index) -> String {
        self.session.entry(index).unwrap().id.to_string()
    }

    /// The entry that an index picks, which is never the one that is taken back.
    fn pick(&self, pick: &prop::sample::Index) -> Index {
        let mut others: Vec<Index> = (0..3).collect();
        let kept = self.appended.iter().enumerate().filter(|&(number, _)| number != self.without);
        others.extend(kept.filter_map(|(_, index)| *index));
        others[pick.index(others.len())]
    }

    fn results(&self, picks: &[prop::sample::Index]) -> Vec<Index> {
        let picked = picks.iter().map(|pick| self.pick(pick));
        picked.filter(|&index| self.session.entry(index).is_some_and(|entry| entry.tool_result().is_some())).collect()
    }

    /// What a prune may rewrite of some entries, by their ids, with what the notice says.
    fn prunable(&self, results: &[Index]) -> Vec<(String, u64)> {
        let prunable = results
            .iter()
            .filter(|&&index| self.session.may_be_rewritten(index) && self.session.prune_saving(index) > 0);
        prunable.map(|&index| (self.id(index), self.session.node(index).unwrap().tokens.tokens)).collect()
    }

    fn rewrite(&mut self, ids: &[(String, u64)]) {
        let mut results: Vec<Index> = ids.iter().filter_map(|(id, _)| self.session.index_of(id)).collect();
        results.sort_unstable();
        results.dedup();
        self.session.rewrite_results(&results, 1_767_225_600_000 + 60_000 * self.appended.len() as i64);
    }

    fn time(&self) -> String {
        format!("2026-01-01T00:{:02}:00.000Z", self.appended.len())
    }

    fn tell(&mut self, deed: &Deed, left_out: bool) {
        // Each entry gets the same id, whatever came before it.
        self.session.ids = fastrand::Rng::with_seed(1_000 + self.appended.len() as u64);
        let now = self.time();
        let before = self.session.len();
        match deed {
            _ if left_out => {}
            Deed::Add(word) => add_at(&mut self.session, word, &now),
            Deed::Turn(tokens) => add_at(&mut self.session, &format!("A:a${tokens}"), &now),
            Deed::Fold(pick) => {
                let kept = self.pick(pick);
                if self.session.is_on_path(kept, self.session.leaf()) {
                    add_at(&mut self.session, &format!("K:{kept}"), &now);
                }
            }
            Deed::Branch(pick) => {
                let id = self.id(self.pick(pick));
                self.session.branch(&id).unwrap();
            }
            Deed::Reset => self.session.reset_leaf(),
            Deed::Label(pick, label) => {
                let id = self.id(self.pick(pick));
                self.session.set_label(&id, *label, &now).unwrap();
            }
            Deed::Hide(picks) => {
                let results = self.results(picks);
                self.session.append_prune(&results, &now).unwrap();
            }
            Deed::Rewrite(_) => {}
        }
        self.appended.push((self.session.len() > before).then_some(before as Index));
    }
}

/// Everything that is known of a session.
fn known(session: &Session) -> Vec<String> {
    let mut known: Vec<String> = session.nodes.iter().map(|node| format!("{node:#?}")).collect();
    let ids = session.by_id.iter().filter(|(_, index)| **index != GONE);
    known.push(format!("{:?}", ids.collect::<Vec<_>>()));
    known.push(format!("{:?} {:?}", session.leaf, session.labels().collect::<Vec<_>>()));
    known.push(format!("{:?} {:?}", session.call_ids, session.diagnostics));
    known.push(String::from_utf8(session.to_jsonl()).unwrap());
    for leaf in (0..session.len() as Index).map(Some) {
        let path = session.path(leaf);
        let usage = session.context_usage(leaf, &UsageQuery::default());
        known.push(format!("{path:?} {usage:?} {:?}", session.build_session_context(leaf)));
    }
    known
}

/// Tells a story with and without the entry of one deed, takes that back, and compares.
fn check(deeds: &[Deed], without: usize, loaded: bool) -> Result<(), TestCaseError> {
    let mut with = Story::new(without, loaded);
    let mut never = Story::new(without, loaded);
    for (number, deed) in deeds.iter().enumerate() {
        if let Deed::Rewrite(picks) = deed {
            // A prune by its own rules may choose others where the entry is there.
            let same = never.prunable(&never.results(picks));
            let mut results: Vec<_> = with.prunable(&with.results(picks));
            results.retain(|result| same.contains(result));
            never.rewrite(&results);
            if let Some(Some(index)) = with.appended.get(without) {
                results.extend(with.prunable(&[*index]));
            }
            with.rewrite(&results);
        }
        with.tell(deed, false);
        never.tell(deed, number == without);
    }
    let Some(index) = with.appended[without] else { return Ok(()) };
    with.session.withdraw(index).unwrap();
    let (found, expected) = (known(&with.session), known(&never.session));
    prop_assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        prop_assert!(found == expected, "found {found}\nwhere this was expected: {expected}");
    }
    let saved = with.session.to_jsonl();
    let again = Session::from_jsonl(saved.clone(), Preset::Safe, 9).unwrap();
    prop_assert_eq!((again.to_jsonl(), again.diagnostics().len()), (saved, with.session.diagnostics().len()));
    Ok(())
}

/// A turn does not look for results that were rewritten since and that a compaction covered which is
/// gone: such stories are left out.
fn is_told_the_same(deeds: &[Deed], without: usize) -> bool {
    let rewrites = deeds.iter().any(|deed| matches!(deed, Deed::Rewrite(_)));
    !(rewrites && matches!(deeds[without], Deed::Fold(_)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn it_is_as_if_the_entry_had_never_been_there(
        deeds in deeds(),
        without in any::<prop::sample::Index>(),
        loaded: bool,
    ) {
        let without = without.index(deeds.len());
        prop_assume!(is_told_the_same(&deeds, without));
        check(&deeds, without, loaded)?;
    }
}

/// A session whose file says the same, as it is loaded.
fn assert_loads_the_same(session: &Session) {
    let again = Session::from_jsonl(session.to_jsonl(), Preset::Safe, 9).unwrap();
    assert_eq!(again.to_jsonl(), session.to_jsonl());
    assert_eq!(again.len(), session.len());
    let kinds = |session: &Session| {
        session.diagnostics.iter().map(|found| (found.kind, found.entry_id.clone())).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&again), kinds(session));
    for leaf in (0..session.len() as Index).map(Some) {
        let view = |session: &Session| {
            (
                session.path(leaf),
                format!("{:?}", session.build_session_context(leaf)),
                session.context_usage(leaf, &UsageQuery::default()),
            )
        };
        assert_eq!(view(&again), view(session));
    }
}

#[test]
fn entries_that_name_the_one_that_is_gone_are_read_as_a_load_reads_them() {
    let kept = session(&["U@9", "A:a", "R:a@90", "K:2", "U"]);
    let mut hidden = session(&["U@9", "A:a", "R:a@90", "U", "A"]);
    hidden.append_prune(&[2], NOW).unwrap();
    let mut labelled = session(&["U@9", "A:a", "R:a@90", "U"]);
    let id = labelled.entry(2).unwrap().id.to_string();
    labelled.set_label(&id, Some("here"), NOW).unwrap();
    for mut told in [kept, hidden, labelled] {
        let length = told.len();
        told.withdraw(2).unwrap();
        assert_eq!(told.len(), length - 1);
        assert_loads_the_same(&told);
    }
}

#[test]
fn a_compaction_that_kept_from_the_entry_is_reported() {
    let mut told = session(&["U", "A", "U", "K:2"]);
    told.withdraw(2).unwrap();
    let [diagnostic] = &*told.diagnostics else { panic!("{:?}", told.diagnostics) };
    assert_eq!(diagnostic.kind, DiagnosticKind::UnknownFirstKept);
    assert_eq!(diagnostic.entry_id.as_deref(), Some(&*told.entry(2).unwrap().id));
}

#[test]
fn the_leaf_goes_to_the_parent_and_stays_elsewhere() {
    let mut told = session(&["U", "A", "U"]);
    let (root, middle) = (told.entry(0).unwrap().id.to_string(), told.entry(1).unwrap().id.to_string());
    told.withdraw(2).unwrap();
    assert_eq!(told.leaf(), Some(1));
    told.branch(&root).unwrap();
    add_at(&mut told, "U", NOW);
    told.branch(&middle).unwrap();
    told.withdraw(1).unwrap();
    assert_eq!((told.leaf(), told.index_of(&middle)), (Some(0), None));
    told.withdraw(1).unwrap();
    told.withdraw(0).unwrap();
    assert_eq!((told.leaf(), told.len()), (None, 0));
    add_at(&mut told, "U", NOW);
    assert_eq!((told.parent(0), told.leaf()), (None, Some(0)));
}

#[test]
fn half_of_a_surrogate_pair_stays_in_a_line_that_gets_another_parent() {
    let mut told = session(&["U", "A"]);
    let half = r#"{"message":{"role":"user","content":"\ud800 and \"parentId\":7"},"type":"message"}"#;
    told.append(half, NOW).unwrap();
    let root = told.entry(0).unwrap().id.to_string();
    told.withdraw(1).unwrap();
    let line = String::from_utf8(told.entry_line(1).unwrap().into_owned()).unwrap();
    assert!(
        line.contains(&format!(r#""parentId":"{root}""#)) && line.contains(r#"\ud800 and \"parentId\":7"#),
        "{line}"
    );
    assert_same_parents_once_loaded(&told);
    // Its own report goes with it.
    assert_eq!(told.diagnostics.len(), 1);
    told.withdraw(1).unwrap();
    assert_eq!(told.diagnostics, []);
}

fn assert_same_parents_once_loaded(session: &Session) {
    let again = Session::from_jsonl(session.to_jsonl(), Preset::Safe, 9).unwrap();
    let parents =
        |session: &Session| (0..session.len() as Index).map(|index| session.parent(index)).collect::<Vec<_>>();
    assert_eq!(parents(&again), parents(session));
}

#[test]
fn what_was_loaded_and_what_is_not_there_stays() {
    let mut told = Session::from_jsonl(session(&["U", "A"]).to_jsonl(), Preset::Safe, 7).unwrap();
    add_at(&mut told, "U", NOW);
    let before = known(&told);
    for index in [0, 1, 3, Index::MAX] {
        let error = told.withdraw(index).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidArgument);
        assert!(error.message.contains(&index.to_string()), "{error}");
    }
    assert_eq!(known(&told), before);
    assert_eq!(told.rewrites(), 0);
}

#[test]
fn an_id_is_not_given_again() {
    let mut told = session(&["U"]);
    let seeded = || fastrand::Rng::with_seed(3);
    told.ids = seeded();
    add_at(&mut told, "U", NOW);
    let id = told.entry(1).unwrap().id.clone();
    told.withdraw(1).unwrap();
    told.ids = seeded();
    add_at(&mut told, "U", NOW);
    assert_ne!(told.entry(1).unwrap().id, id);
}

#[test]
fn it_costs_what_came_behind() {
    let mut told = session(&["U"]);
    let root = told.entry(0).unwrap().id.to_string();
    // A star: each entry has as many siblings as there are.
    for _ in 0..20_000 {
        told.branch(&root).unwrap();
        add_at(&mut told, "M", NOW);
    }
    let start = std::time::Instant::now();
    for index in (10_001..20_001).rev() {
        told.withdraw(index).unwrap();
    }
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    assert_eq!(told.children(0).count(), 10_000);
}
