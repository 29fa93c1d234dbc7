// Compiled, never run: sessions, entries and messages as a program uses them.

import { classifyError, convertToLlm, defaultSettings, estimateTokens, isContextOverflow, serializeConversation, Session } from "threadfold";
import type {
  AssistantMessage,
  BranchPreparation,
  ClassifiedError,
  CollectedBranch,
  ContextUsage,
  Diagnostic,
  Entry,
  ErrorClass,
  LlmMessage,
  Message,
  NewEntry,
  NewUnknownEntry,
  PartialSettings,
  Preparation,
  Preset,
  PruneConfig,
  PruneResult,
  RestoreResult,
  SessionHeader,
  SessionTree,
  Settings,
} from "threadfold";

declare const bytes: Uint8Array;
declare const stored: readonly (Entry | SessionHeader)[];

const preset: Preset = "classic";
const session: Session = Session.create({ cwd: "/work", id: "mine", preset });
const sessions: Session[] = [Session.create(), Session.fromJsonl(bytes), Session.fromJsonl("text", { preset }), Session.fromEntries(stored)];
// @ts-expect-error a session is made by one of the three
new Session();
// @ts-expect-error no such preset
Session.create({ preset: "bold" });
// @ts-expect-error misspelt
Session.create({ presset: "safe" });
// @ts-expect-error not bytes
Session.fromJsonl(new ArrayBuffer(8));

const leaf: string | null = session.leafId;
// @ts-expect-error read-only
session.leafId = null;
const header: SessionHeader | undefined = session.header;
const diagnostics: Diagnostic[] = session.diagnostics;

const message: AssistantMessage = { role: "assistant", content: [{ type: "text", text: "yes" }], stopReason: "stop" };
const id: string = session.appendMessage(message);
session.appendMessage({ role: "toolResult", toolCallId: "a", toolName: "read", content: [], isError: false });
// @ts-expect-error a result names its call
session.appendMessage({ role: "toolResult", content: [], isError: false });
// @ts-expect-error no such role
session.appendMessage({ role: "robot", content: "x" });

const entries: NewEntry[] = [
  { type: "message", message },
  { type: "custom", customType: "state", data: { any: 1 } },
  { type: "custom_message", customType: "note", content: "x", display: true },
  { type: "model_change", provider: "p", modelId: "m" },
  { type: "model_change", model: "p/m", role: "main" },
  { type: "label", targetId: id },
];
for (const entry of entries) session.append(entry);
// @ts-expect-error a compaction names its first kept entry
session.append({ type: "compaction", summary: "s", tokensBefore: 1 });
// @ts-expect-error what could not be read cannot be appended
session.append({ type: "unreadable" });
session.append({ type: "of_tomorrow", any: { thing: 1 } });
// @ts-expect-error the session gives the id, also of a type that is not known
session.append({ type: "of_tomorrow", id: "mine" });
// @ts-expect-error a known type is checked as such
session.append({ type: "model_change", modle: "p/m" });
const later: NewUnknownEntry<"of_tomorrow"> = { type: "of_tomorrow", any: 1 };
session.append(later);
const extended = { type: "custom" as const, customType: "state", more: 1 };
session.append(extended);
// @ts-expect-error the session gives the id
session.append({ type: "custom", customType: "x", id: "mine" });

const found: Entry | undefined = session.entry(id);
// @ts-expect-error it may not be there
session.entry(id).type;
if (found?.type === "message" && found.message.role === "assistant") {
  const reason: "stop" | "length" | "toolUse" | "error" | "aborted" | undefined = found.message.stopReason;
  console.log(reason, found.parentId, found.timestamp);
  // @ts-expect-error what is handed out is read-only
  found.parentId = null;
}
if (found?.type === "unreadable") console.log(found.id, found.parentId);
if (found?.type === "compaction") console.log(found.summary, found.firstKeptEntryId, found.shortSummary);

session.branch(id);
session.resetLeaf();
const summary: string = session.branchWithSummary(null, "left", { readFiles: [] }, true);
// @ts-expect-error the target may be null, not left out
session.branchWithSummary("left");
const label: string | undefined = session.label(id);
session.setLabel(id);
const paths: Entry[][] = [session.path(), session.path(id), session.path(null), session.children(id), session.entries()];
const tree: SessionTree = session.tree();
const childIds: string[] | undefined = tree.nodes.get(id)?.childIds;

const { messages, entryIds, model, thinkingLevel, repairs, pendingToolCalls } = session.buildSessionContext({ leafId: id });
const view: [Message[], string[]] = [messages, entryIds];
const about: [string | undefined, string | null] = [model?.modelId, thinkingLevel];
const notes: string[] = [...repairs.map(({ kind, entryId }) => `${kind} ${entryId}`), ...pendingToolCalls.map(({ toolName }) => toolName)];
// @ts-expect-error there may be no model
model.modelId;

