// The conversation in the terminal: a line is a prompt or a command, until there are no more.

import { COMMANDS } from "./commands.mjs";

/** @param {import("./commands.mjs").Context} context */
export async function chat(context) {
  const { agent, session, terminal } = context;
  terminal.onStop = () => agent.abort();
  const { messages } = session.buildSessionContext();
  terminal.line(messages.length === 0 ? "A new session." : `The session goes on, with ${messages.length} messages in its context.`);
  terminal.line("Type what is to be done. /help shows the commands, and Escape stops whatever is going on.");
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
  return (await agent.prompt(line)) ? "" : line;
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
    call: ({ name, arguments: given }) => terminal.line(`* ${name} ${given.path ?? ""}`),
    notice: (text) => terminal.line(`(${text})`),
  };
}

/** Tells what Threadfold does to the context by itself. @param {import("threadfold").AgentSession} companion @param {import("./agent.mjs").Screen} screen */
export function tellOfCompactions(companion, screen) {
  companion.on("auto_compaction_start", ({ reason }) =>
    screen.notice(`The context ${reason === "overflow" ? "overflowed" : "is nearly full"}; compacting it`),
  );
  companion.on("compaction_progress", ({ waitingUntil }) => {
    if (waitingUntil !== undefined) screen.notice(`The summary waits for the model until ${new Date(waitingUntil).toLocaleTimeString()}`);
  });
  companion.on("compaction_end", ({ reason, status, tokensBefore, tokensAfter }) => {
    if (reason === "manual") return;
    if (status === "committed") screen.notice(`Compacted: ${tokensBefore} tokens are now ${tokensAfter}`);
    if (status === "cancelled") screen.notice("Compaction stopped; nothing has changed");
  });
  companion.on("auto_compaction_end", ({ errorMessage }) => {
    if (errorMessage !== undefined) screen.notice(errorMessage);
  });
}
