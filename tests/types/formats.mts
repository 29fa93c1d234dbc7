// Compiled, never run: messages of a host's own type go in, and come out as that type.

import { detectFormat, foldMessages, fromSessionMessages, messageFormats, pruneMessages, repairMessages, Session, ThreadfoldError, toSessionMessages, transcriptFormats, validateMessages } from "threadfold";
import type {
  CompactionOutcome,
  FoldOptions,
  FoldResult,
  FoldState,
  ImportReport,
  Message,
  MessageFormat,
  MessageRepair,
  Problem,
  ProblemRule,
  PruneMessagesResult,
  RepairResult,
  TranscriptFormat,
  ValidationResult,
} from "threadfold";

interface ChatMessage {
  role: "system" | "user" | "assistant";
  content: string;
}
declare const messages: readonly ChatMessage[];
declare const stored: FoldState | undefined;

const options: FoldOptions = { format: "openai-chat", contextWindow: 128_000, fixedTokens: 900, summarize: "local", state: stored, force: false, onEvent: ({ type }) => console.log(type) };
const result: FoldResult<ChatMessage> = await foldMessages(messages, options);
const sent: ChatMessage[] = result.messages;
const outcome: CompactionOutcome = result.outcome;
const [state, edited]: [FoldState | undefined, true | undefined] = [result.state, result.edited];
await foldMessages(messages);
await foldMessages(messages, { images: "gemini", tokenizer: "o200k_base" });
const saved: string = JSON.stringify(state satisfies FoldState | undefined);
if (outcome.reason === "below-threshold") console.log(outcome.nothingToDo?.tokens, outcome.nothingToDo?.limit);
// @ts-expect-error no such format
await foldMessages(messages, { format: "openai" });
// @ts-expect-error misspelt
await foldMessages(messages, { contextwindow: 1 });
// @ts-expect-error a state is what a fold gave
await foldMessages(messages, { state: { version: 1 } });
// @ts-expect-error messages are an array
await foldMessages({ messages });

const checked: ValidationResult = validateMessages(messages);
const problems: readonly Problem[] = validateMessages(messages, "anthropic").problems;
const rules: ProblemRule[] = problems.map(({ rule }) => rule);
const pending: Problem[] = problems.filter((problem) => problem.pending && problem.part !== 0 && problem.id !== "");
const repaired: RepairResult<ChatMessage> = repairMessages(messages, "openai-chat");
const repairs: MessageRepair[] = repaired.repairs;
const pruned: PruneMessagesResult<ChatMessage> = pruneMessages(messages, { format: "openai-chat", settings: { prune: { protectTokens: 1_000 } } });
const back: ChatMessage[] = [...repaired.messages, ...pruned.messages];
// @ts-expect-error no such setting
pruneMessages(messages, { settings: { prune: { protectToken: 1 } } });

const format: MessageFormat = detectFormat(messages);
const core: Message[] = toSessionMessages(messages, format);
const other: unknown[] = fromSessionMessages(core, "gemini");
// @ts-expect-error a format has to be named
fromSessionMessages(core);

const session: Session = Session.import(new Uint8Array(), { format: "claude-code", preset: "safe" });
const report: ImportReport | undefined = session.importReport;
const from: TranscriptFormat | undefined = report?.format;
const kept: number | undefined = report?.custom["attachment"];
Session.import("text");
// @ts-expect-error read-only
session.importReport = undefined;

console.log(sent, edited, saved, checked.valid, rules, pending, repairs, back, pruned.tokensSaved, other, from, kept);

const named: [readonly MessageFormat[], readonly TranscriptFormat[]] = [messageFormats, transcriptFormats];
const could: readonly MessageFormat[] | undefined = new ThreadfoldError("ambiguous-format", "which?").formats;
const asItIs: true | undefined = Session.import("").importReport?.unchanged;
// @ts-expect-error nobody adds a format
messageFormats.push("pi");
console.log(named, could, asItIs);
