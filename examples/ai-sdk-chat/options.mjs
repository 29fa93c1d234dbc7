// The command line, and the environment behind it.

import { parseArgs } from "node:util";

export const USAGE = `usage: node main.mjs --base-url URL --model NAME --window TOKENS [--chat FILE]

  --base-url URL    an endpoint that speaks OpenAI's chat completions (or BASE_URL)
  --model NAME      the model, as the endpoint calls it (or MODEL)
  --window TOKENS   its context window (or CONTEXT_WINDOW)
  --chat FILE       where the chat is kept (default: chat.json)

The key, where the endpoint wants one, comes from API_KEY.`;

/** A mistake on the command line, told in one line. */
export class UsageError extends Error {}

/** @param {string[]} args @param {NodeJS.ProcessEnv} env */
export function readOptions(args, env) {
  const given = parse(args);
  const required = (/** @type {keyof typeof given} */ name, /** @type {string} */ variable) => {
    const value = given[name] ?? env[variable];
    if (!value) throw new UsageError(`--${name} is missing, and ${variable} is not set`);
    return value;
  };
  const baseURL = required("base-url", "BASE_URL");
  const model = required("model", "MODEL");
  const window = Number(required("window", "CONTEXT_WINDOW"));
  if (!Number.isSafeInteger(window) || window < 1) throw new UsageError("--window wants a whole number of tokens");
  return { baseURL, model, window, apiKey: env["API_KEY"], chat: given.chat ?? "chat.json" };
}

/** @param {string[]} args */
function parse(args) {
  const text = /** @type {const} */ ({ type: "string" });
  try {
    return parseArgs({ args, options: { "base-url": text, model: text, window: text, chat: text } }).values;
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message);
  }
}
