// The agent in a terminal. `node main.mjs` without arguments shows how to call it.

import { defaultSettings, ThreadfoldError } from "threadfold";
import { chat, screenOn, tellOfCompactions } from "./chat.mjs";
import { openAgent } from "./open.mjs";
import { readOptions, USAGE, UsageError } from "./options.mjs";
import { Terminal } from "./terminal.mjs";

try {
  await main();
} catch (error) {
  console.error(complaint(error));
  process.exitCode = 1;
}

async function main() {
  const options = readOptions(process.argv.slice(2), process.env);
  const terminal = new Terminal();
  try {
    await run(options, terminal);
  } finally {
    // An open terminal would keep the program alive.
    terminal.close();
  }
}

/** @param {ReturnType<typeof readOptions>} options @param {Terminal} terminal */
async function run(options, terminal) {
  const screen = screenOn(terminal);
  const { agent, companion, session } = await openAgent(options, screen);
  tellOfCompactions(companion, screen);
  for (const { message } of session.diagnostics) screen.notice(message);
  const { enabled } = { ...defaultSettings.branchSummary, ...options.settings.branchSummary };
  await chat({ agent, companion, session, terminal, offersBranchSummary: enabled });
  await companion.flush();
  companion.dispose();
}

/** A user's mistake without the stack that a fault of ours has. @param {unknown} error */
function complaint(error) {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
  return ThreadfoldError.isInstance(error) ? error.message : error;
}
