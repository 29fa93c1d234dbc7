import type { Entry, Message } from "./entry.js";

/**
 * What was handed out of entries that stand side by side. A plan or a view of a long session costs
 * the blocks that it touches, not the session.
 */
export interface Block {
  readonly ids: string[];
  readonly entries: (Entry | undefined)[];
  readonly messages: (Message | undefined)[];
  /** Results as the prune entry of that id shows them. */
  readonly pruned: ({ by: string; message: Message } | undefined)[];
}

/** How many entries make a block. */
export const BLOCK = 1024;

/** What was handed out of the entries of a session, which are the same objects each time. */
export class HandedOut {
  readonly #blocks: Block[] = [];

  /** The block of an entry; in it, it has the place `index % BLOCK`. */
  block(index: number): Block {
    return (this.#blocks[Math.trunc(index / BLOCK)] ??= { ids: [], entries: [], messages: [], pruned: [] });
  }

  /** Lets go of an entry whose stored line has changed; the next one to ask gets it anew. */
  forget(index: number): void {
    const { entries, messages, pruned } = this.block(index);
    entries[index % BLOCK] = messages[index % BLOCK] = pruned[index % BLOCK] = undefined;
  }

  /** Moves what was handed out behind an entry that is gone; `length` is the number of entries that are left. Entries that hang below it get its parent. */
  close(index: number, gone: Entry, length: number): void {
    for (const block of this.#blocks.slice(Math.trunc(index / BLOCK) + 1)) block.ids.length = 0;
    const { ids } = this.block(index);
    ids.length = Math.min(ids.length, index % BLOCK);
    for (let at = index; at < length; at += 1) {
      const [to, from] = [this.block(at), this.block(at + 1)];
      const entry = from.entries[(at + 1) % BLOCK];
      const moves = entry?.parentId === gone.id;
      to.entries[at % BLOCK] = moves ? Object.freeze({ ...entry, parentId: gone.parentId }) : entry;
      to.messages[at % BLOCK] = from.messages[(at + 1) % BLOCK];
      to.pruned[at % BLOCK] = from.pruned[(at + 1) % BLOCK];
    }
    this.forget(length);
  }
}
