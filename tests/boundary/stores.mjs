// The store in memory.

import { MemoryStore, Session, StoreConflictError, ThreadfoldError } from "threadfold";
import { equal, ok } from "./check.mjs";
import { storeRules } from "./store-rules.mjs";

export const cases = [
  ...storeRules((bytes) => new MemoryStore(bytes)),
  {
    name: "the leaf is kept beside the lines",
    async run() {
      const store = new MemoryStore();
      const session = Session.create();
      session.setLabel(session.appendMessage({ role: "user", content: "a" }), "here");
      const [id] = session.entries().map((entry) => entry.id);
      const { revision } = await store.append({ ids: [], lines: session.toJsonl(), leafId: id }, { expected: null });
      const stored = await store.load();
      equal([stored.leafId, stored.revision], [id, revision]);
      equal(Session.fromJsonl(stored.lines).length, 2);
      const error = await store.append({ ids: [], lines: new Uint8Array(), leafId: null }, { expected: null }).catch((error) => error);
      ok(error instanceof StoreConflictError && ThreadfoldError.isInstance(error), "it is an error of the package");
      equal(error.leafId, id);
    },
  },
];
