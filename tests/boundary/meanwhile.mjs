// What a summariser may do to the session while a run is under way.

import { compact } from "threadfold";
import { equal, matches, ok, rejects, settle } from "./check.mjs";
import { bytesOf, endsAs, isFree, KINDS, reply, run, settings, story } from "./story.mjs";

const user = (content) => ({ role: "user", content });

/** Does something at one kind of request, then answers well. */
const doing = (kind, act) => ({
  summarize: async (request) => {
    if (request.kind === kind) await act();
    return reply(request);
  },
});

/** Calls that change nothing, each on the session of the run. */
const reading = {
  entry: (session) => session.entry(session.leafId),
  entries: (session) => session.entries(),
  path: (session) => session.path(),
  children: (session) => session.children(session.leafId),
  tree: (session) => session.tree(),
  header: (session) => session.header,
  length: (session) => session.length,
  diagnostics: (session) => session.diagnostics,
  label: (session) => session.label(session.leafId),
  buildSessionContext: (session) => session.buildSessionContext(),
  contextUsage: (session) => session.contextUsage({ contextWindow: 200_000, pending: user("next") }),
  prepareCompaction: (session) => {
    const { preparation } = session.prepareCompaction({ settings });
    return [preparation.messagesToSummarize, preparation.turnPrefixMessages, preparation.requestTokens, preparation.settings];
  },
  findCutPoint: (session) => session.findCutPoint(0, session.length, 100),
  toJsonl: (session) => session.toJsonl(),
};

const readingCases = KINDS.flatMap((kind) =>
  Object.entries(reading).map(([name, call]) => ({
    name: `${name} may be called during the ${kind} request`,
    async run() {
      const session = story();
      const before = call(session);
      let during;
      const { outcome } = await run(session, doing(kind, () => { during = call(session); }));
      equal(outcome.status, "committed");
      equal(during, before);
    },
  })),
);

const appending = KINDS.map((kind) => ({
  name: `what is appended during the ${kind} request is kept behind the summary, in order`,
  async run() {
    const session = story();
    const ids = [];
    const { outcome } = await run(
      session,
      doing(kind, () => {
        ids.push(session.appendMessage(user("one")));
        ids.push(session.append({ type: "custom_message", customType: "note", content: "two", display: true }));
        ids.push(session.append({ type: "model_change", provider: "p", modelId: "m" }));
        ids.push(session.setLabel(ids[0], "here"));
        ids.push(session.appendMessage({ role: "assistant", content: [{ type: "text", text: "three" }] }));
      }),
    );
    equal(outcome.status, "committed");
    const path = session.path().map(({ id }) => id);
    equal(path.slice(-6), [...ids, outcome.entry.id], "the end of the path");
    const { entryIds } = session.buildSessionContext();
    equal(entryIds[0], outcome.entry.id, "the summary comes first");
    equal(entryIds.slice(-3), [ids[0], ids[1], ids[4]], "the end of the view");
    await isFree(session);
  },
}));

const moving = [
  ["branch", (session) => session.branch(session.path()[1].id)],
  ["branch and append", (session) => { session.branch(session.path()[1].id); session.appendMessage(user("elsewhere")); }],
  ["resetLeaf", (session) => session.resetLeaf()],
  ["branchWithSummary", (session) => session.branchWithSummary(session.path()[1].id, "left")],
  ["appendCompaction", (session) => session.appendCompaction({ summary: "by hand", firstKeptEntryId: session.leafId, tokensBefore: 1 })],
].flatMap(([name, move]) =>
  KINDS.map((kind) => ({
    name: `${name} during the ${kind} request makes the run stale, and nothing of it is stored`,
    async run() {
      const session = story();
      let after;
      const { outcome, events } = await run(
        session,
        doing(kind, () => {
          move(session);
          after = [bytesOf(session), session.leafId];
        }),
      );
      equal([outcome.status, outcome.error?.code], ["failed", "stale"]);
      equal([bytesOf(session), session.leafId], after);
      equal(events.filter(({ type }) => type === "compaction_end").length, 1);
      await isFree(session);
    },
  })),
);

