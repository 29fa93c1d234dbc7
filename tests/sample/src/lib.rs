//! The sample session.
