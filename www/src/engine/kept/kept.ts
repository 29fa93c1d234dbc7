// The sessions that are kept in this browser.

import { AgentSession, ThreadfoldError, type SessionStore, type StoredSession } from "threadfold";
import type { KeptSession } from "../../contract.js";
import type { Held } from "../held.js";
import { BrowserStore } from "./browser-store.js";
import { database, type Database } from "./database.js";

/** Where a session on the screen is kept, and the companion that stores every change of it. */
export interface Keeping {
  key: string;
  agent: AgentSession;
}

/** Keeps a session from now on. */
export async function keep(held: Held): Promise<void> {
  if (held.kept !== undefined) return;
  const key = crypto.randomUUID();
  const name = held.about.name || held.about.title || "pasted";
  const agent = keeper(held, new BrowserStore(await ready(), key, name));
  try {
    await agent.flush();
  } catch (error) {
    agent.dispose();
    throw error;
  }
  held.kept = { key, agent };
}

/** What is stored under a key, with its name. */
export async function load(key: string): Promise<{ name: string; stored: StoredSession; store: SessionStore }> {
  const opened = await ready();
  const name = (await asked(() => opened.get("sessions", key)))?.name ?? "";
  const store = new BrowserStore(opened, key, name);
  const stored = await asked(() => store.load());
  if (stored === undefined) throw new ThreadfoldError("storage-failed", "this session is not kept in this browser any more");
  return { name, stored, store };
}

/** Goes on keeping a session that was loaded from its store. */
export function keepOn(held: Held, key: string, store: SessionStore): void {
  held.kept = { key, agent: keeper(held, store) };
}

/** Goes on keeping a session that was loaded anew. */
export async function keepAgain({ key, agent }: Keeping, next: Held): Promise<void> {
  await asked(() => agent.flush());
  keepOn(next, key, new BrowserStore(await ready(), key, next.about.name));
}

/** The newest first. */
export async function list(): Promise<KeptSession[]> {
  const opened = await ready();
  const records = await asked(() => opened.getAll("sessions"));
  return records.map(({ key, name, bytes, savedAt }) => ({ key, name, bytes, savedAt })).sort((a, b) => b.savedAt - a.savedAt);
}

export async function forget(key: string): Promise<void> {
  const opened = await ready();
  await asked(async () => {
    const writing = opened.transaction(["sessions", "parts"], "readwrite");
    await writing.objectStore("parts").delete(IDBKeyRange.bound([key, 0], [key, Infinity]));
    await writing.objectStore("sessions").delete(key);
    await writing.done;
  });
}

/** Its errors are told by who waits for the write. */
function keeper({ session }: Held, store: SessionStore): AgentSession {
  const agent = new AgentSession({ session, store });
  agent.on("error", () => undefined);
  return agent;
}

function ready(): Promise<Database> {
  return asked(database);
}

/** Asks the browser's storage; what it throws is `storage-failed`. */
async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (ThreadfoldError.isInstance(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ThreadfoldError("storage-failed", `the storage of this browser: ${reason}`, { cause });
  }
}
