//! The TypeScript that is made from the data, held against what is checked in.

use super::*;
use crate::agent::{Action, Next};
use crate::branch::BranchStatus;
use crate::compaction::{Status, Trigger};
use crate::js::outcomes::{BranchData, NavigationData, TurnData};
use crate::session::{DiagnosticKind, RepairKind, UsageSource};
use crate::settings::{Fallback, PruneMode, Settings};
use crate::summary::{ErrorClass, RequestKind, Summarizer};
use std::fmt::Write;
use std::path::PathBuf;

const NOTE: &str = "// Made from the Rust types by `THREADFOLD_WRITE=1 cargo test --lib js::data`; do not edit.\n";

/// Compares a generated file with the one that is checked in, or writes it.
#[allow(clippy::unwrap_used)]
fn check(file: &str, generated: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("pkg-template/src").join(file);
    if std::env::var_os("THREADFOLD_WRITE").is_some() {
        std::fs::write(&path, generated).unwrap();
    }
    let checked_in = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(checked_in == generated, "{file} is behind the Rust types; see its first line");
}

#[test]
fn the_typescript_types_are_those_of_the_data() {
    let config = ts_rs::Config::default();
    let mut text = format!("{NOTE}\nimport type {{ ErrorCode }} from \"./error.js\";\n");
    let reasons = NothingToDo::WORDS.map(|word| format!("{word:?}")).join(" | ");
    write!(text, "\n/** Why there is nothing to do. */\nexport type NothingToDoReason = {reasons};\n")
        .unwrap_or_default();
    let rules = crate::tokens::IMAGE_RULES.iter().map(|(name, _)| format!("{name:?}")).collect::<Vec<_>>().join(" | ");
    write!(
        text,
        "\n/** How images are counted; what each rule is stands in TOKENS.md. */\nexport type ImageRule = {rules};\n"
    )
    .unwrap_or_default();
    macro_rules! declare {
        ($($type:ty),* $(,)?) => {
            $(
                let docs = <$type as TS>::docs().unwrap_or_default();
                write!(text, "\n{docs}export {}\n", <$type as TS>::decl(&config)).unwrap_or_default();
            )*
        };
    }
    declare!(
        DiagnosticKind,
        RepairKind,
        UsageSource,
        RequestKind,
        Status,
        Summarizer,
        Trigger,
        PruneMode,
        Fallback,
        ErrorClass,
        ErrorData,
        DiagnosticData,
        RepairData,
        PendingToolCallData,
        ModelData,
        ContextNotes,
        ContextUsageData,
        NothingToDoData,
        FileListsData,
        PreparationFigures,
        BranchFigures,
        PruneResultData,
        RestoreResultData,
        SummaryRequestData,
        StepData,
        OutcomeData,
        ProgressData,
        EventData,
        Action,
        Next,
        TurnData,
        NavigationData,
        BranchStatus,
        BranchData,
        ClassifiedData,
        SettingsData,
        CompactionSettingsData,
        BranchSummarySettingsData,
        PruneSettingsData,
        RetrySettingsData,
        RemoteSettingsData,
        FileToolsData,
    );
    check("data.ts", &text);
}

#[test]
#[allow(clippy::unwrap_used)]
fn the_default_settings_are_those_of_the_engine() {
    let json = serde_json::to_string_pretty(&SettingsData::from(&Settings::default())).unwrap();
    // Numbers are whole; JSON writes those of a double with a fraction.
    let json = json.replace(".0", "");
    let text = format!(
        "{NOTE}\nimport type {{ Settings }} from \"./data.js\";\n\n\
         /** Every setting with its default. */\nexport const defaultSettings: Settings = {json};\n"
    );
    check("default-settings.ts", &text);
}

#[test]
fn the_names_of_the_formats_are_those_of_the_engine() {
    fn list(name: &str, docs: &str, names: impl Iterator<Item = &'static str>) -> String {
        let names = names.map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
        format!("\n/** {docs} */\nexport const {name} = Object.freeze([{names}] as const);\n")
    }
    let messages = list("messageFormats", "The formats of messages.", crate::format::message_formats());
    let transcripts =
        list("transcriptFormats", "The formats that can be imported.", crate::format::transcript_formats());
    check("format-names.ts", &format!("{NOTE}{messages}{transcripts}"));
}

#[test]
fn words_are_written_the_same_in_both_languages() {
    let config = ts_rs::Config::default();
    let union = |declared: String, words: &[&str]| {
        let expected = words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(" | ");
        assert!(declared.contains(&expected), "{declared} is not {expected}");
    };
    union(
        Status::decl(&config),
        &[Status::Committed, Status::NothingToDo, Status::Cancelled, Status::Failed].map(Status::as_str),
    );
    union(
        Summarizer::decl(&config),
        &[Summarizer::Callback, Summarizer::Remote, Summarizer::Local].map(Summarizer::as_str),
    );
    union(Trigger::decl(&config), &[Trigger::Manual, Trigger::Threshold, Trigger::Overflow].map(Trigger::as_str));
    union(PruneMode::decl(&config), &[PruneMode::Rewrite, PruneMode::Overlay].map(PruneMode::as_str));
    union(Fallback::decl(&config), &[Fallback::None, Fallback::Local].map(Fallback::as_str));
    union(
        UsageSource::decl(&config),
        &[UsageSource::Usage, UsageSource::UsageAndEstimate, UsageSource::Estimate].map(UsageSource::as_str),
    );
    use RequestKind as Kind;
    union(
        Kind::decl(&config),
        &[Kind::History, Kind::Update, Kind::TurnPrefix, Kind::Short, Kind::Branch, Kind::Fold].map(Kind::as_str),
    );
    use ErrorClass as Class;
    union(
        Class::decl(&config),
        &[
            Class::Overflow,
            Class::PayloadTooLarge,
            Class::RateLimit,
            Class::Quota,
            Class::Auth,
            Class::Transient,
            Class::Other,
        ]
        .map(Class::as_str),
    );
    use RepairKind as Repair;
    union(
        Repair::decl(&config),
        &[
            Repair::FailedTurn,
            Repair::ResultOfFailedTurn,
            Repair::MissingResult,
            Repair::OrphanResult,
            Repair::MovedResult,
            Repair::RepeatedResult,
            Repair::EmptyMessage,
        ]
        .map(Repair::as_str),
    );
    use DiagnosticKind as Fault;
    union(
        Fault::decl(&config),
        &[
            Fault::MalformedLine,
            Fault::TornLine,
            Fault::GluedRecord,
            Fault::MissingHeader,
            Fault::ExtraHeader,
            Fault::UnknownVersion,
            Fault::MissingId,
            Fault::DuplicateId,
            Fault::MissingParent,
            Fault::ParentCycle,
            Fault::WrongShape,
            Fault::LoneSurrogate,
            Fault::InvalidUtf8,
            Fault::NumberOutOfRange,
            Fault::UnknownFirstKept,
        ]
        .map(Fault::as_str),
    );
}
