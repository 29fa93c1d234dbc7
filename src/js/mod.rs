//! The boundary to JavaScript: the only place that names it.
//!
//! What goes across: ids and numbers of entries, JSON text of entries, and the plain data of
//! [`data`]. Host objects never do; the TypeScript facade turns them into JSON first.

pub mod data;
mod fields;
pub mod outcomes;
pub mod plain;

#[cfg(target_arch = "wasm32")]
mod allocator;
#[cfg(target_arch = "wasm32")]
mod errors;
#[cfg(target_arch = "wasm32")]
mod panics;

// The core's file.
#[cfg(all(target_arch = "wasm32", not(feature = "formats")))]
mod agent;
#[cfg(all(target_arch = "wasm32", not(feature = "formats")))]
mod branch;
#[cfg(all(target_arch = "wasm32", not(feature = "formats")))]
mod fetch;
#[cfg(all(target_arch = "wasm32", not(feature = "formats")))]
mod preparation;
#[cfg(all(target_arch = "wasm32", not(feature = "formats")))]
mod prune;
#[cfg(all(target_arch = "wasm32", not(feature = "formats")))]
mod run;
#[cfg(all(target_arch = "wasm32", not(feature = "formats")))]
mod saving;
#[cfg(all(target_arch = "wasm32", not(feature = "formats")))]
mod session;
#[cfg(all(target_arch = "wasm32", not(feature = "formats")))]
mod stateless;
#[cfg(all(target_arch = "wasm32", not(feature = "formats")))]
mod tokenizer;
#[cfg(all(target_arch = "wasm32", not(feature = "formats")))]
mod value;
#[cfg(all(target_arch = "wasm32", not(feature = "formats")))]
mod view;

// The formats' file, which is loaded when it is asked for.
#[cfg(all(target_arch = "wasm32", feature = "formats"))]
mod format;
#[cfg(all(target_arch = "wasm32", feature = "formats"))]
mod import;
