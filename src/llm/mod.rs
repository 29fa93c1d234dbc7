//! From session messages to what a model reads.
