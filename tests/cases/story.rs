//! Sessions of our own, told entry by entry.

use crate::support::{NOW, entry, id};
use threadfold::compaction::Preparation;
use threadfold::session::{ContextMessage, Index, Preset, Session};
use threadfold::summary::{RequestOptions, SummaryRequest};
use threadfold::tokens::{TokenRule, estimate_text};

/// A session in the making: each entry comes below the one before.
pub(crate) struct Story(Session);

/// A text that begins with its mark and takes so many tokens.
pub(crate) fn text(mark: &str, tokens: usize) -> String {
    let size = |text: &str| estimate_text(text, TokenRule::BY_SCRIPT) as usize;
    // A token each by the estimate.
    let mut text = mark.to_owned() + &" but".repeat(tokens.saturating_sub(size(mark) + 1));
    while size(&text) < tokens {
        text += " but";
    }
    text
}

pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("JSON")
}

impl Story {
    pub(crate) fn new() -> Self {
        Self(Session::create(Preset::Safe, "story", "/", NOW, 3))
    }

    pub(crate) fn told(self) -> Session {
        self.0
    }

    /// An entry, from its JSON without ids.
    pub(crate) fn entry(mut self, json: &str) -> Self {
        self.0.append(json, NOW).expect("an entry");
        self
    }

    /// A message, from its role and the rest of its JSON.
    pub(crate) fn message(self, role: &str, rest: &str) -> Self {
        self.entry(&format!(r#"{{"type":"message","message":{{"role":"{role}",{rest}}}}}"#))
    }

    pub(crate) fn user(self, text: &str) -> Self {
        self.message("user", &format!(r#""content":{}"#, quoted(text)))
    }

    pub(crate) fn assistant(self, text: &str) -> Self {
        self.message("assistant", &format!(r#""content":{},"stopReason":"stop""#, quoted(text)))
    }

    /// An answer with what the provider counted: the prompt, and the answer for the rest.
    pub(crate) fn counted(self, text: &str, prompt: u64, total: u64) -> Self {
        let usage = format!(r#"{{"input":{prompt},"output":{},"totalTokens":{total}}}"#, total - prompt);
        self.message("assistant", &format!(r#""content":{},"stopReason":"stop","usage":{usage}"#, quoted(text)))
    }

    /// A turn that calls a tool once for each id.
    pub(crate) fn calls(self, ids: &[&str]) -> Self {
        let call =
            |id: &&str| format!(r#"{{"type":"toolCall","id":"{id}","name":"bash","arguments":{{"command":"ls"}}}}"#);
        let calls: Vec<String> = ids.iter().map(call).collect();
        self.message("assistant", &format!(r#""content":[{}],"stopReason":"toolUse""#, calls.join(",")))
    }

    pub(crate) fn result(self, call: &str, text: &str) -> Self {
        let content = format!(r#"[{{"type":"text","text":{}}}]"#, quoted(text));
        self.message(
            "toolResult",
            &format!(r#""toolCallId":"{call}","toolName":"bash","content":{content},"isError":false"#),
        )
    }

    pub(crate) fn error(self, text: &str) -> Self {
        self.message("assistant", &format!(r#""content":[],"stopReason":"error","errorMessage":{}"#, quoted(text)))
    }

    pub(crate) fn custom(self, text: &str) -> Self {
        self.entry(&format!(
            r#"{{"type":"custom_message","customType":"t","content":{},"display":true}}"#,
            quoted(text)
        ))
    }

    pub(crate) fn branch_summary(self, text: &str) -> Self {
        self.entry(&format!(r#"{{"type":"branch_summary","fromId":"root","summary":{}}}"#, quoted(text)))
    }

    pub(crate) fn metadata(self) -> Self {
        self.entry(r#"{"type":"thinking_level_change","thinkingLevel":"high"}"#)
    }

    /// A compaction that keeps from the entry of that number on.
    pub(crate) fn fold(self, summary: &str, first_kept: Index) -> Self {
        let first_kept = id(&self.0, first_kept).to_owned();
        self.entry(&format!(
            r#"{{"type":"compaction","summary":{},"firstKeptEntryId":"{first_kept}","tokensBefore":1}}"#,
            quoted(summary)
        ))
    }
}

/// The marks of some entries: what follows each `MARK-`. An entry that cannot be read has none.
pub(crate) fn marks(session: &Session, entries: &[Index]) -> Vec<String> {
    entries.iter().flat_map(|&index| marks_in(&session.entry_json(index).unwrap_or_default())).collect()
}

pub(crate) fn marks_in(text: &str) -> Vec<String> {
    let ends = |character: char| !character.is_alphanumeric() && character != '-';
    let mark = |rest: &str| rest.split(ends).next().unwrap_or_default().to_owned();
    text.split("MARK-").skip(1).map(mark).collect()
}

/// The requests that a plan makes.
pub(crate) fn requests(session: &Session, plan: &Preparation) -> Vec<SummaryRequest> {
    plan.requests(session, &RequestOptions::new(plan.reserve_tokens, session.token_rule()))
}

/// The view as a row of words: the marks of stored messages, `summary` for the compaction's, and
/// `made-up` for a result that was never stored, `pruned` for one that is hidden. It is legal, or the test fails.
pub(crate) fn view(session: &Session) -> Vec<String> {
    let context = session.build_session_context(session.leaf());
    assert_eq!(crate::support::naive::refusal(session, &context), None);
    let word = |message: &ContextMessage| match *message {
        ContextMessage::SyntheticResult { .. } => "made-up".to_owned(),
        ContextMessage::Pruned { .. } => "pruned".to_owned(),
        ContextMessage::Entry(index) => match entry(session, index).compaction() {
            Some(compaction) => format!("summary {}", compaction.summary),
            None => marks(session, &[index]).first().cloned().unwrap_or_default(),
        },
    };
    context.messages.iter().map(word).collect()
}
