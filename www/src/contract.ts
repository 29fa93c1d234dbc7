// What the page and its worker say to each other. The worker holds the sessions; the page gets what it shows.
//
// Entries are named by their index in the order of the file, since ids come again in damaged files of others. All
// sizes are in tokens unless they say otherwise. Texts are data from the session: never markup.

import type {
  CompactionOutcome,
  ContextUsage,
  Diagnostic,
  Encoding,
  ImageRule,
  ImportReport,
  MessageFormat,
  Model,
  NothingToDo,
  Preparation,
  SummaryRequest,
  TranscriptFormat,
} from "threadfold";

/** Who or what an entry is, for its colour and its word. */
export type Kind = "user" | "assistant" | "tool" | "command" | "files" | "extension" | "compaction" | "branch" | "note";

/** An entry as a row of a list. */
export interface Row {
  id: string;
  /** The entry that it follows; -1 for a root. */
  parent: number;
  kind: Kind;
  /** The tool of a result, the type of a note, otherwise empty. */
  name: string;
  /** The first words, in one line without control characters, at most 160 characters. */
  text: string;
  /** What it adds to the context where it is in it; 0 for what the model never sees. */
  tokens: number;
  /** Milliseconds since 1970, where it has a time. */
  time?: number;
  label?: string;
  /** How many images it holds. */
  images?: number;
  /** A failed answer or a failed tool. */
  failed?: true;
  /** Its tool output was pruned. */
  pruned?: true;
}

/** What the visitor set. */
export interface Choices {
  contextWindow: number;
  reserveTokens: number;
  keepRecentTokens: number;
  /** System prompt and tools; left out, what usages taught. */
  fixedTokens?: number;
  /** Pruning: the newest tool outputs that stay, and the least that is worth it. */
  protectTokens: number;
  minimumSavings: number;
  /** Exact counts; left out, estimates. Changing it loads the session anew. */
  tokenizer?: Encoding;
  images: ImageRule;
}

/** Where a session came from. */
export interface Source {
  /** The name of the file; empty for what was pasted. */
  name: string;
  bytes: Uint8Array;
  kind: "sample" | "file" | "paste" | "kept";
  /** Given where the library asked which of several formats it is. */
  format?: TranscriptFormat;
}

/** What stands above a session. */
export interface About {
  name: string;
  /** The title that the session gives itself. */
  title?: string;
  cwd?: string;
  kind: Source["kind"] | "play";
  /** `session`, or the format that it was imported from. */
  format: "session" | TranscriptFormat;
  /** The size of the file, in bytes. */
  bytes: number;
  diagnostics: Diagnostic[];
  importReport?: ImportReport;
}

/** A part of the context. */
export interface Fill {
  kind: Kind | "images" | "fixed";
  tokens: number;
  /** How many messages (or images). */
  count: number;
}

/** A session as it stands. `rows` holds what is new or changed since the snapshot before; the page keeps the rest. */
export interface Snapshot {
  /** Grows with each snapshot; a new `session` number means: forget all rows. */
  revision: number;
  session: number;
  about: About;
  /** How many entries there are. */
  length: number;
  rows: { index: number; row: Row }[];
  /** The leaf; -1 before the first entry. */
  leaf: number;
  /** The entries from the root to the leaf. */
  path: Uint32Array;
  /** The entry behind each message that the model sees now, first to last. */
  context: Uint32Array;
  usage: ContextUsage;
  fill: Fill[];
  /** What Undo would take back, and Redo bring again. */
  undo?: string;
  redo?: string;
}

/** What a fold would do now. Nothing has changed. */
export type Plan = FoldPlan | ({ ok: false; pruned: Pruned } & NothingToDo);

/** Which tool outputs a threshold check would prune first, and what that saves. */
export interface Pruned {
  entries: Uint32Array;
  tokens: number;
}

export interface FoldPlan {
  ok: true;
  /** The first entry that stays. */
  firstKept: number;
  /** Where the turn begins that the cut splits; -1 where it splits none. */
  turnStart: number;
  summarized: Uint32Array;
  prefix: Uint32Array;
  kept: Uint32Array;
  /** More than the budget has to be kept because of these. */
  inTheWay: Uint32Array;
  pruned: Pruned;
  /** Why the cut lies there, in a sentence or two, with figures. */
  why: string;
  summarizedTokens: number;
  prefixTokens: number;
  keptTokens: number;
  /** The keep budget as adapted to what the provider counts. */
  budget: number;
  reserve: number;
  tokensBefore: number;
  /** The cost: what the summary requests hold together, and the most that may be answered. */
  requestTokens: number;
  /** The context afterwards without the summary: the fold saves at most what is between this and `tokensBefore`. */
  leastAfter: number;
  hasPreviousSummary: boolean;
  files: Preparation["fileOps"];
}

/** An entry in full, for the eye. */
export interface EntryText {
  index: number;
  row: Row;
  /** Its parts; long texts are cut at 200 000 characters, and `cut` says how many are left out. */
  parts: { title: string; text: string; cut?: number }[];
  /** The stored line as indented JSON, cut in the same way. */
  json: string;
}

/** A row of a comparison: what the model saw, and what it sees. */
export interface Compared {
  /** The entry that it is made of. */
  entry: number;
  kind: Kind;
  text: string;
  tokens: number;
}

