/** So many bytes become text at once; a multiple of three, so that the pieces can stand side by side. */
const PIECE = 24_576;

/** Bytes as base64; of more than `most` bytes only the first. `most` is a multiple of three. */
export function base64Of(bytes: ArrayBufferView | ArrayBufferLike, most: number): string {
  const view = ArrayBuffer.isView(bytes) ? bytes : new Uint8Array(bytes);
  const known = new Uint8Array(view.buffer, view.byteOffset, Math.min(view.byteLength, most));
  let text = "";
  for (let at = 0; at < known.length; at += PIECE) {
    text += btoa(String.fromCharCode(...known.subarray(at, at + PIECE)));
  }
  return text;
}
