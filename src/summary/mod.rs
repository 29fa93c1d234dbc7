//! Summaries: requests, prompts, replies and the local summariser.
