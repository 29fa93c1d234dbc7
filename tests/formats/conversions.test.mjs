// From one format into another, by way of the core's messages: whatever a legal array says, what comes out is
// one that the other vendor takes. Set THREADFOLD_SEED to try others, THREADFOLD_CASES to try more.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fromSessionMessages, repairMessages, toSessionMessages, validateMessages } from "threadfold";
import { random } from "../js/random.mjs";
import { formats } from "./all.mjs";
import { leavingAlone } from "./untouched.mjs";

const CASES = Number(process.env.THREADFOLD_CASES ?? 40);
const SEED = Number(process.env.THREADFOLD_SEED ?? 1);

for (const from of formats) {
  describe(`arrays of ${from.name}`, () => {
    for (const to of formats.filter(({ name }) => name !== from.name)) {
      test(`become legal ones of ${to.name}`, async () => {
        let asTheyAre = 0;
        for (let seed = SEED; seed < SEED + CASES; seed += 1) {
          const chance = random(seed);
          const messages = from.randomArray(chance, { messages: 1 + chance.below(30) });
          if (await converted(messages, from.name, to, `seed ${seed}`)) asTheyAre += 1;
        }
        // What one format cannot say the repair may have to heal: empty texts, and ids of calls that come again.
        assert.ok(asTheyAre > CASES / 5, `only ${asTheyAre} of ${CASES} were legal before a repair`);
      });
    }
  });
}

/** Converts an array and holds it to the vendor; says whether it was legal without a repair. */
async function converted(messages, from, { name, judge }, seed) {
  const core = await leavingAlone(messages, () => toSessionMessages(messages, from));
  const written = fromSessionMessages(core, name);
  const { messages: result, problems } = repairMessages(written, name);
  assert.deepEqual(problems, [], seed);
  if (result.length > 0) assert.deepEqual(await judge(result), [], `${seed}: ${JSON.stringify(result)}`);
  return validateMessages(written, name).valid;
}