/** Before and after a fold, entry by entry. What stays stands in both, at the same place of `kept`. */
export interface Comparison {
  before: Compared[];
  after: Compared[];
  /** Where the messages that stay begin in `before` and `after`. */
  keptBefore: number;
  keptAfter: number;
  tokensBefore: number;
  tokensAfter: number;
}

/**
 * Who summarises. `page`: the page is asked by {@link Listener.summarize}; `model` is there where its window is
 * known, and what does not fit into it is summarised in parts.
 */
export type Summarizing = { kind: "local" } | { kind: "page"; model?: Model } | { kind: "remote"; endpoint: string; headers: Record<string, string>; allowedHosts: string[] };

/** What goes on while something runs. */
export interface Progress {
  /** `compaction_progress` and so on, as the library names them. */
  type: string;
  /** In words. */
  text: string;
  request?: number;
  requests?: number;
  /** Until when it is waited, in milliseconds since 1970. */
  waitingUntil?: number;
}

/** What a summariser on the page answers; an error goes as data, with what the library's rules go by. */
export type Reply =
  | { ok: true; text: string; stopReason?: string; errorMessage?: string }
  | { ok: false; name: string; message: string; status?: number; retryAfter?: string };

/** The page's ear in a run; handed over as a proxy. */
export interface Listener {
  progress(progress: Progress): void;
  /** Asks the page's summariser. `id` names the request for {@link Listener.cancel}. */
  summarize(id: number, request: SummaryRequest, attempt: number): Promise<Reply>;
  cancel(id: number): void;
}

/** What went wrong, in words; the session on the screen is unharmed. */
export interface Trouble {
  /** The library's code, or `page`. */
  code: string;
  message: string;
  /** What to do. */
  advice: string;
  /** The formats to choose from, for `ambiguous-format`. */
  formats?: TranscriptFormat[];
}

export type Answer<T> = { ok: true; value: T } | { ok: false; trouble: Trouble };

export interface Folded {
  status: CompactionOutcome["status"];
  /** Why there was nothing to do. */
  nothingToDo?: NothingToDo;
  trouble?: Trouble;
  summary?: string;
  shortSummary?: string;
  summarizer?: string;
  warnings: string[];
  comparison?: Comparison;
  snapshot: Snapshot;
}

export interface Navigated {
  cancelled: boolean;
  trouble?: Trouble;
  /** The text of the user's message that is to be written anew. */
  editorText?: string;
  /** The branch summary that was carried over. */
  summary?: string;
  summarySkipped?: string;
  snapshot: Snapshot;
}

/** One line of the log of a run that is played. */
export interface PlayEvent {
  /** The number of the turn, from 1. */
  turn: number;
  /** The library's name of the event, or `message`, `overflow`, `prune`. */
  type: string;
  text: string;
  tokens: number;
}

export interface PlayState {
  status: "playing" | "paused" | "ended";
  turn: number;
  turns: number;
  /** What is being typed now. */
  typing?: { kind: Kind; text: string };
  prunes: number;
  folds: number;
  rescues: number;
}

/** The page's ear while a run is played; handed over as a proxy. */
export interface PlayListener {
  state(state: PlayState): void;
  event(event: PlayEvent): void;
  snapshot(snapshot: Snapshot): void;
}

/** A session that is kept in this browser. */
export interface KeptSession {
  key: string;
  name: string;
  bytes: number;
  /** Milliseconds since 1970. */
  savedAt: number;
}

/** The worker. Every call answers; none throws. One run at a time: another one is refused as `busy`. */
export interface Engine {
  /** What the library reads and writes. */
  formats(): Promise<{ transcripts: TranscriptFormat[]; messages: MessageFormat[] }>;
  open(source: Source, choices: Choices): Promise<Answer<Snapshot>>;
  /** The snapshot under other choices; loads the session anew where the tokenizer or the rule of images is another. */
  choose(choices: Choices): Promise<Answer<Snapshot>>;
  plan(choices: Choices): Promise<Answer<Plan>>;
  entry(index: number): Promise<Answer<EntryText>>;
  fold(choices: Choices, summarizing: Summarizing, instructions: string, listener: Listener): Promise<Answer<Folded>>;
  navigate(index: number, summarize: boolean, instructions: string, choices: Choices, summarizing: Summarizing, listener: Listener): Promise<Answer<Navigated>>;
  /** Ends the fold or the navigation under way. */
  abort(): Promise<void>;
  undo(): Promise<Answer<Snapshot>>;
  redo(): Promise<Answer<Snapshot>>;
  /** The session as JSON lines. */
  exportSession(): Promise<Answer<Uint8Array>>;
  /** What the model sees now, as JSON of a format. */
  exportMessages(format: MessageFormat): Promise<Answer<string>>;
  /** Types a scripted run into a new session; the one on the screen waits. `speed`: turns a minute. */
  play(choices: Choices, speed: number, listener: PlayListener): Promise<Answer<Snapshot>>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** The next message alone. */
  step(): Promise<void>;
  setSpeed(speed: number): Promise<void>;
  /** Ends the play. `keep`: goes on with the played session; otherwise the one before comes back. */
  endPlay(keep: boolean): Promise<Answer<Snapshot>>;
  /** Keeps the session in this browser from now on: every change is stored. */
  keep(): Promise<Answer<KeptSession[]>>;
  listKept(): Promise<Answer<KeptSession[]>>;
  openKept(key: string, choices: Choices): Promise<Answer<Snapshot>>;
  forgetKept(key: string): Promise<Answer<KeptSession[]>>;
}
