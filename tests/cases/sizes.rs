//! What texts and entries are estimated to take.

use crate::Fault;
use crate::case::{Case, decide};
use crate::story::{Story, text, view};
use crate::support::{load, settings};
use threadfold::entry::Message;
use threadfold::session::{Preset, Session};
use threadfold::tokens::{TokenRule, estimate_message, estimate_text};

pub(crate) const FAULTS: &[Fault] = &[Fault {
    case: "32",
    kind: "an estimate follows the length of a text, however long it is",
    case_holds: a_long_message,
    another_holds: longer_ones,
}];

fn a_long_message(case: Case) {
    let classic = Session::from_jsonl(case.session.to_jsonl(), Preset::Classic, 1).unwrap();
    let message = classic.entry(0).unwrap().message().unwrap().into_owned();
    assert_eq!(estimate_message(&message, TokenRule::CLASSIC).tokens, 65_000);
    assert_eq!(case.decide().as_str(), "below-limit");
    assert_eq!(view(&case.session), ["long", "a1"], "the message is not dropped");
}

fn longer_ones() {
    let count = |units: usize, rule| {
        let content = "but ".repeat(units / 4);
        let json = format!(r#"{{"role":"toolResult","toolCallId":"c","content":"{content}"}}"#);
        estimate_message(&Message::from_json(&json).unwrap(), rule).tokens
    };
    for rule in [TokenRule::CLASSIC, TokenRule::BY_SCRIPT] {
        for units in [199_980, 200_000, 200_020, 320_000, 3_000_000] {
            assert_eq!(count(units, rule), units as u64 / 4);
        }
    }
    // Other scripts and blobs grow as steadily.
    for part in ["春が来た", "हमें", "aB3", "🙂"] {
        let thousand = estimate_text(&part.repeat(1_000), TokenRule::BY_SCRIPT);
        let million = estimate_text(&part.repeat(1_000_000), TokenRule::BY_SCRIPT);
        assert!(million.abs_diff(1_000 * thousand) <= 1_000, "{part}: {thousand} and {million}");
    }
    let told = Story::new().user(&text("MARK-long", 80_000)).assistant("MARK-a").told();
    let again = load(told.to_jsonl());
    assert_eq!(again.estimated_view(again.leaf()).tokens, 80_003);
    assert_eq!(decide(&again, &settings(16_384, 20_000), 100_000).as_str(), "below-limit");
    assert_eq!(decide(&again, &settings(16_384, 20_000), 96_385).as_str(), "threshold");
}
