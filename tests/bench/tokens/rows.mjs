// The rows of counting tokens: against the fastest of the packages each time, and how it grows with the text.

import { median, race, ratio } from "../race.mjs";
import { againstFastest, rounds } from "./rounds.mjs";
import { KINDS, randomBytes } from "./texts.mjs";
import { counterOf, OURS } from "./tokenizers.mjs";

const ENCODINGS = ["o200k_base", "cl100k_base"];
/** The largest share of the fastest package's time that loading may take. */
const LOADING = 4;
const MEGABYTE = 1_000_000;
/** How much longer ten times the text may take, and how long a megabyte, in milliseconds. */
const TENFOLD = 12;
const MILLISECONDS = 250;

/** Texts without a border in them, or with none that helps, of so many bytes. */
const UNBROKEN = [
  { name: "letters without a space", text: letters },
  { name: "one letter", text: (bytes) => "a".repeat(bytes) },
  { name: "spaces", text: (bytes) => " ".repeat(bytes) },
  { name: "random bytes as UTF-8", text: (bytes) => new TextDecoder().decode(randomBytes(bytes)) },
];

export const TOKEN_ROWS = ENCODINGS.flatMap((encoding) => [
  { name: `load ${encoding} from its file`, target: LOADING, measure: () => loading(encoding) },
  ...KINDS.flatMap(({ name, first, warm }) => [
    { name: `count ${name}, ${encoding}, first pass`, target: first, measure: () => counting(encoding, name, "first") },
    { name: `count ${name}, ${encoding}, warm`, target: warm, measure: () => counting(encoding, name, "warm") },
  ]),
  ...UNBROKEN.flatMap(({ name, text }) => [
    { name: `count 10 MB of ${name} / 1 MB, ${encoding}`, target: TENFOLD, atMost: true, measure: () => growing(encoding, text) },
    { name: `count 1 MB of ${name} / ${MILLISECONDS} ms, ${encoding}`, target: 1, atMost: true, measure: () => lasting(encoding, text) },
  ]),
]);

/** From the package to the first count, the file read included, in processes that have loaded none of it before. */
function loading(encoding) {
  const times = KINDS.slice(0, 3).flatMap(({ name }) => rounds(encoding, name));
  return { ...againstFastest(times.map(({ load }) => load)), note: "reading the file included, importing the package not" };
}

/** The texts of a kind; all sides must agree about their tokens. */
function counting(encoding, kind, passes) {
  const all = rounds(encoding, kind);
  const [{ tokens, characters }] = all;
  for (const [name, count] of Object.entries(tokens)) {
    if (count !== tokens[OURS]) throw new Error(`${kind}, ${encoding}: ${name} counts ${count} tokens, ours ${tokens[OURS]}`);
  }
  const { source } = KINDS.find(({ name }) => name === kind);
  return { ...againstFastest(all.map((times) => times[passes])), note: `${characters} characters, ${tokens[OURS]} tokens; ${source}` };
}

/** How much longer ten times the text takes. The packages take minutes, or overflow, on most of these. */
async function growing(encoding, text) {
  const [ten, one] = await timesOf(encoding, text(10 * MEGABYTE), text(MEGABYTE));
  return { ratio: ratio(ten, one), detail: [["10 MB", median(ten)], ["1 MB", median(one)]], note: "ours alone" };
}

/** A megabyte's time as a share of what it may take. */
async function lasting(encoding, text) {
  const [times] = await timesOf(encoding, text(MEGABYTE));
  const limit = times.map(() => MILLISECONDS);
  return { ratio: ratio(times, limit), detail: [["1 MB", median(times)]], note: "ours alone" };
}

async function timesOf(encoding, ...texts) {
  const count = await counterOf(OURS, encoding);
  return race(texts.map((text) => ({ run: () => count(text) })), { rounds: 5 });
}

function letters(length) {
  return new TextDecoder().decode(randomBytes(length).map((byte) => 97 + (byte % 26)));
}
