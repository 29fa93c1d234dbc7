import { base64Of, endsOfBytes, endsOfText, LONG_FILE } from "./bytes-text.js";
import { ThreadfoldError } from "./error.js";
import { describe } from "./guard.js";
import { refuseLarger } from "./too-large.js";

/** The levels that values may nest, the array of messages being the first. */
const MOST_LEVELS = 200;

/** How much of a file crosses: all of it, or its ends, which tell what it is and how long. */
export type Files = "whole" | "ends";

/** What messages may hold, to be read behind "allowed is". */
export const ALLOWED = "what JSON can hold, and bytes, URLs and dates";

/** A walk through values, which knows where it is. */
export class Walk {
  /** Whether the outermost value was walked to its end. */
  done = false;
  /** The objects above the present value, outermost first, and the key that each was left by. */
  readonly #above: object[] = [];
  readonly #keys: (string | number)[] = [];
  readonly #name: string;
  readonly #files: Files;
  #depth = 0;
  /** The least that the JSON of what was met takes, in bytes; an object that is met twice counts twice. */
  #size = 0;

  constructor(name: string, files: Files) {
    this.#name = name;
    this.#files = files;
  }

  /** The value itself where JSON can hold it, otherwise what stands for it. It lies in an object at `depth` - 1. */
  value(value: unknown, depth: number): unknown {
    this.#depth = depth;
    this.#size += 2;
    switch (typeof value) {
      case "string":
        if (value.length > LONG_FILE) return this.#text(value);
        this.#size += value.length;
        return value;
      case "number":
        return Number.isFinite(value) ? value : this.#refuse(value);
      case "boolean":
      case "undefined":
        return value;
      case "object":
        if (value === null) return null;
        if (depth >= MOST_LEVELS) this.#refuseDepth(value);
        if (Array.isArray(value)) return this.#array(value, depth);
        return isPlain(value) ? this.#object(value, depth) : this.#exotic(value, depth);
      case "bigint":
        return this.#refuse(value, `the BigInt ${value}n`);
      default:
        return this.#refuse(value);
    }
  }

  /** Where the walk is, as it would be written in code. */
  path(): string {
    return this.#pathOf(this.#depth);
  }

  #array(array: readonly unknown[], depth: number): unknown {
    this.#above[depth] = array;
    let copy: unknown[] | undefined;
    for (let at = 0; at < array.length; at += 1) {
      this.#keys[depth] = at;
      this.#depth = depth + 1;
      const part = array[at];
      if (part === undefined) this.#refuse(part, at in array ? undefined : "a hole");
      const known = this.value(part, depth + 1);
      if (copy !== undefined) copy.push(known);
      else if (known !== part) copy = [...array.slice(0, at), known];
    }
    return this.#left(copy ?? array, depth);
  }

  #object(object: object, depth: number, skipped?: string): unknown {
    this.#above[depth] = object;
    const record = object as Readonly<Record<string, unknown>>;
    const keys = Object.keys(record);
    // Without a prototype, `__proto__` is a key like any other.
    let copy: Record<string, unknown> | undefined = skipped === undefined ? undefined : Object.create(null);
    for (let at = 0; at < keys.length; at += 1) {
      const key = keys[at] as string;
      this.#keys[depth] = key;
      this.#depth = depth + 1;
      const part = record[key];
      if (key === skipped && typeof part === "function") continue;
      const known = this.value(part, depth + 1);
      if (copy !== undefined) copy[key] = known;
      else if (known !== part) {
        const other = Object.create(null) as Record<string, unknown>;
        for (const before of keys.slice(0, at)) other[before] = record[before];
        other[key] = known;
        copy = other;
      }
    }
    return this.#left(copy ?? object, depth);
  }

  /** Objects of a class, and those that say themselves what they are in JSON. */
  #exotic(object: object, depth: number): unknown {
    if (ArrayBuffer.isView(object)) return this.#bytes(object);
    const kind = kindOf(object);
    switch (kind) {
      case "ArrayBuffer":
      case "SharedArrayBuffer":
        return this.#bytes(object as ArrayBufferLike);
      case "URL":
        return String(object);
      case "Date":
        return Number.isNaN(Number(object)) ? this.#refuse(object, "an invalid date") : (object as Date).toISOString();
      case "Blob":
      case "File":
        return "";
      case "Map":
      case "Set":
      case "WeakMap":
      case "WeakSet":
      case "Promise":
        return this.#refuse(object, `a ${kind}`);
    }
    const { toJSON } = object as { toJSON?: unknown };
    if (typeof toJSON !== "function") return this.#object(object, depth);
    this.#above[depth] = object;
    const said: unknown = toJSON.call(object, "");
    // Its own `toJSON` has had its say; one that gives the object itself means its properties.
    if (typeof said === "object" && said !== null && !Array.isArray(said)) return this.#object(said, depth, "toJSON");
    return this.value(said, depth);
  }

  #bytes(bytes: ArrayBufferView | ArrayBufferLike): string {
    return this.#files === "whole" ? base64Of(bytes) : endsOfBytes(bytes);
  }

  /** A long text; where it is a file, its ends. */
  #text(text: string): string {
    const isFile = text.startsWith("data:") || this.#keys[this.#depth - 1] === "data";
    const seen = isFile && this.#files === "ends" ? endsOfText(text) : text;
    this.#size += seen.length;
    return seen;
  }

  #left(value: unknown, depth: number): unknown {
    refuseLarger(this.#size, this.#name);
    this.#depth = depth;
    this.done = depth === 0;
    return value;
  }

  #pathOf(depth: number): string {
    return this.#keys.slice(0, depth).reduce<string>((path, key) => path + step(key), this.#name);
  }

  #refuse(value: unknown, found?: string, path = this.path()): never {
    const what = found ?? describe(value);
    throw new ThreadfoldError("invalid-argument", `${path}: ${what} is not allowed; allowed is ${ALLOWED}`);
  }

  /** Refuses what nests too deep: a cycle, by the place where it closes, or a value with too many levels. */
  #refuseDepth(value: object): never {
    const above = [...this.#above.slice(0, MOST_LEVELS), value];
    const closes = above.findIndex((object, at) => above.indexOf(object) < at);
    if (closes > 0) this.#refuse(value, "a cycle, an object that holds itself,", this.#pathOf(closes));
    this.#refuse(value, `what nests more than ${MOST_LEVELS} levels`);
  }
}

/** Whether an object is one of braces, with no say of its own in what JSON makes of it. */
function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return (prototype === Object.prototype || prototype === null) && (object as { toJSON?: unknown }).toJSON === undefined;
}

/** The class of an object, also of one that comes from another window. */
function kindOf(object: object): string {
  return Object.prototype.toString.call(object).slice("[object ".length, -1);
}

function step(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `.${key}` : `[${describe(key)}]`;
}
