//! What the messages of a record say, as far as rules can tell.

use super::sentences::{clip, end, is_decision, is_demand, is_error_line, is_next_step, is_question, sentences, start};
use crate::entry::object;
use crate::entry::{Block, Content, Execution, Message, ToolCall, ToolResult};
use crate::llm::one_line;
use crate::numbers::Numbers;
use crate::settings::FileTools;
use crate::summary::text::branch_notes;

/// What the messages of a record say.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// What the user asked for.
    pub(super) requests: Vec<String>,
    /// What the user demanded, forbade or prefers.
    pub(super) constraints: Vec<String>,
    /// Files that were modified.
    pub(super) changed: Vec<String>,
    /// Files that were read.
    pub(super) read: Vec<String>,
    /// Commands with their result.
    pub(super) commands: Vec<String>,
    /// Errors after which the same call never went well.
    pub(super) open_errors: Vec<String>,
    /// Errors that were overcome.
    pub(super) solved_errors: Vec<String>,
    /// What the model settled on.
    pub(super) decisions: Vec<String>,
    /// What the model said comes next.
    pub(super) next_steps: Vec<String>,
    /// What else is worth knowing.
    pub(super) context: Vec<String>,
    /// The start of the model's newest text.
    pub(super) last_answer: Option<String>,
    /// Whether that text answers what the user said last.
    answered: bool,
    /// A question of the model that nobody answered.
    pub(super) open_question: Option<String>,
    /// What the user said last, if nobody answered it.
    pub(super) unanswered: Option<String>,
    /// Calls at the end without a result.
    pub(super) open_calls: Option<String>,
    /// Where the calls of the newest message of the model start.
    newest_calls: usize,
    /// Stands for the goal where the user asked for nothing.
    pub(super) fallback: Vec<String>,
}

/// Facts kept of each sort; the newest count.
const KEPT: usize = 40;
/// Characters of one item.
const SHOWN: usize = 320;

/// A tool call and what became of it.
struct Call {
    /// The tool and what it worked on.
    what: String,
    command: Option<String>,
    file: Option<String>,
    modifies: bool,
    /// Whether it only looks at something.
    looks: bool,
    outcome: Outcome,
}

enum Outcome {
    Open,
    Good,
    Failed(String),
}

impl Facts {
    /// Whether the record says anything that an older account could be wrong about.
    pub(super) fn says_something(&self) -> bool {
        self.last_answer.is_some() || self.unanswered.is_some() || !self.commands.is_empty() || !self.changed.is_empty()
    }

