// What a store of an agent gets, in which order, and what is taken back where it refuses.

import { AgentSession, MemoryStore, Session } from "threadfold";
import { full, world } from "./agent-world.mjs";
import { equal, ok, rejects, settle } from "./check.mjs";
import { bytesOf, reply, settings, story } from "./story.mjs";

const user = (content) => ({ role: "user", content });
const text = (bytes) => new TextDecoder().decode(bytes);
const no = () => new Error("the disk is full");

/** A store that notes what it is asked; `then` may hold a write up, or refuse it. */
class NotedStore extends MemoryStore {
  writes = [];
  then = () => undefined;
  async append(batch, options) {
    this.writes.push(["append", ...batch.ids]);
    await this.then(this.writes.length);
    return super.append(batch, options);
  }
  async replace(changed, options) {
    this.writes.push(["replace", ...changed.map(({ id }) => id)]);
    await this.then(this.writes.length);
    return super.replace(changed, options);
  }
}

function storing(session = Session.create(), options = {}) {
  const store = new NotedStore();
  const agent = new AgentSession({ session, store, summarize: reply, settings, ...options });
  const errors = [];
  agent.on("error", ({ error }) => void errors.push(error));
  return { agent, session, store, errors };
}

/** Holds that the store has just what the session says. */
const assertStored = async ({ store, session }) => equal(text((await store.load()).lines), bytesOf(session), "what is stored");

/** Holds a write up until it is told how to end. */
function held(store) {
  const gate = {};
  const written = new Promise((resolve, reject) => Object.assign(gate, { go: resolve, refuse: reject }));
  store.then = () => written;
  return gate;
}

