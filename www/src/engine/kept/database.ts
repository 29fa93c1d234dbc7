// The database of this browser in which sessions are kept.

import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { KeptSession } from "../../contract.js";

/** What is known of a kept session beside its lines. */
export interface KeptRecord extends KeptSession {
  revision: number;
  /** The revision at which stored lines changed last. */
  changedAt: number;
  leafId: string | null;
  /** Its last byte. */
  last: number | undefined;
}

/** What one write added. */
interface Part {
  key: string;
  revision: number;
  lines: Uint8Array;
}

export interface Tables extends DBSchema {
  sessions: { key: string; value: KeptRecord };
  parts: { key: [string, number]; value: Part };
}

export type Database = IDBPDatabase<Tables>;

let opened: Promise<Database> | undefined;

/** The database; opened when it is first asked for. A failed try may be made again. */
export function database(): Promise<Database> {
  opened ??= openDB<Tables>("threadfold", 1, {
    upgrade(fresh) {
      fresh.createObjectStore("sessions", { keyPath: "key" });
      fresh.createObjectStore("parts", { keyPath: ["key", "revision"] });
    },
    // Another tab wants a newer form of it, or the browser closed it.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    terminated: () => (opened = undefined),
  }).catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}
