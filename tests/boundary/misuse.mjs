// Wrong use: each rejects with a message that names the place, the value and what is allowed, nothing
// is stored, and the session is free.

import { equal, matches, ok, rejects } from "./check.mjs";
import { bytesOf, endsAs, isFree, reply, run, settings, story } from "./story.mjs";

const model = { provider: "p", id: "m" };
const throwing = { get aborted() { return false; }, addEventListener() {} };

/** Options, the code, and what the message says. */
const wrong = [
  [{ models: { ...model } }, "invalid-argument", /^models: an object .* a list of models$/],
  [{ models: "p/m" }, "invalid-argument", /^models: "p\/m" .* a list of models$/],
  [{ models: null }, "invalid-argument", /^models: null .* a list of models$/],
  [{ models: [model, "p/m"] }, "invalid-argument", /^models\[1\]: "p\/m" .* \{ provider, id, contextWindow\? \}$/],
  [{ models: [null] }, "invalid-argument", /^models\[0\]: null /],
  [{ models: [, model] }, "invalid-argument", /^models\[0\]: undefined /],
  [{ models: [{ id: "m" }] }, "invalid-argument", /^models\[0\]\.provider: undefined .* a string$/],
  [{ models: [model, { provider: "p", id: 7 }] }, "invalid-argument", /^models\[1\]\.id: 7 .* a string$/],
  [{ model: "p/m" }, "invalid-argument", /^model: "p\/m" /],
  [{ model: null }, "invalid-argument", /^model: null /],
  [{ model: {}, models: [model] }, "invalid-argument", /^model\.provider: undefined /],
  [{ remote: "Bearer k" }, "invalid-argument", /^remote: "Bearer k" .* an object$/],
  [{ remote: null }, "invalid-argument", /^remote: null /],
  [{ remote: { header: {} } }, "invalid-argument", /^remote\.header: no such option; known are headers$/],
  [{ remote: { headers: 7 } }, "invalid-argument", /^remote\.headers: 7 /],
  ...["fetch", "sleep", "now", "onEvent"].flatMap((name) => [
    [{ [name]: null }, "invalid-argument", new RegExp(`^${name}: null .* a function$`)],
    [{ [name]: 5 }, "invalid-argument", new RegExp(`^${name}: 5 .* a function$`)],
    [{ [name]: {} }, "invalid-argument", new RegExp(`^${name}: an object .* a function$`)],
  ]),
  [{ signal: throwing }, "invalid-argument", /^signal: an object .* an AbortSignal$/],
  [{ signal: null }, "invalid-argument", /^signal: null /],
  [{ signal: true }, "invalid-argument", /^signal: true /],
  [{ customInstructions: null }, "invalid-argument", /^customInstructions: null .* a string$/],
  [{ customInstructions: "x".repeat(2_000_000) }, "invalid-argument", /^customInstructions: "x+…" .* up to 1048576 characters, and this one has 2000000$/],
  [{ summarize: null }, "invalid-argument", /^summarize: null .* "local" or a function$/],
  [{ retries: 3 }, "invalid-argument", /^compact\.retries: no such option; known are .*models.*sleep/],
  ...[-1, 1.5, Number.NaN, Infinity, 2 ** 53 + 2, "3", true, [], 3n].flatMap((value) =>
    ["maxRetries", "baseDelayMs", "maxDelayMs"].map((name) => [
      { settings: { retry: { [name]: value } } }, "invalid-settings", new RegExp(`^retry\\.${name}: .* a (whole number from 0|plain value)`),
    ]),
  ),
  [{ settings: { retry: { enabled: "yes" } } }, "invalid-settings", /^retry\.enabled: "yes" .* true or false$/],
  [{ settings: { retry: { maxretries: 1 } } }, "invalid-settings", /^retry\.maxretries: .*enabled, maxRetries, baseDelayMs, maxDelayMs/],
  [{ settings: { retry: 3 } }, "invalid-settings", /^retry: 3 .* an object$/],
  [{ settings: { remote: { timeoutMs: -1 } } }, "invalid-settings", /^remote\.timeoutMs: -1 /],
  [{ settings: { remote: { headers: {} } } }, "invalid-settings", /^remote\.headers: .*timeoutMs, allowedHosts/],
  [{ settings: { remote: { allowedHosts: "a" } } }, "invalid-settings", /^remote\.allowedHosts: "a" .* an array of strings$/],
];

