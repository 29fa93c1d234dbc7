// The report: plain data in, lines out.

import { bar, shares } from "./bars.mjs";
import { clip, count, grouped, harmless, oneLine, padded, percent, short, size, width, wrap } from "./text.mjs";

const LABEL = 16;

/** Columns of the report for a terminal of that width. */
export function reportColumns(columns) {
  return Math.min(100, Math.max(60, (columns || 97) - 1));
}

/** A row with a name on the left; further lines stand below the first. */
function row(paint, name, text, columns) {
  const lines = wrap(text, columns - LABEL - 2);
  return lines.map((line, index) => `  ${paint.dim(padded(index === 0 ? name : "", LABEL))}${line}`);
}

function heading(paint, title) {
  return ["", paint.bold(title), ""];
}

export function titleLines({ file, bytes, name, cwd, window }, { paint, columns }) {
  const right = `window ${grouped(window)} tokens`;
  const left = `${oneLine(file)} (${size(bytes)})`;
  const lines = ["", ` ${paint.bold(paint.cyan("threadfold"))}  ${paint.dim(clip("folds a long session so that the model can go on", columns - 14))}`, paint.dim(` ${"─".repeat(columns - 2)}`)];
  lines.push(` ${padded(left, columns - 3 - width(right))} ${paint.dim(right)}`);
  const about = [name && oneLine(name), cwd && oneLine(cwd)].filter(Boolean).join("  ·  ");
  if (about !== "") lines.push(` ${paint.dim(clip(about, columns - 2))}`);
  return lines;
}

export function beforeLines({ tree, usage, fill }, { paint, columns }) {
  const lines = heading(paint, "Before");
  const aside = tree.branches > 1 ? ` (${grouped(tree.onPath)} on the path, the rest on ${count(tree.branches - 1, "other branch", "other branches")})` : "";
  lines.push(...row(paint, "entries", grouped(tree.entries) + aside, columns));
  const folded = tree.compactions > 0 ? `, folded ${count(tree.compactions, "time")} before` : "";
  lines.push(...row(paint, "messages", `${grouped(tree.messages)}${folded}`, columns));
  lines.push(...row(paint, "tokens", usageText(usage), columns));
  if (tree.diagnostics.length > 0) lines.push(...diagnosticLines(tree.diagnostics, { paint, columns }));
  lines.push(...fillLines(fill, { paint, columns }));
  return lines;
}

/** The context size in words, with where the figure comes from and how sure it is. */
export function usageText({ tokens, low, high, percent: share, source, limit, reason }) {
  const part = Number.isFinite(share) ? ` (${Math.round(share)} % of the window)` : "";
  const range = low !== undefined && high !== undefined && low !== high ? `; the next request between ${grouped(low)} and ${grouped(high)}` : "";
  const from = source === undefined ? "" : `; ${SOURCES[source] ?? `measured by ${oneLine(source)}`}`;
  const over = limit !== undefined && tokens > limit ? `; over the ${grouped(limit)} at which to fold` : "";
  return `${grouped(tokens)}${part}${from}${range}${over}${reason ? `; ${USAGE_REASONS[reason] ?? oneLine(reason)}` : ""}`;
}

const SOURCES = {
  usage: "as the provider counted",
  "usage+estimate": "as the provider counted, what follows estimated",
  estimate: "estimated from the text",
  "usage+count": "as the provider counted, what follows counted by the tokenizer",
  count: "counted by the tokenizer",
};

const USAGE_REASONS = {
  "unknown-window": "the context window of the model is not known",
  "usage-implausible": "the provider's figure is larger than the window and was not believed",
  "usage-deflated": "the provider's figure is far too small for the text and was not believed",
};

function diagnosticLines(diagnostics, { paint, columns }) {
  const shown = diagnostics.slice(0, 3).map(({ line, kind, message }) => `line ${line ?? "?"}: ${oneLine(kind ?? "")}${message ? `, ${oneLine(message)}` : ""}`);
  if (diagnostics.length > 3) shown.push(`and ${grouped(diagnostics.length - 3)} more`);
  return shown.map((text, index) => `  ${paint.dim(padded(index === 0 ? "damage" : "", LABEL))}${paint.yellow(clip(text, columns - LABEL - 2))}`);
}

const KIND_COLOURS = { "tool result": "blue", assistant: "magenta", user: "green", images: "cyan", summary: "yellow" };

export function fillLines({ kinds, tools, total }, { paint, columns }) {
  if (total <= 0) return [];
  const lines = ["", `  ${paint.dim("What fills the context, estimated:")}`];
  const room = Math.max(10, columns - LABEL - 2 - 34);
  const largest = kinds[0]?.tokens ?? 0;
  for (const kind of kinds) {
    const colour = paint[KIND_COLOURS[kind.name] ?? "dim"];
    const figures = `${short(kind.tokens).padStart(7)} ${percent(kind.tokens, total).padStart(5)}  ${paint.dim(grouped(kind.number).padStart(5))}`;
    lines.push(`  ${padded(kind.name, LABEL)}${figures}  ${colour(bar(kind.tokens, largest, room))}`);
  }
  if (tools.length > 1) {
    const parts = tools.slice(0, 5).map((tool) => `${oneLine(tool.name, 24)} ${short(tool.tokens)}`);
    lines.push(...row(paint, "results of", parts.join(", "), columns));
  }
  return lines;
}

