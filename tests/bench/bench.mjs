// Ours beside pi's own package, and beside others where they are named, as ratios of medians, or of the fastest
// rounds: above 1 we are faster.
//
// `--check` makes a missed target the exit code; without it a slow machine fails nothing.
// `--only TEXT` measures the rows whose name holds that text.

import process from "node:process";
import { ROWS } from "./rows.mjs";
import { table } from "./table.mjs";
import { TOKEN_ROWS } from "./tokens/rows.mjs";

const { only, check } = options(process.argv.slice(2));
const chosen = [...ROWS, ...TOKEN_ROWS].filter((row) => row.name.includes(only));
if (chosen.length === 0) throw new Error(`no row is named ${JSON.stringify(only)}`);

const rows = [];
for (const row of chosen) {
  process.stderr.write(`measuring: ${row.name}\n`);
  const measured = await row.measure();
  const passed = row.atMost ? measured.ratio.typical <= row.target : measured.ratio.typical >= row.target;
  rows.push({ ...row, ...measured, passed });
}
const missed = rows.filter((row) => !row.passed).length;
process.stdout.write(`\nThe time of the peer (pi, or who is named) / ours, Node ${process.version}\n\n${table(rows).join("\n")}\n`);
process.stdout.write(missed === 0 ? "\nevery target is met\n" : `\n${missed} of ${rows.length} targets missed\n`);
process.exitCode = check && missed > 0 ? 1 : 0;

function options(words) {
  const options = { only: "", check: false };
  while (words.length > 0) {
    const word = words.shift();
    if (word === "--check") options.check = true;
    else if (word === "--only" && words.length > 0) options.only = words.shift();
    else throw new Error(`${word}: allowed are --check and --only TEXT`);
  }
  return options;
}
