// Stores and hooks, as a host writes them.

import { MemoryStore, StoreConflictError, type BeforeCompactEvent, type HookHandlers, type Revision, type SessionStore } from "threadfold";
import { FileStore } from "threadfold/node";

class Rows implements SessionStore {
  rows: { id: string; line: Uint8Array }[] = [];

  async load(after?: Revision) {
    if (this.rows.length === 0 || after === this.rows.length) return undefined;
    return { lines: new Uint8Array(), leafId: null, revision: this.rows.length };
  }

  async append(batch: { ids: string[]; lines: Uint8Array; leafId: string | null }, { expected }: { expected: Revision; signal?: AbortSignal }) {
    if (expected !== this.rows.length) throw new StoreConflictError("moved on", { leafId: null, revision: this.rows.length });
    for (const id of batch.ids) this.rows.push({ id, line: batch.lines });
    return { revision: this.rows.length };
  }

  async replace(changed: { id: string; line: Uint8Array }[]) {
    return { revision: `${changed.length}` };
  }
}

const stores: SessionStore[] = [new Rows(), new MemoryStore(), new MemoryStore(new Uint8Array()), new FileStore("session.jsonl")];

// @ts-expect-error a write gives the revision
const silent: SessionStore = { load: async () => undefined, append: async () => undefined, replace: async () => undefined };

const handlers: HookHandlers = {
  session_before_compact: ({ preparation, pathEntries, reason, signal }) => {
    if (signal.aborted || reason === "manual" || pathEntries.length < 4) return { cancel: true };
    return { compaction: { summary: "s", firstKeptEntryId: preparation.firstKeptEntryId, tokensBefore: preparation.tokensBefore } };
  },
  "session.compacting": async ({ sessionId, messages }) => ({ context: [`${sessionId} ${messages.length}`], preserveData: { seen: true } }),
  session_before_tree: ({ summarize, entries }) => (summarize ? { summary: { summary: `${entries.length} entries` } } : undefined),
};

// @ts-expect-error only true or false cancels
const nonsense: HookHandlers["session_before_tree"] = () => ({ cancel: "yes" });

const watch = (event: BeforeCompactEvent): string => event.customInstructions ?? event.preparation.firstKeptEntryId;

console.log(stores, silent, handlers, nonsense, watch);
