// One process in which every side counts the texts of one kind: `node pass.mjs ENCODING KIND ROUND` prints the times.
//
// The first pass is what a program sees that has just loaded its tokenizer: nobody has counted more than a word in this
// process. The passes behind it are warm.

import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { median } from "../race.mjs";
import { KINDS, textsOf } from "./texts.mjs";
import { TOKENIZERS } from "./tokenizers.mjs";

/** How many passes follow the first, and how many where that took longer than so many milliseconds. */
const WARM_PASSES = 9;
const LONG = 1_000;
/** How long the collector may need in the background, in milliseconds. */
const SWEEPING = 50;
/** Too many bytes for what the C library has lying around in small pieces, too few to be asked of the system. */
const LARGE = 65_536;

const [encoding, kind, round] = process.argv.slice(2);
const names = Object.keys(TOKENIZERS);
// Who goes first in one round goes later in the next.
const order = [...names.slice(Number(round) % names.length), ...names.slice(0, Number(round) % names.length)];
const texts = textsOf(KINDS.find(({ name }) => name === kind));

const load = {};
const counters = {};
for (const name of order) {
  const loading = await TOKENIZERS[name]();
  const start = performance.now();
  counters[name] = await loading(encoding);
  counters[name]("Loaded.");
  load[name] = performance.now() - start;
}
const [tokens, first, warm] = [{}, {}, {}];
for (const name of order) {
  await tidyUp();
  ({ tokens: tokens[name], time: first[name] } = pass(counters[name]));
  const times = Array.from({ length: first[name] > LONG ? 1 : WARM_PASSES }, () => pass(counters[name]).time);
  warm[name] = median(times);
}
const characters = texts.reduce((sum, text) => sum + text.length, 0);
process.stdout.write(JSON.stringify({ load, characters, tokens, first, warm }));

/**
 * What the side before left behind is nobody's cost, nor is sweeping it, which goes on in the background. All that it
 * freed is put together when somebody next asks the C library for a larger piece, which can take some ten milliseconds.
 */
async function tidyUp() {
  globalThis.gc?.();
  await setTimeout(SWEEPING);
  return new ArrayBuffer(LARGE);
}

function pass(count) {
  let tokens = 0;
  const start = performance.now();
  for (const text of texts) tokens += count(text);
  return { tokens, time: performance.now() - start };
}
