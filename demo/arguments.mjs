// What the user asked for.

import { basename, dirname, extname, join } from "node:path";

export const USAGE = `usage: node demo/fold.mjs SESSION.jsonl [OUT.jsonl] [--window TOKENS] [--keep TOKENS]

Folds the session with the local summariser and prints what happened.

  --window TOKENS   context window of the model (default 200000, or THREADFOLD_WINDOW)
  --keep TOKENS     how much of the newest conversation is kept (default: adapted to the window)
  OUT.jsonl         where the folded session goes (default: SESSION.folded.jsonl beside it)`;

/** A mistake of the user's, told in one line. */
export class UsageError extends Error {}

/** The command line and the environment as options. */
export function parseArguments(args, env) {
  const options = { help: false, session: undefined, out: undefined, window: 200_000, keep: undefined };
  if (env.THREADFOLD_WINDOW) options.window = tokens(env.THREADFOLD_WINDOW, "THREADFOLD_WINDOW");
  const paths = [];
  for (let index = 0; index < args.length; index++) {
    const [name, attached] = args[index].startsWith("--") ? args[index].split(/=(.*)/s) : [args[index]];
    if (name === "--help" || name === "-h") options.help = true;
    else if (name === "--window" || name === "--keep") {
      options[name.slice(2)] = tokens(attached ?? args[++index], name);
    } else if (name.startsWith("-") && name !== "-") throw new UsageError(`unknown option ${name}; --help shows the known ones`);
    else paths.push(args[index]);
  }
  if (paths.length > 2) throw new UsageError(`one session and one output at most, not ${paths.length} paths`);
  [options.session, options.out] = paths;
  if (!options.help && options.session === undefined) throw new UsageError("no session was named; --help shows how");
  options.out ??= options.session && foldedPath(options.session);
  return options;
}

/** A whole number of tokens above 0; "200k", "200_000" and "200000" are the same. */
function tokens(text, name) {
  const match = /^(\d[\d_]*)(k?)$/i.exec(text ?? "");
  const value = match ? Number(match[1].replaceAll("_", "")) * (match[2] ? 1000 : 1) : Number.NaN;
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new UsageError(`${name} wants a whole number of tokens above 0${text === undefined ? "" : `, not ${JSON.stringify(text)}`}`);
  }
  return value;
}

/** `work/a.jsonl` as `work/a.folded.jsonl`. */
export function foldedPath(path) {
  const extension = extname(path);
  return join(dirname(path), `${basename(path, extension)}.folded${extension || ".jsonl"}`);
}
