//! Summaries: requests, prompts, replies and the local summariser.

mod local;
mod lower;
mod remote;
mod reply;
mod request;
mod sections;
mod text;

pub use local::{LocalSummary, summarize_locally};
pub use remote::{MAX_RESPONSE_BYTES, RemoteFailure, RemoteFault, RemoteResponse, read_response, request_body};
pub use reply::{Accepted, Refusal, Reply, ReplyEnd, Warning, check_reply};
pub use request::{
    MAX_OUTPUT_TOKENS, RequestKind, RequestOptions, SummaryRequest, history_request, short_request,
    summarization_system_prompt, turn_prefix_request,
};
pub use text::{compose_summary, strip_file_lists};
