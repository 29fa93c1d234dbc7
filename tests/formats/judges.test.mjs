// The vendors' packages judge our fixtures as the fixtures say, and random arrays as legal. Set
// THREADFOLD_SEED to try others.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { random } from "../js/random.mjs";
import { formats } from "./all.mjs";

const ARRAYS = 300;
const seed = Number(process.env.THREADFOLD_SEED ?? 1);

for (const { name: format, fixtures, judge, randomArray, damage } of formats) {
  describe(`the judge of ${format}`, () => {
    for (const { name, legal, judge: verdict, messages } of fixtures) {
      const accepts = verdict === undefined ? legal : verdict === "accepts";
      test(`${accepts ? "accepts" : "refuses"} ${name}`, async () => {
        const complaints = await judge(messages);
        if (accepts) assert.deepEqual(complaints, []);
        else assert.notDeepEqual(complaints, []);
      });
    }

    test(`accepts random arrays, and refuses many that were damaged (${ARRAYS} from seed ${seed})`, async () => {
      let refused = 0;
      for (let number = seed; number < seed + ARRAYS; number += 1) {
        const chance = random(number);
        const messages = randomArray(chance, { messages: 1 + chance.below(30) });
        assert.deepEqual(await judge(messages), [], `seed ${number}`);
        if ((await judge(damage(chance, messages))).length > 0) refused += 1;
      }
      // Much damage is none: two results in another order, one message of the user's fewer.
      assert.ok(refused > ARRAYS / 5, `only ${refused} of ${ARRAYS} damaged arrays were refused`);
    });
  });
}
