// An abort before, during and after each await of a run.

import { equal, ok, settle } from "./check.mjs";
import { bytesOf, endsAs, isFree, KINDS, reply, run, story } from "./story.mjs";

/** A signal, and a summariser that does something at one kind of request. */
function at(kind, act) {
  const controller = new AbortController();
  const asked = [];
  const summarize = (request, context) => {
    asked.push(request.kind);
    return request.kind === kind ? act(controller, request, context) : reply(request);
  };
  return { options: { signal: controller.signal, summarize }, asked, controller };
}

const before = [
  {
    name: "an abort before the start ends the run before the first request",
    async run() {
      for (const summarizer of ["callback", "local"]) {
        const asked = [];
        const summarize = summarizer === "local" ? "local" : (request) => asked.push(request) && "x";
        await endsAs("cancelled", story(), { signal: AbortSignal.abort(), summarize });
        equal(asked, []);
      }
    },
  },
  {
    name: "an abort in the same tick as the call ends the run before the first request",
    async run() {
      const { options, asked, controller } = at("none");
      const ending = endsAs("cancelled", story(), options);
      controller.abort();
      await ending;
      equal(asked, []);
    },
  },
  {
    name: "an abort by a handler of the first progress event ends the run before the request",
    async run() {
      const { options, asked, controller } = at("none");
      const session = story();
      const stored = bytesOf(session);
      const { outcome } = await run(session, { ...options, onEvent: () => controller.abort() });
      equal(outcome.status, "cancelled");
      equal(asked, []);
      equal(bytesOf(session), stored);
      await isFree(session);
    },
  },
];

const during = KINDS.flatMap((kind, number) => [
  {
    name: `an abort while the ${kind} request is out cancels the run and the request`,
    async run() {
      let inner;
      const { options, asked } = at(kind, (controller, _, { signal }) => {
        inner = signal;
        setTimeout(() => controller.abort("enough"), 1);
        return new Promise(() => {});
      });
      await endsAs("cancelled", story(), options);
      equal(asked, KINDS.slice(0, number + 1));
      equal([inner.aborted, inner.reason], [true, "enough"]);
    },
  },
  {
    name: `an abort from within the ${kind} callback cancels the run, whatever the callback goes on to do`,
    async run() {
      for (const end of [reply, () => Promise.reject(new Error("late")), () => new Promise(() => {})]) {
        const { options } = at(kind, (controller, request) => {
          controller.abort();
          return end(request);
        });
        await endsAs("cancelled", story(), options);
      }
    },
  },
  {
    name: `an abort right after the ${kind} callback resolved leaves all or nothing, at every tick`,
    async run() {
      const seen = new Set();
      for (let ticks = 0; ticks < 16; ticks += 1) {
        const { options } = at(kind, async (controller, request) => {
          const aborts = async () => {
            for (let tick = 0; tick < ticks; tick += 1) await undefined;
            controller.abort();
          };
          void aborts();
          return reply(request);
        });
        const session = story();
        const stored = bytesOf(session);
        const { outcome, events } = await run(session, options);
        seen.add(outcome.status);
        ok(["cancelled", "committed"].includes(outcome.status), `it ended as ${outcome.status}`);
        equal(bytesOf(session) === stored, outcome.status === "cancelled", `unchanged after ${outcome.status}`);
        equal(events.filter(({ type }) => type === "compaction_end").length, 1);
        await isFree(session);
      }
      ok(seen.has("cancelled"), "an early abort was heard");
    },
  },
]);

const after = [
  ...["session_compact", "compaction_end", "compaction_progress:save"].map((moment) => ({
    name: `an abort at ${moment}, after the commit, is reported as committed`,
    async run() {
      const controller = new AbortController();
      const onEvent = ({ type, phase }) => {
        if (moment === type || moment === `${type}:${phase}`) controller.abort();
      };
      const { outcome } = await endsAs("committed", story(), { signal: controller.signal, onEvent });
      ok(controller.signal.aborted, "the moment came");
      ok(outcome.entry, "the entry is there");
    },
  })),
  {
    name: "an abort after the end changes nothing",
    async run() {
      const controller = new AbortController();
      const session = story();
      const { outcome } = await endsAs("committed", session, { signal: controller.signal });
      const stored = bytesOf(session);
      controller.abort();
      await settle();
      equal(bytesOf(session), stored);
      equal(outcome.status, "committed");
    },
  },
];

export const cases = [...before, ...during, ...after];
