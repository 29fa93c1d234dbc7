// Compiled, never run: an agent's companion, its events, hooks and results, stores, and branch summaries.

import { AgentSession, compact, generateBranchSummary, MemoryStore, Session, StoreConflictError, ThreadfoldError } from "threadfold";
import type {
  AgentEvent,
  AgentEvents,
  AgentHost,
  AgentSessionOptions,
  AssistantMessage,
  BeforeCompactAnswer,
  BeforeCompactEvent,
  BeforeTreeAnswer,
  BeforeTreeEvent,
  BranchSummaryOptions,
  BranchSummaryOutcome,
  ChangedLine,
  CompactingAnswer,
  CompactingEvent,
  CompactionOutcome,
  ContextUsage,
  Entry,
  FileLists,
  HookHandlers,
  Message,
  Model,
  NavigateResult,
  Revision,
  SessionStore,
  StoreBatch,
  StoredSession,
  TurnNext,
  TurnResult,
  WriteOptions,
} from "threadfold";

declare const session: Session;
declare const message: AssistantMessage;
const model: Model = { provider: "p", id: "m", contextWindow: 200_000 };

/** Every shape of a host. */
const hosts: AgentHost[] = [
  {},
  { abort() {}, continue: async () => {}, prompt: async (text, { synthetic }) => console.log(text.length, synthetic) },
  { replaceMessages: (messages: Message[]) => messages.length },
];
// @ts-expect-error a part is a function
const notHost: AgentHost = { abort: true };

class Rows implements SessionStore {
  async load(after?: Revision): Promise<StoredSession | undefined> {
    return after === null ? undefined : { lines: new Uint8Array(), leafId: null, revision: 1 };
  }
  async append(batch: StoreBatch, { expected, signal }: WriteOptions): Promise<{ revision: Revision }> {
    const [ids, lines, leafId]: [string[], Uint8Array, string | null] = [batch.ids, batch.lines, batch.leafId];
    if (expected === null && signal?.aborted) throw new StoreConflictError("at another revision", { leafId, revision: ids.length + lines.length });
    return { revision: "a" };
  }
  async replace(changed: ChangedLine[]): Promise<{ revision: Revision }> {
    return { revision: changed.map(({ id, line }) => id.length + line.length).length };
  }
}
// @ts-expect-error a store has three methods
const halfStore: SessionStore = { load: async () => undefined, append: async () => ({ revision: 1 }) };

const options: AgentSessionOptions = { session, model, models: [model], fixedTokens: 4_000, settings: {}, summarize: "local", host: {}, store: new Rows() };
const agent = new AgentSession(options);
const agents = [new AgentSession({ session }), ...hosts.map((host) => new AgentSession({ session, host, store: new MemoryStore() }))];
// @ts-expect-error a session is needed
new AgentSession({ model });
// @ts-expect-error misspelt
new AgentSession({ session, hosts: {} });
const its: Session = agent.session;
// @ts-expect-error read-only
agent.session = session;

const removals: (() => void)[] = [
  agent.on("session_compact", ({ compactionEntry, fromExtension, reason }) => console.log(compactionEntry.id, fromExtension === true, reason === "manual")),
  agent.on("session_tree", ({ newLeafId, oldLeafId, summaryEntry, fromExtension }) => {
    const leaves: (string | null)[] = [newLeafId, oldLeafId];
    const entry: Entry | undefined = summaryEntry;
    const made: true | undefined = fromExtension;
    console.log(leaves, entry, made);
  }),
  agent.on("auto_compaction_start", ({ reason }) => console.log(reason)),
  agent.on("auto_compaction_end", ({ reason, result, aborted, willRetry, errorMessage }) => {
    const text: string | undefined = errorMessage ?? result?.summary;
    console.log(reason, aborted && willRetry, text, result?.firstKeptEntryId);
  }),
  agent.on("compaction_progress", ({ phase, request, requests, candidate, attempt, waitingUntil }) => console.log(phase, request / requests, candidate, attempt, waitingUntil)),
  agent.on("compaction_end", async ({ status, summarizer, tokensBefore, tokensAfter }) => console.log(status, summarizer, tokensBefore - (tokensAfter ?? 0))),
  agent.on("error", ({ error }) => ThreadfoldError.isInstance(error) && error.code === "conflict"),
];
// @ts-expect-error no such event
agent.on("session_compacted", () => {});
// @ts-expect-error that event carries no result
agent.on("auto_compaction_start", ({ result }) => result);
const payload = (event: AgentEvents["session_tree"]): string | null => event.newLeafId;
const typeOf = (event: AgentEvent): "error" | "session_tree" | "other" => (event.type === "error" || event.type === "session_tree" ? event.type : "other");

