//! From records to the lines of a file, written by hand so that nothing here leans on the engine.

use super::records::{CallId, First, Record, Text, Twist, What};
use std::fmt::Write as _;

/// Which version of the format is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    One,
    Two,
    Three,
    /// The current one, its header lost.
    Headless,
}

/// A file under way.
pub(crate) struct Writer {
    version: Version,
    ids: Vec<String>,
    parents: Vec<Option<usize>>,
    leaf: Option<usize>,
    calls: Vec<String>,
    newest_calls: Vec<String>,
    pub(crate) text: String,
}

/// The file of some records.
pub(crate) fn jsonl(version: Version, records: &[Record]) -> String {
    let mut writer = Writer::new(version);
    for record in records {
        for what in writer.spelled_out(&record.what) {
            writer.add(&what, record.twist);
        }
    }
    writer.text
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a string")
}

impl Text {
    /// The text of the record of that number: a mark to find it by, unless it has no words.
    fn written(&self, number: usize) -> String {
        let mark = if self.words > 0 { mark(number) } else { String::new() };
        quoted(&format!("{mark}{}{}", self.lead, "but ".repeat(usize::from(self.words))))
    }
}

/// When the record of a number was written: each a second after the one before, all before [`NOW`].
///
/// [`NOW`]: super::NOW
fn written_at(number: usize) -> String {
    format!("2025-12-31T00:{:02}:{:02}.000Z", number / 60 % 60, number % 60)
}

/// What the text of the record of a number begins with.
pub(crate) fn mark(number: usize) -> String {
    format!("(no. {number}) ")
}

impl Writer {
    pub(crate) fn new(version: Version) -> Self {
        let header = match version {
            Version::One => "{\"type\":\"session\",\"id\":\"s\",\"timestamp\":\"t\",\"cwd\":\"/\"}\n",
            Version::Two => "{\"type\":\"session\",\"version\":2,\"id\":\"s\",\"timestamp\":\"t\",\"cwd\":\"/\"}\n",
            Version::Three => {
                "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"t\",\"cwd\":\"/\",\"future\":[1e2]}\n"
            }
            Version::Headless => "",
        };
        Self {
            version,
            ids: Vec::new(),
            parents: Vec::new(),
            leaf: None,
            calls: Vec::new(),
            newest_calls: Vec::new(),
            text: header.to_owned(),
        }
    }

    /// One record for each that a record stands for.
    pub(crate) fn spelled_out(&self, what: &What) -> Vec<What> {
        let What::Answers { backwards, interleaved, words } = what else { return vec![what.clone()] };
        let text = || Text { lead: String::new(), words: *words };
        let count = self.newest_calls.len();
        let mut all = Vec::new();
        for number in 0..count {
            let back = if *backwards { number } else { count - 1 - number };
            let newest = self.newest_calls.get(count - 1 - back);
            let back = newest.and_then(|id| self.calls.iter().rev().position(|call| call == id));
            all.push(What::Result { back: back.map_or(u8::MAX, |back| back as u8), text: text() });
            if *interleaved && number == 0 {
                all.push(What::User(text()));
            }
        }
        all
    }

