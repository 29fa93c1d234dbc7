// The table of ratios.

/** Rows as lines: ratio, spread, target and mark, and below them the times they come from. */
export function table(rows) {
  const cells = rows.map(({ name, ratio, target, atMost, passed }) => [
    name,
    times(ratio.typical),
    `${times(ratio.low)} .. ${times(ratio.high)}`,
    `${atMost ? "at most" : "at least"} ${target}x`,
    passed ? "pass" : "MISSED",
  ]);
  const small = rows.map(({ name, detail, note }) => [
    `  ${name}:`,
    detail.map(([side, time]) => `${side} ${milliseconds(time)}`).join(", "),
    note ?? "",
  ]);
  return [...aligned([["", "ratio", "p10 .. p90", "target", ""], ...cells]), "", "Times of this run:", ...aligned(small)];
}

function aligned(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join("  ").trimEnd());
}

function times(number) {
  return `${number.toFixed(number >= 100 ? 0 : number >= 10 ? 1 : 2)}x`;
}

function milliseconds(time) {
  if (time < 0.1) return `${(time * 1_000).toFixed(1)} us`;
  return `${time.toFixed(time < 10 ? 3 : 1)} ms`;
}
