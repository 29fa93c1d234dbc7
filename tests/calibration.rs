//! How well the context size before a request says what the provider then counts, on sessions with
//! usages: real ones, where they are at hand, and a generated one.

// A test may panic: that is how it fails.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use support::{load, sessions};
use threadfold::entry::calculate_prompt_tokens;
use threadfold::session::{Index, Preset, Session, UsageQuery, UsageSource};
use threadfold::tokens::Margin;

struct Prediction {
    source: UsageSource,
    low: u64,
    tokens: u64,
    high: u64,
    counted: u64,
}

impl Prediction {
    fn error(&self) -> f64 {
        (self.tokens as f64 - self.counted as f64).abs() / self.counted as f64
    }
}

/// The context size right before each request whose usage is known, with what that usage says.
fn predictions(session: &Session) -> Vec<Prediction> {
    let mut found = Vec::new();
    for index in 0..session.len() as Index {
        let Some(usage) = session.entry(index).and_then(|entry| entry.assistant()?.valid_usage()) else { continue };
        let before = session.context_usage(session.parent(index), &UsageQuery::default());
        found.push(Prediction {
            source: before.source,
            low: before.low,
            tokens: before.tokens,
            high: before.high,
            counted: calculate_prompt_tokens(usage),
        });
    }
    found
}

/// Some share of the errors lies at or below this.
fn quantile(predictions: &[Prediction], share: f64) -> f64 {
    let mut errors: Vec<f64> = predictions.iter().map(Prediction::error).collect();
    errors.sort_by(f64::total_cmp);
    errors[((errors.len() - 1) as f64 * share).round() as usize]
}

/// How many of the counted sizes lie within the interval that was told.
fn inside(predictions: &[Prediction]) -> f64 {
    let inside = predictions.iter().filter(|told| told.low <= told.counted && told.counted <= told.high).count();
    inside as f64 / predictions.len() as f64
}

fn check(name: &str, predictions: &[Prediction]) {
    let (median, most) = (quantile(predictions, 0.5), quantile(predictions, 0.9));
    let inside = inside(predictions);
    eprintln!(
        "{name}: {} sizes, off by {median:.3} in the median, nine of ten by {most:.3}; {inside:.2} within the interval",
        predictions.len()
    );
    assert!(median <= 0.05 && most <= 0.10, "{name}: {median:.3}, {most:.3}");
    assert!(inside >= 0.85, "{name}: only {inside:.2} lie within the interval");
}

#[test]
fn real_sessions_grow_as_predicted() {
    let files = sessions::all();
    if files.is_empty() {
        eprintln!("{}", sessions::SKIPPED);
        return;
    }
    let mut all = Vec::new();
    for (name, format, bytes) in files {
        let session = match &*format {
            "pi" | "pi-like" => load(bytes),
            "claude-code" => load(threadfold::format::import_transcript(&bytes, None).unwrap().jsonl.unwrap()),
            _ => continue,
        };
        let mut predictions = predictions(&session);
        predictions.retain(|told| told.source != UsageSource::Estimate);
        if predictions.len() >= 10 {
            check(&name, &predictions);
        }
        all.append(&mut predictions);
    }
    assert!(all.len() > 1_000, "{} sizes", all.len());
    check("all", &all);
    assert!(inside(&all) >= 0.9, "the interval is said to hold nine of ten");
}

/// What the system prompt and the tools of the generated session take.
const OVERHEAD: u64 = 4_200;
/// What frames a message.
const FRAME: u64 = 7;

/// A provider whose tokenizer is not the one that the estimates were fitted to.
struct Provider {
    tokenizer: tiktoken_rs::CoreBPE,
    prompt: u64,
}

impl Provider {
    fn count(&self, text: &str) -> u64 {
        self.tokenizer.count_ordinary(text) as u64 + FRAME
    }
}

