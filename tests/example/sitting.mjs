// Somebody at a terminal with the example's agent.

import assert from "node:assert/strict";
import { chat, screenOn, tellOfCompactions } from "../../examples/node-agent/chat.mjs";
import { Terminal } from "../../examples/node-agent/terminal.mjs";
import { fakeTty } from "./fake-tty.mjs";
import { openOn } from "./opening.mjs";
import { provide, scratch } from "./setting.mjs";
import { promptOf } from "./story/turns.mjs";

/** Said in turn 3. */
export const PORT = "The port of the importer is 4711.";

/** An agent at a terminal, with some turns behind it: enough to compact by hand. */
export async function sitDown(t, protocol, { turns = 12, branchSummary = false, onRequest, faults } = {}) {
  const provider = await provide(t, { onRequest, faults });
  const settings = { compaction: { keepRecentTokens: 400 }, branchSummary: { enabled: branchSummary } };
  const tty = fakeTty();
  const terminal = new Terminal(tty);
  const opened = await openOn(provider, protocol, await scratch(t), { settings, screen: screenOn(terminal) });
  tellOfCompactions(opened.companion, screenOn(terminal));
  for (let turn = 1; turn <= turns; turn += 1) await opened.agent.prompt(turn === 3 ? `Turn 3: ${PORT}` : promptOf(turn));
  const ended = chat({ ...opened, terminal, offersBranchSummary: branchSummary });
  t.after(async () => {
    terminal.close();
    await ended;
    assert.deepEqual(provider.violations, []);
    opened.companion.dispose();
  });
  await tty.until(/> $/);
  return { ...opened, ...tty, provider, ended };
}

/** Holds summary requests up until their client has left; tells when the first came. */
export function holdSummaries() {
  let came;
  const held = new Promise((resolve) => (came = resolve));
  const onRequest = ({ kind }, closed) => {
    if (kind !== "summary") return undefined;
    came();
    return closed;
  };
  return { held, onRequest };
}
