// A long-lived signal gathers nothing.

import { equal, ok, settle } from "./check.mjs";
import { reply, run, settings, story } from "./story.mjs";

const RUNS = 100;

/** A signal that counts who listens. */
export function counted() {
  const controller = new AbortController();
  const { signal } = controller;
  const count = { added: 0, now: 0, most: 0 };
  const listeners = new Set();
  const add = signal.addEventListener;
  const remove = signal.removeEventListener;
  signal.addEventListener = (type, listener, options) => {
    listeners.add(listener);
    count.added += 1;
    count.now = listeners.size;
    count.most = Math.max(count.most, count.now);
    return add.call(signal, type, listener, options);
  };
  signal.removeEventListener = (type, listener, options) => {
    listeners.delete(listener);
    count.now = listeners.size;
    return remove.call(signal, type, listener, options);
  };
  return { controller, signal, count };
}

const endings = {
  "commit": [reply, "committed"],
  "fail at once": [() => { throw new Error("no"); }, "failed"],
  "are refused": [() => "", "failed"],
  "are retried": [(_, { attempt }) => { throw Object.assign(new Error("busy"), { status: attempt < 3 ? 503 : 401 }); }, "failed"],
  "time out": [() => new Promise(() => {}), "failed"],
};

export const cases = [
  ...Object.entries(endings).map(([name, [summarize, status]]) => ({
    name: `${RUNS} runs that ${name} leave no listener on a signal they share`,
    async run() {
      const { signal, count } = counted();
      const timed = { settings: { ...settings, requestTimeoutMs: 1 } };
      for (let number = 0; number < RUNS; number += 1) {
        const options = { signal, summarize, ...(name === "time out" ? timed : {}) };
        equal((await run(story(), options)).outcome.status, status);
      }
      ok(count.added >= RUNS, "the signal was listened to");
      equal([count.now, count.most], [0, 1]);
    },
  })),
  {
    name: "runs side by side share a signal, and an abort ends them all",
    async run() {
      const { controller, signal, count } = counted();
      const waiting = Array.from({ length: 8 }, () => run(story(), { signal, summarize: () => new Promise(() => {}) }));
      await settle();
      equal(count.now, 8);
      controller.abort();
      const ended = await Promise.all(waiting);
      equal(ended.map(({ outcome }) => outcome.status), Array(8).fill("cancelled"));
      equal(count.now, 0);
    },
  },
  {
    name: "each request has a signal of its own, which stays quiet after a good answer",
    async run() {
      const signals = new Set();
      const controller = new AbortController();
      const summarize = (request, { signal }) => signals.add(signal) && reply(request);
      await run(story(), { signal: controller.signal, summarize });
      controller.abort();
      equal(signals.size, 3);
      equal([...signals].map(({ aborted }) => aborted), [false, false, false]);
      ok(!signals.has(controller.signal), "the host's own signal is not handed on");
    },
  },
];
