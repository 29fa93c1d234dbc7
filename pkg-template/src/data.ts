// Made from the Rust types by `THREADFOLD_WRITE=1 cargo test --lib js::data`; do not edit.

import type { ErrorCode } from "./error.js";

/** Why there is nothing to do. */
export type NothingToDoReason = "already-compacted" | "session-too-small" | "below-threshold" | "infeasible" | "kept-tail-too-large" | "open-tool-call" | "disabled" | "unknown-window";

/** How images are counted; what each rule is stands in TOKENS.md. */
export type ImageRule = "anthropic" | "anthropic-high-resolution" | "openai" | "openai-gpt-5" | "openai-o" | "openai-gpt-4o-mini" | "openai-mini" | "openai-nano" | "openai-o4-mini" | "gemini" | "gemini-3" | "flat" | "base64-as-text";

/**
 * Kinds of faults.
 */
export type DiagnosticKind = "malformed-line" | "torn-line" | "glued-record" | "missing-header" | "extra-header" | "unknown-version" | "missing-id" | "duplicate-id" | "missing-parent" | "parent-cycle" | "wrong-shape" | "lone-surrogate" | "invalid-utf8" | "number-out-of-range" | "unknown-first-kept";

/**
 * Kinds of repairs.
 */
export type RepairKind = "failed-turn" | "result-of-failed-turn" | "missing-result" | "orphan-result" | "moved-result" | "repeated-result" | "empty-message";

/**
 * Where a context size comes from.
 */
export type UsageSource = "usage" | "usage+estimate" | "estimate" | "usage+count" | "count";

/**
 * What a request asks for.
 */
export type RequestKind = "history" | "update" | "turn-prefix" | "short" | "branch" | "fold";

/**
 * How a run ended. Every run ends in exactly one of these.
 */
export type Status = "committed" | "nothing-to-do" | "cancelled" | "failed";

/**
 * Who made a summary.
 */
export type Summarizer = "callback" | "remote" | "local" | "hook";

/**
 * Why a compaction is asked for.
 */
export type Trigger = "manual" | "threshold" | "overflow";

/**
 * How pruned tool outputs are stored.
 */
export type PruneMode = "rewrite" | "overlay";

/**
 * What serves a summary when everything else failed.
 */
export type Fallback = "none" | "local";

/**
 * What an error means.
 */
export type ErrorClass = "overflow" | "payload_too_large" | "rate_limit" | "quota" | "auth" | "transient" | "other";

/**
 * An error as plain data: a stable code and a message for people.
 */
export type ErrorData = { 
/**
 * The stable code.
 */
code: ErrorCode, 
/**
 * What was tried, what was found and what is allowed.
 */
message: string, };

/**
 * A fault that was found when a session was loaded.
 */
export type Diagnostic = { 
/**
 * The line in the file, from 1.
 */
line?: number, 
/**
 * The kind of fault.
 */
kind: DiagnosticKind, 
/**
 * The entry concerned.
 */
entryId?: string, 
/**
 * What was found and what was done.
 */
message: string, };

/**
 * A repair of a view.
 */
export type Repair = { 
/**
 * What was done.
 */
kind: RepairKind, 
/**
 * The entry concerned.
 */
entryId: string, 
/**
 * The call concerned.
 */
toolCallId?: string, };

/**
 * A call at the leaf that still awaits its result.
 */
export type PendingToolCall = { 
/**
 * The entry of the assistant message.
 */
entryId: string, 
/**
 * The id of the call.
 */
toolCallId: string, 
/**
 * The tool.
 */
toolName: string, };

/**
 * A model.
 */
export type ModelChoice = { 
/**
 * The provider.
 */
provider: string, 
/**
 * The provider's id of the model.
 */
modelId: string, };

/**
 * What a view says beside its messages.
 */
