// FORMATS.md says what a repair does about each problem: what it did about all fixtures and about random damage.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { repairMessages } from "threadfold";
import { random } from "../js/random.mjs";
import { formats } from "./all.mjs";

const CASES = 120;
/** How the document says what was done. */
const VERBS = { dropped: /\bdrops\b/, added: /\badds\b/, moved: /\bmoves\b/, changed: /\bgives\b|\bbecomes\b/ };

test("what repairs do stands in FORMATS.md, and nothing else does", () => {
  const rows = [...readFileSync(new URL("../../FORMATS.md", import.meta.url), "utf8").matchAll(/^\| `([a-z-]+)` \| ([^|]+) \| ([^|]+) \|$/gm)];
  const told = new Map(rows.map(([, rule, , does]) => [rule, does]));
  const done = new Set();
  const note = (messages, format) => {
    for (const { rule, action } of repairMessages(messages, format).repairs) done.add(`${rule} ${action}`);
  };
  for (const { name, fixtures, randomArray, damage } of formats) {
    for (const { messages } of fixtures) note(messages, name);
    for (let seed = 1; seed <= CASES; seed += 1) {
      const chance = random(seed);
      const messages = damage(chance, randomArray(chance, { messages: 1 + chance.below(20) }));
      // Some damage makes it an array of no format.
      try {
        note(messages, name);
      } catch (error) {
        assert.equal(error.code, "unsupported-format");
      }
    }
  }
  for (const pair of done) {
    const [rule, action] = pair.split(" ");
    assert.match(told.get(rule) ?? "", VERBS[action], rule);
  }
  const rules = new Set([...done].map((pair) => pair.split(" ")[0]));
  for (const rule of rules) {
    for (const [action, verb] of Object.entries(VERBS)) assert.equal(verb.test(told.get(rule)), done.has(`${rule} ${action}`), `${rule}: ${action}`);
  }
});
