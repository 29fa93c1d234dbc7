// The command line.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { PROVIDER_NAMES } from "./provider.mjs";

export const USAGE = `usage: node main.mjs --provider ${PROVIDER_NAMES.join("|")} --model NAME --window TOKENS [options]

  --provider NAME       which protocol the endpoint speaks
  --model NAME          the model, as the provider calls it
  --window TOKENS       its context window
  --max-output TOKENS   the most that one answer may take (default 4096)
  --base-url URL        the endpoint, where it is not the vendor's own
  --folder PATH         the folder that the tools may touch (default: work)
  --session FILE        where the session is kept (default: session.jsonl)
  --settings FILE       Threadfold's settings, as JSON

The key comes from ANTHROPIC_API_KEY or OPENAI_API_KEY.`;

/** Where the vendors' packages look for a key. */
const KEYS = { anthropic: "ANTHROPIC_API_KEY", openai: "OPENAI_API_KEY" };

/** A mistake on the command line, told in one line. */
export class UsageError extends Error {}

/** @param {string[]} args @param {NodeJS.ProcessEnv} env */
export function readOptions(args, env) {
  const { values } = parse(args);
  const { provider, model, settings } = values;
  const known = PROVIDER_NAMES.find((name) => name === provider);
  if (known === undefined) throw new UsageError(`--provider wants ${PROVIDER_NAMES.join(" or ")}, not ${provider ?? "nothing"}`);
  if (model === undefined) throw new UsageError("--model is missing");
  if (!env[KEYS[known]]) throw new UsageError(`${KEYS[known]} is not set; an endpoint that needs no key takes any`);
  return {
    provider: known,
    baseURL: values["base-url"],
    model: { provider: known, id: model, contextWindow: tokens("--window", values.window), maxOutputTokens: tokens("--max-output", values["max-output"]) },
    folder: values.folder,
    session: values.session,
    settings: settings === undefined ? {} : readSettings(settings),
  };
}

/** @param {string[]} args */
function parse(args) {
  const text = /** @type {const} */ ({ type: "string" });
  try {
    return parseArgs({
      args,
      options: {
        provider: text,
        model: text,
        window: text,
        "max-output": { ...text, default: "4096" },
        "base-url": text,
        folder: { ...text, default: "work" },
        session: { ...text, default: "session.jsonl" },
        settings: text,
      },
    });
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message);
  }
}

/** What is in it, Threadfold checks. @param {string} path @returns {import("threadfold").PartialSettings} */
function readSettings(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(`--settings ${path}: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {string} name @param {string | undefined} value */
function tokens(name, value) {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1) throw new UsageError(`${name} wants a whole number of tokens, not ${value ?? "nothing"}`);
  return number;
}
