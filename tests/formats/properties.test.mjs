// What must hold for every array of every format: legal ones are left alone, damaged ones are healed or it
// is said why not, pruned ones stay legal, and the way into the core and back is equal. Set THREADFOLD_SEED
// to try others, THREADFOLD_CASES to try more.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { detectFormat, fromSessionMessages, pruneMessages, repairMessages, toSessionMessages, validateMessages } from "threadfold";
import { random } from "../js/random.mjs";
import { formats } from "./all.mjs";
import { leavingAlone, projected } from "./untouched.mjs";

const CASES = Number(process.env.THREADFOLD_CASES ?? 200);
const SEED = Number(process.env.THREADFOLD_SEED ?? 1);
const seeds = Array.from({ length: CASES }, (_, index) => SEED + index);
/** Prunes whatever may be pruned. */
const PRUNE_ALL = { prune: { protectTokens: 0, minimumSavings: 0, protectedTools: [] } };

/** Runs a check for each seed, and names the seed that fails. */
async function forSeeds(check) {
  for (const seed of seeds) {
    try {
      await check(random(seed), seed);
    } catch (error) {
      throw new Error(`seed ${seed}: ${error.message}`, { cause: error });
    }
  }
}

/** Items of a result that stood in the array: the very same objects, in their order. */
function kept(messages, result) {
  const places = result.map((item) => messages.indexOf(item)).filter((place) => place >= 0);
  assert.deepEqual(places, [...new Set(places)], "an item stands twice in the result");
  return places;
}

for (const { name: format, fixtures, judge, randomArray, damage } of formats) {
  const someArray = (chance) => randomArray(chance, { messages: 1 + chance.below(30) });

  /** Holds what a repair gave to the validator and to the vendor. */
  async function healed(messages) {
    const { messages: result, problems, repairs } = await leavingAlone(messages, () => repairMessages(messages, format));
    kept(messages, result);
    assert.equal(repairs.length === 0 && problems.length === 0, validateMessages(messages, format).valid, "repairs or problems where there are none");
    assert.deepEqual(validateMessages(result, format).problems, problems, "the problems that are left");
    if (problems.length === 0 && result.length > 0) assert.deepEqual(await judge(result), [], `${format}: ${JSON.stringify(result)}`);
    const again = repairMessages(result, format);
    assert.equal(again.messages, result, "a second repair finds nothing more to do");
    return problems.length === 0;
  }

  describe(`arrays of ${format}`, () => {
    for (const { name, legal, problems: expected, judge: verdict, messages } of fixtures) {
      if (legal) {
        test(`${name}: is left alone`, () =>
          leavingAlone(messages, () => {
            const { valid, problems } = validateMessages(messages, format);
            assert.deepEqual([valid, problems], [true, []]);
            const repaired = repairMessages(messages, format);
            assert.equal(repaired.messages, messages);
            assert.deepEqual([repaired.repairs, repaired.problems], [[], []]);
          }));
      } else {
        test(`${name}: is told and healed`, async () => {
          const { valid, problems } = validateMessages(messages, format);
          assert.equal(valid, false);
          if (expected !== undefined) {
            const told = problems.map((problem, at) => Object.fromEntries(Object.keys(expected[at] ?? problem).map((key) => [key, problem[key]])));
            assert.deepEqual(told, expected);
          }
          for (const { message } of problems) assert.match(message, /\S/);
          if (verdict === undefined) assert.ok(await healed(messages), "it was not healed");
        });
      }

      test(`${name}: is the same after the core`, () =>
        leavingAlone(messages, () => assert.deepEqual(fromSessionMessages(toSessionMessages(messages, format), format), messages)));
    }

    test("random ones are left alone, and the same after the core", () =>
      forSeeds((chance) => {
        const messages = someArray(chance);
        return leavingAlone(messages, () => {
          assert.deepEqual(validateMessages(messages, format).problems, []);
          assert.equal(repairMessages(messages, format).messages, messages);
          assert.deepEqual(fromSessionMessages(toSessionMessages(messages, format), format), projected(messages));
        });
      }));

    test("random ones are of this format, or of several", () => {
      let sure = 0;
      return forSeeds((chance) => {
        try {
          assert.equal(detectFormat(someArray(chance)), format);
          sure += 1;
        } catch (error) {
          assert.equal(error.code, "ambiguous-format", error.message);
        }
      }).then(() => assert.ok(sure > CASES / 3, `only ${sure} of ${CASES} were known`));
    });

    test("damaged ones are healed, or it is said why not", async () => {
      let count = 0;
      await forSeeds(async (chance) => {
        const messages = damage(chance, someArray(chance));
        try {
          if (await healed(messages)) count += 1;
        } catch (error) {
          // An item that lost its role or its type is none of any format.
          if (!["unsupported-format", "invalid-argument"].includes(error.code)) throw error;
          assert.match(error.message, /^messages\[\d+\]/);
        }
      });
      assert.ok(count > CASES / 2, `only ${count} of ${CASES} were healed`);
    });

    test("pruned ones stay legal", async () => {
      let pruned = 0;
      await forSeeds(async (chance) => {
        const messages = someArray(chance);
        const result = await leavingAlone(messages, () => pruneMessages(messages, { format, settings: PRUNE_ALL }));
        assert.equal(result.messages.length, messages.length);
        const changed = messages.flatMap((message, index) => (message === result.messages[index] ? [] : [index]));
        assert.deepEqual(changed, result.prunedIndices, "what was pruned, and what changed");
        assert.deepEqual(validateMessages(result.messages, format).problems, []);
        assert.deepEqual(await judge(result.messages), []);
        pruned += result.prunedCount;
      });
      assert.ok(pruned > CASES / 10, `only ${pruned} results were pruned`);
    });
  });
}
