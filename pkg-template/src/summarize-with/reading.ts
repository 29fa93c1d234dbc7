import type { Usage } from "../entry.js";

/** A value inside of what a client answered, by its path; undefined where there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Record<string | number, unknown>)[key];
  }
  return found;
}

/** A list inside of it; empty where there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** A text inside of it. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** The texts of parts, one behind the other. */
export function textOf(parts: readonly unknown[]): string {
  return parts.map((part) => textAt(part, "text") ?? "").join("");
}

/** What a provider counted, in tokens. */
export interface Counted {
  /** All of the input, with what a cache gave or took. */
  prompt?: unknown;
  output?: unknown;
  cacheRead?: unknown;
  cacheWrite?: unknown;
}

/** A usage as sessions store it; undefined where the provider did not count. */
export function usageOf({ prompt, output, cacheRead, cacheWrite }: Counted): Usage | undefined {
  if (typeof prompt !== "number" && typeof output !== "number") return undefined;
  const [read, written] = [tokens(cacheRead), tokens(cacheWrite)];
  return { input: Math.max(0, tokens(prompt) - read - written), output: tokens(output), cacheRead: read, cacheWrite: written };
}

/** A count, 0 where there is none. */
export function tokens(count: unknown): number {
  return typeof count === "number" && Number.isFinite(count) ? count : 0;
}
