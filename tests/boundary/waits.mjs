// The waits between attempts, by the host's `sleep` and by a timer: whatever they do, a run goes on, or ends at an abort.

import { equal, ok, settle } from "./check.mjs";
import { bytesOf, endsAs, reply, settings, story } from "./story.mjs";

const busy = () => Object.assign(new Error("busy"), { status: 503 });
const retry = { maxRetries: 2, baseDelayMs: 1_000 };

/** Options of a run that waits twice before its history is made. */
function waitingRun(sleep, more = {}) {
  const asked = [];
  const summarize = (request, { attempt }) => {
    asked.push(attempt);
    if (request.kind === "history" && attempt < 3) throw busy();
    return reply(request);
  };
  return { asked, options: { settings: { ...settings, retry }, summarize, sleep, ...more } };
}

const never = () => new Promise(() => {});

/** Each is over at once, or a moment later. */
const sleeps = {
  "returns nothing": () => undefined,
  "is slow": () => new Promise((resolve) => setTimeout(resolve, 5)),
  "returns junk": () => ({ then: 7 }),
  "resolves with junk": async () => Symbol("junk"),
  "throws": () => { throw new Error("sleep"); },
  "throws nothing": () => { throw undefined; },
  "rejects": () => Promise.reject(new Error("sleep")),
  "is a thenable that rejects": () => ({ then: (_, reject) => reject(new Error("sleep")) }),
  "returns an object whose `then` throws": () => ({ get then() { throw new Error("then"); } }),
  "resolves twice": () => ({ then: (resolve) => [resolve(), resolve()] }),
};

/** How a sleep ends that was aborted. */
const aborted = {
  "never ends": never,
  "rejects at the abort": (_, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  "resolves at the abort": (_, signal) => new Promise((resolve) => signal.addEventListener("abort", resolve)),
  "rejects a little later": (_, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => setTimeout(reject, 1))),
  "is the default": undefined,
};

/** Runs with timers that are noted, and fire at once where they would take longer than a test has. */
async function withTimers(act) {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const timers = new Map();
  const delays = [];
  globalThis.setTimeout = (callback, delay = 0, ...rest) => {
    delays.push(delay);
    const timer = set(() => { timers.delete(timer); callback(...rest); }, delay > 2_147_483_647 ? 0 : Math.min(delay, delay > 1e9 ? 1 : delay));
    timers.set(timer, delay);
    return timer;
  };
  globalThis.clearTimeout = (timer) => { timers.delete(timer); clear(timer); };
  try {
    return await act({ timers, delays });
  } finally {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  }
}

export const cases = [
  ...Object.entries(sleeps).map(([how, sleep]) => ({
    name: `a sleep that ${how} is over then`,
    async run() {
      const { asked, options } = waitingRun(sleep);
      await endsAs("committed", story(), options);
      equal(asked, [1, 2, 3, 1, 1]);
      await settle();
    },
  })),
  ...Object.entries(aborted).map(([how, sleep]) => ({
    name: `an abort during a wait cancels the run; a sleep that ${how}`,
    async run() {
      const controller = new AbortController();
      const onEvent = ({ waitingUntil }) => waitingUntil !== undefined && setTimeout(() => controller.abort("enough"), 2);
      const ends = [];
      const hear = (event) => { if (event.type === "compaction_end") ends.push(event.status); onEvent(event); };
      const { asked, options } = waitingRun(sleep, { signal: controller.signal, onEvent: hear });
      await endsAs("cancelled", story(), options);
      equal([asked, ends], [[1], ["cancelled"]]);
      await settle();
    },
  })),
  {
    name: "an abort by a handler that is told of a wait cancels the run before the wait",
    async run() {
      const controller = new AbortController();
      const slept = [];
      const onEvent = ({ waitingUntil }) => waitingUntil !== undefined && controller.abort();
      const { asked, options } = waitingRun((waitMs) => slept.push(waitMs), { signal: controller.signal, onEvent });
      await endsAs("cancelled", story(), options);
      equal([asked, slept], [[1], []]);
    },
  },
  {
    name: "an abort from within the sleep cancels the run, whatever the sleep goes on to do",
    async run() {
      for (const end of [() => undefined, never, () => { throw new Error("sleep"); }]) {
        const controller = new AbortController();
        let inner;
        const sleep = (_, signal) => { inner = signal; controller.abort("enough"); return end(); };
        const { asked, options } = waitingRun(sleep, { signal: controller.signal });
        await endsAs("cancelled", story(), options);
        equal([asked, inner.aborted, inner.reason], [[1], true, "enough"]);
      }
    },
  },
  {
    name: "an abort right after a wait cancels the run, or the attempt that it led to",
    async run() {
      for (let ticks = 0; ticks < 8; ticks += 1) {
        const controller = new AbortController();
        const sleep = () => {
          void (async () => {
            for (let tick = 0; tick < ticks; tick += 1) await undefined;
            controller.abort();
          })();
        };
        const { options } = waitingRun(sleep, { signal: controller.signal });
        await endsAs("cancelled", story(), { ...options, summarize: () => { throw busy(); } });
      }
    },
  },
  {
    name: "a sleep may use the session, and append to it",
    async run() {
      const session = story();
      const before = bytesOf(session);
      const { options } = waitingRun(() => session.appendMessage({ role: "user", content: "meanwhile" }));
      const { outcome } = await endsAs("committed", session, options);
      ok(bytesOf(session).length > before.length, "it was stored");
      equal(session.path().slice(-3).map(({ type }) => type), ["message", "message", "compaction"]);
      equal(session.path().at(-1).id, outcome.entry.id);
    },
  },
  {
    name: "each wait has a signal of its own, quiet when the wait is over",
    async run() {
      const controller = new AbortController();
      const signals = [];
      const { options } = waitingRun((_, signal) => void signals.push(signal), { signal: controller.signal });
      await endsAs("committed", story(), options);
      controller.abort();
      equal([new Set(signals).size, signals.map(({ aborted }) => aborted)], [2, [false, false]]);
    },
  },
  {
    name: "the timer of a wait is cleared at an abort",
    run: () =>
      withTimers(async ({ timers, delays }) => {
        const controller = new AbortController();
        const onEvent = ({ waitingUntil }) => waitingUntil !== undefined && setTimeout(() => controller.abort(), 1);
        const { options } = waitingRun(undefined, { signal: controller.signal, onEvent });
        await endsAs("cancelled", story(), options);
        ok(delays.includes(1_000), "it was waited by a timer");
        equal([...timers.values()], [], "the timers that are left");
      }),
  },
  {
    name: "a wait that is longer than a timer takes is waited in pieces",
    run: () =>
      withTimers(async ({ delays }) => {
        const LONGEST = 2_147_483_647;
        const waitMs = 2 * LONGEST + 5;
        const { options } = waitingRun(undefined);
        const settled = { ...settings, retry: { maxRetries: 1, baseDelayMs: waitMs, maxDelayMs: 1e12 } };
        const summarize = (request, { attempt }) => (request.kind === "history" && attempt === 1 ? Promise.reject(busy()) : reply(request));
        await endsAs("committed", story(), { ...options, summarize, settings: { ...settled, requestTimeoutMs: 0 } });
        equal(delays.filter((delay) => delay > 0), [LONGEST, LONGEST, 5]);
      }),
  },
];
