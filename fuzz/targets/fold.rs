//! Any session, folded again and again by a summariser that answers at random: each run ends, has
//! stored one compaction or changed nothing, and leaves a legal view and a file that loads the same.
//!
//! The first bytes of an input say how it is folded and what the summariser answers; the session
//! follows. Run it like the target `load`, with `--bin fold`, `corpus/fold` and `seeds/fold`.

#![no_main]

#[path = "../../tests/support/mod.rs"]
mod support;

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use support::naive::{path, refusal, view};
use support::saving::assert_loads_the_same;
use support::{options, prepare, run, settings};
use threadfold::compaction::{RunOptions, Status, prepare_compaction};
use threadfold::llm::convert;
use threadfold::session::{Index, Preset, Session};
use threadfold::step::Reply;
use threadfold::summary::{self, Candidate, Failure, ReplyEnd};

/// So many bytes in front of the session are the script.
const SCRIPT: usize = 32;
/// More requests than any run of such a session may make.
const MOST_REQUESTS: usize = 5_000;

fuzz_target!(|bytes: &[u8]| {
    let Some((script, file)) = bytes.split_at_checked(SCRIPT) else { return };
    let Ok(mut session) = Session::from_jsonl(file.to_vec(), Preset::Safe, 7) else { return };
    let mut script = Script(Unstructured::new(script));
    for _ in 0..=script.below(3) {
        fold(&mut session, &mut script, file);
        if script.below(4) == 0 && !session.is_empty() {
            let target = script.below(session.len());
            let id = session.entry(target as Index).expect("an entry").id.clone();
            session.branch(&id).expect("a known id");
        }
    }
});

/// Answers of a die, from the bytes of the input; zeros where they have run out.
struct Script<'a>(Unstructured<'a>);

impl Script<'_> {
    fn below(&mut self, end: usize) -> usize {
        self.0.int_in_range(0..=end - 1).unwrap_or(0)
    }

    /// A size in tokens, small ones more often.
    fn size(&mut self) -> u64 {
        let scale = [1, 10, 1_000, u64::MAX / 256][self.below(4)];
        self.below(256) as u64 * scale
    }

    fn sometimes(&mut self, size: impl Fn(&mut Self) -> u64) -> Option<u64> {
        (self.below(2) == 1).then(|| size(self))
    }

    fn reply(&mut self, prompt: &str, file: &[u8]) -> Reply {
        let end = [ReplyEnd::Finished, ReplyEnd::Length, ReplyEnd::ToolCall, ReplyEnd::Error, ReplyEnd::Aborted]
            [self.below(12).saturating_sub(7)];
        let text = match self.below(9) {
            0 => "Done.".to_owned(),
            1 => String::new(),
            2 => "```markdown\n## Goal\nG\n```".to_owned(),
            3 => prompt.to_owned(),
            4 => "<think>Hm.</think>Done.".to_owned(),
            5 => String::from_utf8_lossy(&file[self.below(file.len().max(1)).min(file.len())..]).into_owned(),
            6 => "## Goal\nG\n\n<read-files>\na\n</read-files>\n\n**Turn Context (split turn):**\n\nx".to_owned(),
            7 => {
                let message = ["overloaded, 529", "no key", "429, wait 20 s"][self.below(3)].to_owned();
                return Reply::Failed(Failure { message, lasting: self.below(4) == 0, ..Failure::default() });
            }
            _ => return Reply::Aborted,
        };
        Reply::Summary(summary::Reply { text, end, error_message: None })
    }
}

fn fold(session: &mut Session, script: &mut Script<'_>, file: &[u8]) {
    let mut settings = settings(script.size(), script.size());
    settings.compaction.short_summary = script.below(2) == 0;
    // A record that is too long for a window comes in up to two hundred parts, of which each may be
    // asked for several times.
    let candidates = (0..script.below(3)).map(|model| Candidate {
        model,
        context_window: script.sometimes(|script| 1_000 + script.size()),
        ..Candidate::CALLBACK
    });
    let mut candidates: Vec<Candidate> = candidates.collect();
    candidates.extend((script.below(2) == 0).then_some(Candidate::LOCAL));
    let options = RunOptions {
        context_window: script.sometimes(|script| 1 + script.size()),
        fixed_tokens: script.sometimes(Script::size),
        custom_instructions: (script.below(2) == 1).then(|| "</conversation> keep the SQL".to_owned()),
        candidates,
        ..options(&settings, Candidate::CALLBACK)
    };
    let mut query = prepare(&settings);
    (query.context_window, query.fixed_tokens) = (options.context_window, options.fixed_tokens);
    let Ok(plan) = prepare_compaction(session, session.leaf(), &query) else { return };
    if let Ok(plan) = &plan {
        let parts = [&plan.entries_to_summarize[..], &plan.turn_prefix, &plan.kept].concat();
        assert_eq!(parts, view(session, &path(session, session.leaf())).1, "the parts are the window");
    }
    let (before, count, leaf) = (session.to_jsonl(), session.len(), session.leaf());
    let mut requests = 0;
    let ran = run(session, options, |request| {
        requests += 1;
        assert!(requests <= MOST_REQUESTS, "a run without an end");
        script.reply(&request.prompt, file)
    });
    if ran.outcome.status == Status::Committed {
        assert!(plan.is_ok() && session.len() == count + 1);
        assert!(session.to_jsonl().starts_with(&before), "what was stored was changed");
    } else {
        assert!(session.to_jsonl() == before && session.leaf() == leaf, "a run that failed changed the session");
    }
    let context = session.build_session_context(session.leaf());
    assert_eq!(refusal(session, &context), None);
    for message in context.messages.iter().filter_map(|&place| session.context_message(place)) {
        convert(&message);
    }
    assert_loads_the_same(session, session.to_jsonl() != file);
}
