// Whatever a summariser returns: it is stored as a summary, or refused by name.

import { equal, matches, ok } from "./check.mjs";
import { endsAs, reply, story } from "./story.mjs";

/** A promise of another realm, which `instanceof Promise` does not know. */
async function foreignPromise(text) {
  if (globalThis.document === undefined) {
    const { runInNewContext } = await import("node:vm");
    return { promise: runInNewContext("Promise.resolve(text)", { text }) };
  }
  const frame = document.body.appendChild(document.createElement("iframe"));
  return { promise: frame.contentWindow.Promise.resolve(text) };
}

/** The answer to the history request; the others are answered well. */
const answering = (answer) => ({ summarize: (request) => (request.kind === "history" ? answer(request) : reply(request)) });

const taken = [
  ["a string", reply],
  ["a promise", async (request) => reply(request)],
  ["a thenable", (request) => ({ then: (resolve) => setTimeout(() => resolve(reply(request)), 1) })],
  ["a thenable that settles at once, twice", (request) => ({ then: (resolve, reject) => [resolve(reply(request)), reject(new Error("again"))] })],
  ["a promise of another realm", async (request) => (await foreignPromise(reply(request))).promise],
  ["{ text }", (request) => ({ text: reply(request) })],
  ["{ text, stopReason: stop, usage }", (request) => ({ text: reply(request), stopReason: "stop", usage: { input: 1, output: 2 } })],
  ["a promise of a thenable of { text }", async (request) => ({ then: (resolve) => resolve({ text: reply(request) }) })],
  ["{ text } with parts of wrong types", (request) => ({ text: reply(request), stopReason: 7, errorMessage: null, usage: "none" })],
  ["an object with text as a getter", (request) => Object.create({ get text() { return reply(request); } })],
  ["a code fence around all", (request) => "```markdown\n" + reply(request) + "\n```"],
  ["white space around all", (request) => `\n\n  ${reply(request)}  \n`],
];

const TOO_MUCH = "word ".repeat(4_000);

/** Refused: each is asked for once more, then the run fails. */
const refused = [
  ["an empty text", () => "", /no text/],
  ["white space", () => " \n\t\u00a0\u200b\n", /no text/],
  ["an empty code fence", () => "```\n\n```", /no (text|summary)/],
  ["{ text: white space }", () => ({ text: "  " }), /no text/],
  ["stopReason length", (request) => ({ text: reply(request), stopReason: "length" }), /cut off/],
  ["stopReason error", (request) => ({ text: reply(request), stopReason: "error", errorMessage: "529 overloaded" }), /529 overloaded/],
  ["stopReason toolUse", (request) => ({ text: reply(request), stopReason: "toolUse" }), /calls a tool/],
  ["stopReason aborted", (request) => ({ text: reply(request), stopReason: "aborted" }), /aborted/],
  ["reasoning only", () => "<think>what could it be</think>", /reasoning/],
  ["more than it replaces", () => TOO_MUCH, /not less than/],
];

/** Texts that would fill the memory of the engine: they are named, or cut, and not handed on whole. */
const HUGE = "x".repeat(40_000_000);
const huge = [
  ["a text", () => HUGE, /answered with 40000000 characters; allowed are up to 4000000/],
  ["{ text }", () => ({ text: HUGE }), /answered with 40000000 characters/],
  ["the message of an error", () => { throw new Error(HUGE); }, /^x+ x+$/],
  ["a text that is thrown", () => { throw HUGE; }, /^x+ x+$/],
  ["an errorMessage", () => ({ text: "", errorMessage: HUGE }), /is an error: x/],
];

/** No text at all: what was found is named. */
const junk = [
  ["undefined", () => undefined, /undefined/],
  ["null", () => null, /null/],
  ["a number", () => 7, /\b7\b/],
  ["a boolean", async () => true, /true/],
  ["a bigint", () => 7n, /\b7\b/],
  ["a symbol", () => Symbol("s"), /symbol/],
  ["a function", () => () => "text", /function/],
  ["an array", () => ["text"], /an object whose text is undefined/],
  ["a plain object", () => ({ summary: "text" }), /an object whose text is undefined/],
  ["{ text: 7 }", () => ({ text: 7 }), /text is 7/],
  ["{ text: String object }", () => ({ text: new String("text") }), /text is an object/],
];

export const cases = [
  ...taken.map(([name, answer]) => ({
    name: `a summariser may answer with ${name}`,
    async run() {
      const { outcome } = await endsAs("committed", story(), answering(answer));
      matches(outcome.entry.summary, /^## Goal\nShip it\./);
      ok(!outcome.entry.summary.includes("```"), "no fence is stored");
      equal([outcome.summarizer, outcome.warnings], ["callback", []]);
    },
  })),
  ...refused.map(([name, answer, expected]) => ({
    name: `${name} is refused, asked for once more, and never stored`,
    async run() {
      const asked = [];
      const { outcome } = await endsAs("failed", story(), answering((request) => asked.push(request) && answer(request)));
      equal(outcome.error.code, "summary-refused");
      matches(outcome.error.message, expected);
      equal(asked.length, 2, "the number of attempts");
      matches(asked[1].prompt, expected, "the second prompt gives the reason");
    },
  })),
  ...junk.map(([name, answer, expected]) => ({
    name: `${name} is no summary, and the error says what was found`,
    async run() {
      const { outcome } = await endsAs("failed", story(), answering(answer));
      equal(outcome.error.code, "summarizer-failed");
      matches(outcome.error.message, expected);
      ok(outcome.error instanceof Error, "it is an error");
    },
  })),
  ...huge.map(([name, answer, expected]) => ({
    name: `${name} of 40 MB fails the run, and the error is short`,
    async run() {
      const { outcome } = await endsAs("failed", story(), answering(answer));
      matches(outcome.error.message, expected);
      ok(outcome.error.message.length < 200_000, `${outcome.error.message.length} characters`);
    },
  })),
  {
    name: "a stopReason of 40 MB is one that is not known",
    run: () => endsAs("committed", story(), answering((request) => ({ text: reply(request), stopReason: HUGE }))),
  },
  {
    name: "a refused reply is made good by the second attempt",
    async run() {
      const attempts = [];
      const summarize = (request, { attempt }) => {
        attempts.push([request.kind, attempt]);
        return request.kind === "history" && attempt === 1 ? "" : reply(request);
      };
      await endsAs("committed", story(), { summarize });
      equal(attempts, [["history", 1], ["history", 2], ["turn-prefix", 1], ["short", 1]]);
    },
  },
  {
    name: "a text without the headings is stored, with a warning",
    async run() {
      const { outcome } = await endsAs("committed", story(), answering(() => "They looked, and it went well."));
      equal(outcome.warnings, ["unstructured"]);
    },
  },
  {
    name: "without a short summary the run goes on",
    async run() {
      for (const answer of [() => "", () => 7, () => TOO_MUCH, () => Promise.reject(new Error("no"))]) {
        const summarize = (request) => (request.kind === "short" ? answer() : reply(request));
        const { outcome } = await endsAs("committed", story(), { summarize });
        equal(outcome.entry.shortSummary, undefined);
      }
    },
  },
  {
    name: "a lone surrogate in a reply is stored as U+FFFD",
    async run() {
      const { outcome } = await endsAs("committed", story(), answering((request) => reply(request) + "\nhalf \ud83d."));
      ok(outcome.entry.summary.includes("half \ufffd."), outcome.entry.summary);
    },
  },
];
