import { checkCounting, COUNTING, type CountingOptions } from "./counting.js";
import type { ImageRule } from "./data.js";
import type { Entry, SessionHeader } from "./entry.js";
import type { SessionHandle } from "./glue/threadfold.js";
import { checkOptions, guard, refuse } from "./guard.js";
import { toJson } from "./json.js";
import { isoTime, randomId, seed } from "./outside.js";
import { SessionState, type Preset } from "./state.js";
import { refuseLarger } from "./too-large.js";

/** Options of {@link Session.create}. */
export interface CreateOptions extends Pick<CountingOptions, "tokenizer"> {
  /** The folder the session is about. Default: `/`. */
  cwd?: string | undefined;
  /** The id of the session. Default: a random one. */
  id?: string | undefined;
  /** Default: `safe`. */
  preset?: Preset | undefined;
  /** How images are counted, and by whose rules PDFs and audio. Default: `anthropic`, in the preset `classic` `flat`. */
  images?: ImageRule | undefined;
}

/** Options of {@link Session.fromJsonl} and {@link Session.fromEntries}. */
export interface LoadOptions extends CountingOptions {
  /** Default: `safe`. */
  preset?: Preset | undefined;
  /** How images are counted, and by whose rules PDFs and audio. Default: `anthropic`, in the preset `classic` `flat`. */
  images?: ImageRule | undefined;
}

export function createSession(options: CreateOptions): SessionState {
  checkOptions("Session.create", options, ["cwd", "id", "preset", "images", "tokenizer"]);
  const { cwd = "/", id = randomId() } = options;
  for (const [name, value] of Object.entries({ cwd, id })) {
    if (typeof value !== "string") refuse(`Session.create.${name}`, value, "a string");
  }
  return newState(options, (glue, preset, images) => glue.create(preset, images, id, cwd, isoTime(Date.now()), seed()));
}

export function loadJsonl(bytes: Uint8Array | string, options: LoadOptions): SessionState {
  checkOptions("Session.fromJsonl", options, ["preset", "images", ...COUNTING]);
  const raw = bytesOf(bytes, "bytes: the session");
  return newState(options, (glue, preset, images) => glue.fromJsonl(raw, preset, images, seed()));
}

/** Has the engine make a session of a preset, with a rule for images where one is named. */
type Make = (glue: typeof SessionHandle, preset: Preset, images: string | undefined) => SessionHandle;

/** Has the engine make a session, once the options that every session has were checked. */
function newState(options: LoadOptions, make: Make): SessionState {
  const preset = checkPreset(options.preset ?? "safe");
  const images = checkImages(options.images);
  const count = checkCounting(options, preset);
  const state = new SessionState(
    guard((glue) => make(glue.SessionHandle, preset, images)),
    preset,
    options.tokenizer,
  );
  state.call(count);
  return state;
}

/** The bytes of a file that was given as bytes or as text; `what` names it where it is too large. */
export function bytesOf(file: Uint8Array | string, what: string): Uint8Array {
  if (typeof file !== "string" && !(file instanceof Uint8Array)) refuse("bytes", file, "a Uint8Array or a string");
  refuseLarger(file.length, what);
  return typeof file === "string" ? new TextEncoder().encode(file) : file;
}

export function loadEntries(entries: readonly (Entry | SessionHeader)[], options: LoadOptions): SessionState {
  if (!Array.isArray(entries)) refuse("entries", entries, "an array of entries");
  const given = entries as readonly (Entry | SessionHeader)[];
  const lines = given.map((entry, index) => toJson(entry, `entries[${index}]`));
  if (!given.some((entry) => entry.type === "session")) {
    const version = given.some((entry) => typeof entry.id === "string") ? { version: 3 } : {};
    const header = { type: "session", ...version, id: randomId(), timestamp: isoTime(Date.now()), cwd: "/" };
    lines.unshift(JSON.stringify(header));
  }
  const state = loadJsonl(lines.join("\n") + "\n", options);
  let index = 0;
  for (const entry of given) {
    if (entry.type === "session") continue;
    if (entry.id === state.id(index)) {
      if (!isMigrated(state, index, entry)) state.adopt(index, entry);
    } else if (entry.type === "message" && !isMigrated(state, index, entry)) {
      // Migration gave it an id; the message is still the host's own.
      state.remember(index, Object.freeze({ ...state.entry(index), message: entry.message } as Entry));
    }
    index += 1;
  }
  return state;
}

/** Whether migration changed what an entry says, beside its id: an old role, a first kept entry by number. */
function isMigrated(state: SessionState, index: number, given: Entry): boolean {
  if (given.type === "compaction") return typeof given.firstKeptEntryId !== "string";
  if (given.type !== "message" || given.message?.role !== "hookMessage") return false;
  const stored = state.entry(index);
  return stored.type === "message" && stored.message.role !== "hookMessage";
}

/** The engine tells which presets there are; only text crosses to it. */
function checkPreset(preset: unknown): Preset {
  return typeof preset === "string" ? (preset as Preset) : refuse("preset", preset, '"safe" or "classic"');
}

/** The engine tells which rules there are, too. */
export function checkImages(images: unknown): ImageRule | undefined {
  return images === undefined || typeof images === "string" ? (images as ImageRule | undefined) : refuse("images", images, "the name of a rule");
}
