// An agent's companion whose runs wait for everything that a run can wait for: hooks, a summariser,
// an endpoint, a wait, the host and a store. A test meddles with one of these places.

import { AgentSession, compact, MemoryStore } from "threadfold";
import { equal, ok } from "./check.mjs";
import { bytesOf, reply, settings as keeping, story } from "./story.mjs";

export const model = { provider: "p", id: "m", contextWindow: 200_000 };
const ENDPOINT = "https://summaries.example/";

const settings = {
  compaction: { keepRecentTokens: 400 },
  prune: { protectTokens: 0, minimumSavings: 1, protectedTools: [] },
  retry: { baseDelayMs: 1 },
};

/** With these the context of the story is over the threshold, and what a compaction leaves of it is not. */
export const full = { model, fixedTokens: 182_900, settings };

const busy = () => Object.assign(new Error("busy"), { status: 503 });
const HOOKS = ["session_before_compact", "session.compacting", "session_before_tree"];

/** A store that lets each call pass a place. */
class WatchedStore extends MemoryStore {
  pass = (_place, act) => act();
  load(...given) {
    return this.pass("store.load", () => super.load(...given));
  }
  append(...given) {
    return this.pass("store.append", () => super.append(...given));
  }
  replace(...given) {
    return this.pass("store.replace", () => super.replace(...given));
  }
}

/**
 * A companion with hooks, host and store. Each thing that a run waits for passes a place, by name, in
 * the order of `places`; `meddle(place, number, act, signal)` may do something before, after or instead of `act`.
 * `by` is who makes summaries: a callback whose first answer is to be waited for, or an endpoint.
 */
export function world({ by = "callback", session = story(), timeoutMs = 1_000, meddle = (_place, _number, act) => act(), ...options } = {}) {
  const places = [];
  const told = [];
  const events = [];
  const asked = [];
  let failing = by === "callback";
  let fetches = 0;
  const pass = (place, act, signal) => {
    places.push(place);
    return meddle(place, places.length - 1, act, signal);
  };
  const summarize = (request, { signal }) => {
    asked.push(request);
    return pass(`summarize ${request.kind}`, () => {
      if (!failing) return request.kind === "branch" ? "## Goal\nThe branch." : reply(request);
      failing = false;
      throw busy();
    }, signal);
  };
  const answer = { status: 200, text: async () => JSON.stringify({ summary: "## Goal\nShip it.\n\n## Next Steps\n1. Go on." }) };
  const host = {
    abort: () => pass("host.abort", () => undefined),
    replaceMessages: (messages) => pass("host.replaceMessages", () => void told.push(["replaceMessages", messages])),
    continue: () => void told.push(["continue"]),
    prompt: (...given) => void told.push(["prompt", ...given]),
  };
  const store = new WatchedStore();
  store.pass = pass;
  const timed = { ...settings, requestTimeoutMs: timeoutMs, remote: { timeoutMs } };
  const served =
    by === "endpoint" ? { settings: { ...timed, compaction: { ...timed.compaction, remoteEndpoint: ENDPOINT } } } : { settings: timed, summarize };
  const agent = new AgentSession({
    session,
    ...full,
    ...served,
    host,
    store,
    sleep: (_waitMs, signal) => pass("sleep", () => undefined, signal),
    fetch: (_url, { signal }) => pass(`fetch ${(fetches += 1)}`, () => answer, signal),
    ...options,
  });
  for (const name of HOOKS) agent.hook(name, ({ signal }) => pass(name, () => undefined, signal));
  for (const name of EVENTS) agent.on(name, (event) => void events.push(event));
  return { agent, session, store, places, told, events, asked, target: session.path()[1]?.id };
}

export const EVENTS = [
  ...["auto_compaction_start", "auto_compaction_end", "compaction_progress", "compaction_end"],
  ...["session_compact", "session_tree", "error"],
];