/// Appends turns of one model: a request, a call, its result, an answer; each with the usage that the
/// provider would report.
fn talk(session: &mut Session, provider: &mut Provider, model: &str, turns: usize, rng: &mut fastrand::Rng) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/estimates");
    let mut texts: Vec<String> = Vec::new();
    for name in ["prose", "code"] {
        let mut paths: Vec<_> =
            std::fs::read_dir(folder.join(name)).unwrap().map(|file| file.unwrap().path()).collect();
        paths.sort();
        texts.extend(paths.iter().map(|path| std::fs::read_to_string(path).unwrap()));
    }
    let mut part = |most: usize| -> String {
        let text = &texts[rng.usize(..texts.len())];
        text.chars().take(rng.usize(20..most)).collect()
    };
    for turn in 0..turns {
        let asked = part(300);
        append(session, &format!(r#"{{"role":"user","content":{}}}"#, json(&asked)));
        provider.prompt += provider.count(&asked);
        for step in 0..3 {
            let said = part(200);
            let output = provider.count(&said);
            let call = if step < 2 {
                format!(r#",{{"type":"toolCall","id":"{model}{turn}-{step}","name":"read","arguments":{{}}}}"#)
            } else {
                String::new()
            };
            append(
                session,
                &format!(
                    r#"{{"role":"assistant","provider":"p","model":"{model}","stopReason":"stop","content":[{{"type":"text","text":{}}}{call}],"usage":{{"input":{},"output":{output},"cacheRead":0,"cacheWrite":0}}}}"#,
                    json(&said),
                    provider.prompt
                ),
            );
            provider.prompt += output;
            if step < 2 {
                let result = part(4_000);
                append(
                    session,
                    &format!(
                        r#"{{"role":"toolResult","toolCallId":"{model}{turn}-{step}","toolName":"read","isError":false,"content":{}}}"#,
                        json(&result)
                    ),
                );
                provider.prompt += provider.count(&result);
            }
        }
    }
}

fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn append(session: &mut Session, message: &str) {
    session.append(&format!(r#"{{"type":"message","message":{message}}}"#), "2026-01-01T00:00:00.000Z").unwrap();
}

fn told(turns: usize) -> (Session, Provider, fastrand::Rng) {
    let mut session = Session::create(Preset::Safe, "s", "/", "2026-01-01T00:00:00.000Z", 1);
    let mut provider = Provider { tokenizer: tiktoken_rs::p50k_base().unwrap(), prompt: OVERHEAD };
    let mut rng = fastrand::Rng::with_seed(6);
    talk(&mut session, &mut provider, "one", turns, &mut rng);
    (session, provider, rng)
}

#[test]
fn a_session_on_another_tokenizer_is_learned() {
    let (session, ..) = told(40);
    let all = predictions(&session);
    let known: Vec<Prediction> = all.into_iter().filter(|told| told.source != UsageSource::Estimate).collect();
    check("generated", &known);
}

#[test]
fn a_load_learns_what_the_appends_taught() {
    let (mut session, mut provider, mut rng) = told(6);
    let change = r#"{"type":"model_change","provider":"p","modelId":"two"}"#;
    session.append(change, "2026-01-01T00:00:00.000Z").unwrap();
    talk(&mut session, &mut provider, "two", 4, &mut rng);
    let again = load(session.to_jsonl());
    for leaf in 0..session.len() as Index {
        let size = |session: &Session| session.context_usage(Some(leaf), &UsageQuery::default());
        assert_eq!(size(&again), size(&session), "at {leaf}");
        assert_eq!(again.estimate_margin(Some(leaf)), session.estimate_margin(Some(leaf)), "at {leaf}");
    }
}

#[test]
fn what_was_learned_of_a_model_is_forgotten_with_it() {
    let (mut session, mut provider, mut rng) = told(12);
    let margin = |session: &Session| session.estimate_margin(session.leaf());
    assert_ne!(margin(&session), Margin::UNCALIBRATED);
    let change = |session: &mut Session, model: &str| {
        let entry = format!(r#"{{"type":"model_change","provider":"p","modelId":"{model}"}}"#);
        session.append(&entry, "2026-01-01T00:00:00.000Z").unwrap();
    };
    change(&mut session, "one");
    assert_ne!(margin(&session), Margin::UNCALIBRATED, "a change to the same model");
    change(&mut session, "two");
    assert_eq!(margin(&session), Margin::UNCALIBRATED);
    talk(&mut session, &mut provider, "two", 12, &mut rng);
    assert_ne!(margin(&session), Margin::UNCALIBRATED);
    // Without a change entry, the answer of another model says so itself.
    talk(&mut session, &mut provider, "three", 1, &mut rng);
    let newest = session.entry(session.len() as Index - 1).unwrap().assistant().unwrap().model.clone().unwrap();
    assert_eq!(&*newest.model_id, "three");
    // On a branch that left before the change, it is as it was there.
    assert_ne!(session.estimate_margin(Some(60)), Margin::UNCALIBRATED);
}
