// What hooks, summarisers, hosts, stores and listeners may call while a run of an agent is under way.

import { AgentSession, compact, generateBranchSummary } from "threadfold";
import { EVENTS, full, holds, placesOf, RUNS, saysOf, stateOf, world } from "./agent-world.mjs";
import { equal, matches, ok, rejects, settle } from "./check.mjs";
import { bytesOf, story } from "./story.mjs";

const user = (content) => ({ role: "user", content });

/** Carries a run out that does something at one of its places first. */
async function doing(kind, by, at, act) {
  let after;
  const one = world({ by, meddle: async (_place, number, go) => {
    if (number === at) after = await act(one);
    return go();
  } });
  const before = stateOf(one);
  const result = await RUNS[kind].start(one);
  await settle();
  return { one, before, result, after, says: saysOf(kind, result) };
}

/** Calls that are refused while a run is under way, and leave it alone. */
async function callsOfRuns({ agent, session, target }) {
  const before = bytesOf(session);
  await rejects(agent.compact(), "busy");
  await rejects(agent.navigateTree(target, { summarize: true }), "busy");
  await rejects(agent.navigateTree(session.leafId), "busy");
  await rejects(compact(session, { summarize: "local" }), "busy");
  await rejects(generateBranchSummary(session, { targetId: target, summarize: "local" }), "busy");
  for (const check of [agent.handleTurnEnd(), agent.beforePrompt(user("next")), agent.handleTurnEnd()]) {
    const { action, next, contextUsage, outcome } = await check;
    equal([action, next, outcome], ["busy", { type: "wait" }, undefined]);
    ok(contextUsage.tokens > 0, "the size is told");
  }
  await rejects(agent.navigateTree("nowhere"), "unknown-entry");
  await rejects(agent.handleTurnEnd({ role: "assistant", content: [] }), "message-not-appended");
  equal(bytesOf(session), before);
}

/** Calls that change nothing. */
function reading({ agent, session, target }) {
  agent.contextUsage();
  session.buildSessionContext();
  session.prepareCompaction({ settings: full.settings });
  session.collectEntriesForBranchSummary(session.leafId, target);
  session.toJsonl();
  agent.setModel({ provider: "other", id: "o", contextWindow: 10 });
  agent.setSettings({ compaction: { enabled: false } });
  agent.hook("session_before_compact", () => undefined)();
  agent.on("error", () => undefined)();
}

const cases = [];
for (const kind of Object.keys(RUNS)) {
  for (const by of ["callback", "endpoint"]) {
    const places = await placesOf(kind, by);
    const at = (name, run, complaints = 0) => {
      places.forEach((place, number) => {
        cases.push({ name: `${kind} by ${by}: ${name} at ${place}, await ${number + 1}`, complaints, run: () => run(number, place) });
      });
    };
    at("other runs are refused", async (number) => {
      const { one, before, result, says } = await doing(kind, by, number, callsOfRuns);
      ok(says.compacted || says.moved, "it was committed");
      await holds(one, kind, result, before);
    });
    at("what changes nothing, and what counts from the next run on,", async (number) => {
      const { one, before, result, says } = await doing(kind, by, number, reading);
      ok(says.compacted || says.moved, "it was committed");
      await holds(one, kind, result, before);
    });
    at("isCompacting tells of it", async (number) => {
      const { after } = await doing(kind, by, number, ({ agent }) => agent.isCompacting);
      equal(after, kind !== "navigateTree");
    });
    at("what is appended stays, in order, and is stored", async (number) => {
      const { one, result, after } = await doing(kind, by, number, async ({ agent, session }) => {
        // Not waited for: the store has its turn behind the run.
        const appended = agent.append(user("one"));
        const ids = [session.leafId, session.appendMessage(user("two")), session.setLabel(session.leafId, "here")];
        return { appended, ids };
      });
      await after.appended;
      await one.agent.flush();
      const path = one.session.path().map(({ id }) => id);
      const [first] = after.ids;
      if (path.includes(first)) equal(path.filter((id) => after.ids.includes(id)), after.ids);
      else ok(kind === "navigateTree", "it was left with its branch");
      equal(new TextDecoder().decode((await one.store.load()).lines), bytesOf(one.session), "what is stored");
      ok(result !== undefined, "it ended");
    });
    at("a prune leaves all or nothing", async (number) => {
      const { one, says } = await doing(kind, by, number, ({ session }) => {
        session.pruneToolOutputs({ protectTokens: 0, minimumSavings: 1, protectedTools: [], mode: "rewrite" });
      });
      await one.agent.flush();
      equal(new TextDecoder().decode((await one.store.load()).lines), bytesOf(one.session), "what is stored");
      equal(one.session.entries().some(({ type }) => type === "compaction"), says.compacted);
    });
    at("a move of the leaf leaves all or nothing", async (number) => {
      const { one, says } = await doing(kind, by, number, ({ session }) => session.branch(session.entries()[0].id));
      await one.agent.flush();
      equal(new TextDecoder().decode((await one.store.load()).lines), bytesOf(one.session), "what is stored");
      equal(one.session.entries().some(({ type }) => type === "compaction"), says.compacted);
      equal(one.session.entries().some(({ type }) => type === "branch_summary"), says.moved);
    });
    at("a free() of the session ends it with an error that says so", async (number, place) => {
      const one = world({ by, meddle: (_place, index, go) => {
        if (index === number) one.session.free();
        return go();
      } });
      const error = await RUNS[kind].start(one).then(() => undefined, (error) => error);
      await settle();
      matches(error?.message ?? "", /freed/, place);
      equal(error.code, "invalid-argument");
      for (const call of [() => one.agent.compact(), () => one.agent.handleTurnEnd(), () => one.agent.append(user("x")), () => one.agent.flush()]) {
        await rejects(call(), "invalid-argument");
      }
      equal(one.agent.isCompacting, false);
      one.agent.dispose();
      one.agent.dispose();
    });
  }
}