export type ContextNotes = { 
/**
 * The model in force, null where none was named.
 */
model: ModelChoice | null, 
/**
 * The thinking level in force, null where none was set.
 */
thinkingLevel: string | null, 
/**
 * What was done to make the view legal for a provider. The stored entries are untouched.
 */
repairs: Array<Repair>, 
/**
 * Calls at the leaf that still await their result.
 */
pendingToolCalls: Array<PendingToolCall>, };

/**
 * How large the context is.
 */
export type ContextUsage = { 
/**
 * The context size, in tokens.
 */
tokens: number, 
/**
 * The least it is in nine of ten cases, in tokens; see TOKENS.md.
 */
low: number, 
/**
 * The most it is in nine of ten cases, in tokens.
 */
high: number, 
/**
 * How much of the window that is, in percent; left out where the window is not known.
 */
percent?: number, 
/**
 * Where the number comes from.
 */
source: UsageSource, 
/**
 * The size above which a threshold compaction is due, in tokens; left out where the window is not known.
 */
limit?: number, 
/**
 * Why there is no limit, or why the provider's figure was not believed.
 */
reason?: "unknown-window" | "usage-implausible" | "usage-deflated", };

/**
 * Why there is nothing to do, with the figures that belong to the reason; all sizes in tokens.
 */
export type NothingToDo = { 
/**
 * Why.
 */
reason: NothingToDoReason, 
/**
 * The same as a sentence with its figures.
 */
message: string, 
/**
 * `below-threshold`: the context size.
 */
tokens?: number, 
/**
 * `session-too-small`: what could be summarised or kept.
 */
windowTokens?: number, 
/**
 * `session-too-small`: the keep budget.
 */
keepRecentTokens?: number, 
/**
 * `infeasible`: system prompt and tools.
 */
fixedTokens?: number, 
/**
 * `infeasible`: the newest message.
 */
newestMessageTokens?: number, 
/**
 * `below-threshold`, `infeasible`, `kept-tail-too-large`: the threshold.
 */
limit?: number, 
/**
 * `kept-tail-too-large`: the largest entry in the way.
 */
entryId?: string, 
/**
 * `kept-tail-too-large`: its size.
 */
entryTokens?: number, 
/**
 * `kept-tail-too-large`: all that has to be kept.
 */
keptTokens?: number, 
/**
 * `open-tool-call`: the calls that still await their result.
 */
pendingToolCalls?: Array<PendingToolCall>, };

/**
 * Files read and files modified, each sorted; what was also modified is not among the read.
 */
export type FileLists = { 
/**
 * Files that were only read.
 */
readFiles: Array<string>, 
/**
 * Files that were modified.
 */
modifiedFiles: Array<string>, };

/**
 * The figures of a preparation; all sizes in tokens.
 */
export type PreparationFigures = { 
/**
 * Whether the cut splits a turn.
 */
isSplitTurn: boolean, 
/**
 * The summary of the previous compaction.
 */
previousSummary?: string, 
/**
 * The files that the summarised part read and modified, with those of earlier summaries.
 */
fileOps: FileLists, 
/**
 * The context size before.
 */
tokensBefore: number, 
/**
 * The keep budget as adapted to what the provider counts.
 */
keepRecentTokens: number, 
/**
 * What is kept, by the estimate; it may exceed the budget.
 */
keptTokens: number, 
/**
 * The reserve in force.
 */
reserveTokens: number, 
/**
 * Calls at the leaf that still await their result.
 */
pendingToolCalls: Array<PendingToolCall>, };

/**
 * The figures of a branch that is ready to be summarised.
 */
export type BranchFigures = { 
/**
 * The files that the branch read and modified, with those of earlier summaries, also where they did not fit the budget.
 */
fileOps: FileLists, 
/**
 * What the messages take, in tokens, tool results shortened as a request shows them.
 */
totalTokens: number, };

/**
 * What a prune came to.
 */
export type PruneResult = { 
/**
 * How many tool outputs were pruned.
 */
prunedCount: number, 
/**
 * By how much that made the context smaller, in tokens.
 */
tokensSaved: number, 
/**
 * The entries of their results, oldest first.
 */
prunedIds: Array<string>, };

