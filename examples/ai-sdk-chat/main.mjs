// The chat in a terminal: a line is a message, until there are no more.

import { createInterface } from "node:readline/promises";
import { Chat } from "./chat.mjs";
import { openFile } from "./chat-file.mjs";
import { readOptions, USAGE, UsageError } from "./options.mjs";
import { openModel } from "./model.mjs";

try {
  await main();
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : error);
  process.exitCode = 1;
}

async function main() {
  const options = readOptions(process.argv.slice(2), process.env);
  const file = await openFile(options.chat);
  // What is typed before somebody listens is lost: nothing may wait from here to the loop.
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const chat = new Chat({
    file,
    model: openModel(options),
    contextWindow: options.window,
    onText: (text) => process.stdout.write(text),
    onFold: ({ tokensBefore, tokensAfter }) => console.log(`(The earlier part is a summary now: ${tokensBefore} tokens became ${tokensAfter})`),
    approve: async ({ text }) => isYes(await terminal.question(`\nWrite the note "${text}"? (y/n) `)),
  });
  console.log(chat.messages.length === 0 ? "A new chat." : `The chat goes on, with ${chat.messages.length} messages.`);
  console.log("Ctrl-C stops an answer, and at the prompt ends the program.");
  let running = new AbortController();
  terminal.on("SIGINT", () => (chat.isBusy ? running.abort() : terminal.close()));
  terminal.setPrompt("> ");
  terminal.prompt();
  for await (const line of terminal) {
    running = new AbortController();
    if (line.trim() !== "") await answer(chat, line, running.signal);
    terminal.prompt();
  }
}

/** What goes wrong with one message leaves the chat as it was. @param {Chat} chat @param {string} line @param {AbortSignal} signal */
async function answer(chat, line, signal) {
  try {
    await chat.send(line, signal);
    console.log();
  } catch (error) {
    console.log(signal.aborted ? "\n(Stopped; the chat is as it was)" : `\n(${/** @type {Error} */ (error).message})`);
  }
}

/** @param {string} answer */
function isYes(answer) {
  return /^\s*y/i.test(answer);
}
