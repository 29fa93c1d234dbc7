import type { TurnNext } from "./agent-results.js";
import type { Message } from "./entry.js";
import { within } from "./within.js";

/** What the companion tells the host's agent to do. Every part may be missing, and every part may be async. */
export interface AgentHost {
  /** Stop what the agent is doing. Called before a compaction by hand, which waits for it. */
  abort?(): unknown;
  /** Send the request again that failed; its answer has been dropped. Called when the run has ended, and not waited for. */
  continue?(): unknown;
  /** Ask the agent this. `synthetic`: no user wrote it. Called when the run has ended, and not waited for. */
  prompt?(text: string, about: { synthetic: true }): unknown;
  /** Take these messages in place of the agent's own. The run waits for it. */
  replaceMessages?(messages: Message[]): unknown;
}

/** Reports what a part of the host threw; the run goes on. */
export type ReportError = (error: unknown) => void;

/** Waits for a part of the host, or the abort. What it throws, or that it takes too long, is reported and passed over. */
export async function tellHost(
  call: () => unknown,
  about: { signal: AbortSignal | undefined; timeoutMs: number; report: ReportError },
): Promise<void> {
  const { signal, timeoutMs, report } = about;
  const ended = await within(call, { signal, timeoutMs, late: "the host did not answer", setting: "requestTimeoutMs" });
  if (ended.type === "failed" || ended.type === "timed-out") report(ended.cause);
}

/** Tells the host how its agent goes on, if it `mayGoOn` by then; it is not waited for. */
export function goOn(host: AgentHost, next: TurnNext, mayGoOn: () => boolean, report: ReportError): void {
  const calls = {
    continue: () => host.continue?.(),
    prompt: () => next.type === "prompt" && host.prompt?.(next.text, { synthetic: true }),
    wait: () => undefined,
  };
  Promise.resolve()
    .then(() => (mayGoOn() ? calls[next.type]() : undefined))
    .catch(report);
}
