// Folds a session with the built package and prints a report.

import { readFile, writeFile } from "node:fs/promises";
import { basename, relative, resolve } from "node:path";
import process from "node:process";
import { parseArguments, USAGE, UsageError } from "./arguments.mjs";
import { palette, wantsColour } from "./paint.mjs";
import { eventText, Progress } from "./progress.mjs";
import * as report from "./report.mjs";
import { fillOf, surveyContext, surveyCut, surveyTree } from "./survey.mjs";
import { oneLine, size } from "./text.mjs";

const style = { paint: palette(wantsColour(process.stdout, process.env)), columns: report.reportColumns(process.stdout.columns) };
const print = (lines) => process.stdout.write(`${lines.join("\n")}\n`);
const progress = new Progress(process.stderr);

// A reader that has seen enough (`| head`) is no fault.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

try {
  await main();
} catch (error) {
  progress.clear();
  process.stderr.write(`${complaint(error)}\n`);
  process.exitCode = 1;
}

async function main() {
  const options = parseArguments(process.argv.slice(2), process.env);
  if (options.help) return print([USAGE]);
  if (resolve(options.out) === resolve(options.session)) throw new UsageError("the folded session would overwrite its source; name another file");
  const bytes = await readFile(options.session);
  const threadfold = await loadPackage();
  const [session, loading] = await progress.step(`loading ${size(bytes.length)}`, () => threadfold.Session.fromJsonl(bytes));
  const run = {
    contextWindow: options.window,
    settings: options.keep === undefined ? {} : { compaction: { keepRecentTokens: options.keep } },
  };

  const tree = surveyTree(session);
  const usage = session.contextUsage(run);
  const [context] = await progress.step("measuring the context", () => surveyContext(session, threadfold.estimateTokens));
  print(report.titleLines({ file: basename(options.session), bytes: bytes.length, window: options.window, ...tree }, style));
  print(report.beforeLines({ tree, usage, fill: fillOf(context.rows) }, style));

  const [answer, planning] = await progress.step("looking for the cut", () => session.prepareCompaction(run));
  if (!answer.ok) return print(report.nothingLines(answer, style));
  const room = Math.floor((options.window - answer.preparation.reserveTokens) / 2);
  const asked = options.keep ?? Math.min(threadfold.defaultSettings.compaction.keepRecentTokens, room);
  print(report.cutLines(surveyCut(session, answer.preparation, context.rows, asked), style));

  const [outcome, folding] = await progress.step("folding", () =>
    threadfold.compact(session, {
      ...run,
      summarize: "local",
      onEvent: (event) => {
        const text = eventText(event);
        if (text !== undefined) progress.say(`folding: ${text}`);
      },
    }),
  );
  if (outcome.status === "nothing-to-do") return print(report.nothingLines(outcome.nothingToDo ?? outcome, style));
  if (outcome.status !== "committed") throw outcome.error ?? new Error(`the run was ${outcome.status}`);

  const entry = outcome.entry;
  print(report.summaryLines(entry, { ...style, summarizer: outcome.summarizer }));
  print(report.fileLines(entry.details, style));
  const now = surveyContext(session, threadfold.estimateTokens);
  print(report.contextLines(now.rows, style));

  const [folded, saving] = await progress.step("saving", async () => {
    const text = session.toJsonl();
    await writeFile(options.out, text);
    return text;
  });
  const before = outcome.tokensBefore;
  const after = outcome.tokensAfter ?? session.contextUsage(run).tokens;
  const times = [["loading", loading], ["planning", planning], ["folding", folding], ["saving", saving]];
  const loadedAgain = threadfold.Session.fromJsonl(folded).length;
  const outPath = shorter(options.out);
  print(report.afterLines({ before, after, window: options.window, saved: before - after, outPath, outBytes: folded.length, loadedAgain, repairs: now.repairs, times, progress: outcome.progress }, style));
}

/** The package is loaded late, so that a checkout that was never built gets a sentence and not a stack. */
async function loadPackage() {
  try {
    return await import("threadfold");
  } catch (error) {
    if (error?.code === "ERR_MODULE_NOT_FOUND") throw new UsageError("the package is not built yet: run `cargo xtask build` first");
    throw error;
  }
}

function shorter(path) {
  const near = relative(process.cwd(), path);
  return near !== "" && near.length < path.length && !near.startsWith("..") ? near : path;
}

/** Any fault in one line. */
function complaint(error) {
  const place = error?.path === undefined ? "" : ` ${oneLine(error.path, 1000)}`;
  if (error?.code === "ENOENT") return `threadfold demo:${place}: no such file`;
  if (error?.code === "EISDIR") return `threadfold demo:${place || " the session"} is a folder, a session is a file of JSON lines`;
  if (error?.code === "EACCES") return `threadfold demo:${place}: not allowed`;
  const code = typeof error?.code === "string" ? ` (${oneLine(error.code, 60)})` : "";
  return `threadfold demo: ${oneLine(error?.message ?? error, 600)}${error instanceof UsageError ? "" : code}`;
}