export function cutLines(cut, { paint, columns }) {
  const lines = heading(paint, "The cut");
  lines.push(...stripLines(cut, { paint, columns }), "");
  for (const [name, text] of cutReasons(cut)) lines.push(...row(paint, name, text, columns));
  const first = cut.firstKept;
  lines.push(...row(paint, "first kept", `${oneLine(cut.firstKeptEntryId, 40)}, entry ${grouped(cut.position)} of ${grouped(cut.onPath)} on the path`, columns));
  if (first) lines.push(`  ${" ".repeat(LABEL)}${paint.green(clip(`${first.role}: ${first.text}`, columns - LABEL - 2))}`);
  if (cut.turnStart) {
    lines.push(...row(paint, "split turn", "yes: the cut lies inside a turn, whose beginning gets a summary of its own. It begins with", columns));
    lines.push(`  ${" ".repeat(LABEL)}${paint.yellow(clip(`${cut.turnStart.role}: ${cut.turnStart.text}`, columns - LABEL - 2))}`);
  } else lines.push(...row(paint, "split turn", cut.isSplitTurn ? "yes" : "no, whole turns are kept", columns));
  return lines;
}

/** One strip for the path: what becomes the summary, the beginning of the split turn, what is kept. */
export function stripLines(cut, { paint, columns }) {
  const parts = [
    ["summarised", cut.history, "blue", "░"],
    ["turn prefix", cut.prefix, "yellow", "▒"],
    ["kept", cut.kept, "green", "█"],
  ].filter(([, part]) => part.entries > 0);
  const widths = shares(parts.map(([, part]) => part.tokens), columns - 4);
  const strip = parts.map(([, , colour, cell], index) => paint[colour](cell.repeat(widths[index]))).join("");
  const legend = parts.map(([name, part, colour, cell]) => `${paint[colour](cell)} ${name}: ${count(part.entries, "entry", "entries")}, ${short(part.tokens)} tokens`);
  return [`  ${strip}`, ...legend.map((line) => `  ${line}`)];
}

/** Why the cut lies where it lies, as name and text. */
export function cutReasons({ asked, budget, kept, firstKept, before }) {
  const reasons = [];
  if (asked !== undefined && asked > budget) {
    const ratio = (asked / budget).toFixed(2);
    reasons.push(["keep budget", `${grouped(budget)} tokens: ${grouped(asked)} by the setting, and the provider counts ${ratio} times what the text suggests`]);
  } else reasons.push(["keep budget", `${grouped(budget)} tokens of the newest conversation`]);
  if (kept.tokens >= budget) {
    const over = kept.tokens > budget * 1.5 ? "; more than asked for, since a single entry in there is large or must not be cut off" : "";
    reasons.push(["kept", `${grouped(kept.tokens)} tokens: counted from the newest entry, the budget is reached at the ${firstKept?.role ?? "entry"} below${over}`]);
  } else {
    const what = before ? `a ${before.role}` : "an entry";
    reasons.push(["kept", `${grouped(kept.tokens)} tokens: the budget is reached at ${what}, where no cut may lie (a call is never parted from its results), so it lies behind it`]);
  }
  return reasons;
}

/** The stored summary without its file tags, which the report lists apart. */
export function summaryText(summary) {
  return harmless(summary)
    .replace(/<(read|modified)-files>[\s\S]*?<\/\1-files>/g, "")
    .trim();
}

export function summaryLines(entry, { paint, columns, summarizer, most = 160 }) {
  const lines = heading(paint, `The summary${summarizer ? ` (${summarizer} summariser)` : ""}`);
  if (entry.shortSummary) {
    lines.push(...wrap(oneLine(entry.shortSummary, 2000), columns - 4).map((line) => `  ${paint.cyan(line)}`), "");
  }
  const body = summaryText(entry.summary).split("\n").flatMap((line) => {
    const isHeading = /^#{1,6} /.test(line) || /^\*\*.*\*\*$/.test(line);
    const hanging = /^\s*(?:[-*]|\d+\.) /.test(line) ? "  " : "";
    return wrap(line, columns - 6, hanging).map((part) => `  ${paint.dim("│")} ${isHeading ? paint.bold(part) : part}`);
  });
  lines.push(...body.slice(0, most));
  if (body.length > most) lines.push(`  ${paint.dim(`│ … ${count(body.length - most, "more line")} in the written file`)}`);
  return lines;
}

