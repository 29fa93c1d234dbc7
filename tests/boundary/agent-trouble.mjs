// What an agent's hooks, summariser, endpoint, waits, host and store may do wrong, at each place of each
// kind of run: a run ends all the same, tells of it, and has changed what it says and nothing else.

import { StoreConflictError } from "threadfold";
import { holds, placesOf, RUNS, saysOf, stateOf, world } from "./agent-world.mjs";
import { equal, ok, settle } from "./check.mjs";

const failure = () => new Error("no such luck");

/** Each in the place of what should be done. */
const FAILING = {
  "throws": () => { throw failure(); },
  "throws nothing": () => { throw undefined; },
  "rejects": () => Promise.reject(failure()),
  "rejects with nothing": () => Promise.reject(),
  "returns a thenable that rejects": () => ({ then: (_, reject) => reject(failure()) }),
  "returns an object whose `then` throws": () => ({ get then() { throw failure(); } }),
  "rejects a little later": () => new Promise((_, reject) => setTimeout(() => reject(failure()), 2)),
};

const NONSENSE = { "a number": 7, "a text": "nonsense", "a list": [], "a symbol": Symbol("no") };

/** What kind of place a place is. */
function kindOf(place) {
  if (place.startsWith("session")) return "hook";
  if (place.startsWith("summarize")) return "summarizer";
  return place.split(/[. ]/)[0];
}

/** How a run has ended: its status and its error. */
function endOf(kind, result) {
  if (kind === "navigateTree") return { status: result.cancelled ? "cancelled" : result.failed === undefined ? "committed" : "failed", error: result.failed };
  const { status, error } = kind === "compact" ? result : (result.outcome ?? {});
  return { status, error };
}

/** Carries a run out with a place that does something else. */
async function troubled(kind, by, at, act, more = {}) {
  const one = world({ by, meddle: (_place, number, go) => (number === at ? act(go) : go()), ...more });
  const before = stateOf(one);
  const result = await RUNS[kind].start(one);
  await settle();
  await holds(one, kind, result, before);
  const errors = one.events.filter(({ type }) => type === "error");
  return { one, result, errors, says: saysOf(kind, result), ...endOf(kind, result) };
}

/** Holds that a place may fail: `code` is that of the error of the run, undefined where it goes on. */
const mayFail = (kind, by, at, place, code) => ({
  name: `${kind} by ${by}: ${place}, await ${at + 1}, fails`,
  complaints: kindOf(place) === "hook" ? Object.keys(FAILING).length : 0,
  async run() {
    for (const [how, act] of Object.entries(FAILING)) {
      const { status, error, errors, one } = await troubled(kind, by, at, act);
      equal([status, error?.code], code === undefined ? ["committed", undefined] : ["failed", code], how);
      equal(errors.length, ["host", "store"].includes(kindOf(place)) ? 1 : 0, `${how}: the error events`);
      if (code === undefined) ok(one.places.length > at + 1 || place === "host.replaceMessages", "it went on");
      else ok(error.cause !== undefined || how.endsWith("nothing"), `${how}: the cause`);
    }
  },
});

const CODES = { hook: undefined, host: undefined, sleep: undefined, fetch: "remote-failed", summarizer: "summarizer-failed", store: "storage-failed" };

/** The request for the short summary, which may fail. */
const isShort = (place) => place === "summarize short" || place === "fetch 3";
const codeAt = (place) => (isShort(place) ? undefined : CODES[kindOf(place)]);

const slow = (kind, by, at, place) => ({
  name: `${kind} by ${by}: ${place}, await ${at + 1}, is slow`,
  async run() {
    const { status } = await troubled(kind, by, at, (go) => new Promise((resolve) => setTimeout(resolve, 3)).then(go));
    equal(status, "committed");
  },
});

/** What is given up once it took too long. The store is not: nobody knows what it has written. Nor is a wait. */
const late = (kind, by, at, place) => ({
  name: `${kind} by ${by}: ${place}, await ${at + 1}, never ends`,
  complaints: kindOf(place) === "hook" ? 1 : 0,
  async run() {
    const { status, error, errors } = await troubled(kind, by, at, () => new Promise(() => {}), { timeoutMs: 5 });
    const code = ["fetch", "summarizer"].includes(kindOf(place)) ? codeAt(place) : undefined;
    equal([status, error?.code], code === undefined ? ["committed", undefined] : ["failed", code]);
    equal(errors.length, kindOf(place) === "host" ? 1 : 0, "the error events");
    if (error !== undefined) ok(/within 5 ms/.test(error.message), error.message);
  },
});

const nonsense = (kind, by, at, place) => ({
  name: `${kind} by ${by}: ${place}, await ${at + 1}, answers nonsense`,
  async run() {
    for (const [what, answer] of Object.entries(NONSENSE)) {
      const { status, error, says } = await troubled(kind, by, at, () => answer);
      // A text is the answer of a summariser.
      const isGood = isShort(place) || (kindOf(place) === "summarizer" && what === "a text");
      const code = isGood ? undefined : { ...CODES, hook: "invalid-argument" }[kindOf(place)];
      equal([status, error?.code], code === undefined ? ["committed", undefined] : ["failed", code], what);
      if (status === "failed") ok(!says.compacted && !says.moved, "nothing was committed");
    }
  },
});

const conflict = (kind, by, at, place) => ({
  name: `${kind} by ${by}: ${place}, await ${at + 1}, tells of a conflict`,
  async run() {
    const act = () => Promise.reject(new StoreConflictError("somebody else wrote", { leafId: "abcd", revision: 99 }));
    const { status, error, errors } = await troubled(kind, by, at, act);
    equal([status, error.code, error.cause.leafId, error.cause.revision], ["failed", "conflict", "abcd", 99]);
    equal(errors.map((event) => event.error.code), ["conflict"]);
  },
});

const cases = [];
for (const kind of Object.keys(RUNS)) {
  for (const by of ["callback", "endpoint"]) {
    (await placesOf(kind, by)).forEach((place, at) => {
      cases.push(mayFail(kind, by, at, place, codeAt(place)), slow(kind, by, at, place), nonsense(kind, by, at, place));
      if (kindOf(place) === "store") cases.push(conflict(kind, by, at, place));
      else if (kindOf(place) !== "sleep") cases.push(late(kind, by, at, place));
    });
  }
}

export { cases };