/** What a clock may do once a run is under way. */
const broken = {
  "throws": [() => { throw new Error("no clock"); }, /^now: it threw/],
  "throws nothing": [() => { throw undefined; }, /^now: it threw/],
  "gives NaN": [() => Number.NaN, /^now: NaN .* milliseconds since 1970$/],
  "gives a text": [() => "noon", /^now: "noon" /],
  "gives a promise": [async () => 0, /^now: an object /],
  "gives a symbol": [() => Symbol("now"), /^now: it threw/],
  "gives more than a date holds": [() => 1e300, /^now: 1e\+300 /],
};

/** Runs that look at the clock in another place each. */
const moments = {
  "after an answer": { summarize: reply },
  "after a failure that is waited for": { summarize: () => { throw Object.assign(new Error("busy"), { status: 503, headers: { "retry-after": "Thu, 01 Jan 2026 00:00:00 GMT" } }); } },
  "after a failure that is not": { summarize: () => { throw new Error("no"); } },
  "after the answer of an endpoint": {
    summarize: undefined,
    settings: { compaction: { ...settings.compaction, remoteEndpoint: "https://summaries.example/" } },
    fetch: async () => ({ status: 503, headers: { "retry-after": "Thu, 01 Jan 2026 00:00:00 GMT" }, text: async () => "" }),
  },
};

/** How often the clock is looked at before it breaks. */
const LOOKS = [1, 2, 3, 4];

export const cases = [
  ...wrong.map(([options, code, message]) => ({
    name: `wrong use is refused: ${message.source}`.slice(0, 120),
    async run() {
      const session = story();
      const stored = bytesOf(session);
      const events = [];
      const error = await run(session, { ...options, onEvent: options.onEvent === undefined ? (event) => events.push(event) : options.onEvent })
        .then(() => undefined, (error) => error);
      equal(error?.code, code, `the code of "${error?.message}"`);
      matches(error.message, message);
      equal([events, bytesOf(session) === stored], [[], true]);
      await isFree(session);
    },
  })),
  {
    name: "options that are none are refused",
    async run() {
      const { compact } = await import("threadfold");
      for (const options of [null, 7, "local"]) await rejects(compact(story(), options), "invalid-argument");
      await rejects(compact({}, { summarize: reply }), "invalid-argument");
      await rejects(compact(null, { summarize: reply }), "invalid-argument");
    },
  },
  ...Object.entries(broken).flatMap(([how, [now, message]]) =>
    Object.entries(moments).map(([when, options]) => ({
      name: `a clock that ${how} ${when} rejects, stores nothing, and leaves the session free`,
      async run() {
        for (const looks of LOOKS) {
          const session = story();
          const stored = bytesOf(session);
          const events = [];
          let left = looks;
          const clock = () => ((left -= 1) < 0 ? now() : 0);
          const ended = await run(session, { ...options, now: clock, onEvent: (event) => events.push(event) }).catch((error) => ({ error }));
          const ends = events.filter(({ type }) => type === "compaction_end");
          equal(ends.length, 1, "the terminal events");
          if (ended.outcome === undefined) {
            equal([ended.error.code, ends[0].status], ["invalid-argument", "cancelled"]);
            matches(ended.error.message, message);
          } else {
            ok(looks > 1, "it was looked at after the first step");
          }
          if (ended.outcome?.status !== "committed") equal(bytesOf(session), stored);
          await isFree(session);
        }
      },
    })),
  ),
  {
    name: "a summariser of the local kind takes models along, and asks none",
    async run() {
      const { outcome } = await endsAs("committed", story(), { summarize: "local", model, models: [model] });
      equal(outcome.summarizer, "local");
    },
  },
];