    /// Reads messages in their order.
    pub(super) fn gather<'m>(messages: impl IntoIterator<Item = &'m Message>, file_tools: &FileTools) -> Self {
        let mut facts = Self::default();
        let mut calls: Vec<Call> = Vec::new();
        let mut by_id = Numbers::new();
        let mut trivial = Vec::new();
        for message in messages {
            match message {
                Message::User { content } => {
                    facts.newest_calls = usize::MAX;
                    facts.user(content, &mut trivial);
                }
                Message::Assistant(message) => {
                    facts.newest_calls = calls.len();
                    for block in &message.content {
                        match block {
                            Block::Text(text) => facts.assistant(text),
                            Block::ToolCall(call) => {
                                by_id.insert((&*call.id).into(), calls.len() as u32);
                                calls.push(Call::of(call, file_tools));
                                facts.unanswered = None;
                            }
                            _ => {}
                        }
                    }
                }
                Message::ToolResult(result) => {
                    if let Some(call) =
                        by_id.get(&*result.tool_call_id).and_then(|&index| calls.get_mut(index as usize))
                    {
                        call.outcome = outcome(result, call.command.is_some());
                    }
                }
                Message::BashExecution(execution) | Message::PythonExecution(execution) => {
                    if !execution.exclude_from_context {
                        calls.push(Call::by_user(execution));
                    }
                }
                Message::FileMention { files } => {
                    for file in files {
                        facts.context.push(format!("The user mentioned `{}`", one_line(&file.path)));
                    }
                }
                Message::Custom { content } => {
                    for first in content.texts().filter_map(|text| sentences(text).next()) {
                        trivial.push(clip(&first, SHOWN));
                    }
                }
                Message::BranchSummary { summary } => {
                    let notes = branch_notes(summary);
                    let said = sentences(&notes).filter(|line| line.len() > 12).take(3).collect::<Vec<_>>().join(" ");
                    facts.context.push(format!("An abandoned branch: {}", clip(&said, SHOWN)));
                }
                Message::CompactionSummary { summary } => {
                    for (_, item) in &super::carried::notes(summary).items {
                        facts.context.push(clip(item, SHOWN));
                    }
                }
                Message::Unknown => {}
            }
            facts.keep_newest();
        }
        facts.use_calls(calls);
        if facts.requests.is_empty() {
            trivial.truncate(KEPT);
            facts.fallback = trivial;
            facts.fallback.extend(facts.last_answer.clone().filter(|_| facts.fallback.is_empty()));
        }
        facts
    }

    fn user(&mut self, content: &Content, trivial: &mut Vec<String>) {
        let mut asked = Vec::new();
        let mut demands = Vec::new();
        let mut last = None;
        for text in content.texts() {
            for sentence in sentences(text).filter(|sentence| sentence.chars().any(char::is_alphanumeric)) {
                if is_demand(&sentence) && !is_question(&sentence) {
                    demands.push(clip(&sentence, SHOWN));
                } else if asked.len() < 2 {
                    asked.push(sentence.clone());
                }
                if let Some(address) = sentence.split_whitespace().find(|word| word.contains("://")) {
                    self.context.push(format!("Named by the user: {}", clip(address, SHOWN)));
                }
                last = last.or(Some(sentence));
            }
        }
        let Some(first) = last else { return };
        self.open_question = None;
        self.answered = false;
        self.next_steps.clear();
        self.unanswered = Some(clip(&first, SHOWN));
        let request = if asked.is_empty() { first } else { asked.join(" ") };
        if is_trivial(&request) {
            trivial.push(request);
        } else if self.requests.len() < KEPT || self.requests.last() != Some(&request) {
            self.requests.push(clip(&request, SHOWN));
        }
        self.constraints.extend(demands);
    }

    fn assistant(&mut self, text: &str) {
        let mut said = sentences(text).filter(|sentence| sentence.chars().any(char::is_alphanumeric)).peekable();
        if said.peek().is_none() {
            return;
        }
        self.unanswered = None;
        let mut opening = String::new();
        let mut last = String::new();
        let mut tells = false;
        for sentence in said {
            if opening.len() < SHOWN {
                if !opening.is_empty() {
                    opening.push(' ');
                }
                opening.push_str(&sentence);
            }
            if announces(&sentence) {
                last = sentence;
                continue;
            }
            if is_decision(&sentence) {
                self.decisions.push(clip(&sentence, SHOWN));
            }
            if is_next_step(&sentence) {
                self.next_steps.push(clip(&sentence, SHOWN));
            }
            tells = true;
            last = sentence;
        }
        // "Let me look at it:" says less than the answer before it.
        if tells || !self.answered {
            self.last_answer = Some(clip(opening.trim_end_matches([':', '：']), SHOWN));
            self.answered |= tells;
        }
        self.open_question = is_question(end(text, 400)).then(|| clip(&last, 2 * SHOWN));
    }

    fn use_calls(&mut self, calls: Vec<Call>) {
        // The last outcome of each thing that was done tells whether an error was overcome.
        let mut last = Numbers::new();
        for (index, call) in calls.iter().enumerate() {
            last.insert(call.what.as_str().into(), index as u32);
        }
        let mut open = Vec::new();
        for (index, call) in calls.iter().enumerate() {
            let good_later =
                last.get(&*call.what).and_then(|&index| calls.get(index as usize)).is_some_and(Call::went_well);
            if let (Some(file), false) = (&call.file, matches!(call.outcome, Outcome::Failed(_))) {
                let list = if call.modifies { &mut self.changed } else { &mut self.read };
                if !list.contains(file) {
                    list.push(file.clone());
                    drop_oldest(list);
                }
            }
            match &call.outcome {
                Outcome::Open => {
                    if index >= self.newest_calls {
                        open.push(&*call.what);
                    }
                }
                Outcome::Good => {}
                Outcome::Failed(error) if error.is_empty() || (call.looks && !is_error_line(error)) => {}
                Outcome::Failed(error) if good_later => {
                    self.solved_errors.push(format!("Overcome: {}: {error}", call.what))
                }
                Outcome::Failed(error) => self.open_errors.push(format!("{}: {error}", call.what)),
            }
            if let Some(command) = call.command.as_ref().filter(|_| !call.looks) {
                let result = match &call.outcome {
                    Outcome::Open => "",
                    Outcome::Good => ": ok",
                    Outcome::Failed(_) => ": failed",
                };
                self.commands.push(format!("Ran `{command}`{result}"));
            }
        }
        if !open.is_empty() {
            self.open_calls = Some(clip(&open.join("; "), SHOWN));
        }
        self.keep_newest();
    }

    /// Keeps each list at a size that does not grow with the record.
    fn keep_newest(&mut self) {
        for list in [
            &mut self.commands,
            &mut self.open_errors,
            &mut self.solved_errors,
            &mut self.decisions,
            &mut self.next_steps,
            &mut self.context,
        ] {
            drop_oldest(list);
        }
        // The first of these weigh most: what the work began with.
        for list in [&mut self.requests, &mut self.constraints] {
            if list.len() > 2 * KEPT {
                list.drain(KEPT / 2..list.len() - KEPT / 2);
            }
        }
    }
}

