// Compiled, never run: who may make a summary, what is waited for, and what is told of it.

import { classifyError, compact, isContextOverflow } from "threadfold";
import type {
  AssistantMessage,
  ClassifiedError,
  CompactionEvent,
  CompactionOutcome,
  CompactOptions,
  ErrorClass,
  Fetch,
  FetchInit,
  HeadersGiven,
  Model,
  RemoteOptions,
  ResponseLike,
  Session,
  Sleep,
} from "threadfold";

declare const session: Session;
declare const message: AssistantMessage;

const models: readonly Model[] = [
  { provider: "p", id: "large", contextWindow: 200_000, maxOutputTokens: 8_000 },
  { provider: "p", id: "small" },
] as const;
await compact(session, { summarize: () => "s", models });
await compact(session, { summarize: () => "s", model: undefined, models: undefined });
// @ts-expect-error a list, also of one
await compact(session, { models: { provider: "p", id: "m" } });
// @ts-expect-error models, not their names
await compact(session, { models: ["p/m"] });

/** The platform's functions, as they are. */
const platform: CompactOptions = { fetch: globalThis.fetch, now: Date.now };
const own: Fetch = async (url: string, init: FetchInit): Promise<ResponseLike> => fetch(url, init);
const mock: Fetch = () => ({ status: 200, headers: { "retry-after": "1" }, text: () => "{}" });
// @ts-expect-error no response
const wrong: Fetch = () => "text";
for (const fetch of [own, mock]) await compact(session, { ...platform, fetch });

const headers: HeadersGiven[] = [{ authorization: "Bearer k" }, [["a", "1"]], new Map([["a", "1"]]), new Headers({ a: "1" })];
for (const given of headers) await compact(session, { remote: { headers: given } });
const remote: RemoteOptions = { headers: new Headers() };
// @ts-expect-error values are strings
await compact(session, { remote: { headers: { a: 1 } } });
// @ts-expect-error names and values
await compact(session, { remote: { headers: ["a"] } });
// @ts-expect-error misspelt
await compact(session, { remote: { header: {} } });

const sleeps: Sleep[] = [
  () => undefined,
  () => {},
  async (waitMs: number, signal: AbortSignal) => signal.throwIfAborted(),
  (waitMs) => new Promise((resolve) => setTimeout(resolve, waitMs)),
];
for (const sleep of sleeps) await compact(session, { sleep, remote });
// @ts-expect-error no wait
await compact(session, { sleep: 1_000 });

await compact(session, {
  settings: {
    retry: { enabled: true, maxRetries: 5, baseDelayMs: 100, maxDelayMs: 1_000 },
    remote: { timeoutMs: 1_000, allowedHosts: ["summaries.internal:8080"] },
    compaction: { remoteEndpoint: "https://summaries.example/" },
    fallback: "local",
  },
});
// @ts-expect-error misspelt
await compact(session, { settings: { retry: { maxRetry: 1 } } });
// @ts-expect-error headers are no setting
await compact(session, { settings: { remote: { headers: {} } } });

function tell(event: CompactionEvent): string {
  if (event.type !== "compaction_progress") return event.reason;
  const { summarizer, candidate, attempt, waitingUntil } = event;
  const by: "callback" | "remote" | "local" | "hook" = summarizer;
  const until: string = waitingUntil === undefined ? "" : new Date(waitingUntil).toISOString();
  return `${by} ${candidate + attempt} ${until}`;
}
// @ts-expect-error the wait is told as a point in time
const waits = (event: CompactionEvent) => event.type === "compaction_progress" && event.waitMs;

const by = (outcome: CompactionOutcome): "callback" | "remote" | "local" | "hook" | undefined => outcome.summarizer;

const classified: ClassifiedError = classifyError("429 slow down", 429);
const names: Record<ErrorClass, string> = {
  overflow: "too long", payload_too_large: "too many bytes", rate_limit: "too often", quota: "no money", auth: "no key",
  transient: "wait", other: "no idea",
};
const figures: (number | undefined)[] = [classified.limit, classified.requested, classified.retryAfterMs];
const overflow: boolean = isContextOverflow(message) || isContextOverflow(message, 200_000);
// @ts-expect-error a status is a number
classifyError("no", "429");

console.log(wrong, tell, waits, by, names[classified.class], figures, overflow);
