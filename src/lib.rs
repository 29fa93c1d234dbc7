//! Threadfold keeps long LLM sessions usable.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

#[cfg(target_arch = "wasm32")]
pub mod js;