export const cases = [
  ...readingCases,
  ...appending,
  ...moving,
  {
    name: "a leaf that was moved away and back does no harm",
    async run() {
      const session = story();
      const leaf = session.leafId;
      const act = () => { session.resetLeaf(); session.branch(leaf); };
      const { outcome } = await run(session, doing("history", act));
      equal(outcome.status, "committed");
    },
  },
  ...KINDS.map((kind) => ({
    name: `a second run during the ${kind} request is refused as busy, and the first goes on`,
    async run() {
      const session = story();
      const { outcome } = await run(
        session,
        doing(kind, async () => {
          await rejects(compact(session, { summarize: reply }), "busy");
          await rejects(compact(session, { summarize: "local" }), "busy");
        }),
      );
      equal(outcome.status, "committed");
    },
  })),
  {
    name: "two runs started at once: one runs, the other is refused as busy",
    async run() {
      const session = story();
      const first = run(session);
      await rejects(run(session), "busy");
      equal((await first).outcome.status, "committed");
    },
  },
  {
    name: "a run that is refused leaves the lock of the other alone",
    async run() {
      const session = story();
      const act = async () => {
        await rejects(compact(session, { summarize: reply, signal: AbortSignal.abort() }), "busy");
        await rejects(compact(session, { summarize: reply }), "busy");
      };
      equal((await run(session, doing("history", act))).outcome.status, "committed");
    },
  },
  {
    name: "runs on different sessions do not hinder each other",
    async run() {
      const sessions = [story(), story(), story()];
      const outer = doing("history", () => endsAs("committed", sessions[2]));
      const ended = await Promise.all([run(sessions[0], outer), run(sessions[1])]);
      equal(ended.map(({ outcome }) => outcome.status), ["committed", "committed"]);
    },
  },
  {
    name: "wrong use rejects by name, and leaves the session free",
    async run() {
      const wrong = [
        [{ contextWindow: 0 }, "invalid-window"],
        [{ settings: { compaction: { keepRecentTokens: -1 } } }, "invalid-settings"],
        [{ contextWindow: 1_000, settings: { compaction: { reserveTokens: 900 } } }, "invalid-settings"],
        [{ summarize: "remote" }, "invalid-argument"],
        [{ fixedTokens: 0.5 }, "invalid-argument"],
        [{ onEvent: "log" }, "invalid-argument"],
        [{ signal: {} }, "invalid-argument"],
        [{ customInstructions: 7 }, "invalid-argument"],
        [{ now: () => Number.NaN }, "invalid-argument"],
        [{ now: () => { throw new RangeError("no clock"); } }, "invalid-argument"],
        [{ sumarize: reply }, "invalid-argument"],
      ];
      const session = story();
      const stored = bytesOf(session);
      for (const [options, code] of wrong) await rejects(run(session, options), code);
      equal(bytesOf(session), stored);
      await endsAs("committed", session);
    },
  },
  {
    name: "a clock that breaks during a run rejects, stores nothing, and leaves the session free",
    async run() {
      const session = story();
      const stored = bytesOf(session);
      let calls = 0;
      const now = () => { if ((calls += 1) > 1) throw new Error("no clock"); return 0; };
      await rejects(run(session, { now }), "invalid-argument");
      equal(bytesOf(session), stored);
      await isFree(session);
    },
  },
  {
    name: "a session that is freed during a run ends it with an error that says so",
    async run() {
      const session = story();
      const error = await run(session, doing("history", () => session.free())).catch((error) => error);
      equal(error.code, "invalid-argument");
      matches(error.message, /freed/);
      await settle();
      ok(bytesOf(story()).length > 0, "the engine lives on");
    },
  },
];
