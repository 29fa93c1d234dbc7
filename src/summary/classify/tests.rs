use super::*;
use std::path::Path;

/// One row of a table of errors: `class`, `status`, `provider`, `text`, and what else the file has.
struct Row<'a> {
    line: usize,
    cells: Vec<&'a str>,
}

impl Row<'_> {
    fn cell(&self, index: usize) -> &str {
        self.cells.get(index).copied().unwrap_or_default()
    }

    fn number(&self, index: usize) -> Option<u64> {
        let cell = self.cell(index);
        (!cell.is_empty()).then(|| cell.parse().unwrap_or_else(|_| panic!("line {}: {cell} is no number", self.line)))
    }

    fn classify(&self) -> Classified {
        classify_error(self.cell(3), self.number(1).map(|status| status as u16))
    }
}

fn rows(table: &str) -> Vec<Row<'_>> {
    let rows: Vec<Row<'_>> = table
        .lines()
        .enumerate()
        .skip(1)
        .map(|(index, text)| Row { line: index + 1, cells: text.split('\t').collect() })
        .collect();
    assert!(rows.len() > 10, "hardly any rows");
    rows
}

/// Every row that is not met, at once.
fn check(table: &str, met: impl Fn(&Row<'_>, Classified) -> bool) {
    let wrong: Vec<String> = rows(table)
        .iter()
        .filter(|row| !(row.classify().class.as_str() == row.cell(0) && met(row, row.classify())))
        .map(|row| format!("line {}: {:?}\n  is {:?}", row.line, row.cells, row.classify()))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn t60_every_error_of_the_table_is_what_it_says() {
    check(include_str!("../../../tests/fixtures/error-samples.tsv"), |row, error| {
        (error.limit, error.requested, error.retry_after_ms) == (row.number(4), row.number(5), row.number(6))
    });
}

#[test]
fn t60_every_error_of_the_shared_table_is_what_it_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/overflow-samples.tsv");
    let Ok(table) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: {} is not there", path.display());
        return;
    };
    check(&table, |row, error| error.limit == row.number(4));
}

/// Every pattern for a status, with its class.
fn patterns(status: u16) -> impl Iterator<Item = (ErrorClass, &'static str)> {
    RULES.iter().flat_map(move |rules| rules.patterns(status).map(|pattern| (rules.class, pattern)))
}

#[test]
fn a_pattern_is_written_in_the_words_of_a_text() {
    for (_, pattern) in (0..600).flat_map(patterns) {
        for part in pattern.split(' ').flat_map(|part| part.split('|')) {
            let marks = ["{limit}", "{requested}", "#", "..", "...", "^", "$"];
            assert!(marks.contains(&part) || normalize(part) == part, "{part:?} in {pattern:?}");
        }
    }
}

/// A pattern that decides no row is not tested, or stands behind one that takes all its texts.
#[test]
fn every_pattern_decides_a_row() {
    let table = include_str!("../../../tests/fixtures/error-samples.tsv");
    let decided: Vec<&str> = rows(table)
        .iter()
        .filter_map(|row| {
            let normal = normalize(row.cell(3));
            let words = Words::of(&normal);
            let status = status_of(&words, row.number(1).map(|status| status as u16));
            patterns(status).map(|(_, pattern)| pattern).find(|pattern| words.find(pattern).is_some())
        })
        .collect();
    let idle: Vec<_> = (0..600).flat_map(patterns).filter(|(_, pattern)| !decided.contains(pattern)).collect();
    assert!(idle.is_empty(), "no row for {idle:?}");
}

/// What a status says by itself, whatever the text.
#[test]
fn a_status_alone_says_what_the_table_says() {
    for (_, pattern) in patterns(0) {
        assert_ne!(pattern, "^", "without a status only a text says anything");
    }
    for status in 400..600 {
        let by_status = patterns(status).find(|(_, pattern)| *pattern == "^").map(|(class, _)| class);
        assert_eq!(Some(classify_error("x", Some(status)).class), by_status, "{status}");
    }
}

