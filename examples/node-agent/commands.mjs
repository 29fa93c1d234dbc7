// What a line that begins with a slash does.

import { treeRows } from "./tree-view.mjs";

/**
 * @typedef {object} Context
 * @property {import("./agent.mjs").Agent} agent
 * @property {import("threadfold").AgentSession} companion
 * @property {import("threadfold").Session} session
 * @property {import("./terminal.mjs").Terminal} terminal
 * @property {boolean} offersBranchSummary the setting `branchSummary.enabled`
 *
 * A command gives what is to stand in the next line that the user types, if anything.
 *
 * @typedef {(context: Context, rest: string) => Promise<string | void>} Command
 */

/** @type {Record<string, { usage: string, help: string, run: Command }>} */
export const COMMANDS = {
  compact: {
    usage: "/compact [instructions]",
    help: "folds the older part of the session into a summary; the instructions say what it should keep",
    run: compact,
  },
  tree: { usage: "/tree", help: "shows the session as a tree and goes back to any place in it", run: tree },
  continue: { usage: "/continue", help: "goes on with a turn that was cut off", run: resume },
  help: { usage: "/help", help: "shows this", run: help },
  quit: { usage: "/quit", help: "ends the agent; the session stays in its file", run: async ({ terminal }) => terminal.close() },
};

/** @type {Command} */
async function compact({ companion, terminal }, rest) {
  terminal.line("Compacting; Escape stops it.");
  const outcome = await companion.compact(rest === "" ? {} : { customInstructions: rest });
  switch (outcome.status) {
    case "committed":
      return terminal.line(`Compacted: ${outcome.tokensBefore} tokens are now ${outcome.tokensAfter}.`);
    case "nothing-to-do":
      return terminal.line(`Nothing to compact: ${outcome.nothingToDo?.message ?? outcome.reason}`);
    case "cancelled":
      return terminal.line("Stopped. The session is as it was.");
    case "failed":
      return terminal.line(`Not compacted: ${outcome.error?.message}`);
  }
}

/** @type {Record<NonNullable<import("threadfold").NavigateResult["summarySkipped"]>, string>} */
const WHY_NO_SUMMARY = {
  "no-messages": "There was nothing to summarise.",
  "nothing-fits": "No summary: what you left does not fit the model's window.",
};

/** @type {Command} */
async function tree({ companion, session, terminal, offersBranchSummary }) {
  const rows = treeRows(session);
  if (rows.length === 0) return terminal.line("The session is empty.");
  for (const { line } of rows) terminal.line(line);
  const number = await terminal.ask("Go to which number? (Escape stays) ");
  const target = rows[Number(number) - 1];
  if (target === undefined) return terminal.line("Nothing changed.");
  const answer = offersBranchSummary ? await terminal.ask("Summarise what you leave behind? [y/N] ") : "";
  if (answer === undefined) return terminal.line("Nothing changed.");
  const summarize = /^y/i.test(answer);
  if (summarize) terminal.line("Summarising; Escape stops it.");
  const result = await companion.navigateTree(target.id, { summarize });
  if (result.failed) return terminal.line(`Nothing changed: ${result.failed.message}`);
  if (result.cancelled) return terminal.line("Stopped. Nothing changed.");
  if (result.summarySkipped) terminal.line(WHY_NO_SUMMARY[result.summarySkipped]);
  terminal.line(result.summaryEntry ? "Moved, with a summary of what you left." : "Moved.");
  // A prompt of the user's comes back to be changed.
  return result.editorText;
}

/** @type {Command} */
async function resume({ agent, terminal }) {
  if (!agent.isUnfinished) return terminal.line("The last turn is complete.");
  await agent.resume();
}

/** @type {Command} */
async function help({ terminal }) {
  for (const { usage, help } of Object.values(COMMANDS)) terminal.line(`${usage.padEnd(26)}${help}`);
}
