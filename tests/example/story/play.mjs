// Plays the story with an agent, and says whether it went well.

import assert from "node:assert/strict";
import { isSummaryText } from "./model.mjs";
import { CODE_WORD, promptOf, TURNS } from "./turns.mjs";

/** What goes wrong on the way, at the provider. */
export const MISHAPS = [
  { fault: "overloaded", turn: 20, times: 2 },
  { fault: "drop", turn: 40 },
  { fault: "rate-limit", turn: 60, retryAfter: 20 },
  { fault: "malformed", turn: 80 },
  // For one request the model is a smaller one: the context overflows although it was counted rightly.
  { fault: "too-long", turn: 100, above: 9_000 },
  { fault: "overloaded", of: "summary", number: 3 },
];

/** Plays the turns that the session does not hold yet, whatever happened to it before. */
export async function play({ agent, session }, { upTo = TURNS, onTurn = () => {} } = {}) {
  if (agent.isUnfinished) await agent.resume();
  for (let turn = lastTurn(session) + 1; turn <= upTo; turn += 1) {
    onTurn(turn);
    // A prompt that was stopped before it was sent is sent again, and a turn that was stopped is gone on with.
    while (!(await agent.prompt(promptOf(turn))));
    if (agent.isUnfinished) await agent.resume();
  }
}

/** The turns that the user opened, as the session holds them, in order. */
function turnsOf(session) {
  return session.path().flatMap(({ message }) => {
    const found = message?.role === "user" ? /^Turn (\d+):/.exec(message.content) : null;
    return found === null ? [] : [Number(found[1])];
  });
}

const lastTurn = (session) => turnsOf(session).at(-1) ?? 0;

/** The session went to its end, with every request well-formed, and only a summary can have carried the fact there. */
export function assertRemembered(provider, session) {
  assert.deepEqual(provider.violations, []);
  assert.deepEqual(provider.faults.left, [], "not everything went wrong that should");
  assert.equal(provider.requests.filter(({ outcome }) => outcome === "too-long").length, 1, "only the overflow that was planned");
  assert.deepEqual(turnsOf(session), Array.from({ length: TURNS }, (_, index) => index + 1));
  assert.ok(session.entries().filter(({ type }) => type === "compaction").length >= 10, "the session did not outgrow its window");

  const { messages } = session.buildSessionContext();
  assert.deepEqual(messages.at(-1).content, [{ type: "text", text: `The code word is ${CODE_WORD}.` }]);
  const holding = messages.slice(0, -1).filter((message) => JSON.stringify(message).includes(CODE_WORD));
  assert.deepEqual(holding.map(({ role }) => role), ["compactionSummary"]);

  const texts = provider.last.messages.flatMap(({ parts }) => parts.map((part) => JSON.stringify(part)));
  const carrying = [provider.last.system, ...texts].filter((text) => text.includes(CODE_WORD));
  assert.ok(carrying.length === 1 && isSummaryText(carrying[0]), "the fact stands outside of the summary");
}