fn drop_oldest(list: &mut Vec<String>) {
    if list.len() > 2 * KEPT {
        list.drain(..list.len() - KEPT);
    }
}

/// Whether a message asks for nothing that a reader must know: yes, ok, go on.
fn is_trivial(text: &str) -> bool {
    let letters = text.chars().filter(|character| character.is_alphanumeric()).count();
    if text.is_ascii() { letters < 9 || text == "Continue if you have next steps." } else { letters < 3 }
}

/// The longest argument that is looked at, in bytes: a command with a script in it, not the
/// content of a file.
const LONGEST_ARGUMENT: usize = 64 * 1024;

impl Call {
    fn of(call: &ToolCall, file_tools: &FileTools) -> Self {
        let arguments = object::strings(&call.arguments, LONGEST_ARGUMENT);
        // Of a duplicate key the last wins.
        let text =
            |key: &str| arguments.iter().rev().find(|(name, _)| **name == *key).map(|(_, text)| text.to_string());
        let named = |tools: &[String]| tools.iter().any(|tool| **tool == *call.name);
        let modifies = named(&file_tools.modify);
        let path = file_tools.path_arguments.iter().find_map(|key| text(key)).map(|path| one_line(&path).into_owned());
        let command =
            ["command", "cmd", "code", "script"].iter().find_map(|key| text(key)).map(|text| first_line(&text));
        let about = command.as_ref().or(path.as_ref()).map(|about| format!(" `{about}`")).unwrap_or_default();
        Self {
            what: format!("{}{about}", clip(&one_line(&call.name), 80)),
            looks: command.as_deref().is_some_and(only_looks),
            command,
            file: path.filter(|_| modifies || named(&file_tools.read)),
            modifies,
            outcome: Outcome::Open,
        }
    }

    fn by_user(execution: &Execution) -> Self {
        let command = first_line(&execution.source);
        let failed = execution.cancelled || execution.exit_code.is_some_and(|code| code != 0);
        Self {
            what: format!("`{command}`"),
            command: Some(command),
            file: None,
            modifies: false,
            // What the user ran by hand matters, whatever it was.
            looks: false,
            outcome: if failed { Outcome::Failed(error_of(&execution.output)) } else { Outcome::Good },
        }
    }

    fn went_well(&self) -> bool {
        matches!(self.outcome, Outcome::Good)
    }
}

/// The first line of a command that says something, with `…` where more follows; the folder that
/// it changes to first is left out.
fn first_line(command: &str) -> String {
    let mut lines = start(command, 4_000).lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines.next().unwrap_or_default();
    let line = match line.split_once("&&") {
        Some((folder, rest)) if folder.starts_with("cd ") => rest.trim_start(),
        _ => line,
    };
    let first = clip(&one_line(line), 160);
    if lines.next().is_some() && !first.ends_with('…') { format!("{first} …") } else { first }
}

/// Whether a command only looks at something, by its first word.
fn only_looks(command: &str) -> bool {
    const LOOKING: [&str; 22] = [
        "ls",
        "cat",
        "head",
        "tail",
        "grep",
        "rg",
        "find",
        "wc",
        "pwd",
        "which",
        "tree",
        "sed -n",
        "stat",
        "file",
        "du",
        "git status",
        "git log",
        "git diff",
        "git show",
        "git branch",
        "cd",
        "sleep",
    ];
    LOOKING.iter().any(|look| command.strip_prefix(look).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))
}

/// Whether a sentence only announces what follows it: a call, a list, some code.
fn announces(sentence: &str) -> bool {
    let lower = start(sentence, 40).to_ascii_lowercase();
    sentence.ends_with([':', '：']) || lower.starts_with("let me ") || lower.starts_with("now let me ")
}

fn outcome(result: &ToolResult, of_command: bool) -> Outcome {
    let text = result.content.texts().next().unwrap_or_default();
    if result.is_error {
        return Outcome::Failed(error_of(text));
    }
    // Many shells hand a failure back as a good result that says so at its end.
    let last_line = end(text, 200).trim_end().lines().next_back().unwrap_or_default().to_ascii_lowercase();
    if of_command && last_line.contains("exited with code") && !last_line.contains("code 0") {
        return Outcome::Failed(error_of(text));
    }
    Outcome::Good
}

/// The line of an output that says best what went wrong, verbatim.
fn error_of(output: &str) -> String {
    const LOOKED_AT: usize = 8_000;
    let mut best = "";
    for line in [start(output, LOOKED_AT), end(output, LOOKED_AT)].into_iter().flat_map(str::lines).map(str::trim) {
        if !line.chars().any(char::is_alphanumeric) {
            continue;
        }
        if is_error_line(line) {
            best = line;
            break;
        }
        if best.is_empty() {
            best = line;
        }
    }
    clip(&one_line(best), SHOWN)
}
