//! Sessions for tests, told in short words.

use super::{Index, Preset, Session};
use std::sync::LazyLock;
use tokenizer::{Encoding, Tokenizer};

/// The time of every entry.
pub(crate) const NOW: &str = "2026-01-01T00:00:00.000Z";

/// A session from a story: a word an entry, each below the one before.
///
/// `U` user, `A:a,b` assistant with calls, `E:a` failed turn, `R:a` result (`R:a=x` of the tool x), `B` shell command, `X` one
/// that the model never sees, `T` assistant with nothing but reasoning, `C` custom message, `S` branch
/// summary, `M` model change, `K:n` compaction that keeps from the entry of number n on. `@n` gives the size in tokens (Latin text), `$n` a usage of n tokens in all, all
/// but one of them prompt.
pub(crate) fn session(story: &[&str]) -> Session {
    session_with(Preset::Safe, story)
}

pub(crate) fn session_with(preset: Preset, story: &[&str]) -> Session {
    let mut session = Session::create(preset, "test", "/", NOW, 7);
    for word in story {
        add(&mut session, word);
    }
    session
}

/// A tokenizer of the smallest vocabulary.
#[allow(clippy::unwrap_used)]
pub(crate) fn tokenizer() -> &'static Tokenizer {
    static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| tokenizer::build::vocabulary_file(Encoding::R50kBase));
    // Each thread has its own: the counts of pieces that it keeps are not shared.
    thread_local!(static TOKENIZER: &'static Tokenizer = Box::leak(Box::new(Tokenizer::load(&*FILE).unwrap())));
    TOKENIZER.with(|tokenizer| *tokenizer)
}

/// A session from a story, loaded from its file, in which some compactions, named by their number,
/// give another first kept entry: one that is not there, or themselves.
#[allow(clippy::unwrap_used, clippy::panic)]
pub(crate) fn session_keeping(story: &[&str], compactions: &[(Index, &str)]) -> Session {
    let told = session(story);
    let mut file = String::from_utf8(told.to_jsonl()).unwrap();
    for &(index, first_kept) in compactions {
        let line = told.entry_json(index).unwrap();
        let named = &told.entry(index).unwrap().compaction().unwrap().first_kept_entry_id;
        let first_kept = if first_kept == "itself" { &*told.entry(index).unwrap().id } else { first_kept };
        let key = |id: &str| format!(r#""firstKeptEntryId":"{id}""#);
        file = file.replace(&line, &line.replace(&key(named), &key(first_kept)));
    }
    Session::from_jsonl(file.into_bytes(), Preset::Safe, 7).unwrap()
}

/// Adds an entry of a story.
pub(crate) fn add(session: &mut Session, word: &str) {
    add_at(session, word, NOW);
}

/// The same at a time of its own.
#[allow(clippy::unwrap_used, clippy::panic)]
pub(crate) fn add_at(session: &mut Session, word: &str, now: &str) {
    let (word, usage) = word.split_once('$').map_or((word, None), |(word, usage)| (word, Some(usage)));
    let (word, size) = word.split_once('@').map_or((word, 1), |(word, size)| (word, size.parse().unwrap()));
    let (kind, names) = word.split_once(':').unwrap_or((word, ""));
    let text = crate::tokens::ONE_TOKEN.repeat(size);
    let blocks = format!(r#"[{{"type":"text","text":"{text}"}}]"#);
    let message = |body: String| format!(r#"{{"type":"message","message":{{{body}}}}}"#);
    let json = match kind {
        "U" => message(format!(r#""role":"user","content":{blocks}"#)),
        "A" | "E" => {
            let calls: String = names
                .split(',')
                .filter(|name| !name.is_empty())
                .map(|name| format!(r#",{{"type":"toolCall","id":"{name}","name":"","arguments":{{}}}}"#))
                .collect();
            let stop = if kind == "E" { "error" } else { "stop" };
            let usage = usage.map_or_else(String::new, |total| {
                let prompt = total.parse::<u64>().unwrap() - 1;
                format!(
                    r#","usage":{{"input":{prompt},"output":1,"cacheRead":0,"cacheWrite":0,"totalTokens":{total}}}"#
                )
            });
            message(format!(
                r#""role":"assistant","content":[{{"type":"text","text":"{text}"}}{calls}],"stopReason":"{stop}"{usage}"#
            ))
        }
        "R" => {
            let (call, tool) = names.split_once('=').unwrap_or((names, "t"));
            message(format!(r#""role":"toolResult","toolCallId":"{call}","toolName":"{tool}","content":{blocks}"#))
        }
        "B" => message(format!(r#""role":"bashExecution","command":"","output":"{text}""#)),
        "X" => message(format!(r#""role":"bashExecution","command":"","output":"{text}","excludeFromContext":true"#)),
        "T" => message(format!(r#""role":"assistant","content":[{{"type":"thinking","thinking":"{text}"}}]"#)),
        "C" => format!(r#"{{"type":"custom_message","customType":"t","content":"{text}","display":true}}"#),
        "S" => format!(r#"{{"type":"branch_summary","fromId":"root","summary":"{text}"}}"#),
        "M" => r#"{"type":"model_change","provider":"p","modelId":"m"}"#.to_owned(),
        "K" => {
            let first = session.entry(names.parse().unwrap()).unwrap().id.clone();
            format!(
                r#"{{"type":"compaction","summary":"a summary of what went on before","firstKeptEntryId":"{first}","tokensBefore":1}}"#
            )
        }
        other => panic!("no such word: {other}"),
    };
    session.append(&json, now).unwrap();
}
