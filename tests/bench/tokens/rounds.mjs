// Rounds of counting, each in a process of its own, and what is made of their times.

import { execFileSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { ratioOfFastest } from "../race.mjs";
import { OURS } from "./tokenizers.mjs";

const ROUNDS = 5;
const PASS = fileURLToPath(new URL("pass.mjs", import.meta.url));

const measured = new Map();

/** What the rounds of an encoding and a kind measured; measured when it is first asked for. */
export function rounds(encoding, kind) {
  const key = `${encoding}, ${kind}`;
  if (!measured.has(key)) measured.set(key, Array.from({ length: ROUNDS }, (_, round) => once(encoding, kind, round)));
  return measured.get(key);
}

function once(encoding, kind, round) {
  const output = execFileSync(process.execPath, ["--expose-gc", PASS, encoding, kind, `${round}`], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  return JSON.parse(output);
}

/** Ours against the fastest of the others, from the times of each side, a record of them a round: the best of each. */
export function againstFastest(times) {
  const sides = Object.keys(times[0]).map((name) => ({ name, times: times.map((round) => round[name]) }));
  const own = sides.find(({ name }) => name === OURS);
  const others = sides.filter((side) => side !== own).sort((a, b) => best(a.times) - best(b.times));
  return {
    ratio: ratioOfFastest(others[0].times, own.times),
    detail: [...others, own].map(({ name, times }) => [name, best(times)]),
  };
}

function best(times) {
  return Math.min(...times);
}
