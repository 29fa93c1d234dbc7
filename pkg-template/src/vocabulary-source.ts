import { ThreadfoldError } from "./error.js";
import { isResponse, refuseBadAnswer } from "./file-answer.js";
import { describe } from "./guard.js";

/**
 * Where a vocabulary may come from: its address, its bytes, or what carries these, such as a `Response`, a
 * `Blob` or a stored object of a host; each also packed with gzip.
 */
export type VocabularySource = URL | string | ArrayBufferView | ArrayBuffer | { arrayBuffer(): PromiseLike<ArrayBuffer> };

/** Whether a source has to be fetched. */
export function isAddress(source: unknown): source is URL | string {
  return typeof source === "string" || (typeof URL === "function" && source instanceof URL);
}

/** How messages name a source, whatever it is. */
export function placeOf(source: unknown): string {
  if (isAddress(source)) return String(source);
  return isResponse(source) && source.url !== "" ? source.url : "the source that was handed in";
}

let readFile: ((address: URL) => Promise<Uint8Array>) | undefined;

/** For the entries: how this host reads a file, which some cannot fetch. */
export function provideFileReader(read: (address: URL) => Promise<Uint8Array>): void {
  readFile = read;
}

/** Fetches a file. With `reload` the browser's ordinary cache is passed over. */
export async function fetchVocabulary(address: URL | string, signal: AbortSignal, cache?: "reload"): Promise<Uint8Array> {
  if (readFile !== undefined && /^file:/i.test(String(address))) return unpacked(await readFile(new URL(address)));
  // Some hosts refuse any word about a cache.
  return readVocabulary(await fetch(address, cache === undefined ? { signal } : { signal, cache }));
}

/** The bytes of what was handed in or fetched. Throws `invalid-vocabulary` for what cannot be unpacked. */
export async function readVocabulary(source: unknown): Promise<Uint8Array> {
  if (isResponse(source)) {
    refuseBadAnswer(source);
    if (source.bodyUsed) throw new TypeError("the body of the response was read before");
  }
  return unpacked(viewOf(carriesBytes(source) ? await source.arrayBuffer() : source));
}

function carriesBytes(source: unknown): source is { arrayBuffer(): PromiseLike<unknown> } {
  return typeof (source as Partial<Response> | null)?.arrayBuffer === "function";
}

function viewOf(source: unknown): Uint8Array {
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  // By its tag, which also tells that of another realm, as test runners have them.
  if (Object.prototype.toString.call(source) === "[object ArrayBuffer]") return new Uint8Array(source as ArrayBuffer);
  throw new TypeError(`it is ${describe(source)}; allowed is a URL, a string, a Response, a Blob, a Uint8Array or an ArrayBuffer`);
}

/** A file that came packed with gzip and was not unpacked on the way, as a static host leaves it. */
async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  if (typeof DecompressionStream !== "function") throw new TypeError("it is packed with gzip, and this host has no DecompressionStream; unpack it");
  const packed = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  try {
    return new Uint8Array(await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ThreadfoldError("invalid-vocabulary", `it is packed with gzip, and cannot be unpacked: ${reason}`, { cause });
  }
}