const usage: ContextUsage = session.contextUsage({ contextWindow: 200_000, pending: message, fixedTokens: 0 });
session.contextUsage({ pending: [message, message] });
const limit: number | undefined = usage.limit;
const unknown: boolean = usage.reason === undefined || usage.reason === "unknown-window";
// @ts-expect-error a window is a number
session.contextUsage({ contextWindow: "200000" });
const measured: ContextUsage = { tokens: 1, low: 1, high: 1, source: "estimate" };

const settings: PartialSettings = { compaction: { keepRecentTokens: 1 }, fallback: "local" };
const all: Settings = defaultSettings;
// @ts-expect-error no such setting
const misspelt: PartialSettings = { compaction: { keepRecentToken: 1 } };
// @ts-expect-error no such fallback
const remote: PartialSettings = { fallback: "remote" };

const prepared = session.prepareCompaction({ settings, contextWindow: 200_000 });
if (prepared.ok) {
  const preparation: Preparation = prepared.preparation;
  const parts: Message[] = [...preparation.messagesToSummarize, ...preparation.turnPrefixMessages];
  console.log(parts, preparation.firstKeptEntryId, preparation.requestTokens, preparation.fileOps.readFiles);
  // @ts-expect-error read-only
  preparation.firstKeptEntryId = id;
} else {
  const reason: "already-compacted" | "session-too-small" | "below-threshold" | "infeasible" | "kept-tail-too-large" | "open-tool-call" | "disabled" | "unknown-window" =
    prepared.reason;
  console.log(reason, prepared.message);
  // @ts-expect-error there is none
  prepared.preparation;
}

const pruneConfig: PruneConfig = { protectTokens: 1_000, mode: "overlay", contextWindow: 200_000, settings };
const pruned: PruneResult = session.pruneToolOutputs(pruneConfig);
const restored: RestoreResult = session.restoreToolOutputs(pruned.prunedIds);
const changed: number = pruned.tokensSaved - restored.tokensRestored + session.pruneToolOutputs().prunedCount + session.restoreToolOutputs().restoredCount;
// @ts-expect-error no such mode
session.pruneToolOutputs({ mode: "erase" });
// @ts-expect-error no such setting
session.pruneToolOutputs({ protectToken: 1 });
// @ts-expect-error several ids are a list
session.restoreToolOutputs(id);
session.append({ type: "prune", entryIds: restored.restoredIds });
// @ts-expect-error a prune names its results
session.append({ type: "prune" });
if (found?.type === "prune") console.log(found.entryIds);

const branch: CollectedBranch = session.collectEntriesForBranchSummary(id, null);
const ancestor: string | null = branch.commonAncestorId;
// @ts-expect-error the target may be null, not left out
session.collectEntriesForBranchSummary(id);
const told: BranchPreparation = session.prepareBranchEntries(branch.entries, 8_000);
const carried: [Message[], string[], number] = [told.messages, told.fileOps.modifiedFiles, told.totalTokens];
session.prepareBranchEntries([id, ...branch.entries], 8_000, { settings: { fileTools: { read: ["cat"] } } });
// @ts-expect-error a budget is a number
session.prepareBranchEntries(branch.entries, "8000");
// @ts-expect-error entries or their ids
session.prepareBranchEntries([1], 8_000);

const { firstKeptEntryIndex, turnStartIndex, isSplitTurn } = session.findCutPoint(0, session.length, 20_000);
const file: Uint8Array = session.toJsonl();
{
  using scoped = Session.create();
  console.log(scoped.length);
}
session.free();

const llm: LlmMessage[] = convertToLlm(messages);
const text: string = serializeConversation(llm);
const tokens: number = estimateTokens("x") + estimateTokens(message) + estimateTokens(messages, { preset, images: "gemini" });
// @ts-expect-error no such rule
estimateTokens("x", { images: "cheap" });
// @ts-expect-error not every message is one for a model
serializeConversation(messages);

const failure: ClassifiedError = classifyError("429 Too Many Requests", 429);
const kind: ErrorClass = failure.class;
const wait: number | undefined = failure.retryAfterMs;
// @ts-expect-error the text of the error, not the error
classifyError(new Error("no"));
const overflowed: boolean = isContextOverflow(message as AssistantMessage, 200_000);

console.log(sessions, leaf, header, diagnostics, summary, label, paths, childIds, view, about, notes, limit, unknown, measured, changed, ancestor, carried, all, misspelt, remote, firstKeptEntryIndex + turnStartIndex, isSplitTurn, file, text, tokens, kind, wait, overflowed);