/**
 * What taking prunes back came to.
 */
export type RestoreResult = { 
/**
 * How many tool outputs are seen in full again.
 */
restoredCount: number, 
/**
 * By how much that made the context larger, in tokens.
 */
tokensRestored: number, 
/**
 * The entries of their results, oldest first.
 */
restoredIds: Array<string>, };

/**
 * A request to a summariser.
 */
export type SummaryRequest = { 
/**
 * What is asked for.
 */
kind: RequestKind, 
/**
 * The system prompt.
 */
systemPrompt: string, 
/**
 * The user prompt; all text of the session in it is data.
 */
prompt: string, 
/**
 * The output limit, in tokens.
 */
maxTokens: number, 
/**
 * The estimated size of system prompt and prompt, in tokens.
 */
promptTokens: number, };

/**
 * A step of a run, as the loop carries it out.
 */
export type Step = { "type": "summarize", 
/**
 * The request.
 */
request: SummaryRequest, 
/**
 * The number of the model in the list of the host, from 0.
 */
model: number, 
/**
 * The number of this attempt at it, from 1.
 */
attempt: number, 
/**
 * Milliseconds after which the callback is given up.
 */
timeoutMs: number, } | { "type": "fetch", 
/**
 * The endpoint.
 */
url: string, 
/**
 * What is sent: JSON.
 */
body: string, 
/**
 * Milliseconds after which the endpoint is given up.
 */
timeoutMs: number, } | { "type": "sleep", 
/**
 * How long, in milliseconds.
 */
waitMs: number, } | { "type": "hook", 
/**
 * The hook.
 */
hook: "session_before_compact" | "session.compacting" | "session_before_tree", 
/**
 * Why the compaction started, and whether the request that was too large is to be sent again afterwards.
 */
reason?: Trigger, 
/**
 * The same.
 */
willRetry?: boolean, 
/**
 * Milliseconds after which a handler is given up.
 */
timeoutMs: number, } | { "type": "save", 
/**
 * Its number.
 */
entry: number, } | { "type": "save_notices", 
/**
 * Their numbers.
 */
results: Array<number>, 
/**
 * When they were pruned, in milliseconds since 1970.
 */
prunedAt: number, } | { "type": "abort" } | { "type": "replace_messages", 
/**
 * Whether the last one is left out.
 */
withoutLast: boolean, };

/**
 * How a run ended; entries by number.
 */
export type OutcomeFigures = { 
/**
 * How it ended.
 */
status: Status, 
/**
 * Why there was nothing to do.
 */
nothingToDo?: NothingToDo, 
/**
 * Why it failed.
 */
error?: ErrorData, 
/**
 * The number of the compaction entry.
 */
entry?: number, 
/**
 * The context size before, in tokens.
 */
tokensBefore: number, 
/**
 * The context size after, in tokens.
 */
tokensAfter?: number, 
/**
 * Whether it helped.
 */
progress?: ProgressFigures, 
/**
 * Who made the summary.
 */
summarizer?: Summarizer, 
/**
 * What was odd about an accepted reply.
 */
warnings: Array<"unstructured">, };

/**
 * Whether a compaction helped, by the estimate on both sides; entries by number.
 */
export type ProgressFigures = { 
/**
 * Whether the context is smaller by a tenth, or fits the threshold.
 */
sufficient: boolean, 
/**
 * The estimate before, in tokens.
 */
estimateBefore: number, 
/**
 * The estimate after, in tokens.
 */
estimateAfter: number, 
/**
 * The size after lies between this and `estimateAfterHigh` in nine of ten cases, in tokens.
 */
estimateAfterLow: number, 
/**
 * See `estimateAfterLow`.
 */
estimateAfterHigh: number, 
/**
 * The entries in the way, where it did not help.
 */
entriesInTheWay: Array<number>, };

/**
 * An event; entries by number.
 */