export function fileLines(details, { paint, columns, most = 12 }) {
  const lists = [
    ["modified", details?.modifiedFiles ?? []],
    ["only read", details?.readFiles ?? []],
  ].filter(([, files]) => files.length > 0);
  if (lists.length === 0) return [];
  const lines = heading(paint, "Files carried along");
  for (const [name, files] of lists) {
    lines.push(`  ${paint.dim(padded(name, LABEL))}${count(files.length, "file")}`);
    const shown = files.slice(0, most).map((file) => `  ${" ".repeat(LABEL)}${clip(oneLine(file), columns - LABEL - 2)}`);
    lines.push(...shown);
    if (files.length > most) lines.push(`  ${" ".repeat(LABEL)}${paint.dim(`… and ${grouped(files.length - most)} more`)}`);
  }
  return lines;
}

/** The messages the model now sees; the middle of a long list is left out. */
export function contextLines(rows, { paint, columns, head = 5, tail = 8 }) {
  const lines = heading(paint, `What the model sees now: ${count(rows.length, "message")}`);
  const line = ({ role, tokens, text }, number) => {
    const left = `  ${paint.dim(String(number).padStart(4))}  ${padded(role, 15)}${short(tokens).padStart(7)}  `;
    return left + paint.dim(clip(text, columns - 32));
  };
  const hidden = rows.length - head - tail;
  for (const [index, row] of rows.entries()) {
    if (hidden > 1 && index === head) {
      const tokens = rows.slice(head, head + hidden).reduce((sum, r) => sum + r.tokens, 0);
      lines.push(paint.dim(`     ⋮  ${count(hidden, "more message")}, ${short(tokens)} tokens`));
    }
    if (hidden <= 1 || index < head || index >= rows.length - tail) lines.push(line(row, index + 1));
  }
  return lines;
}

export function afterLines({ before, after, window, saved, outPath, outBytes, loadedAgain, repairs, times, progress }, { paint, columns }) {
  const lines = heading(paint, "After");
  const room = columns - LABEL - 16;
  const largest = Math.max(before, after, 1);
  lines.push(`  ${paint.dim(padded("before", LABEL))}${grouped(before).padStart(9)}  ${paint.red(bar(before, largest, room))}`);
  lines.push(`  ${paint.dim(padded("after", LABEL))}${grouped(after).padStart(9)}  ${paint.green(bar(after, largest, room))}`);
  const free = window > after ? `, room for ${grouped(window - after)} more` : "";
  lines.push(...row(paint, "saved", `${grouped(Math.max(0, saved))} tokens: the context is ${ratioText(before, after)}${free}`, columns));
  if (progress === "insufficient") lines.push(...row(paint, "note", paint.yellow("that is too little to go on with: what had to be kept is large"), columns));
  if (repairs > 0) lines.push(...row(paint, "repairs", `${count(repairs, "message")} of the view put right for the provider; the entries are untouched`, columns));
  lines.push(...row(paint, "written to", `${oneLine(outPath, 1000)} (${size(outBytes)}${loadedAgain === undefined ? "" : `, loads again with ${count(loadedAgain, "entry", "entries")}`})`, columns));
  if (times) lines.push(...row(paint, "time", times.map(([name, ms]) => `${name} ${milliseconds(ms)}`).join(", "), columns));
  lines.push("");
  return lines;
}

/** "5.2 times smaller" and the like. */
export function ratioText(before, after) {
  if (!(before > 0) || !(after > 0)) return "empty";
  if (after >= before) return `not smaller (${percent(after, before)} of before)`;
  return `${(before / after).toFixed(1)} times smaller (${percent(after, before)} of before)`;
}

function milliseconds(ms) {
  return ms < 1 ? "<1 ms" : ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

const REASONS = {
  "already-compacted": "nothing new lies behind the latest compaction",
  "session-too-small": "the conversation is smaller than what is kept anyway",
  "below-threshold": "the context is not large enough yet to fold it",
  infeasible: "the fixed overhead and the newest message alone fill the window; folding cannot help",
  "kept-tail-too-large": "the newest entries, which must be kept, are too large by themselves",
  "open-tool-call": "a tool call still awaits its result, and nothing lies before its turn",
  disabled: "compaction is switched off in the settings",
  "unknown-window": "the context window of the model is not known",
};

/** A typed reason in plain words. */
export function reasonText(reason) {
  return REASONS[reason] ?? `the engine answered ${oneLine(reason ?? "nothing", 60)}`;
}

export function nothingLines(answer, { paint, columns }) {
  const lines = heading(paint, "Nothing to do");
  lines.push(...row(paint, "why", reasonText(answer.reason), columns));
  if (answer.message) lines.push(...row(paint, "in figures", oneLine(answer.message, 600), columns));
  lines.push(...row(paint, "code", oneLine(answer.reason ?? "none", 40), columns));
  lines.push(...row(paint, "session", "left as it is; nothing was written", columns), "");
  return lines;
}
