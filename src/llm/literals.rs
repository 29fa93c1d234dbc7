//! The short fixed texts that a model reads and that are too small for a file of their own.
//! Everything longer lives in `prompts/compaction/`.

/// Stands for a command's output where there is none.
pub const NO_OUTPUT: &str = "(no output)";
/// Stands behind the output of a command that the user stopped.
pub const COMMAND_CANCELLED: &str = "(command cancelled)";
/// The history part of a summary where nothing came before the turn.
pub const NO_PRIOR_HISTORY: &str = "No prior history.";
/// Opens the part of a summary that covers the beginning of a turn whose end is kept.
pub const TURN_CONTEXT_HEADING: &str = "**Turn Context (split turn):**";
/// What an earlier turn context becomes once its turn is history.
pub const EARLIER_TURN_HEADING: &str = "### Earlier Turn Context";
/// Stands for the summary of a compaction whose text only the provider can read.
pub const ENCRYPTED_SUMMARY: &str =
    "Earlier messages were compacted by the provider. Its summary is encrypted; what it kept in clear follows.";
/// Asks an agent to go on behind a compaction that nobody asked for.
pub const CONTINUE_PROMPT: &str = "Continue if you have next steps.";
/// Opens the custom instructions of a request.
pub const ADDITIONAL_FOCUS: &str = "Additional focus:";

/// Marks what the user said.
pub(crate) const USER: &str = "[User]: ";
/// Marks what the model answered.
pub(crate) const ASSISTANT: &str = "[Assistant]: ";
/// Marks the model's reasoning.
pub(crate) const ASSISTANT_THINKING: &str = "[Assistant thinking]: ";
/// Marks the model's calls.
pub(crate) const ASSISTANT_CALLS: &str = "[Assistant tool calls]: ";
/// Opens a part of a record that begins in the middle of a message.
pub(crate) const CONTINUED: &str = "[Continued]: ";
/// What our marks begin with. A line of text that begins like one is indented by a space, so
/// that only we can start a line with a mark.
pub(crate) const MARK_STARTS: [&str; 6] = ["user", "assistant", "tool result", "image", "continued", "..."];
