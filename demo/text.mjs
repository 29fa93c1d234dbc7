// Text for a terminal: made harmless, measured in columns, cut and wrapped.

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

// Escape sequences: CSI, then OSC and its kin up to their end (or the end of the text), then two-character ones.
const ESCAPES = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c|$)|\x1b[ -/]*[0-~]/g;
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f]/g;
// Controls of the second block, marks that turn the direction of a line round, and other invisible ones.
const INVISIBLE = /[\x80-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

const PLAIN = /^[\n\x20-\x7e]*$/;

/** Text of a session is hostile: nothing in it may move the cursor, colour the screen or hide. */
export function harmless(text) {
  // Most of it is plain all the same, and need not be gone through for each of these.
  if (PLAIN.test(text)) return String(text);
  return String(text)
    .toWellFormed()
    .replace(ESCAPES, "")
    .replace(/\r\n?/g, "\n")
    .replace(/\t/g, "  ")
    .replace(CONTROLS, (control) => (control === "\x7f" ? "␡" : String.fromCharCode(0x2400 + control.charCodeAt(0))))
    .replace(INVISIBLE, "");
}

/** The same in one line, each run of white space a single space. */
export function oneLine(text, limit = 400) {
  // Cut first: a megabyte of output is not searched for the sake of eighty columns.
  return harmless(String(text).slice(0, limit * 8)).replace(/\s+/g, " ").trim();
}

const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Bopomofo}|[\u3000-\u303e\u30fb-\u30fc\uff01-\uff60\uffe0-\uffe6])/u;
const ZERO = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;

function clusterWidth(cluster) {
  if (ZERO.test(cluster)) return 0;
  // U+FF61 to U+FF9F are half as wide as their script.
  if (/^[\uff61-\uff9f]/.test(cluster)) return 1;
  return WIDE.test(cluster) || cluster.includes("\ufe0f") ? 2 : 1;
}

/** Columns that a terminal gives to the text. */
export function width(text) {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) columns += clusterWidth(segment);
  return columns;
}

/** At most that many columns; what is cut off leaves an ellipsis. */
export function clip(text, columns) {
  if (columns <= 0) return "";
  if (width(text) <= columns) return text;
  let [out, used] = ["", 0];
  for (const { segment } of graphemes.segment(text)) {
    const next = clusterWidth(segment);
    if (used + next > columns - 1) break;
    out += segment;
    used += next;
  }
  return `${out.trimEnd()}…`;
}

/** The text filled up with spaces on the right, or cut. */
export function padded(text, columns) {
  const fitting = clip(text, columns);
  return fitting + " ".repeat(Math.max(0, columns - width(fitting)));
}

/** Lines of at most that many columns, broken at spaces where there are any. */
export function wrap(text, columns, hanging = "") {
  return text.split("\n").flatMap((line) => wrapLine(line, columns, hanging));
}

function wrapLine(line, columns, hanging) {
  const lines = [];
  const indent = /^ */.exec(line)[0].slice(0, Math.floor(columns / 2));
  let [current, used, start] = [indent, indent.length, indent];
  for (const word of line.trim().split(/ +/).flatMap((word) => pieces(word, columns - indent.length - hanging.length))) {
    const size = width(word);
    const gap = current === start ? 0 : 1;
    if (gap > 0 && used + gap + size > columns) {
      lines.push(current);
      start = indent + hanging;
      [current, used] = [start + word, start.length + size];
    } else {
      current += " ".repeat(gap) + word;
      used += gap + size;
    }
  }
  lines.push(current.trimEnd());
  return lines;
}

/** A word that is wider than a line, in parts that fit. */
function pieces(word, columns) {
  if (width(word) <= columns) return [word];
  const parts = [];
  let [part, used] = ["", 0];
  for (const { segment } of graphemes.segment(word)) {
    const size = clusterWidth(segment);
    if (used + size > columns && part !== "") {
      parts.push(part);
      [part, used] = ["", 0];
    }
    part += segment;
    used += size;
  }
  return [...parts, part];
}

/** 1234567 as "1,234,567". */
export function grouped(number) {
  return Math.round(number)
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** 61234 as "61.2k". */
export function short(number) {
  if (number < 1000) return String(Math.round(number));
  return number < 99_950 ? `${(number / 1000).toFixed(1)}k` : `${Math.round(number / 1000)}k`;
}

/** "1 entry", "2 entries". */
export function count(number, one, many = `${one}s`) {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

/** Bytes as a person says them. */
export function size(bytes) {
  if (bytes < 1000) return count(bytes, "byte");
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(0)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A part of a whole, for people. */
export function percent(part, whole) {
  if (!(whole > 0)) return "0 %";
  const value = (part / whole) * 100;
  return value > 0 && value < 1 ? "<1 %" : `${Math.round(value)} %`;
}
