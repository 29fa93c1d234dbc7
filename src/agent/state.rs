//! What a run of an agent waits for, and what may follow what.

/// What a run waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing yet.
    Idle,
    /// The host is stopping what its agent does.
    Stopping,
    /// The store is writing what was pruned.
    Pruning,
    /// The host is taking over what was pruned.
    Replacing,
    /// A compaction is under way, with states of its own.
    Compacting,
    /// The handlers of `session_before_tree` are asked.
    AskingHooks,
    /// The summary of the branch that is left is being made.
    Summarizing,
    /// The store is writing the branch summary.
    Saving,
    /// The host is taking over the messages of the branch that was moved to.
    Moving,
    /// Nothing any more.
    Ended,
}

/// Every step from one state to another, and when it is taken. ARCHITECTURE.md shows this table.
pub const TRANSITIONS: [(State, State, &str); 30] = [
    (State::Idle, State::Ended, "nothing is to be done, it cannot be done, or it is done at once"),
    (State::Idle, State::Stopping, "a compaction by hand, with a host"),
    (State::Idle, State::Pruning, "the context is too large, old outputs can go, and there is a store"),
    (State::Idle, State::Replacing, "the same without a store, with a host"),
    (State::Idle, State::Compacting, "a trigger, with nothing to prune; or by hand, without a host"),
    (State::Idle, State::AskingHooks, "a navigation, with hooks"),
    (State::Idle, State::Summarizing, "a navigation with a summary, without hooks"),
    (State::Idle, State::Saving, "the same, summarised on the spot, with a store"),
    (State::Idle, State::Moving, "a navigation without hooks, with a host"),
    (State::Stopping, State::Compacting, "the host has stopped"),
    (State::Stopping, State::Ended, "aborted; or nothing to compact, or compacted on the spot"),
    (State::Pruning, State::Replacing, "stored, with a host"),
    (State::Pruning, State::Compacting, "stored, without a host, and the context is still too large"),
    (State::Pruning, State::Ended, "refused by the store; or the context fits now"),
    (State::Replacing, State::Replacing, "enough after an overflow: the host leaves out the answer to be tried again"),
    (State::Replacing, State::Compacting, "the context is still too large"),
    (State::Replacing, State::Ended, "the context fits now"),
    (State::Compacting, State::Compacting, "a step of the compaction"),
    (State::Compacting, State::Ended, "the compaction has ended"),
    (State::AskingHooks, State::Summarizing, "a summary is wanted, and no hook gave it"),
    (State::AskingHooks, State::Saving, "a hook gave the summary, or it was made on the spot; with a store"),
    (State::AskingHooks, State::Moving, "no summary, or no store; with a host"),
    (State::AskingHooks, State::Ended, "cancelled, aborted or failed; or moved, with neither store nor host"),
    (State::Summarizing, State::Summarizing, "a step of the summary"),
    (State::Summarizing, State::Saving, "summarised, with a store"),
    (State::Summarizing, State::Moving, "summarised, without a store, with a host"),
    (State::Summarizing, State::Ended, "aborted, failed or stale; or moved, with neither store nor host"),
    (State::Saving, State::Moving, "stored, with a host"),
    (State::Saving, State::Ended, "refused by the store; or stored, without a host"),
    (State::Moving, State::Ended, "the host has the messages"),
];
