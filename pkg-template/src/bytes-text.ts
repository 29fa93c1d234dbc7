/** So many bytes become text at once; a multiple of three, so that the pieces can stand side by side. */
const PIECE = 24_576;

/** Bytes as base64, from one place up to another. */
export function base64Of(bytes: ArrayBufferView | ArrayBufferLike, from = 0, to = bytes.byteLength): string {
  const view = ArrayBuffer.isView(bytes) ? bytes : new Uint8Array(bytes);
  const known = new Uint8Array(view.buffer, view.byteOffset + from, to - from);
  let text = "";
  for (let at = 0; at < known.length; at += PIECE) {
    text += btoa(String.fromCharCode(...known.subarray(at, at + PIECE)));
  }
  return text;
}

/** Of a long file so many characters of base64 cross from its beginning and from its end; both are whole fours. */
const BEGINNING = 65_536;
const END = 32_768;
/** A file with more characters than this is long. */
export const LONG_FILE = BEGINNING + END;

/**
 * The ends of a file, and between them how many characters are left out: `…#70000#…`, which no base64 holds and
 * the engine knows. A file that is not long is whole.
 */
export function endsOfText(base64: string): string {
  return base64.length <= LONG_FILE ? base64 : ends(base64.slice(0, BEGINNING), base64.length, base64.slice(-END));
}

/** The same of bytes, as base64. */
export function endsOfBytes(bytes: ArrayBufferView | ArrayBufferLike): string {
  const length = Math.ceil(bytes.byteLength / 3) * 4;
  if (length <= LONG_FILE) return base64Of(bytes);
  return ends(base64Of(bytes, 0, bytesIn(BEGINNING)), length, base64Of(bytes, bytesIn(length - END)));
}

function ends(beginning: string, length: number, end: string): string {
  return `${beginning}#${length - LONG_FILE}#${end}`;
}

/** How many bytes whole fours of base64 stand for. */
function bytesIn(characters: number): number {
  return (characters / 4) * 3;
}
