// A summariser that throws, rejects, comes too late, or never.

import { equal, matches, ok, settle } from "./check.mjs";
import { bytesOf, endsAs, KINDS, reply, settings, story } from "./story.mjs";

const hostile = (base) =>
  Object.defineProperties(base, {
    message: { get: () => { throw new Error("message"); } },
    status: { get: () => { throw new Error("status"); } },
    name: { get: () => { throw new Error("name"); } },
    toString: { value: () => { throw new Error("toString"); } },
  });

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const UNSAID = /did not say why|failed with|undefined|object/;

const thrown = [
  ["an Error", () => new Error("429 slow down"), /429 slow down/],
  ["an Error without a message", () => new Error(), UNSAID],
  ["a string", () => "it broke", /it broke/],
  ["undefined", () => undefined, UNSAID],
  ["null", () => null, /null|why/],
  ["a number", () => 503, /503/],
  ["a symbol", () => Symbol("s"), /symbol|why/],
  ["an object", () => ({ status: 500 }), UNSAID],
  ["an object with a message", () => ({ message: "rate limited", status: 429 }), /rate limited/],
  ["an object with a message that is empty", () => ({ message: "", status: 429 }), UNSAID],
  ["an Error whose parts throw when read", () => hostile(new Error()), UNSAID],
  ["an object whose parts throw when read", () => hostile({}), UNSAID],
  ["a revoked proxy", revoked, UNSAID],
  ["an Error whose message is no string", () => Object.assign(new Error(), { message: { no: "string" } }), UNSAID],
  ["a RangeError", () => new RangeError("out of range"), /out of range/],
  ["an AbortError of its own", () => new DOMException("the request was aborted", "AbortError"), /aborted/],
];

const failing = thrown.flatMap(([name, make, expected]) =>
  [
    ["throws", () => { throw make(); }],
    ["rejects with", () => Promise.reject(make())],
    ["after a while rejects with", () => new Promise((_, reject) => setTimeout(() => reject(make()), 1))],
  ].map(([how, fail]) => ({
    name: `a summariser that ${how} ${name} fails the run`,
    async run() {
      const { outcome } = await endsAs("failed", story(), { summarize: fail });
      equal(outcome.error.code, "summarizer-failed");
      matches(outcome.error.message, expected);
    },
  })),
);

const causes = [
  ["an Error", new Error("429 slow down")],
  ["an object", { message: "rate limited", status: 429 }],
  ["a string", "it broke"],
  ["an object whose parts throw when read", hostile({})],
];

const poisoned = [
  ["whose `then` throws when read", () => ({ get then() { throw new Error("then"); } })],
  ["whose `then` throws when called", () => ({ then() { throw new Error("then"); } })],
  ["whose `text` throws when read", () => ({ get text() { throw new Error("text"); } })],
  ["whose `stopReason` throws when read", () => ({ text: "x", get stopReason() { throw new Error("stop"); } })],
  ["that is a revoked proxy", revoked],
];

/** Each ends after the run did. */
const late = [
  ["resolves", (resolve) => resolve("a late summary")],
  ["resolves with junk", (resolve) => resolve(7)],
  ["rejects", (_, reject) => reject(new Error("late"))],
  ["rejects with nothing", (_, reject) => reject()],
];

export const cases = [
  ...failing,
  ...causes.map(([name, cause]) => ({
    name: `what a summariser threw is the cause of the error: ${name}`,
    async run() {
      const { outcome } = await endsAs("failed", story(), { summarize: () => Promise.reject(cause) });
      ok(outcome.error.cause === cause, "the very value that was thrown");
    },
  })),
  {
    name: "an answer that is none, or that is refused, has no cause",
    async run() {
      for (const answer of [7, ""]) {
        const { outcome } = await endsAs("failed", story(), { summarize: () => answer });
        ok(!("cause" in outcome.error), "nothing was thrown");
      }
    },
  },
  ...KINDS.slice(0, 2).map((kind) => ({
    name: `a failure at the ${kind} request fails the run`,
    async run() {
      const summarize = (request) => (request.kind === kind ? Promise.reject(new Error("no")) : reply(request));
      const { outcome } = await endsAs("failed", story(), { summarize });
      equal(outcome.error.code, "summarizer-failed");
    },
  })),
  ...poisoned.map(([name, answer]) => ({
    name: `an answer ${name} fails the run`,
    async run() {
      const { outcome } = await endsAs("failed", story(), { summarize: answer });
      equal(outcome.error.code, "summarizer-failed");
    },
  })),
  ...late.map(([how, end]) => ({
    name: `a summariser that ignores its signal and ${how} late changes nothing any more`,
    async run() {
      const controller = new AbortController();
      const session = story();
      let finish;
      const summarize = () => {
        setTimeout(() => controller.abort(), 1);
        return new Promise((resolve, reject) => { finish = () => end(resolve, reject); });
      };
      await endsAs("cancelled", session, { signal: controller.signal, summarize });
      const stored = bytesOf(session);
      finish();
      await settle();
      equal(bytesOf(session), stored);
    },
  })),
  {
    name: "a slow summariser is waited for",
    async run() {
      const summarize = (request) => new Promise((resolve) => setTimeout(() => resolve(reply(request)), 20));
      await endsAs("committed", story(), { summarize });
    },
  },
  {
    name: "a summariser that never settles is given up after requestTimeoutMs, and not asked again",
    async run() {
      const contexts = [];
      const { outcome } = await endsAs("failed", story(), {
        settings: { ...settings, requestTimeoutMs: 20 },
        summarize: (_, context) => new Promise(() => contexts.push(context)),
      });
      equal(outcome.error.code, "summarizer-failed");
      matches(outcome.error.message, /20 ms.*requestTimeoutMs/);
      equal(contexts.map(({ signal }) => [signal.aborted, signal.reason.name]), [[true, "TimeoutError"]]);
      ok(outcome.error.cause === contexts[0].signal.reason, "the reason of the signal is the cause");
    },
  },
  {
    name: "the local summariser serves where the settings let it",
    async run() {
      for (const fail of [() => Promise.reject(new Error("no")), () => "", () => undefined]) {
        const { outcome } = await endsAs("committed", story(), {
          settings: { ...settings, fallback: "local" },
          summarize: fail,
        });
        equal(outcome.summarizer, "local");
        ok(outcome.entry.summary.length > 0, "there is a summary");
      }
    },
  },
];
