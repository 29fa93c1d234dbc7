// An abort before, during and after each await of each kind of run of an agent, in each way to abort.

import { generateBranchSummary } from "threadfold";
import { holds, model, placesOf, RUNS, saysOf, stateOf, world } from "./agent-world.mjs";
import { equal, ok, settle } from "./check.mjs";
import { counted } from "./signals.mjs";
import { bytesOf, story } from "./story.mjs";

/** The ways to abort a run. */
const ways = (kind) => ({
  stop: ({ one }) => RUNS[kind].stop(one),
  dispose: ({ one }) => one.agent.dispose(),
  ...(kind === "compact" || kind === "navigateTree" ? { signal: ({ controller }) => controller.abort("enough") } : {}),
});

const later = (act, ms) => new Promise((resolve, reject) => setTimeout(() => Promise.resolve().then(act).then(resolve, reject), ms));

async function afterTicks(ticks, act) {
  for (let tick = 0; tick < ticks; tick += 1) await undefined;
  act();
}

/** When the abort comes; `go` goes on as the place would. Those with `sure` come while the run is under way. */
const MOMENTS = [
  { name: "before", sure: true, meddle: (abort, go) => (abort(), go()) },
  { name: "during", sure: true, meddle: (abort, go) => (setTimeout(abort, 1), later(go, 3)) },
  ...Array.from({ length: 14 }, (_, ticks) => ({
    name: `${ticks} ticks after`,
    meddle: (abort, go) => {
      const result = (async () => go())();
      const then = () => void afterTicks(ticks, abort);
      result.then(then, then);
      return result;
    },
  })),
];

/** What the store and the host are told is not raced by an abort. */
const isRaced = (place) => !place.startsWith("store.") && place !== "host.replaceMessages";
const NEVER = { name: "during one that never ends", sure: true, meddle: (abort) => (setTimeout(abort, 1), new Promise(() => {})) };
const REFUSED = { name: "during a write that is refused", sure: true, meddle: (abort) => (setTimeout(abort, 1), later(() => Promise.reject(new Error("full")), 3)) };

/** How a run says that it was aborted; one whose agent was disposed of may say that its store writes no more. */
function saysAborted(kind, result, way) {
  const error = kind === "navigateTree" ? result.failed : (result.outcome ?? result).error;
  if (way === "dispose" && error?.code === "storage-failed") return true;
  return kind === "navigateTree" ? result.aborted : (result.outcome ?? result).status === "cancelled";
}

async function abortedAt(kind, by, at, moment, [way, abort]) {
  const around = {};
  const { controller, signal, count } = counted();
  const one = world({
    by,
    meddle: (_place, number, act) => (number === at ? moment.meddle(() => abort(around), act) : act()),
  });
  Object.assign(around, { one, controller });
  const before = stateOf(one);
  const result = await RUNS[kind].start(one, signal);
  await settle();
  const says = saysOf(kind, result);
  if (moment.sure) {
    ok(one.told.every(([name]) => name === "replaceMessages"), "nothing goes on by itself");
    if (isRaced(one.places[at])) {
      ok(!says.compacted && !says.moved, "nothing was committed");
      equal(one.places.length, at + 1, "the places");
    }
  }
  if (!says.compacted && !says.moved && moment !== REFUSED) ok(saysAborted(kind, result, way), "it says that it was aborted");
  equal(count.now, 0, "the listeners that are left");
  await holds(one, kind, result, before);
  return says;
}

/** Of the moments of a branch summary alone, the ends. */
const branchCases = ["summarize branch", "sleep", "fetch"].map((place) => ({
  name: `generateBranchSummary: an abort at ${place}`,
  async run() {
    for (const moment of [...MOMENTS, NEVER]) {
      const { controller, signal, count } = counted();
      const session = story();
      const before = [bytesOf(session), session.leafId];
      let failing = place === "sleep";
      const at = (name, act) => (name === place ? moment.meddle(() => controller.abort(), act) : act());
      const summarize = () => {
        if (failing) return (failing = false), Promise.reject(Object.assign(new Error("busy"), { status: 503 }));
        return at("summarize branch", () => "## Goal\nThe branch.");
      };
      const fetched = { status: 200, text: async () => '{"summary":"## Goal\\nThe branch."}' };
      const by = place === "fetch" ? { settings: { compaction: { remoteEndpoint: "https://summaries.example/" } } } : { summarize };
      const around = { signal, sleep: () => at("sleep", () => undefined), fetch: () => at("fetch", () => fetched), model };
      const outcome = await generateBranchSummary(session, { targetId: session.path()[1].id, ...by, ...around });
      ok(["summarized", "cancelled"].includes(outcome.status), `it ended as ${outcome.status}`);
      if (moment.sure) equal(outcome.status, "cancelled", moment.name);
      equal(outcome.status === "summarized", outcome.summary !== undefined, "the summary");
      equal([bytesOf(session), session.leafId, count.now], [...before, 0], "nothing is changed or left");
    }
  },
}));

const cases = [...branchCases];
for (const kind of Object.keys(RUNS)) {
  for (const by of ["callback", "endpoint"]) {
    const places = await placesOf(kind, by);
    places.forEach((place, at) => {
      const moments = [...MOMENTS, ...(isRaced(place) ? [NEVER] : []), ...(place === "store.append" || place === "store.replace" ? [REFUSED] : [])];
      cases.push({
        name: `${kind} by ${by}: an abort at ${place}, await ${at + 1} of ${places.length}`,
        async run() {
          for (const way of Object.entries(ways(kind))) {
            for (const moment of moments) {
              await abortedAt(kind, by, at, moment, way).catch((error) => {
                throw new Error(`${way[0]}, ${moment.name}: ${error.stack ?? error}`, { cause: error });
              });
            }
          }
        },
      });
    });
  }
}

export { cases };
