// The conversation in the terminal: a line is a prompt or a command, until there are no more.

import { COMMANDS } from "./commands.mjs";

/** @param {import("./commands.mjs").Context} context */
export async function chat(context) {
  const { agent, terminal } = context;
  terminal.onStop = () => agent.abort();
  if (agent.isUnfinished) terminal.line("The last turn was cut off; /continue goes on with it.");
  let draft = "";
  while (!terminal.isOver) {
    const line = (await terminal.ask("> ", draft))?.trim() ?? "";
    draft = "";
    try {
      if (line.startsWith("/")) draft = (await runCommand(context, line)) ?? "";
      else if (line !== "") draft = await prompt(context, line);
    } catch (error) {
      // A fault of one line must not cost the user the session.
      terminal.line(`Error: ${/** @type {Error} */ (error).message}`);
    }
  }
}

/** @param {import("./commands.mjs").Context} context @param {string} line */
async function runCommand(context, line) {
  const [name = "", ...words] = line.slice(1).split(" ");
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) return context.terminal.line(`There is no command /${name}; /help shows those there are.`);
  return command.run(context, words.join(" ").trim());
}

/** Gives the line back where it was stopped before it was sent. @param {import("./commands.mjs").Context} context @param {string} line */
async function prompt({ agent, terminal }, line) {
  const sent = await agent.prompt(line);
  terminal.line("");
  return sent ? "" : line;
}

/**
 * The terminal as the agent's screen.
 *
 * @param {import("./terminal.mjs").Terminal} terminal
 * @returns {import("./agent.mjs").Screen}
 */
export function screenOn(terminal) {
  return {
    text: (text) => terminal.write(text),
    call: ({ name, arguments: given }) => terminal.line(`\n* ${name} ${given.path ?? ""}`),
    notice: (text) => terminal.line(`\n(${text})`),
  };
}

/** Tells when Threadfold works on the context by itself. @param {import("threadfold").AgentSession} companion @param {import("./agent.mjs").Screen} screen */
export function tellOfCompactions(companion, screen) {
  companion.on("auto_compaction_start", ({ reason }) =>
    screen.notice(reason === "overflow" ? "The context overflowed; compacting it" : "The context is nearly full; compacting it"),
  );
  companion.on("auto_compaction_end", ({ result, aborted, errorMessage }) => {
    if (aborted) screen.notice("Compaction stopped");
    else if (errorMessage !== undefined) screen.notice(errorMessage);
    else if (result !== undefined) screen.notice("Compacted");
  });
}