/** How each kind of run is started, and how it is stopped. */
export const RUNS = {
  handleTurnEnd: { start: ({ agent }) => agent.handleTurnEnd(), stop: ({ agent }) => agent.abortCompaction() },
  beforePrompt: { start: ({ agent }) => agent.beforePrompt({ role: "user", content: "next" }), stop: ({ agent }) => agent.abortCompaction() },
  compact: { start: ({ agent }, signal) => agent.compact({ signal }), stop: ({ agent }) => agent.abortCompaction() },
  navigateTree: { start: ({ agent, target }, signal) => agent.navigateTree(target, { summarize: true, signal }), stop: ({ agent }) => agent.abortBranchSummary() },
};

/** The places of an undisturbed run, by who makes the summaries. */
export async function placesOf(kind, by) {
  const one = world({ by });
  await RUNS[kind].start(one);
  return one.places;
}

/** What a run must leave as it was. */
export const stateOf = ({ session }) => [bytesOf(session), session.leafId, session.contextUsage({ contextWindow: 200_000, fixedTokens: 182_900 })];

/** Whether what the result of a run says has changed. */
export function saysOf(kind, result) {
  switch (kind) {
    case "handleTurnEnd":
    case "beforePrompt":
      return { compacted: result.outcome?.status === "committed", pruned: (result.pruned?.prunedCount ?? 0) > 0, moved: false, next: result.next.type };
    case "compact":
      return { compacted: result.status === "committed", pruned: false, moved: false };
    default:
      return { compacted: false, pruned: false, moved: !result.cancelled && result.failed === undefined };
  }
}

/** Holds that a run changed what it says it changed and nothing else, told of its end once, and left the session free. */
export async function holds(one, kind, result, before) {
  const { agent, session, store, events, told } = one;
  const says = saysOf(kind, result);
  const [bytes, leafId, usage] = before;
  const count = (type) => events.filter((event) => event.type === type).length;
  const compactions = session.entries().filter(({ type }) => type === "compaction");
  equal(compactions.length, says.compacted ? 1 : 0, "the compactions");
  equal(count("session_compact"), says.compacted ? 1 : 0, "session_compact");
  equal(count("session_tree"), says.moved ? 1 : 0, "session_tree");
  equal(session.path().some(({ message }) => message?.prunedAt !== undefined), says.pruned, "whether it is pruned");
  if (!says.compacted && !says.pruned && !says.moved) equal(stateOf(one), [bytes, leafId, usage], "the state");
  if (kind === "navigateTree") equal(count("compaction_end"), 0, "compaction_end");
  else equal(count("compaction_end") + (result.outcome === undefined && kind !== "compact" ? 1 : 0), 1, "the ends");
  ok(count("auto_compaction_start") <= count("auto_compaction_end"), "an end for the start");
  ok(count("auto_compaction_end") <= 1, "one end");
  equal(agent.isCompacting, false, "isCompacting");
  for (const [name] of told.filter(([name]) => name !== "replaceMessages")) equal(name, says.next, "the host was told to go on");
  const stored = await store.load();
  // What was never written is not there; what was is what the session says.
  if (stored !== undefined) equal(new TextDecoder().decode(stored.lines), bytesOf(session), "what is stored");
  const outcome = await compact(session, { summarize: "local", settings: { compaction: { keepRecentTokens: 1 } } });
  ok(outcome.status !== undefined, "it is free");
}

export const user = (content) => ({ role: "user", content });
export const answer = (text, more = {}) => ({ role: "assistant", content: [{ type: "text", text }], stopReason: "stop", provider: "p", model: "m", ...more });

/** A companion of a short story, whose summariser answers well; what the host is told is noted. */
export function beside(session, { host = {}, ...options } = {}) {
  const told = [];
  const events = [];
  const note = (name) => (...given) => void told.push([name, ...given]);
  const noting = Object.fromEntries(["abort", "continue", "prompt", "replaceMessages"].map((name) => [name, note(name)]));
  const agent = new AgentSession({ session, model, settings: keeping, summarize: reply, host: { ...noting, ...host }, ...options });
  for (const name of ["auto_compaction_start", "auto_compaction_end", "session_compact", "compaction_end", "session_tree", "error"]) {
    agent.on(name, (event) => void (events.push(event), told.push([name])));
  }
  return { agent, told, events, named: () => told.map(([name]) => name) };
}

/** A check that found nothing to do, as {@link short} tells it. */
export const quiet = { action: "none", next: { type: "wait" } };
export const short = ({ action, next }) => ({ action, next });
