/** A text block. */
export interface TextBlock {
  type: "text";
  text: string;
}

/** An image block. */
export interface ImageBlock {
  type: "image";
  /** Base64. */
  data: string;
  mimeType: string;
}

/** Reasoning of the model. */
export interface ThinkingBlock {
  type: "thinking";
  thinking: string;
}

/** A call of a tool. */
export interface ToolCallBlock {
  type: "toolCall";
  /** The id that its result names. */
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}

/** What a provider counted, in tokens. */
export interface Usage {
  /** Input that no cache served. */
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** The provider's own sum. */
  totalTokens?: number;
  cost?: unknown;
}

/** What the user said. */
export interface UserMessage {
  role: "user";
  content: string | readonly (TextBlock | ImageBlock)[];
  /** Milliseconds since 1970. */
  timestamp?: number;
}

/** What the model answered. */
export interface AssistantMessage {
  role: "assistant";
  content: readonly (TextBlock | ThinkingBlock | ToolCallBlock)[];
  provider?: string;
  model?: string;
  usage?: Usage;
  stopReason?: "stop" | "length" | "toolUse" | "error" | "aborted";
  errorMessage?: string;
  timestamp?: number;
}

/** What a tool gave back. */
export interface ToolResultMessage {
  role: "toolResult";
  /** The call it answers. */
  toolCallId: string;
  toolName: string;
  content: string | readonly (TextBlock | ImageBlock)[];
  isError: boolean;
  /** When the content was pruned; milliseconds since 1970 where it was done here. */
  prunedAt?: number | string;
  timestamp?: number;
}

/** A message that every provider knows. */
export type LlmMessage = UserMessage | AssistantMessage | ToolResultMessage;

interface ExecutionFields {
  output: string;
  exitCode?: number | null;
  cancelled?: boolean;
  truncated?: boolean;
  /** Where the whole output is, when it was cut. */
  fullOutputPath?: string;
  /** The model never sees it. */
  excludeFromContext?: boolean;
  timestamp?: number;
}

/** A shell command that the user ran. */
export interface BashExecutionMessage extends ExecutionFields {
  role: "bashExecution";
  command: string;
}

/** Code that the user ran. */
export interface PythonExecutionMessage extends ExecutionFields {
  role: "pythonExecution";
  code: string;
}

/** Files that the user mentioned. */
export interface FileMentionMessage {
  role: "fileMention";
  files: readonly { path: string; content: string; image?: ImageBlock }[];
  timestamp?: number;
}

/** A message of an extension. */
export interface CustomMessage {
  role: "custom" | "hookMessage";
  customType: string;
  content: string | readonly (TextBlock | ImageBlock)[];
  display: boolean;
  details?: unknown;
  timestamp?: number;
}

/** The summary of an abandoned branch. */
export interface BranchSummaryMessage {
  role: "branchSummary";
  summary: string;
  fromId: string;
  timestamp?: number;
}

/** The summary of earlier history. */
export interface CompactionSummaryMessage {
  role: "compactionSummary";
  summary: string;
  /** The context size before the compaction, in tokens. */
  tokensBefore: number;
  timestamp?: number;
}

/** A message of a session. */
export type Message =
  | LlmMessage
  | BashExecutionMessage
  | PythonExecutionMessage
  | FileMentionMessage
  | CustomMessage
  | BranchSummaryMessage
  | CompactionSummaryMessage;

/** What every entry has; the session gives these. */
export interface EntryFields {
  id: string;
  /** The entry it follows, null for a root. */
  parentId: string | null;
  /** ISO 8601. */
  timestamp: string;
}

/** What an entry of a known type says, without what the session gives. Fields that are not known are kept. */
export type NewEntry =
  | { type: "message"; message: Message }
  | ({ type: "compaction" } & CompactionResult & { fromExtension?: true })
  | { type: "branch_summary"; fromId: string; summary: string; details?: unknown; fromExtension?: true }
  | {
      type: "custom_message";
      customType: string;
      content: string | readonly (TextBlock | ImageBlock)[];
      display: boolean;
      details?: unknown;
    }
  | { type: "custom"; customType: string; data?: unknown }
  | { type: "model_change"; provider: string; modelId: string }
  | { type: "model_change"; model: string; role?: string }
  | { type: "thinking_level_change"; thinkingLevel: string }
  | { type: "label"; targetId: string; label?: string }
  | { type: "prune"; entryIds: readonly string[] }
  | { type: "session_info"; name?: string };

/** An entry of which only the ids could be read; its bytes are kept in the file. */
export interface UnreadableEntry {
  type: "unreadable";
}

/** An entry of a type that is not known yet, to be appended; the session gives the fields that it may not have. */
export type NewUnknownEntry<Type extends string> = {
  type: Type extends NewEntry["type"] | UnreadableEntry["type"] | "session" ? never : Type;
  id?: never;
  parentId?: never;
  timestamp?: never;
  [field: string]: unknown;
};

/**
 * An entry of a session. What the session hands out is read-only. A file may hold types beside these
 * (a `type` of a later version); such entries come as they were stored, and no case here is theirs.
 */
export type Entry = Readonly<EntryFields & (NewEntry | UnreadableEntry)>;

/** What a compaction stores. */
export interface CompactionResult {
  /** The text that stands for the entries before the first kept one. */
  summary: string;
  /** Two or three sentences for a screen; never sent to the model. */
  shortSummary?: string;
  /** The first entry that stays verbatim; it lies on the path to the leaf. */
  firstKeptEntryId: string;
  /** The context size before, in tokens. */
  tokensBefore: number;
  /** For example the files read and modified. */
  details?: unknown;
  /** Whatever a host wants kept. */
  preserveData?: unknown;
}

/** The first record of a session file. */
export interface SessionHeader {
  type: "session";
  version?: number;
  id: string;
  timestamp: string;
  cwd: string;
}
