import type { CompactionResult } from "./entry.js";
import { ThreadfoldError } from "./error.js";
import { Handlers, reportHandler } from "./handlers.js";
import { readBeforeCompact, readBeforeTree, readCompacting } from "./hook-answers.js";
import type { BeforeCompactEvent, BeforeTreeAnswer, BeforeTreeEvent, CompactingEvent, HookHandlers } from "./hook-events.js";
import { within } from "./within.js";

/** The handlers of one session. */
export type Hooks = Handlers<HookHandlers>;

/** No handlers yet. */
export function noHooks(): Hooks {
  return new Handlers("hook", ["session_before_compact", "session.compacting", "session_before_tree"]);
}

/** How long a handler is waited for. */
export interface HookLimits {
  /** The signal of the run; its abort waits for no handler. */
  signal: AbortSignal | undefined;
  /** Milliseconds until a handler is given up; 0 is for ever. */
  timeoutMs: number;
}

/** How asking the handlers of a hook ended. */
export type Asked<Answer> =
  | { type: "answered"; answer: Answer }
  /** By a handler. */
  | { type: "cancelled" }
  | { type: "aborted" }
  /** A handler answered nonsense: `invalid-argument` with the hook and the field. */
  | { type: "refused"; error: ThreadfoldError };

/** What the handlers of `session.compacting` answered together. */
export interface Compacting {
  prompt?: string;
  context: string[];
  preserveData?: Record<string, unknown>;
}

/** Asks before a compaction; gives the last compaction that was answered, if any was. */
export function askBeforeCompact(
  hooks: Hooks,
  event: Omit<BeforeCompactEvent, "signal">,
  limits: HookLimits,
): Promise<Asked<CompactionResult | undefined>> {
  return askAll(hooks, "session_before_compact", event, limits, {
    read: readBeforeCompact,
    first: undefined as CompactionResult | undefined,
    add: (sum, { cancel, compaction }) => (cancel ? CANCEL : (compaction ?? sum)),
  });
}

/** Asks before the first request of a compaction. */
export function askCompacting(hooks: Hooks, event: Omit<CompactingEvent, "signal">, limits: HookLimits): Promise<Asked<Compacting>> {
  return askAll(hooks, "session.compacting", event, limits, {
    read: readCompacting,
    first: { context: [] } as Compacting,
    add: (sum, { prompt, context, preserveData }) => ({
      ...sum,
      ...(prompt === undefined ? {} : { prompt }),
      context: [...sum.context, ...(context ?? [])],
      ...(preserveData === undefined ? {} : { preserveData: { ...sum.preserveData, ...preserveData } }),
    }),
  });
}

/** Asks before the leaf moves; gives the last summary that was answered, if any was. */
export function askBeforeTree(
  hooks: Hooks,
  event: Omit<BeforeTreeEvent, "signal">,
  limits: HookLimits,
): Promise<Asked<BeforeTreeAnswer["summary"]>> {
  return askAll(hooks, "session_before_tree", event, limits, {
    read: readBeforeTree,
    first: undefined as BeforeTreeAnswer["summary"],
    add: (sum, { cancel, summary }) => (cancel ? CANCEL : (summary ?? sum)),
  });
}

/** What a sum becomes where a handler cancels. */
const CANCEL = Symbol("cancel");

/** How the answers of several handlers become one. */
interface Sum<Answer, Whole> {
  /** Checks what a handler answered; throws where it is nonsense. */
  read(given: unknown): Answer | undefined;
  first: Whole;
  add(sum: Whole, answer: Answer): Whole | typeof CANCEL;
}

/** Asks one handler after the other. One that throws, rejects or takes too long is reported and passed over. */
async function askAll<Name extends keyof HookHandlers, Answer, Whole>(
  hooks: Hooks,
  name: Name,
  event: Omit<Parameters<HookHandlers[Name]>[0], "signal">,
  { signal, timeoutMs }: HookLimits,
  { read, first, add }: Sum<Answer, Whole>,
): Promise<Asked<Whole>> {
  const limits = { signal, timeoutMs, late: `the handler of ${name} did not answer`, setting: "requestTimeoutMs" };
  let whole = first;
  for (const handler of hooks.of(name)) {
    const ask = handler as (event: object) => unknown;
    const ended = await within((own) => ask(withSignal(event, own)), limits);
    if (ended.type === "aborted") return ended;
    if (ended.type !== "done") {
      reportHandler(name, ended.cause);
      continue;
    }
    try {
      const answer = read(ended.value);
      const sum = answer === undefined ? whole : add(whole, answer);
      if (sum === CANCEL) return { type: "cancelled" };
      whole = sum as Whole;
    } catch (error) {
      if (ThreadfoldError.isInstance(error)) return { type: "refused", error };
      throw error;
    }
  }
  return signal?.aborted ? { type: "aborted" } : { type: "answered", answer: whole };
}

/** The event as one handler gets it. A spread would make what is to be made only when it is read. */
function withSignal(event: object, signal: AbortSignal): object {
  return Object.defineProperties({ signal }, Object.getOwnPropertyDescriptors(event));
}