#[test]
fn a_wait_is_read_in_every_unit_and_never_overflows() {
    let longest = Some(2_147_483_647);
    for (text, ms) in [
        ("try again in 1.5s", Some(1_500)),
        ("Try again after 250ms.", Some(250)),
        ("retry after 20 seconds", Some(20_000)),
        ("Retry-After: 20", Some(20_000)),
        ("retry-after-ms: 1500", Some(1_500)),
        ("Please wait 2m10s", Some(130_000)),
        ("wait 1h16m0.6s", Some(4_560_600)),
        ("retry in about 2 minutes and 5 seconds", Some(125_000)),
        (r#"\"retryDelay\": \"34.5s\""#, Some(34_500)),
        ("retry_delay { seconds: 12 }", Some(12_000)),
        ("your quota will reset after 2d", Some(172_800_000)),
        ("please wait before trying again", None),
        ("retry after Wed, 21 Oct 2026 07:28:00 GMT", None),
        ("try again in 10 parsecs", Some(10_000)),
        ("retry after 99999999999999999999999999 hours", longest),
        ("retry after 18446744073709551615 days", longest),
        ("retry after 1.99999999999999999999999999 s", Some(1_999)),
        ("retry after 1.5.5s", None),
        ("retry after 1h2", Some(3_602_000)),
        ("retry after s", None),
    ] {
        assert_eq!(classify_error(text, Some(429)).retry_after_ms, ms, "{text}");
    }
    assert_eq!(classify_error("retry after 20 seconds", Some(400)).retry_after_ms, None, "it would fail again");
}

#[test]
fn a_number_that_no_integer_takes_is_no_figure() {
    let error = classify_error("maximum context length is 99999999999999999999999999 tokens", Some(400));
    assert_eq!((error.limit, error.class), (None, ErrorClass::Other));
    let error = classify_error("prompt is too long: 18446744073709551615 tokens > 9.5m maximum", Some(400));
    assert_eq!((error.limit, error.requested), (Some(9_500_000), Some(u64::MAX)));
}

#[test]
fn of_a_long_text_the_two_ends_are_read() {
    let (noise, said) = ("trace é ".repeat(200_000), "prompt is too long: 9 tokens > 8 maximum");
    for text in [format!("{said} {noise}"), format!("{noise} {said}")] {
        assert_eq!(classify_error(&text, None).limit, Some(8));
    }
    assert_eq!(classify_error(&format!("{noise} {said} {noise}"), None).class, ErrorClass::Other);
}

/// What a search that goes back and forth would stumble over: the starts of patterns, again and again.
#[test]
fn hostile_texts_take_no_longer_than_others() {
    let started = std::time::Instant::now();
    for start in [
        "per minute ",
        "current quota ",
        "maximum context length is 1 ",
        "tokens ",
        "limit 1 ",
        "wait ",
        "\\",
        "1,",
        "9",
    ] {
        classify_error(&start.repeat(1_000_000), None);
    }
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
}

proptest::proptest! {
    #[test]
    fn any_text_is_classified(text in "\\PC*|[a-z0-9.,_ \\\\un]{0,60}", status in proptest::option::of(0_u16..)) {
        let error = classify_error(&text, status);
        proptest::prop_assert!(error.retry_after_ms.is_none_or(|ms| ms <= 2_147_483_647));
    }
}

#[test]
fn a_turn_overflows_by_its_error_or_by_its_input() {
    let turn = |fields: &str| match crate::entry::Message::from_json(&format!(
        r#"{{"role":"assistant","content":[],{fields}}}"#
    )) {
        Ok(crate::entry::Message::Assistant(message)) => message,
        other => panic!("{other:?}"),
    };
    let failed = |text: &str| turn(&format!(r#""stopReason":"error","errorMessage":"{text}""#));
    let counted = |stop: &str, input: u64, output: u64| {
        turn(&format!(
            r#""stopReason":"{stop}","usage":{{"input":{input},"output":{output},"cacheRead":10,"cacheWrite":0}}"#
        ))
    };
    for (text, overflows) in [
        ("prompt is too long: 9 tokens > 8 maximum", true),
        ("413 Request Entity Too Large", true),
        ("429 too many tokens per minute", false),
        ("529 overloaded", false),
        ("", false),
    ] {
        assert_eq!(is_context_overflow(&failed(text), None), overflows, "{text}");
        assert_eq!(is_context_overflow(&failed(text), Some(1_000)), overflows, "{text}");
    }
    assert!(!is_context_overflow(&turn(r#""stopReason":"error""#), None), "an error that says nothing");
    for (stop, input, output, overflows) in [
        ("stop", 991, 5, true),
        ("stop", 990, 5, false),
        ("toolUse", 2_000, 5, true),
        ("length", 980, 0, true),
        ("length", 979, 0, false),
        ("length", 980, 5, false),
        ("length", 991, 5, true),
        ("aborted", 5_000, 5, false),
        ("error", 5_000, 5, false),
    ] {
        let message = counted(stop, input, output);
        assert_eq!(is_context_overflow(&message, Some(1_000)), overflows, "{stop} {input} {output}");
        assert!(!is_context_overflow(&message, None), "no window is known");
    }
    let said = turn(r#""stopReason":"aborted","errorMessage":"prompt is too long""#);
    assert!(!is_context_overflow(&said, Some(1_000)), "an abort is no overflow, whatever it says");
}