/** Listeners of every event that do something. */
const listening = (name, act, complaints = 0) => ({
  name: `a listener of each event may ${name}`,
  complaints,
  async run() {
    for (const kind of Object.keys(RUNS)) {
      const one = world();
      for (const event of EVENTS) one.agent.on(event, (told) => act(one, told));
      const before = stateOf(one);
      const result = await RUNS[kind].start(one);
      await settle();
      await holds(one, kind, result, before);
    }
  },
});

cases.push(
  listening("read the session", (one) => reading(one)),
  listening("add others", ({ agent }) => void agent.on("compaction_progress", () => undefined)),
  {
    name: "a listener may remove itself, and one that comes behind it",
    async run() {
      const { agent } = world();
      const heard = [];
      const removals = [];
      removals.push(agent.on("compaction_progress", () => (heard.push(1), removals.forEach((remove) => remove()))));
      removals.push(agent.on("compaction_progress", () => heard.push(2)));
      agent.on("compaction_progress", () => heard.push(3));
      await agent.handleTurnEnd();
      equal(heard.slice(0, 3), [1, 3, 3]);
    },
  },
  {
    name: "a hook's handler may remove itself and add another, which the same run does not ask",
    async run() {
      const { agent } = world();
      const asked = [];
      const remove = agent.hook("session_before_compact", () => {
        asked.push("first");
        remove();
        agent.hook("session_before_compact", () => void asked.push("second"));
      });
      await agent.handleTurnEnd();
      equal(asked, ["first"]);
    },
  },
  {
    name: "when the last event tells of the end, nothing is under way: a listener may start a run, and it can be aborted",
    async run() {
      for (const last of ["compaction_end", "auto_compaction_end"]) {
        const one = world();
        const { agent } = one;
        const seen = [];
        let again;
        const remove = agent.on(last, () => {
          remove();
          seen.push(agent.isCompacting);
          again = agent.compact();
          seen.push(agent.isCompacting);
        });
        const { action } = await agent.handleTurnEnd();
        equal([action, ...seen, agent.isCompacting], ["compacted", false, true, true], last);
        agent.abortCompaction();
        equal((await again).status, "cancelled");
        equal(agent.isCompacting, false);
      }
    },
  },
  {
    name: "a check that finds another run under way is over at once, whoever started that",
    async run() {
      const one = world();
      const other = new AgentSession({ session: one.session, ...full, summarize: "local" });
      const navigating = one.agent.navigateTree(one.target);
      const check = other.handleTurnEnd();
      equal([one.agent.isCompacting, other.isCompacting], [false, false]);
      equal((await check).action, "busy");
      await navigating;
    },
  },
  {
    name: "a disposed agent refuses what it is asked by name, and leaves the session alone",
    async run() {
      const { agent, session, target } = world();
      agent[Symbol.dispose]();
      const before = bytesOf(session);
      for (const call of [
        () => agent.append(user("x")),
        () => agent.handleTurnEnd(),
        () => agent.beforePrompt(),
        () => agent.compact(),
        () => agent.navigateTree(target),
        () => agent.flush(),
        async () => agent.setModel(undefined),
        async () => agent.setSettings({}),
      ]) {
        await rejects(call(), "invalid-argument");
      }
      agent.abortCompaction();
      agent.abortBranchSummary();
      agent.dispose();
      ok(agent.contextUsage().tokens > 0, "the session is there");
      equal(bytesOf(session), before);
      session.appendMessage(user("still"));
    },
  },
  {
    name: "an agent that is disposed of by a listener of the end tells the host nothing more",
    async run() {
      for (const last of ["session_compact", "compaction_end", "auto_compaction_end"]) {
        const one = world();
        one.agent.on(last, () => one.agent.dispose());
        const { action, next } = await one.agent.handleTurnEnd();
        await settle();
        equal([action, next.type], ["compacted", "prompt"]);
        equal(one.told.map(([name]) => name), ["replaceMessages", "replaceMessages"], last);
      }
    },
  },
  {
    name: "a signal that cannot be listened to is the caller's error, and leaves the session free",
    async run() {
      const { agent, session, target } = world();
      const signal = { aborted: false, addEventListener() { throw new Error("no listeners"); }, removeEventListener() {} };
      for (const run of [agent.compact({ signal }), agent.navigateTree(target, { signal })]) {
        equal((await run.catch((error) => error)).message, "no listeners");
      }
      equal((await compact(session, { summarize: "local" })).reason, "session-too-small");
    },
  },
  {
    name: "a clock that breaks at any look leaves the session free",
    async run() {
      for (const kind of Object.keys(RUNS)) {
        for (let looks = 0; looks < 20; looks += 1) {
          let left = looks;
          const now = () => {
            if (left-- === 0) throw new Error("no clock");
            return 1_000_000;
          };
          const one = world({ session: story(), now });
          const error = await RUNS[kind].start(one).then(() => undefined, (error) => error);
          if (error !== undefined) equal(error.code, "invalid-argument", `${kind}, look ${looks}`);
          equal(one.agent.isCompacting, false);
          await compact(one.session, { summarize: "local" });
        }
      }
    },
  },
);

export { cases };
