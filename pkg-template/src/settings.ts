import type { Settings } from "./data.js";
import { defaultSettings } from "./default-settings.js";
import { ThreadfoldError } from "./error.js";
import { refuse } from "./guard.js";

/** Settings of which every part is optional; what is left out keeps its default. */
export type PartialSettings = { [Part in keyof Settings]?: Settings[Part] extends object ? Partial<Settings[Part]> : Settings[Part] };

/** Settings nest two deep and a list below that; one more for the engine to name what is too deep. */
const DEPTH = 4;

/**
 * Settings as JSON: only that crosses into the engine, which must not be left in the middle of a
 * call by a getter or a proxy that throws.
 */
export function settingsJson(settings: unknown): string | undefined {
  try {
    return JSON.stringify(plain(settings, "settings", DEPTH));
  } catch (cause) {
    if (ThreadfoldError.isInstance(cause)) throw cause;
    const message = "settings: a part of them threw when it was read; allowed is a plain object";
    throw new ThreadfoldError("invalid-settings", message, { cause });
  }
}

/** Settings that were checked, as JSON, with every default filled in. */
export function completeSettings(json: string | undefined): Settings {
  const given = JSON.parse(json ?? "{}") as Record<string, unknown> | null;
  const parts = Object.entries(defaultSettings).map(([name, standard]: [string, unknown]) => {
    const part = given?.[name] ?? standard;
    if (typeof standard !== "object" || part === standard) return [name, part];
    const named = Object.entries(part as object).filter(([, value]) => value !== null);
    return [name, { ...standard, ...Object.fromEntries(named) }];
  });
  return Object.fromEntries(parts) as Settings;
}

function plain(value: unknown, path: string, depth: number): unknown {
  if (["function", "symbol", "bigint"].includes(typeof value)) refuse(path, value, "a plain value", "invalid-settings");
  if (typeof value === "number" && !Number.isFinite(value)) refuse(path, value, "a whole number from 0", "invalid-settings");
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) refuse(path, value, "nothing that nests so deep", "invalid-settings");
  if (Array.isArray(value)) return value.map((part, index) => plain(part, `${path}[${index}]`, depth - 1));
  if (Object.prototype.toString.call(value) !== "[object Object]") refuse(path, value, "a plain object", "invalid-settings");
  const parts = Object.entries(value).map(([key, part]) => {
    return [key, plain(part, path === "settings" ? key : `${path}.${key}`, depth - 1)] as const;
  });
  return Object.fromEntries(parts);
}