removals.push(
  agent.hook("session_before_compact", (event: BeforeCompactEvent): BeforeCompactAnswer | undefined => {
    const { preparation, pathEntries, reason, willRetry, customInstructions, signal } = event;
    if (reason === "overflow" && willRetry && !signal.aborted) return { cancel: true };
    const summary = [customInstructions, pathEntries.length, preparation.messagesToSummarize.length].join();
    return { compaction: { summary, firstKeptEntryId: preparation.firstKeptEntryId, tokensBefore: preparation.tokensBefore, preserveData: { any: 1 } } };
  }),
  agent.hook("session.compacting", async ({ sessionId, messages, signal }: CompactingEvent): Promise<CompactingAnswer> => {
    return { prompt: sessionId ?? "", context: messages.map(({ role }) => role), preserveData: { aborted: signal.aborted } };
  }),
  agent.hook("session_before_tree", (event: BeforeTreeEvent): BeforeTreeAnswer => {
    const [target, leaf, ancestor]: [string, string | null, string | null] = [event.targetId, event.oldLeafId, event.commonAncestorId];
    return event.summarize ? { summary: { summary: `${target} ${leaf} ${ancestor}`, details: event.entries.length } } : { cancel: !event.signal.aborted };
  }),
  agent.hook("session_before_tree", () => undefined),
  agent.hook("session_before_tree", async () => {}),
);
// @ts-expect-error no such hook
agent.hook("session_before", () => {});
// @ts-expect-error a compaction names its first kept entry
agent.hook("session_before_compact", () => ({ compaction: { summary: "x", tokensBefore: 1 } }));
// @ts-expect-error lines are texts
agent.hook("session.compacting", () => ({ context: [1] }));
// @ts-expect-error what is handed to a hook is read-only
agent.hook("session_before_tree", (event) => void (event.targetId = "x"));
const handlers: Partial<HookHandlers> = { session_before_compact: () => null };

const id: string = await agent.append(message);
const results: TurnResult[] = [await agent.handleTurnEnd(), await agent.handleTurnEnd(message), await agent.beforePrompt(), await agent.beforePrompt(message), await agent.beforePrompt([message])];
for (const { action, outcome, pruned, contextUsage, next } of results) {
  const done: "none" | "pruned" | "compacted" | "failed" | "busy" = action;
  const usage: ContextUsage = contextUsage;
  const compaction: CompactionOutcome | undefined = outcome;
  console.log(done, usage.tokens, compaction?.status, pruned?.prunedCount, pruned?.tokensSaved, goOn(next));
}
// @ts-expect-error no message
await agent.handleTurnEnd("text");

function goOn(next: TurnNext): string {
  switch (next.type) {
    case "continue": {
      const withoutLast: true | undefined = next.withoutLast;
      // @ts-expect-error only a prompt has a text
      return withoutLast ? "" : next.text;
    }
    case "prompt":
      // @ts-expect-error only what is tried again leaves an answer out
      return next.withoutLast ? "" : next.text;
    case "wait":
      return "";
    default: {
      const never: never = next;
      return never;
    }
  }
}

const outcome: CompactionOutcome = await agent.compact();
await agent.compact({ customInstructions: "keep the API decisions", signal: new AbortController().signal });
// @ts-expect-error the settings belong to the agent
await agent.compact({ settings: {} });

const moved: NavigateResult = await agent.navigateTree(id, { summarize: true, customInstructions: "the files", signal: new AbortController().signal });
const told: [boolean, true | undefined, ThreadfoldError | undefined, string | undefined, Entry | undefined] = [moved.cancelled, moved.aborted, moved.failed, moved.editorText, moved.summaryEntry];
const odd: readonly "unstructured"[] = moved.warnings;
const skipped: "no-messages" | "nothing-fits" | undefined = moved.summarySkipped;
await agent.navigateTree(id);
// @ts-expect-error a target is an entry
await agent.navigateTree(null);

agent.abortCompaction();
agent.abortBranchSummary();
agent.setModel(model);
agent.setModel(undefined);
agent.setSettings({ compaction: { autoContinue: false } });
// @ts-expect-error no such setting
agent.setSettings({ compaction: { autocontinue: false } });
const compacting: boolean = agent.isCompacting;
// @ts-expect-error read-only
agent.isCompacting = false;
const usage: ContextUsage = agent.contextUsage();
await agent.flush();
{
  using scoped = new AgentSession({ session });
  console.log(scoped.isCompacting);
}
agent.dispose();

await compact(session, { hooks: { session_before_compact: () => ({ cancel: true }), "session.compacting": () => ({ context: ["a line"] }) } });
// @ts-expect-error a compaction moves through no tree
await compact(session, { hooks: { session_before_tree: () => {} } });

const branch: BranchSummaryOptions = { targetId: null, oldLeafId: id, contextWindow: 200_000, customInstructions: "the files", summarize: "local", onEvent: (event) => console.log(event.type) };
const left: BranchSummaryOutcome = await generateBranchSummary(session, branch);
if (left.status === "summarized") {
  const details: FileLists | undefined = left.details;
  session.branchWithSummary(null, left.summary ?? "", details);
}
const why: "no-messages" | "nothing-fits" | undefined = left.reason;
// @ts-expect-error a target is named
await generateBranchSummary(session, {});
// @ts-expect-error no such status
if (left.status === "committed") console.log();

console.log(notHost, halfStore, agents, its, removals, payload, typeOf, handlers, outcome, told, skipped, odd, compacting, usage, why);