export const cases = [
  {
    name: "the header comes first, and what is appended in one go is one batch, in its order",
    async run() {
      const one = storing();
      const { agent, session, store } = one;
      const appended = [agent.append(user("a")), agent.append(user("b"))];
      const label = session.setLabel(session.leafId, "here");
      const ids = await Promise.all(appended);
      equal(store.writes, [["append", ...ids, label]]);
      ok(text((await store.load()).lines).startsWith('{"type":"session"'), "the header");
      const custom = session.append({ type: "custom", customType: "x", data: 1 });
      await agent.flush();
      equal(store.writes.at(-1), ["append", custom]);
      await assertStored(one);
    },
  },
  {
    name: "`append` resolves when the store has it, and not before; without a store at once",
    async run() {
      const { agent, store, session } = storing();
      const gate = held(store);
      let id;
      const appending = agent.append(user("a")).then((given) => (id = given));
      await settle();
      equal([id, session.length], [undefined, 1]);
      gate.go();
      await appending;
      equal(id, session.leafId);
      const bare = new AgentSession({ session: Session.create() });
      equal(await bare.append(user("b")), bare.session.leafId);
      await bare.flush();
      await rejects(bare.append({ role: "robot" }), "invalid-entry");
    },
  },
  {
    name: "a refused append takes back exactly that entry; what came behind it hangs below its parent and is stored",
    async run() {
      const one = storing();
      const { agent, session, store, errors } = one;
      const first = await agent.append(user("first"));
      const gate = held(store);
      const refused = agent.append(user("refused"));
      const gone = session.leafId;
      await settle();
      const behind = session.appendMessage(user("behind"));
      gate.refuse(no());
      const error = await refused.catch((error) => error);
      equal([error.code, error.cause.message, errors.map(({ code }) => code)], ["storage-failed", "the disk is full", ["storage-failed"]]);
      equal([session.entry(gone), session.entry(behind).parentId, session.leafId], [undefined, first, behind]);
      store.then = () => undefined;
      await agent.flush();
      await assertStored(one);
    },
  },
  {
    name: "what `session.append` adds stays where the store refuses it, and is tried again",
    async run() {
      const one = storing();
      const { agent, session, store, errors } = one;
      store.then = () => Promise.reject(no());
      const id = session.appendMessage(user("a"));
      await settle();
      equal([errors.map(({ code }) => code), session.leafId], [["storage-failed"], id]);
      await rejects(agent.flush(), "storage-failed");
      store.then = () => undefined;
      await agent.flush();
      await assertStored(one);
    },
  },
  {
    name: "a run writes what came before it, its prune, then its compaction",
    async run() {
      const session = story();
      const all = session.entries().map(({ id }) => id);
      const one = storing(session, { ...full, summarize: reply });
      const { outcome, pruned } = await one.agent.handleTurnEnd();
      equal(one.store.writes, [["append", ...all], ["replace", all[4]], ["append", outcome.entry.id]]);
      equal(pruned.prunedCount, 1);
      await assertStored(one);
    },
  },
  {
    name: "a refused compaction takes itself back; what was appended while it was written stays, and is stored",
    async run() {
      const one = storing(story());
      const { agent, session, store } = one;
      await agent.flush();
      const { leafId } = session;
      const gate = held(store);
      const compacting = agent.compact();
      while (store.writes.length < 2) await settle();
      const [, compaction] = store.writes[1];
      const behind = [session.appendMessage(user("one")), session.appendMessage(user("two"))];
      const waiting = agent.append(user("three"));
      const asked = waiting.catch((error) => error.code);
      gate.refuse(no());
      const { status, error, entry } = await compacting;
      equal([status, error.code, error.cause.cause.message, entry], ["failed", "storage-failed", "the disk is full", undefined]);
      equal(await asked, "storage-failed");
      equal([session.entry(compaction), ...session.path().slice(-2).map(({ id }) => id)], [undefined, ...behind]);
      equal(session.entry(behind[0]).parentId, leafId);
      store.then = () => undefined;
      await agent.flush();
      await assertStored(one);
      equal((await agent.compact()).status, "committed");
      await assertStored(one);
    },
  },
  {
    name: "an entry that is refused while a compaction is made makes it stale, and nothing of either is there",
    async run() {
      const session = story();
      const before = bytesOf(session);
      const one = storing(session, { summarize: async (request) => (request.kind === "history" ? refuse() : undefined, reply(request)) });
      const { agent, store } = one;
      await agent.flush();
      const gate = held(store);
      const refuse = async () => gate.refuse(no());
      const appending = agent.append(user("refused")).catch((error) => error.code);
      const { status, error } = await agent.compact();
      equal([await appending, status, error.code, bytesOf(session)], ["storage-failed", "failed", "stale", before]);
      store.then = () => undefined;
      await assertStored(one);
    },
  },
  {
    name: "a refused prune leaves the session as it was, and the run says so",
    async run() {
      for (const mode of ["rewrite", "overlay"]) {
        const one = world({ settings: { ...full.settings, prune: { ...full.settings.prune, mode } } });
        const { agent, session, store } = one;
        await agent.flush();
        const before = [bytesOf(session), session.leafId];
        store.pass = () => Promise.reject(no());
        const { action, outcome, pruned } = await agent.handleTurnEnd();
        equal([action, outcome.error.code, pruned], ["failed", "storage-failed", undefined], mode);
        equal([bytesOf(session), session.leafId], before);
        const ends = one.events.filter(({ type }) => type.endsWith("_end")).map(({ type, status, errorMessage }) => [type, status ?? errorMessage]);
        equal(ends.map(([type]) => type).sort(), ["auto_compaction_end", "compaction_end"]);
        store.pass = (_place, act) => act();
        await agent.flush();
        await assertStored(one);
      }
    },
  },
  {
    name: "a session that was loaded from its store goes on there; one that is another one is a conflict",
    async run() {
      const first = storing(story());
      await first.agent.flush();
      first.agent.dispose();
      const { store } = first;
      store.writes.length = 0;
      const session = Session.fromJsonl((await store.load()).lines);
      const again = new AgentSession({ session, store, summarize: reply, settings });
      await again.flush();
      equal(store.writes, []);
      const { entry } = await again.compact();
      equal(store.writes, [["append", entry.id]]);
      await assertStored({ store, session });
      const stranger = new AgentSession({ session: story(), store, summarize: reply, settings });
      const errors = [];
      stranger.on("error", ({ error }) => void errors.push(error.code));
      await rejects(stranger.append(user("mine")), "conflict");
      const { status, error } = await stranger.compact();
      equal([status, error.code, error.cause.revision, errors], ["failed", "conflict", 2, ["conflict", "conflict"]]);
      equal(stranger.session.path().at(-1).type, "message");
    },
  },
  {
    name: "two agents on one store: the second to write is told of the conflict, with where the store stands",
    async run() {
      const store = new NotedStore();
      const one = storing(Session.create({ id: "same" }));
      await one.agent.append(user("a"));
      const { lines } = await one.store.load();
      await store.append({ ids: [], lines, leafId: one.session.leafId }, { expected: null });
      const [left, right] = [1, 2].map(() => new AgentSession({ session: Session.fromJsonl(lines), store }));
      await Promise.all([left.flush(), right.flush()]);
      right.on("error", () => undefined);
      const id = await left.append(user("left"));
      const error = await right.append(user("right")).catch((error) => error);
      equal([error.code, error.leafId, error.revision], ["conflict", id, 2]);
      equal(right.session.length, 1);
    },
  },
  {
    name: "a refused navigation leaves the leaf where it was; what was appended behind the summary stays at the new place",
    async run() {
      for (const appends of [false, true]) {
        const one = storing(story(), { summarize: "local" });
        const { agent, session, store } = one;
        await agent.flush();
        const moves = [];
        agent.on("session_tree", (event) => void moves.push(event));
        const old = session.leafId;
        const target = session.path()[1].id;
        const gate = held(store);
        const moving = agent.navigateTree(target, { summarize: true });
        while (store.writes.length < 2) await settle();
        const behind = appends ? session.appendMessage(user("meanwhile")) : undefined;
        gate.refuse(no());
        const { failed, summaryEntry } = await moving;
        equal([failed.code, summaryEntry, session.leafId], ["storage-failed", undefined, behind ?? old]);
        equal(moves, behind === undefined ? [] : [{ type: "session_tree", newLeafId: behind, oldLeafId: old }]);
        if (behind !== undefined) equal(session.entry(behind).parentId, target);
        store.then = () => undefined;
        await agent.flush();
        await assertStored(one);
      }
    },
  },
  {
    name: "a store hears of every entry that another agent's run appends, and not before that agent's store has it",
    async run() {
      const prune = { ...full.settings.prune, mode: "overlay" };
      const other = { ...full, summarize: reply, settings: { ...full.settings, prune, compaction: { ...full.settings.compaction, autoContinue: false } } };
      const runs = [
        ["prune", (agent) => agent.handleTurnEnd(), { ...other, settings: { ...other.settings, compaction: { enabled: true, keepRecentTokens: 10_000 } } }],
        ["compaction", (agent) => agent.compact(), other],
        ["branch_summary", (agent, { target }) => agent.navigateTree(target, { summarize: true }), other],
      ];
      for (const [type, run, options] of runs) {
        for (const hasStore of [false, true]) {
          const session = story();
          const target = session.path()[1].id;
          const one = storing(session);
          await one.agent.flush();
          const own = new NotedStore();
          const agent = new AgentSession({ session, ...options, summarize: "local", ...(hasStore ? { store: own } : {}) });
          const early = [];
          own.then = () => void early.push(one.store.writes.length);
          await run(agent, { target });
          await settle();
          ok(session.entries().some((entry) => entry.type === "custom" ? type === "prune" : entry.type === type), `a ${type}`);
          await assertStored(one);
          if (hasStore) {
            await assertStored({ store: own, session });
            equal([...new Set(early)], [1], "what the other store had when this one was written to");
          }
        }
      }
    },
  },
  {
    name: "an agent that is disposed of lets a write end, and hears of nothing more",
    async run() {
      const { agent, session, store } = storing();
      const gate = held(store);
      const underWay = agent.append(user("under way"));
      await settle();
      const waiting = agent.append(user("waits")).catch((error) => error.code);
      const gone = session.leafId;
      agent.dispose();
      equal([await waiting, session.entry(gone)], ["storage-failed", undefined]);
      gate.go();
      equal(await underWay, session.leafId);
      session.appendMessage(user("later"));
      await settle();
      equal(store.writes.length, 1);
    },
  },
];
