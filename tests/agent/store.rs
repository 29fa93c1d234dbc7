//! A store as a list of lines: what it was told to write, in that order.

use crate::support::id;
use threadfold::agent::AgentOutcome;
use threadfold::session::{Index, Session};
use threadfold::step::{Save, Step};

/// An entry as it is stored.
type Line = (String, String);

pub(crate) fn line_of(session: &Session, index: Index) -> Line {
    (id(session, index).to_owned(), text(&session.entry_line(index).expect("a line")))
}

/// Lines are compared as text, which says more than bytes where they differ.
fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line).into_owned()
}

/// The lines of a session.
pub(crate) fn lines_of(session: &Session) -> Vec<Line> {
    (0..session.len() as Index).map(|index| line_of(session, index)).collect()
}

/// A store. What is appended beside a run waits until what was asked for before is written.
#[derive(Debug)]
pub(crate) struct Store {
    lines: Vec<Line>,
    /// The results that somebody else rewrote, whose lines wait to be written.
    rewritten: Vec<String>,
}

impl Store {
    /// One that holds the session.
    pub(crate) fn of(session: &Session) -> Self {
        Self { lines: lines_of(session), rewritten: Vec::new() }
    }

    /// The lines that a step asks for, as they are now. Entries before an entry are written before it.
    pub(crate) fn asked(&mut self, session: &Session, step: &Step<AgentOutcome>) -> Vec<Line> {
        match step {
            Step::Save(Save::Entry(entry)) => {
                self.write_up_to(session, *entry);
                vec![line_of(session, *entry)]
            }
            Step::Save(Save::Notices { results, pruned_at }) => {
                self.write_up_to(session, session.len() as Index);
                let line = |&index: &Index| {
                    let line = session.line_with_notice(index, *pruned_at).expect("a result");
                    (id(session, index).to_owned(), text(&line))
                };
                results.iter().map(line).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Writes lines: new ones at the end, others in the place of what was there.
    pub(crate) fn write(&mut self, lines: Vec<Line>) {
        for line in lines {
            match self.lines.iter_mut().find(|(id, _)| *id == line.0) {
                Some(there) => *there = line,
                None => self.lines.push(line),
            }
        }
    }

    /// Somebody rewrote these results.
    pub(crate) fn note_rewritten(&mut self, session: &Session, results: &[Index]) {
        self.rewritten.extend(results.iter().map(|&index| id(session, index).to_owned()));
    }

    /// Writes all that waits: new lines first, as they are now.
    pub(crate) fn flush(&mut self, session: &Session) {
        self.write_up_to(session, session.len() as Index);
        for id in std::mem::take(&mut self.rewritten) {
            let line = session.index_of(&id).map(|index| line_of(session, index));
            self.write(line.into_iter().collect());
        }
    }

    fn write_up_to(&mut self, session: &Session, end: Index) {
        for index in self.lines.len() as Index..end {
            self.lines.push(line_of(session, index));
        }
    }

    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines
    }
}
