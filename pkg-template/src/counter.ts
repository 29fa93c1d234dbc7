import { core } from "./engine.js";
import type { TokenizerHandle } from "./glue/threadfold.js";
import { explained } from "./guard.js";

const encoder = new TextEncoder();

/** Counts texts by a loaded vocabulary. It stays for good: sessions hold on to it. */
export class Counter {
  /** What sessions count with. */
  readonly handle: TokenizerHandle;
  /** Where texts are written for the engine: its own memory, so that they are not copied once more. */
  #crossing: Uint8Array;

  constructor(handle: TokenizerHandle) {
    this.handle = handle;
    this.#crossing = handle.crossing();
  }

  /** The tokens of a text. */
  count(text: string): number {
    // Refuses when the engine has stopped.
    core.exports();
    // Programs count thousands of short texts as soon as they have loaded the vocabulary, when none of this is compiled.
    try {
      // Memory that has grown leaves a view of no length behind.
      if (this.#crossing.length === 0) this.#crossing = this.handle.crossing();
      if (text.length > this.#crossing.length) return this.#countParts(text);
      const { read, written } = encoder.encodeInto(text, this.#crossing);
      return read === text.length ? this.handle.feed(written, true) : this.#countParts(text);
    } catch (error) {
      throw explained(error);
    }
  }

  #countParts(text: string): number {
    for (let at = 0; ; ) {
      if (this.#crossing.length === 0) this.#crossing = this.handle.crossing();
      const part = text.slice(at, partEnd(text, at, this.#crossing.length));
      const { read, written } = encoder.encodeInto(part, this.#crossing);
      at += read;
      const isLast = at === text.length;
      const tokens = this.handle.feed(written, isLast);
      if (isLast) return tokens;
    }
  }
}

/** Where a part may end that starts at `at` and has at most `size` UTF-16 units: never within a surrogate pair. */
function partEnd(text: string, at: number, size: number): number {
  const end = at + size;
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
