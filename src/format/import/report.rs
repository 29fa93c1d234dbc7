//! What an import came to.

use crate::format::tree::Tree;
use crate::session::Diagnostic;

/// What an import came to. What the session holds is counted by [`Session::counts`](crate::session::Session::counts).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImportReport {
    /// The format of the transcript.
    pub format: &'static str,
    /// The records that have no counterpart and were kept as `custom` entries, by their type.
    pub custom: Vec<Kept>,
    /// What could not be read, or stands otherwise than it should, with what was done.
    pub diagnostics: Vec<Diagnostic>,
}

impl ImportReport {
    /// It as JSON, in JavaScript's spelling; `custom` counts by type.
    pub fn to_json(&self) -> String {
        let mut report = Tree::empty();
        report.set("format", Tree::text(self.format));
        let mut custom = Tree::empty();
        for kept in &self.custom {
            custom.set(kept.kind.as_str(), whole(kept.count));
        }
        report.set("custom", custom);
        let mut diagnostics = Vec::new();
        for diagnostic in &self.diagnostics {
            let mut fault = Tree::empty();
            if let Some(line) = diagnostic.line {
                fault.set("line", whole(line));
            }
            fault.set("kind", Tree::text(diagnostic.kind.as_str()));
            if let Some(id) = &diagnostic.entry_id {
                fault.set("entryId", Tree::text(&**id));
            }
            fault.set("message", Tree::text(diagnostic.message.as_str()));
            diagnostics.push(fault);
        }
        report.set("diagnostics", Tree::List(diagnostics));
        report.to_json()
    }
}

fn whole(number: u32) -> Tree<'static> {
    Tree::Raw(number.to_string().into())
}

/// Records of one type that were kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The type: what stands behind the name of the format in `customType`.
    pub kind: String,
    /// How many there are.
    pub count: u32,
}
