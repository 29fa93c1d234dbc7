use super::*;
use crate::session::testing::{NOW, add, session};

/// An assistant message below the leaf.
fn add_turn(session: &mut Session, rest: &str) {
    session.append(&format!(r#"{{"type":"message","message":{{"role":"assistant",{rest}}}}}"#), NOW).unwrap();
}

/// A turn that ended with an error of that text.
fn add_error(session: &mut Session, model: &str, text: &str) {
    let model = format!(r#""provider":"p","model":"{model}""#);
    add_turn(session, &format!(r#""content":[],"stopReason":"error",{model},"errorMessage":"{text}""#));
}

const TOO_LONG: &str = "prompt is too long: 210000 tokens > 200000 maximum";

struct Case {
    settings: Settings,
    window: Option<u64>,
    fixed: Option<u64>,
    pending: u64,
    model: Option<ModelChoice>,
    moment: Moment,
}

/// A window of 1 000 tokens of which 100 are reserved.
fn case() -> Case {
    let mut settings = Settings::default();
    settings.compaction.reserve_tokens = Some(100);
    Case { settings, window: Some(1_000), fixed: None, pending: 0, model: None, moment: Moment::TurnEnd }
}

impl Case {
    fn decide(&self, session: &Session) -> Decision {
        let check = Check {
            settings: &self.settings,
            context_window: self.window,
            fixed_tokens: self.fixed,
            pending_tokens: self.pending,
            model: self.model.as_ref(),
            moment: self.moment,
        };
        should_compact(session, session.leaf(), &check).unwrap()
    }

    fn check(&self, story: &[&str], expected: &str) {
        assert_eq!(self.decide(&session(story)).as_str(), expected, "{story:?}");
    }
}

#[test]
fn the_threshold_is_passed_by_more_than_the_limit() {
    case().check(&["U@10", "A@10$900"], "below-limit");
    case().check(&["U@10", "A@10$901"], "threshold");
    case().check(&["U@450", "A@450"], "below-limit");
    case().check(&["U@450", "A@451"], "threshold");
    case().check(&[], "below-limit");
    let decision = case().decide(&session(&["U@10", "A@10$901"]));
    assert_eq!(decision, Decision::Compact { trigger: Trigger::Threshold, will_retry: false });
    let below = case().decide(&session(&["U@10", "A@10$900"]));
    assert_eq!(below, Decision::BelowLimit { tokens: 900, limit: 900 });
}

#[test]
fn what_follows_the_last_usage_counts() {
    case().check(&["U@10", "A:a@10$800", "R:a@100"], "below-limit");
    case().check(&["U@10", "A:a@10$800", "R:a@101"], "threshold");
    // A failing provider: the last good usage and what came after it.
    case().check(&["U@10", "A@10$800", "U@101", "E@5"], "threshold");
    case().check(&["U@10", "A@10$800", "U@100", "E@5"], "below-limit");
}

#[test]
fn t17_a_pending_message_counts_before_it_is_sent() {
    let mut case = case();
    case.moment = Moment::BeforeRequest;
    case.check(&["U@10", "A@10$600"], "below-limit");
    case.pending = 300;
    case.check(&["U@10", "A@10$600"], "below-limit");
    case.pending = 301;
    case.check(&["U@10", "A@10$600"], "threshold");
    case.pending = 901;
    let too_large = NothingToDo::Infeasible {
        fixed_tokens: 0,
        newest_message_tokens: 901,
        limit: 900,
        margin: crate::tokens::Margin::UNCALIBRATED,
    };
    assert_eq!(case.decide(&session(&["U@10", "A@10"])), Decision::NothingToDo(too_large));
}

#[test]
fn t14_a_usage_from_before_a_compaction_triggers_nothing() {
    case().check(&["U@10", "A@10$990", "K:1", "U@10"], "below-limit");
    case().check(&["U@10", "A@10$990", "K:1", "U@10", "A@10$990"], "threshold");
    let mut large = case();
    large.window = Some(200_000);
    large.settings = Settings::default();
    large.check(&["U@100", "A@139000$363000", "K:1", "U@10"], "below-limit");
}

#[test]
fn t15_nothing_starts_by_itself_without_a_window_or_when_switched_off() {
    let stories = [&["U@10", "A@10$2000"][..], &["U@5000"], &[]];
    for story in stories {
        let mut off = case();
        off.settings.compaction.enabled = false;
        off.check(story, "disabled");
        let mut unknown = case();
        unknown.window = None;
        unknown.check(story, "unknown-window");
    }
    let mut overflowed = session(&["U@10"]);
    add_error(&mut overflowed, "m", TOO_LONG);
    let mut off = case();
    off.settings.compaction.enabled = false;
    assert_eq!(off.decide(&overflowed).as_str(), "disabled");
}

#[test]
fn a_reserve_that_does_not_fit_the_window_is_an_error() {
    let mut case = case();
    case.settings.compaction.reserve_tokens = Some(850);
    let check = Check {
        settings: &case.settings,
        context_window: Some(1_000),
        fixed_tokens: None,
        pending_tokens: 0,
        model: None,
        moment: Moment::TurnEnd,
    };
    let error = should_compact(&session(&["U"]), Some(0), &check).unwrap_err();
    assert_eq!(error.code.as_str(), "invalid-settings");
}

#[test]
fn an_aborted_turn_starts_nothing_and_the_next_check_measures_it() {
    let mut story = session(&["U@500"]);
    add_turn(&mut story, &format!(r#""content":"{}","stopReason":"aborted""#, crate::tokens::ONE_TOKEN.repeat(10)));
    add(&mut story, "M");
    let mut case = case();
    case.pending = 600;
    assert_eq!(case.decide(&story).as_str(), "aborted-turn");
    case.moment = Moment::BeforeRequest;
    assert_eq!(case.decide(&story).as_str(), "threshold");
    case.pending = 10;
    assert_eq!(case.decide(&story).as_str(), "below-limit");
}

#[test]
fn an_error_that_means_overflow_is_recovered_from_and_sent_again() {
    let retry = Decision::Compact { trigger: Trigger::Overflow, will_retry: true };
    for text in [TOO_LONG, "413 Request Entity Too Large"] {
        let mut story = session(&["U@10", "A@10$50", "U@10"]);
        add_error(&mut story, "m", text);
        assert_eq!(case().decide(&story), retry, "{text}");
        add(&mut story, "M");
        assert_eq!(case().decide(&story), retry, "{text}");
    }
    for text in ["529 overloaded", "Rate limit reached: too many tokens, please wait", "invalid x-api-key", ""] {
        let mut story = session(&["U@10", "A@10$50", "U@10"]);
        add_error(&mut story, "m", text);
        assert_eq!(case().decide(&story).as_str(), "below-limit", "{text}");
    }
}

#[test]
fn only_the_current_models_error_counts_and_only_from_after_the_compaction() {
    let model = |provider: &str, model: &str| Some(ModelChoice { provider: provider.into(), model_id: model.into() });
    let mut story = session(&["U@10"]);
    add_error(&mut story, "m", TOO_LONG);
    for (current, expected) in [
        (model("p", "m"), "overflow"),
        (model("", "m"), "overflow"),
        (None, "overflow"),
        (model("p", "large"), "below-limit"),
        (model("q", "m"), "below-limit"),
    ] {
        let case = Case { model: current, ..case() };
        assert_eq!(case.decide(&story).as_str(), expected, "{:?}", case.model);
    }
    // Where the host names none, the model in force on the path is the current one.
    let mut changed = session(&["U@10"]);
    add_error(&mut changed, "other", TOO_LONG);
    add(&mut changed, "M");
    assert_eq!(case().decide(&changed).as_str(), "below-limit");
    let mut folded = story;
    add(&mut folded, "K:0");
    assert_eq!(case().decide(&folded).as_str(), "below-limit");
    add_error(&mut folded, "m", TOO_LONG);
    assert_eq!(case().decide(&folded).as_str(), "overflow");
    // A good turn after it: the error is over.
    add(&mut folded, "A@10$50");
    assert_eq!(case().decide(&folded).as_str(), "below-limit");
}

#[test]
fn more_input_than_the_window_is_an_overflow_where_it_can_be_true() {
    let reported = |size: usize, stop: &str, input: u64, output: u64| {
        let mut story = session(&[&format!("U@{size}")]);
        add_turn(
            &mut story,
            &format!(
                r#""content":[{{"type":"text","text":"but "}},{{"type":"toolCall","id":"a","name":"t","arguments":{{}}}}],"stopReason":"{stop}","usage":{{"input":{input},"output":{output}}}"#
            ),
        );
        case().decide(&story)
    };
    let overflow = |will_retry| Decision::Compact { trigger: Trigger::Overflow, will_retry };
    // The estimate reaches half of the window, so the figure may be right.
    assert_eq!(reported(500, "stop", 1_001, 10), overflow(false));
    assert_eq!(reported(500, "toolUse", 1_001, 10), overflow(true));
    assert_eq!(reported(500, "unheard-of", 1_001, 10), overflow(true));
    assert_eq!(reported(500, "stop", 1_000, 10).as_str(), "threshold");
    // It does not: the figure is accumulated.
    assert_eq!(reported(400, "stop", 5_000, 10).as_str(), "below-limit");
    // It stopped at its limit before the first word, since the input left no room.
    assert_eq!(reported(500, "length", 995, 0), overflow(true));
}

#[test]
fn t13_t19_where_nothing_can_help_nothing_starts() {
    let mut t13 = case();
    t13.window = Some(32_000);
    t13.settings.compaction.reserve_tokens = Some(6_400);
    t13.fixed = Some(29_000);
    let infeasible = NothingToDo::Infeasible {
        fixed_tokens: 29_000,
        newest_message_tokens: 600,
        limit: 25_600,
        margin: crate::tokens::Margin::UNCALIBRATED,
    };
    assert_eq!(t13.decide(&session(&["U@400", "A@600"])), Decision::NothingToDo(infeasible));
    t13.fixed = Some(25_000);
    t13.check(&["U@400", "A@600"], "threshold");
    // T19: one message larger than the window, whatever the provider made of it.
    case().check(&["U@3000"], "infeasible");
    let mut refused = session(&["U@3000"]);
    add_error(&mut refused, "m", TOO_LONG);
    assert_eq!(case().decide(&refused).as_str(), "infeasible");
    // What lies before the newest message is no reason.
    case().check(&["U@3000", "A@10"], "threshold");
    case().check(&["U@3000", "A@10", "M", "E@2000"], "threshold");
}

#[test]
fn small_windows_have_a_threshold_too() {
    let mut small = case();
    small.settings = Settings::default();
    for (window, story, expected) in [
        (1, &["U@1"][..], "below-limit"),
        (1, &["U@2"], "infeasible"),
        (1, &["U@1", "U@1"], "threshold"),
        (100, &["U@75"], "below-limit"),
        (100, &["U@40", "A@36"], "threshold"),
        (2_000, &["U@900", "A@600"], "below-limit"),
        (2_000, &["U@900", "A@601"], "threshold"),
        (2_000, &["U@1501"], "infeasible"),
    ] {
        small.window = Some(window);
        small.check(story, expected);
    }
}

#[test]
fn the_newest_message_is_sought_in_the_view_alone() {
    // All before the compaction is covered, and the summary alone passes the limit.
    let story = crate::session::testing::session_keeping(&["U@3000", "A@3000", "K:1"], &[(2, "itself")]);
    let mut tiny = case();
    tiny.window = Some(5);
    tiny.settings = Settings::default();
    assert_eq!(tiny.decide(&story).as_str(), "threshold");
    assert_eq!(story.newest_seen(story.leaf()), 0);
    let kept = session(&["U@30", "A@7", "K:1", "M"]);
    assert_eq!(kept.newest_seen(kept.leaf()), 7);
}
