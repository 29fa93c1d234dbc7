//! Threadfold keeps long LLM sessions usable.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod compaction;
pub mod entry;
pub mod error;
pub mod event;
pub mod llm;
pub mod session;
pub mod settings;
pub mod step;
pub mod summary;
pub mod tokens;

pub mod js;
