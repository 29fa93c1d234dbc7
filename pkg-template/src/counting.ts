import type { Encoding } from "./encoding.js";
import { eventLoopTurn } from "./event-loop-turn.js";
import type { SessionHandle } from "./glue/threadfold.js";
import { checkOptions, refuse } from "./guard.js";
import { checkSignal, throwIfAborted } from "./signal.js";
import type { Preset, SessionState } from "./state.js";
import { counterOf } from "./tokenizers.js";

/** How the texts of a session are counted. */
export interface CountingOptions {
  /**
   * Counts with this encoding, exactly, instead of estimating. In a browser `await loadTokenizer(encoding)`
   * comes first. Not in the preset `classic`. Default: none.
   */
  tokenizer?: Encoding | undefined;
  /**
   * When the entries of a loaded session are counted: while it is loaded, or when a size or a plan is first
   * asked for. {@link Session.count} does it before that, with other work in between. Default: `lazy`.
   */
  counting?: "at-once" | "lazy" | undefined;
}

/** Options of {@link Session.count}. */
export interface CountOptions {
  /** Ends the counting; what was counted stays counted. The promise rejects with its reason. */
  signal?: AbortSignal | undefined;
}

/** The names of {@link CountingOptions}. */
export const COUNTING = ["tokenizer", "counting"] as const;

/** The options, checked: what makes a new session count so. Its tokenizer is loaded where the host can do that at once. */
export function checkCounting({ tokenizer, counting = "lazy" }: CountingOptions, preset: Preset): (handle: SessionHandle) => void {
  if (counting !== "at-once" && counting !== "lazy") refuse("counting", counting, '"at-once" or "lazy"');
  if (tokenizer === undefined) return () => undefined;
  const counter = counterOf(tokenizer, "tokenizer");
  if (preset === "classic") refuse("tokenizer", tokenizer, 'none with the preset "classic", which counts as its agents did');
  return (handle) => {
    handle.useTokenizer(counter.handle);
    if (counting === "at-once") while (!handle.countSome(ALL)) continue;
  };
}

/** More bytes than there are. */
const ALL = 0xffff_ffff;
/** So many bytes of text are counted between two looks at the clock: a tenth of a millisecond, and where one character is all there is, ten. */
const SLICE = 16_384;
/** So long other work waits, in milliseconds, and one slice more. */
const STRETCH_MS = 8;
/** A clock may stand still while a program runs, as in workerd: then so many slices are a stretch. */
const SLICES = 256;

/** Counts what is not counted yet, in stretches. */
export async function countEntries(state: SessionState, options: CountOptions): Promise<void> {
  checkOptions("count", options, ["signal"]);
  const { signal } = options;
  checkSignal(signal);
  throwIfAborted(signal);
  if (state.call(() => state.tokenizer) === undefined) return;
  while (!countStretch(state)) {
    await eventLoopTurn();
    throwIfAborted(signal);
  }
}

/** Counts for a while, and tells whether all is counted. */
function countStretch(state: SessionState): boolean {
  const end = performance.now() + STRETCH_MS;
  for (let slice = 0; slice < SLICES && performance.now() < end; slice += 1) {
    if (state.call((handle) => handle.countSome(SLICE))) return true;
  }
  return false;
}
