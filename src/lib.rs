//! Threadfold keeps long LLM sessions usable: it folds earlier history into a summary and keeps the
//! recent part verbatim.
//!
//! This crate is the engine. It never waits, reads no clock, throws no die and knows no JavaScript
//! outside of [`js`]: a compaction is a value that is started and resumed, and what it needs from
//! outside are the steps it gives.
//!
//! ```
//! use threadfold::compaction::{CompactionRun, RunOptions, Status};
//! use threadfold::session::{Preset, Session};
//! use threadfold::settings::Settings;
//! use threadfold::step::Step;
//!
//! let now = "2026-01-01T00:00:00.000Z";
//! let mut session = Session::create(Preset::Safe, "s", "/", now, 1);
//! for turn in 0..40 {
//!     let question = format!("Question {turn}: {}", "what does this line of the log mean? ".repeat(40));
//!     for message in [
//!         format!(r#"{{"role":"user","content":"{question}"}}"#),
//!         format!(r#"{{"role":"assistant","content":[{{"type":"text","text":"Answer {turn}."}}]}}"#),
//!     ] {
//!         session.append(&format!(r#"{{"type":"message","message":{message}}}"#), now)?;
//!     }
//! }
//! let mut settings = Settings::default();
//! settings.compaction.keep_recent_tokens = Some(2_000);
//! let options = RunOptions { context_window: Some(32_000), ..RunOptions::new(settings, Vec::new()) };
//! // The local summariser answers on the spot; with a callback the run gives `Step::Summarize` first.
//! let started = CompactionRun::start(&mut session, options, now)?;
//! let Step::Done(outcome) = started.step else { panic!("a step too many") };
//! assert_eq!(outcome.status, Status::Committed);
//! assert!(session.build_session_context(session.leaf()).messages.len() < 20);
//! # Ok::<(), threadfold::error::Error>(())
//! ```
//!
//! Sizes are in tokens, lengths of text in characters (UTF-16 units), lengths of files in bytes,
//! times in milliseconds or as ISO 8601.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod agent;
mod asking;
pub mod branch;
pub mod compaction;
pub mod entry;
pub mod error;
pub mod event;
pub mod format;
pub mod hook;
pub mod llm;
mod numbers;
pub mod prune;
pub mod session;
pub mod settings;
pub mod step;
pub mod summary;
pub mod tokens;

pub mod js;
