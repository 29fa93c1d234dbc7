import { ThreadfoldError } from "./error.js";

/** More never crosses into the engine, which has the same limit. 512 MiB. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Refuses what has more bytes than may cross; `what` is read before "has 5 bytes". */
export function refuseLarger(bytes: number, what: string, cause?: unknown): void {
  if (bytes > MAX_BYTES) throw new ThreadfoldError("too-large", `${what} has ${bytes} bytes; allowed are ${MAX_BYTES}`, cause === undefined ? undefined : { cause });
}
