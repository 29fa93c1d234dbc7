// What must hold for every fold of every format: the array stays legal, what is kept are the very same
// objects, everything else was told to the summariser, and nothing is both. Also for folds that go on from
// earlier ones, in both ways of use. Set THREADFOLD_SEED to try others, THREADFOLD_CASES to try more.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { foldMessages, validateMessages } from "threadfold";
import { random } from "../js/random.mjs";
import { formats } from "./all.mjs";
import { PDF, PNG, spokenIn } from "./random/conversation.mjs";
import { copied } from "./random/damage.mjs";
import { leavingAlone } from "./untouched.mjs";

const CASES = Number(process.env.THREADFOLD_CASES ?? 60);
const SEED = Number(process.env.THREADFOLD_SEED ?? 1);

/** A summariser that notes what it is asked; each answer names its number. */
function summarizer() {
  const asked = [];
  return { asked, summarize: (request) => `## Goal\nSummary ${asked.push(request)}.\n\n## Next Steps\n1. Go on.` };
}

const isSystem = ({ role }) => role === "system" || role === "developer";

/** How many system messages stand in front. */
const systemCount = (messages) => {
  const first = messages.findIndex((message) => !isSystem(message));
  return first < 0 ? messages.length : first;
};

/** The short summary is made from the messages that are kept, too. */
const aboutFolded = ({ kind }) => kind !== "short";
const textOf = (asked) => asked.map(({ prompt, systemPrompt }) => `${systemPrompt}\n${prompt}`).join("\n");

for (const { name: format, judge, randomArray } of formats) {
  /** Some window and keep budget; most arrays are larger than the budget. */
  const someOptions = ({ pick, below, chance }) => ({
    format,
    contextWindow: pick([4_000, 32_000, 200_000]),
    settings: { compaction: { reserveTokens: 1_000, keepRecentTokens: pick([1, 50, 200, 200 + below(800)]), shortSummary: chance(0.5) } },
    force: true,
  });

  /** Folds, and holds the result to the rules. `told` are the beginnings that earlier folds had told. */
  async function fold(messages, options, told = new Set()) {
    const { asked, summarize } = summarizer();
    const result = await leavingAlone(messages, () => foldMessages(messages, { ...options, summarize }));
    const { outcome, messages: folded } = result;
    assert.equal(result.format, format);
    if (outcome.status !== "committed") {
      // A beginning of a few words is shorter than any summary of it.
      const refused = outcome.status === "failed" && /which is not less than the/.test(outcome.error?.message);
      if (!refused) {
        assert.equal(outcome.status, "nothing-to-do", outcome.error?.message);
        assert.deepEqual(asked, []);
      }
      if (options.state === undefined) assert.equal(folded, messages);
      return result;
    }
    const system = systemCount(messages);
    for (let at = 0; at < system; at += 1) assert.equal(folded[at], messages[at], "a system message");
    const kept = folded.slice(system + 1);
    const first = messages.length - kept.length;
    for (const [at, message] of kept.entries()) assert.equal(message, messages[first + at], `message ${first + at}`);
    assert.ok(!messages.includes(folded[system]), "the summary is a new message");
    assert.ok(["user", "compactionSummary"].includes(folded[system].role), folded[system].role);

    assert.deepEqual(validateMessages(folded, format).problems, []);
    assert.deepEqual(await judge(folded), []);

    for (const bytes of [PNG, PDF]) assert.ok(!textOf(asked).includes(bytes.slice(0, 24)), "bytes in a request");
    const asksFor = spokenIn(textOf(asked.filter(aboutFolded)));
    for (const spoken of spokenIn(messages.slice(system, first))) assert.ok(asksFor.has(spoken) || told.has(spoken), `${spoken} was folded, and not told`);
    for (const spoken of spokenIn(kept)) assert.ok(!asksFor.has(spoken), `${spoken} was told, and is kept`);
    for (const spoken of told) assert.ok(!asksFor.has(spoken), `${spoken} was told twice`);
    return { ...result, told: new Set([...told, ...asksFor]), asked };
  }

  /** Turns, of which each folds; some arrays are too small to be folded. */
  const somePart = (chance, options) => randomArray(chance, { messages: 5 + chance.below(25), ...options });

  describe(`folds of ${format}`, () => {
    test("keep the newest as they are, and tell the rest", async () => {
      let committed = 0;
      for (let seed = SEED; seed < SEED + CASES; seed += 1) {
        const chance = random(seed);
        const messages = somePart(chance);
        const { outcome } = await fold(messages, someOptions(chance)).catch((error) => {
          throw new Error(`seed ${seed}: ${error.message}`, { cause: error });
        });
        if (outcome.status === "committed") committed += 1;
      }
      assert.ok(committed > CASES / 2, `only ${committed} of ${CASES} were folded`);
    });

    for (const way of ["the messages that came out", "the whole conversation"]) {
      test(`go on from the earlier summary with ${way}`, async () => {
        for (let seed = SEED; seed < SEED + CASES / 2; seed += 1) {
          const chance = random(seed);
          // One conversation, so that ids and beginnings stand once in it.
          const whole = randomArray(chance, { messages: 60 });
          await chain(way, whole, chance).catch((error) => {
            throw new Error(`seed ${seed}: ${error.message}`, { cause: error });
          });
        }
      });
    }

    test("notice that the folded part was edited", async () => {
      let noticed = 0;
      for (let seed = SEED; seed < SEED + CASES / 3; seed += 1) {
        const chance = random(seed);
        const messages = somePart(chance);
        const options = someOptions(chance);
        const { state } = await fold(messages, options);
        if (state === undefined) continue;
        const edited = copied(messages);
        edited.splice(systemCount(messages) + chance.below(state.folded), 1);
        const again = await foldMessages(edited, { ...options, state: JSON.parse(JSON.stringify(state)), summarize: summarizer().summarize });
        assert.equal(again.edited, true, `seed ${seed}`);
        noticed += 1;
      }
      assert.ok(noticed > 0);
    });
  });

  /** A conversation that grows and is folded on its way, three times. */
  async function chain(way, whole, chance) {
    const options = someOptions(chance);
    let messages = [];
    let state;
    let told = new Set();
    let from = 0;
    for (const to of cutsOf(whole, 3)) {
      const said = whole.slice(from, to);
      from = to;
      messages = way === "the whole conversation" ? whole.slice(0, to) : [...messages, ...said];
      const result = way === "the whole conversation" ? await foldWhole(messages, { ...options, state }, told) : await fold(messages, { ...options, state }, told);
      assert.equal(result.edited, undefined);
      if (result.state !== undefined) state = JSON.parse(JSON.stringify(result.state));
      if (result.told !== undefined) told = result.told;
      messages = result.messages;
    }
  }

  /** With the whole conversation there is always the view: system messages, summary, kept ones. */
  async function foldWhole(messages, options, told) {
    const result = await fold(messages, options, told);
    if (options.state !== undefined || result.state !== undefined) {
      const system = systemCount(messages);
      assert.equal(result.messages.length, messages.length - result.state.folded + 1);
      assert.ok(JSON.stringify(result.messages[system]).includes("Summary"), "the summary");
      assert.deepEqual(await judge(result.messages), []);
    }
    return result;
  }
}

/** Places between turns, where a host may fold: each before a message of the user's that says something. */
function cutsOf(whole, count) {
  const starts = whole.flatMap((message, index) => (index > 0 && message.role === "user" && spokenIn(message).size > 0 ? [index] : []));
  return [...Array.from({ length: count - 1 }, (_, at) => starts[Math.floor((starts.length * (at + 1)) / count)]).filter((place) => place !== undefined), whole.length];
}
