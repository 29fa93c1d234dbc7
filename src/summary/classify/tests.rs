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
fn every_error_of_the_table_is_what_it_says() {
    check(include_str!("../../../tests/fixtures/error-samples.tsv"), |row, error| {
        (error.limit, error.requested, error.retry_after_ms) == (row.number(4), row.number(5), row.number(6))
    });
}

#[test]
fn every_error_of_the_shared_table_is_what_it_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/overflow-samples.tsv");
    let Ok(table) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: {} is not there", path.display());
        return;
    };
    check(&table, |row, error| error.limit == row.number(4));
}

#[test]
fn a_pattern_is_written_in_the_words_of_a_text() {
    for rule in RULES {
        for part in rule.pattern.split(' ').flat_map(|part| part.split('|')) {
            let marks = ["", "{limit}", "{requested}", "#", "..", "...", "^", "$"];
            let words = Words::of(part);
            assert!(marks.contains(&part) || words.get(0) == Some(part), "{part:?} in {:?}", rule.pattern);
        }
    }
}

/// A rule that decides no row is not tested, or stands behind one that takes all its texts.
#[test]
fn every_rule_decides_a_row() {
    let table = include_str!("../../../tests/fixtures/error-samples.tsv");
    let mut deciding: Vec<usize> = rows(table)
        .iter()
        .filter_map(|row| {
            let words = Words::of(row.cell(3));
            let status = row.number(1).map(|status| status as u16);
            RULES.iter().position(|rule| rule.fits(&words, status_of(&words, status)).is_some())
        })
        .collect();
    deciding.sort_unstable();
    let idle = RULES.iter().enumerate().filter(|(index, _)| deciding.binary_search(index).is_err());
    let idle: Vec<&str> = idle.map(|(_, rule)| rule.pattern).collect();
    assert!(idle.is_empty(), "no row for {idle:#?}");
}
