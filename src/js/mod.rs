//! The boundary to JavaScript: the only place that names it.
//!
//! What goes across: ids and numbers of entries, JSON text of entries, and the plain data of
//! [`data`]. Host objects never do; the TypeScript facade turns them into JSON first.

pub mod data;
mod fields;
pub mod outcomes;
pub mod plain;

#[cfg(target_arch = "wasm32")]
mod agent;
#[cfg(target_arch = "wasm32")]
mod allocator;
#[cfg(target_arch = "wasm32")]
mod branch;
#[cfg(target_arch = "wasm32")]
mod fetch;
#[cfg(target_arch = "wasm32")]
mod preparation;
#[cfg(target_arch = "wasm32")]
mod prune;
#[cfg(target_arch = "wasm32")]
mod run;
#[cfg(target_arch = "wasm32")]
mod saving;
#[cfg(target_arch = "wasm32")]
mod session;
#[cfg(target_arch = "wasm32")]
mod stateless;
#[cfg(target_arch = "wasm32")]
mod value;
#[cfg(target_arch = "wasm32")]
mod view;