export type EventFigures = { "type": "compaction_progress", 
/**
 * The kind of the request, or `save`.
 */
phase: string, 
/**
 * The number of the request, from 1.
 */
request: number, 
/**
 * How many requests the run makes.
 */
requests: number, 
/**
 * Who is asked.
 */
summarizer: Summarizer, 
/**
 * The number of that candidate, from 1.
 */
candidate: number, 
/**
 * The number of its attempt at the request, from 1.
 */
attempt: number, 
/**
 * How long it is waited before the request is sent, in milliseconds.
 */
waitMs?: number, } | { "type": "session_compact", 
/**
 * The number of its entry.
 */
entry: number, 
/**
 * Whether a hook made it.
 */
fromExtension: boolean, 
/**
 * Why the run started.
 */
reason: Trigger, } | { "type": "compaction_end", 
/**
 * How it ended.
 */
status: Status, 
/**
 * Why the run started.
 */
reason: Trigger, 
/**
 * Who made the summary.
 */
summarizer?: Summarizer, 
/**
 * The context size before, in tokens.
 */
tokensBefore: number, 
/**
 * The context size after, in tokens.
 */
tokensAfter?: number, } | { "type": "auto_compaction_start", 
/**
 * Why.
 */
reason: Trigger, } | { "type": "auto_compaction_end", 
/**
 * Why it started.
 */
reason: Trigger, 
/**
 * The number of the compaction entry, where it is committed.
 */
entry?: number, 
/**
 * Whether it was aborted, or cancelled by a hook.
 */
aborted: boolean, 
/**
 * Whether the request that was too large is sent again now.
 */
willRetry: boolean, 
/**
 * Why it failed.
 */
errorMessage?: string, } | { "type": "rewritten", 
/**
 * The numbers of the results.
 */
results: Array<number>, } | { "type": "session_tree", 
/**
 * The number of the leaf now; none before the first entry.
 */
newLeaf?: number, 
/**
 * The number of the leaf before.
 */
oldLeaf?: number, 
/**
 * The number of the summary of the branch that was left.
 */
summaryEntry?: number, 
/**
 * Whether a hook made the summary.
 */
fromExtension: boolean, };

/**
 * What a check did.
 */
export type TurnAction = "none" | "pruned" | "compacted" | "failed" | "busy";

/**
 * How the host's agent goes on.
 */
export type NextType = "continue" | "prompt" | "wait";

/**
 * How a check of an agent ended.
 */
export type TurnFigures = { 
/**
 * What it did.
 */
action: TurnAction, 
/**
 * The compaction that it started, or why there was none to start.
 */
outcome?: OutcomeFigures, 
/**
 * How many tool outputs were pruned.
 */
prunedCount: number, 
/**
 * By how much that made the context smaller, in tokens.
 */
tokensSaved: number, 
/**
 * How the host's agent goes on.
 */
next: NextType, };

/**
 * How a navigation ended.
 */
export type NavigationFigures = { 
/**
 * Whether a hook or an abort ended it.
 */
cancelled: boolean, 
/**
 * Whether it was an abort.
 */
aborted: boolean, 
/**
 * Why it failed.
 */
error?: ErrorData, 
/**
 * The text of the user message that is to be written anew.
 */
editorText?: string, 
/**
 * The number of the branch summary.
 */
summaryEntry?: number, 
/**
 * Why there is no summary although one was asked for.
 */
summarySkipped: "no-messages" | "nothing-fits", 
/**
 * Who made the summary.
 */
summarizer?: Summarizer, 
/**
 * What was odd about an accepted reply.
 */
warnings: Array<"unstructured">, };

/**
 * How a branch summary ended.
 */
export type BranchSummaryStatus = "summarized" | "nothing-to-do" | "cancelled" | "failed";

/**
 * How a branch summary ended.
 */
export type BranchSummaryFigures = { 
/**
 * How it ended.
 */
status: BranchSummaryStatus, 
/**
 * Why there was nothing to do.
 */
reason: "no-messages" | "nothing-fits", 
/**
 * Why it failed.
 */
error?: ErrorData, 
/**
 * The text as it is to be stored.
 */
summary?: string, 
/**
 * The details to be stored with it, as JSON.
 */
details?: string, 
/**
 * Who made it.
 */
summarizer?: Summarizer, 
/**
 * What was odd about an accepted reply.
 */
warnings: Array<"unstructured">, };

