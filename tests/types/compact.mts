// Compiled, never run: a run, its callback, its events and how it ends.

import { compact, ThreadfoldError } from "threadfold";
import type {
  CompactionEvent,
  CompactionOutcome,
  CompactOptions,
  Entry,
  Model,
  NothingToDoReason,
  Session,
  Summarize,
  SummarizeContext,
  SummaryReply,
  SummaryRequest,
} from "threadfold";

declare const session: Session;
declare function ask(prompt: string, options: { system: string; maxTokens: number; signal: AbortSignal }): Promise<{ text: string; stop: string }>;

/** Every shape of a summariser. */
const summarizers: Summarize[] = [
  () => "a summary",
  async () => "a summary",
  () => ({ text: "a summary" }),
  async (request: SummaryRequest, { signal, model, attempt }: SummarizeContext): Promise<SummaryReply> => {
    const { text, stop } = await ask(request.prompt, { system: request.systemPrompt, maxTokens: request.maxTokens, signal });
    const kind: "history" | "update" | "turn-prefix" | "fold" | "short" | "branch" = request.kind;
    console.log(kind, request.promptTokens, model?.id, attempt);
    return { text, stopReason: stop, usage: { input: 1, output: 1 } };
  },
];
// @ts-expect-error no text
const wrong: Summarize[] = [() => 7];
// @ts-expect-error text under another name
const other: Summarize = async () => ({ summary: "x" });

const model: Model = { provider: "p", id: "m", contextWindow: 200_000 };
const options: CompactOptions = {
  contextWindow: 200_000,
  fixedTokens: 4_000,
  settings: { compaction: { keepRecentTokens: 10_000 }, requestTimeoutMs: 1_000 },
  model,
  customInstructions: "the tests above all",
  signal: new AbortController().signal,
  now: () => Date.now(),
  onEvent: (event) => console.log(event.type),
};
for (const summarize of summarizers) await compact(session, { ...options, summarize });
await compact(session);
await compact(session, { summarize: "local", onEvent: async () => {} });
// @ts-expect-error only the local summariser goes by name
await compact(session, { summarize: "remote" });
// @ts-expect-error misspelt
await compact(session, { sumarize: "local" });
// @ts-expect-error a model has an id
await compact(session, { model: { provider: "p" } });
// @ts-expect-error the controller is not the signal
await compact(session, { signal: new AbortController() });
// @ts-expect-error not a session
await compact([], {});

const outcome: CompactionOutcome = await compact(session, options);
switch (outcome.status) {
  case "committed": {
    const entry: Entry | undefined = outcome.entry;
    const by: "callback" | "remote" | "local" | "hook" | undefined = outcome.summarizer;
    console.log(entry?.id, by, outcome.tokensBefore - (outcome.tokensAfter ?? 0), outcome.warnings.includes("unstructured"));
    if (outcome.progress === "insufficient") console.log(outcome.progressFigures?.entryIdsInTheWay);
    break;
  }
  case "nothing-to-do": {
    const reason: NothingToDoReason | undefined = outcome.reason;
    console.log(reason, outcome.nothingToDo?.message, outcome.nothingToDo?.pendingToolCalls);
    break;
  }
  case "cancelled":
    break;
  case "failed": {
    const error: ThreadfoldError | undefined = outcome.error;
    if (error?.code === "stale" || error?.code === "summary-refused" || error?.code === "summarizer-failed") console.log(error.message);
    break;
  }
  default: {
    const never: never = outcome.status;
    console.log(never);
  }
}
// @ts-expect-error no such status
if (outcome.status === "done") console.log();

function tell(event: CompactionEvent): string {
  switch (event.type) {
    case "compaction_progress":
      return `${event.phase} ${event.request} of ${event.requests}, attempt ${event.attempt}`;
    case "session_compact":
      return `${event.compactionEntry.id} ${event.fromExtension} ${event.reason}`;
    case "compaction_end":
      return `${event.status} ${event.summarizer ?? ""} ${event.tokensBefore} ${event.tokensAfter ?? ""}`;
  }
}
// @ts-expect-error only the end has a status
const status = (event: CompactionEvent) => event.status;

console.log(wrong, other, tell, status);
