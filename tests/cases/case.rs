//! A case as its file tells it.

use crate::support::{load, settings};
use serde_json::Value;
use std::path::PathBuf;
use threadfold::compaction::{
    Check, Decision, Moment, NothingToDo, Preparation, Prepare, RunOptions, Trigger, prepare_compaction, should_compact,
};
use threadfold::session::Session;
use threadfold::settings::Settings;
use threadfold::summary::Candidate;

/// A case, read from its file.
pub(crate) struct Case {
    /// All that the step of the case is given.
    pub(crate) input: Value,
    /// The session at its leaf.
    pub(crate) session: Session,
    pub(crate) settings: Settings,
    /// The window, in tokens.
    pub(crate) window: u64,
}

pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/cases")
}

/// The names of all cases; none where the folder is absent.
pub(crate) fn names() -> Vec<String> {
    let Ok(files) = std::fs::read_dir(folder()) else { return Vec::new() };
    let names = files.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".json")).collect()
}

/// The whole name of a case from its start.
pub(crate) fn file_name(start: &str) -> String {
    names().into_iter().find(|name| name.starts_with(start)).unwrap_or_else(|| panic!("no case {start}"))
}

impl Case {
    /// Reads a case, named by the start of its file's name.
    pub(crate) fn read(start: &str) -> Self {
        let text = std::fs::read_to_string(folder().join(file_name(start))).expect("a case");
        let mut case: Value = serde_json::from_str(&text).expect("JSON");
        let input = case["input"].take();
        let lines = |entries: &Value| {
            let entries = entries.as_array().expect("entries").iter();
            entries.map(|entry| format!("{entry}\n")).collect::<String>()
        };
        let file = input["rawText"].as_str().map_or_else(|| lines(&input["entries"]), str::to_owned);
        let mut session = load(file);
        if let Some(leaf) = input["leafId"].as_str() {
            session.branch(leaf).expect("the leaf");
        }
        let tokens = |name: &str| input["settings"]["compaction"][name].as_u64().expect("tokens");
        let mut settings = settings(tokens("reserveTokens"), tokens("keepRecentTokens"));
        settings.compaction.enabled = input["settings"]["compaction"]["enabled"] == true;
        let window = input["contextWindow"].as_u64().expect("a window");
        Self { input, session, settings, window }
    }

    pub(crate) fn plan(&self) -> Result<Preparation, NothingToDo> {
        plan(&self.session, &self.settings, Some(self.window))
    }

    pub(crate) fn decide(&self) -> Decision {
        decide(&self.session, &self.settings, self.window)
    }

    /// A run whose summariser has the window that the case names, if it names one.
    pub(crate) fn run_options(&self) -> RunOptions {
        let context_window = self.input["summarizer"]["contextWindow"].as_u64();
        let mut settings = self.settings.clone();
        settings.compaction.short_summary = false;
        RunOptions {
            context_window: Some(self.window),
            ..RunOptions::new(settings, vec![Candidate { context_window, ..Candidate::CALLBACK }])
        }
    }
}

/// A compaction that somebody asks for.
pub(crate) fn plan(
    session: &Session,
    settings: &Settings,
    context_window: Option<u64>,
) -> Result<Preparation, NothingToDo> {
    let prepare = Prepare { settings, context_window, fixed_tokens: None, pending_tokens: 0, trigger: Trigger::Manual };
    prepare_compaction(session, session.leaf(), &prepare).expect("settings that fit")
}

/// What is decided when a turn has ended.
pub(crate) fn decide(session: &Session, settings: &Settings, window: u64) -> Decision {
    let check = Check {
        settings,
        context_window: Some(window),
        fixed_tokens: None,
        pending_tokens: 0,
        model: None,
        moment: Moment::TurnEnd,
    };
    should_compact(session, session.leaf(), &check).expect("settings that fit")
}
