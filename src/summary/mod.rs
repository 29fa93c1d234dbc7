//! Summaries: requests, prompts, replies and the local summariser.

mod candidates;
mod classify;
mod file_operations;
mod fold;
mod local;
mod lower;
mod remote;
mod reply;
mod request;
mod sections;
mod text;

pub use candidates::{Candidate, Failure, Summarizer};
pub use classify::{Classified, ErrorClass, classify_error, is_context_overflow};
pub use file_operations::{FileOperations, file_operations};
pub use local::{LocalSummary, summarize_locally};
pub use remote::{MAX_RESPONSE_BYTES, RemoteFailure, RemoteFault, RemoteResponse, read_response, request_body};
pub use reply::{Accepted, Refusal, Reply, ReplyEnd, Warning, check_reply};
pub use request::{
    MAX_OUTPUT_TOKENS, RequestKind, RequestOptions, SummaryRequest, branch_request, history_request, short_request,
    summarization_system_prompt, turn_prefix_request,
};
pub use text::{compose_branch_summary, compose_summary, strip_file_lists};

pub(crate) use candidates::{Candidates, Next};
pub(crate) use classify::class_of;
pub(crate) use fold::{Fold, NoRoom, usable};
pub(crate) use request::MAX_SHORT_TOKENS;