/**
 * What an error means.
 */
export type ClassifiedError = { 
/**
 * The kind of failure.
 */
class: ErrorClass, 
/**
 * The window or limit that the text names, in tokens; for `payload_too_large` in bytes.
 */
limit?: number, 
/**
 * How much was asked for, in the unit of the limit, where the text names it.
 */
requested?: number, 
/**
 * How long the text asks to wait, in milliseconds.
 */
retryAfterMs?: number, };

/**
 * Every setting. What is left out keeps its default.
 */
export type Settings = { 
/**
 * Settings of compaction.
 */
compaction: CompactionSettings, 
/**
 * Settings of branch summaries.
 */
branchSummary: BranchSummarySettings, 
/**
 * Settings of pruning.
 */
prune: PruneSettings, 
/**
 * Settings of retries.
 */
retry: RetrySettings, 
/**
 * Milliseconds until a callback that has not settled is given up.
 */
requestTimeoutMs: number, 
/**
 * Settings of the remote endpoint.
 */
remote: RemoteSettings, 
/**
 * Which tools read and modify files, for the file lists of a summary.
 */
fileTools: FileTools, 
/**
 * What serves a summary when everything else failed.
 */
fallback: Fallback, };

/**
 * Settings of compaction.
 */
export type CompactionSettings = { 
/**
 * Whether compaction may start by itself.
 */
enabled: boolean, 
/**
 * Tokens left free for the model's answer. Left at its default it shrinks with the window: min(16384, a quarter of it).
 */
reserveTokens: number, 
/**
 * Tokens of recent history that stay verbatim. Left at its default it shrinks with the window: min(20000, half of what the reserve leaves).
 */
keepRecentTokens: number, 
/**
 * Whether the host is prompted to go on after a threshold compaction.
 */
autoContinue: boolean, 
/**
 * A URL that serves summaries instead of the callback.
 */
remoteEndpoint?: string, 
/**
 * Whether a short summary for screens is asked for.
 */
shortSummary: boolean, };

/**
 * Settings of branch summaries.
 */
export type BranchSummarySettings = { 
/**
 * Whether leaving a branch summarises it when the caller says nothing.
 */
enabled: boolean, 
/**
 * Tokens of the window that the request leaves free; it shrinks with the window like that of compaction.
 */
reserveTokens: number, };

/**
 * Settings of pruning.
 */
export type PruneSettings = { 
/**
 * The newest tool outputs that stay, in tokens.
 */
protectTokens: number, 
/**
 * Nothing is pruned that would save less than this, in tokens.
 */
minimumSavings: number, 
/**
 * Tools whose outputs stay.
 */
protectedTools: Array<string>, 
/**
 * How a prune is stored.
 */
mode: PruneMode, };

/**
 * Settings of retries.
 */
export type RetrySettings = { 
/**
 * Whether transient failures are retried.
 */
enabled: boolean, 
/**
 * Retries of one candidate.
 */
maxRetries: number, 
/**
 * The first delay, in milliseconds; it doubles.
 */
baseDelayMs: number, 
/**
 * The longest delay, in milliseconds.
 */
maxDelayMs: number, };

/**
 * Settings of the remote endpoint.
 */
export type RemoteSettings = { 
/**
 * Milliseconds until a request is given up.
 */
timeoutMs: number, 
/**
 * Hosts allowed beyond https anywhere and http on loopback.
 */
allowedHosts: Array<string>, };

/**
 * Which tools read and modify files.
 */
export type FileTools = { 
/**
 * Tools that read a file.
 */
read: Array<string>, 
/**
 * Tools that modify a file.
 */
modify: Array<string>, 
/**
 * Arguments that hold the path; the first that is a string wins.
 */
pathArguments: Array<string>, };