    /// The fields of a record behind its type, the comma in front included, and the type.
    pub(crate) fn fields(&mut self, what: &What) -> (&'static str, String) {
        let number = self.ids.len();
        let message = |role: &str, rest: String| ("message", format!(r#","message":{{"role":"{role}",{rest}}}"#));
        match what {
            What::User(text) => message("user", format!(r#""content":{}"#, text.written(number))),
            What::Assistant { text, calls, stop, usage, thinking } => {
                let mut blocks = format!(r#"{{"type":"text","text":{}}}"#, text.written(number));
                if *thinking {
                    let _ = write!(blocks, r#",{{"type":"thinking","thinking":"hm {number}"}}"#);
                }
                self.newest_calls.clear();
                for call in calls {
                    let id = match call {
                        CallId::Again(back) if !self.calls.is_empty() => {
                            self.calls[self.calls.len() - 1 - usize::from(*back) % self.calls.len()].clone()
                        }
                        _ => format!("c{}", self.calls.len()),
                    };
                    let _ = write!(
                        blocks,
                        r#",{{"type":"toolCall","id":"{id}","name":"read","arguments":{{"path":"src/{number}.rs"}}}}"#
                    );
                    self.calls.push(id.clone());
                    self.newest_calls.push(id);
                }
                let usage = usage.map_or_else(String::new, |[input, output, read, write, total]| {
                    format!(r#","usage":{{"input":{input},"output":{output},"cacheRead":{read},"cacheWrite":{write},"totalTokens":{total}}}"#)
                });
                message(
                    "assistant",
                    format!(r#""content":[{blocks}],"provider":"p","model":"m{number}"{usage},"stopReason":"{stop}""#),
                )
            }
            What::Result { back, text } => {
                let id =
                    self.calls.iter().rev().nth(usize::from(*back)).cloned().unwrap_or_else(|| "nobody".to_owned());
                message("toolResult", result(&id, text, number))
            }
            What::EarlyResult(text) => message("toolResult", result(&format!("c{}", self.calls.len()), text, number)),
            What::Answers { .. } => ("custom", String::new()),
            What::Execution { python, excluded, text } => {
                let (role, source) = if *python { ("pythonExecution", "code") } else { ("bashExecution", "command") };
                message(
                    role,
                    format!(
                        r#""{source}":"run {number}","output":{},"cancelled":false,"truncated":false,"excludeFromContext":{excluded}"#,
                        text.written(number)
                    ),
                )
            }
            What::Files(files) => {
                let files: Vec<String> =
                    files.iter().map(|file| format!(r#"{{"path":"a","content":{}}}"#, file.written(number))).collect();
                message("fileMention", format!(r#""files":[{}]"#, files.join(",")))
            }
            What::Custom { old_name, text } => message(
                if *old_name { "hookMessage" } else { "custom" },
                format!(r#""content":{}"#, text.written(number)),
            ),
            What::Extension(text) => {
                ("custom_message", format!(r#","customType":"x","content":{},"display":true"#, text.written(number)))
            }
            What::BranchSummary { text, from_extension } => (
                "branch_summary",
                format!(
                    r#","fromId":"root","summary":{},"details":{{"readFiles":["b{number}"]}},"fromHook":{from_extension}"#,
                    text.written(number)
                ),
            ),
            What::Compaction { first, text } => {
                let summary = text.written(number);
                ("compaction", format!(r#","summary":{summary},{},"tokensBefore":9"#, self.first_kept(*first)))
            }
            What::Metadata(kind) => match kind % 5 {
                0 => ("model_change", format!(r#","provider":"p","modelId":"m{number}""#)),
                1 => ("thinking_level_change", format!(r#","thinkingLevel":"level {number}""#)),
                2 => ("session_info", r#","name":"n""#.to_owned()),
                3 => ("custom", r#","customType":"x","data":{"b":1,"a":[1.0]}"#.to_owned()),
                _ => match self.ids.get(usize::from(*kind) % self.ids.len().max(1)) {
                    Some(target) if self.version != Version::One => {
                        ("label", format!(r#","targetId":"{target}","label":"label {number}""#))
                    }
                    _ => ("from_the_future", String::new()),
                },
            },
            What::UnknownRole => message("oracle", r#""content":"?""#.to_owned()),
        }
    }

    fn first_kept(&self, first: First) -> String {
        let mut path: Vec<usize> = Vec::new();
        let mut next = self.leaf;
        while let Some(index) = next.filter(|_| path.len() <= self.ids.len()) {
            path.push(index);
            next = self.parents[index];
        }
        let any = |pick: u16| (!self.ids.is_empty()).then(|| usize::from(pick) % self.ids.len());
        let index = match first {
            First::Back(back) => path.get(usize::from(back) % path.len().max(1)).copied(),
            First::Any(pick) => any(pick),
            First::Itself => Some(self.ids.len()),
            First::Unknown => None,
        };
        if self.version == Version::One {
            return format!(r#""firstKeptEntryIndex":{}"#, index.map_or(9_999, |index| index + 1));
        }
        let own = format!("e{}", self.ids.len());
        let id = index.map_or("nowhere", |index| self.ids.get(index).map_or(&own, String::as_str));
        format!(r#""firstKeptEntryId":"{id}""#)
    }

    fn add(&mut self, what: &What, twist: Twist) {
        let number = self.ids.len();
        let picked = |pick: u16| (number > 0).then(|| usize::from(pick) % number);
        match twist {
            Twist::Branch(pick) if self.version != Version::One => self.leaf = picked(pick),
            Twist::Root if self.version != Version::One => self.leaf = None,
            _ => {}
        }
        let (kind, rest) = self.fields(what);
        let mut id = format!("e{number}");
        let mut parent = self.leaf.map(|leaf| self.ids[leaf].clone());
        match twist {
            Twist::MissingParent => parent = Some("gone".to_owned()),
            Twist::LaterParent(ahead) => parent = Some(format!("e{}", number + usize::from(ahead))),
            Twist::DuplicateId(pick) => {
                if let Some(taken) = picked(pick) {
                    id = self.ids[taken].clone();
                }
            }
            _ => {}
        }
        let parent = parent.map_or_else(|| "null".to_owned(), |parent| quoted(&parent));
        let ids = match (self.version, twist) {
            (Version::One, _) | (_, Twist::NoId) => format!(r#","timestamp":"{}""#, written_at(number)),
            _ => format!(r#","id":"{id}","parentId":{parent},"timestamp":"{}""#, written_at(number)),
        };
        let mut line = format!(r#"{{"type":"{kind}"{ids}{rest}}}"#);
        let mut end = "\n";
        match twist {
            Twist::GluedToNext => end = "",
            Twist::Torn(at) => {
                let mut length = line.len() * usize::from(at) / 256;
                while !line.is_char_boundary(length) {
                    length -= 1;
                }
                line.truncate(length);
            }
            Twist::JunkBefore => line.insert_str(0, "not json\n"),
            Twist::BlankBefore => line.insert_str(0, " \n\n"),
            Twist::CarriageReturn => end = "\r\n",
            Twist::LoneSurrogate => line = line.replacen("word", "\\ud83dword", 1),
            Twist::FutureField => {
                line.insert_str(line.len() - 1, r#","future":{"b":1e5,"a":[12345678901234567890,"\u00e9"]}"#)
            }
            _ => {}
        }
        self.text.push_str(&line);
        self.text.push_str(end);
        self.ids.push(id);
        self.parents.push(self.leaf);
        self.leaf = Some(number);
    }
}

fn result(id: &str, text: &Text, number: usize) -> String {
    format!(
        r#""toolCallId":"{id}","toolName":"read","content":[{{"type":"text","text":{}}}],"isError":false"#,
        text.written(number)
    )
}
