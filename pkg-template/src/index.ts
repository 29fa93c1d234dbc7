import { guard } from "./guard.js";

export { AgentSession } from "./agent-session.js";
export type { AgentSessionOptions } from "./agent-options.js";
export type { NavigateResult, TurnNext, TurnResult } from "./agent-results.js";
export { generateBranchSummary } from "./branch-summary.js";
export type { BranchSummaryOptions, BranchSummaryOutcome } from "./branch-summary.js";
export type { BranchPreparation, CollectedBranch, PrepareBranchOptions } from "./branch.js";
export { classifyError, isContextOverflow } from "./classify.js";
export { countTokens } from "./count-tokens.js";
export type { CountingOptions, CountOptions } from "./counting.js";
export { compact } from "./compact.js";
export type { CompactOptions } from "./compact-options.js";
export type { SessionContext } from "./context.js";
export { fromSessionMessages, toSessionMessages } from "./convert-messages.js";
export type {
  ClassifiedError,
  ContextUsage,
  Diagnostic,
  DiagnosticKind,
  ErrorClass,
  FileLists,
  ImageRule,
  ModelChoice,
  NothingToDo,
  NothingToDoReason,
  PendingToolCall,
  PruneResult,
  Repair,
  RepairKind,
  RestoreResult,
  Settings,
  SummaryRequest,
} from "./data.js";
export { defaultSettings } from "./default-settings.js";
export type { Encoding } from "./encoding.js";
export { init } from "./engine.js";
export type { InitOptions } from "./engine.js";
export type * from "./entry.js";
export { ThreadfoldError } from "./error.js";
export type { ErrorCode } from "./error.js";
export type { AgentEvent, AgentEvents, CompactionEvent } from "./events.js";
export { foldMessages } from "./fold-messages.js";
export type { FoldOptions, FoldResult } from "./fold-messages.js";
export type { FoldState } from "./fold-state.js";
export type {
  BeforeCompactAnswer,
  BeforeCompactEvent,
  BeforeTreeAnswer,
  BeforeTreeEvent,
  CompactingAnswer,
  CompactingEvent,
  HookHandlers,
} from "./hook-events.js";
export type { AgentHost } from "./host.js";
export type { ImportOptions, ImportReport, TranscriptFormat } from "./importing.js";
export type { CreateOptions, LoadOptions } from "./loading.js";
export { detectFormat, pruneMessages, repairMessages, validateMessages } from "./message-checks.js";
export type { PruneMessagesOptions, PruneMessagesResult, RepairResult, ValidationResult } from "./message-checks.js";
export { messageFormats, transcriptFormats } from "./format-names.js";
export type { MessageFormat } from "./message-format.js";
export type { MessageRepair, Problem, ProblemRule } from "./message-problems.js";
export { MemoryStore } from "./memory-store.js";
export { convertToLlm, estimateTokens, serializeConversation, summarizationSystemPrompt } from "./messages.js";
export type { EstimateOptions } from "./messages.js";
export type { Model } from "./models.js";
export type { CompactionOutcome } from "./outcome.js";
export type { PlanOptions } from "./plan-options.js";
export type { CutPoint, PrepareOptions, UsageOptions } from "./planning.js";
export type { Preparation, PrepareCompactionResult } from "./preparation.js";
export type { PruneConfig } from "./prune.js";
export type { Fetch, FetchInit } from "./remote.js";
export type { HeadersGiven, RemoteOptions } from "./remote-headers.js";
export type { ResponseLike } from "./response.js";
export { Session } from "./session.js";
export type { PartialSettings } from "./settings.js";
export type { Sleep } from "./sleep.js";
export type { Preset } from "./state.js";
export { StoreConflictError } from "./store.js";
export type { ChangedLine, Revision, SessionStore, StoreBatch, StoredSession, StoreStand, WriteOptions } from "./store.js";
export { linesBehind, withChangedLines } from "./stored-lines.js";
export { summarizeWith } from "./summarize-with.js";
export type { AiSdkOptions, GenerateText } from "./summarize-with/ai-sdk.js";
export type { AnthropicClient } from "./summarize-with/anthropic.js";
export type { ClientOptions } from "./summarize-with/asking.js";
export type { GeminiClient } from "./summarize-with/gemini.js";
export type { OllamaClient } from "./summarize-with/ollama.js";
export type { OpenAiClient, OpenAiOptions } from "./summarize-with/openai.js";
export type { PromptApi, PromptApiOptions, PromptApiSession } from "./summarize-with/prompt-api.js";
export type { Summarize, SummarizeContext, SummaryReply } from "./summarizer.js";
export { tokenizerFor } from "./tokenizer-for.js";
export type { ModelTokenizer } from "./tokenizer-for.js";
export { loadTokenizer } from "./tokenizers.js";
export type { LoadTokenizerOptions } from "./tokenizers.js";
export type { SessionTree, TreeNode } from "./tree.js";
export type { VocabularySource } from "./vocabulary-source.js";
export type { WasmSource } from "./wasm-file.js";

/** The version of the engine. */
export function engineVersion(): string {
  return guard((glue) => glue.engineVersion());
}
