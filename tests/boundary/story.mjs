// A session whose compaction takes every kind of request, and what surrounds a run of it.

import { compact, Session } from "threadfold";
import { equal, ok } from "./check.mjs";

/** A text of so many tokens by the estimate, as it counts these four characters as one. */
export const words = (tokens, first) => first + " but".repeat(tokens);
const text = (text) => [{ type: "text", text }];
const call = (id, path) => ({ type: "toolCall", id, name: "read", arguments: { path } });

/** History, then a long turn that the keep budget of {@link settings} splits. */
export function story() {
  const session = Session.create({ cwd: "/work", id: "story" });
  session.appendMessage({ role: "user", content: words(496, "ask") });
  session.appendMessage({ role: "assistant", content: text(words(720, "answer")) });
  session.appendMessage({ role: "user", content: words(31, "more") });
  session.appendMessage({ role: "assistant", content: [...text(words(571, "look")), call("c1", "src/a.ts")], stopReason: "toolUse" });
  session.appendMessage({ role: "toolResult", toolCallId: "c1", toolName: "read", content: text(words(371, "line")), isError: false });
  session.appendMessage({ role: "assistant", content: text(words(571, "done")), stopReason: "stop" });
  return session;
}

export const settings = { compaction: { keepRecentTokens: 400 } };

/** The requests of a run over {@link story}, in their order. */
export const KINDS = ["history", "turn-prefix", "short"];

const history = `## Goal
Ship it.

## Constraints & Preferences
- (none)

## Progress
### Done
- [x] Looked.

### In Progress
- (none)

### Blocked
- (none)

## Key Decisions
- (none)

## Next Steps
1. Go on.

## Critical Context
- (none)`;

const turnPrefix = `## Request
More of it.

## Done So Far
Looked.

## Needed Later
src/a.ts`;

const replies = { history, update: history, fold: history, "turn-prefix": turnPrefix, short: "It is going well." };

/** What a well-behaved summariser answers. */
export const reply = ({ kind }) => replies[kind];

/** Compacts with the settings above, and gives the events along. */
export async function run(session, options = {}) {
  const events = [];
  const onEvent = (event) => events.push(event);
  // What is waited for is told in the events; no test waits for it.
  const sleep = () => undefined;
  const outcome = await compact(session, { contextWindow: 200_000, settings, summarize: reply, sleep, onEvent, ...options });
  return { outcome, events };
}

export const bytesOf = (session) => new TextDecoder().decode(session.toJsonl());

/**
 * Runs a compaction that must end in a given way: unless it was committed, nothing has changed, and
 * in any case there is one terminal event and the session is free for the next run.
 */
export async function endsAs(status, session, options) {
  const before = bytesOf(session);
  const leafId = session.leafId;
  const { outcome, events } = await run(session, options);
  equal(outcome.status, status, `the status (${outcome.error?.message ?? outcome.reason ?? "no error"})`);
  const ends = events.filter(({ type }) => type === "compaction_end");
  if (options?.onEvent === undefined) equal(ends.map((end) => end.status), [status], "the terminal events");
  if (status === "committed") {
    equal(session.entry(outcome.entry.id)?.type, "compaction", "the type of the new entry");
    ok(bytesOf(session).startsWith(before), "what was stored before is still there");
  } else {
    equal(bytesOf(session), before, "the stored bytes");
    equal(session.leafId, leafId, "the leaf");
    equal(outcome.entry, undefined, "the entry of a run that stored none");
    await isFree(session);
  }
  return { outcome, events };
}

/** A session that no run holds takes another one; one that is held would reject with `busy`. */
export async function isFree(session) {
  await run(session);
}
