// Bars of block characters.

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar for a part of a whole; anything above zero shows at least a sliver. */
export function bar(part, whole, columns) {
  if (!(part > 0) || !(whole > 0)) return "";
  const eighths = Math.max(1, Math.round((Math.min(part, whole) / whole) * columns * 8));
  return "█".repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}

/** Columns for each part of a strip, in all exactly `columns`; every part above zero gets at least one. */
export function shares(parts, columns) {
  const total = parts.reduce((sum, part) => sum + part, 0);
  if (total <= 0) return parts.map(() => 0);
  const widths = parts.map((part) => (part > 0 ? Math.max(1, Math.round((part / total) * columns)) : 0));
  for (let excess = widths.reduce((sum, w) => sum + w, 0) - columns; excess !== 0; excess -= Math.sign(excess)) {
    widths[widths.indexOf(Math.max(...widths))] -= Math.sign(excess);
  }
  return widths;
}
