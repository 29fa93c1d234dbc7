//! The one map of the engine.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A number for each text. Every map in the engine is of this type, sets too: each other type of
/// keys or values would bring a copy of the whole tree, three kilobytes of code, into the engine.
pub(crate) type Numbers = BTreeMap<Arc<str>, u32>;
