// Which messages and entries an agent's companion takes and hands out, and what hooks hand in.

import { AgentSession, compact, Session } from "threadfold";
import { answer, beside, full, quiet, short, user, world } from "./agent-world.mjs";
import { equal, matches, ok, rejects } from "./check.mjs";
import { bytesOf, reply, settings, story, words } from "./story.mjs";

const messages = [
  {
    name: "the turn that is named must be the newest one: the same object or one that says the same",
    async run() {
      const session = story();
      const { agent } = beside(session);
      const newest = answer("half of a pair: \ud83d");
      await rejects(agent.handleTurnEnd(newest), "message-not-appended");
      session.appendMessage(newest);
      for (const message of [undefined, newest, structuredClone(newest), { ...newest, later: undefined }]) {
        equal((await agent.handleTurnEnd(message)).action, "none");
      }
      session.setLabel(session.leafId, "here");
      equal((await agent.handleTurnEnd(newest)).action, "none", "behind a label");
      session.appendMessage(user("next"));
      equal((await agent.handleTurnEnd(newest)).action, "none", "behind a question");
      session.appendMessage(answer("another"));
      for (const message of [newest, answer("a third"), user("next"), {}]) await rejects(agent.handleTurnEnd(message), "message-not-appended");
      for (const message of [null, "x", 7]) await rejects(agent.handleTurnEnd(message), "invalid-entry");
      await rejects(new AgentSession({ session: Session.create() }).handleTurnEnd(newest), "message-not-appended");
    },
  },
  {
    name: "in a session without a turn there is nothing to do",
    async run() {
      const { agent } = beside(Session.create(), full);
      equal(short(await agent.handleTurnEnd()), quiet);
      equal((await agent.compact()).reason, "session-too-small");
    },
  },
  {
    name: "what is kept are the host's own objects, also in what replaces its messages",
    async run() {
      const session = Session.create();
      const own = [user(words(1_125, "a")), answer(words(1_125, "b")), user(words(62, "c")), answer(words(375, "d"))];
      for (const message of own) session.appendMessage(message);
      const { agent, told } = beside(session);
      equal((await agent.compact()).status, "committed");
      const [, given] = told.find(([name]) => name === "replaceMessages");
      ok(given.length > 1 && given.slice(1).every((message) => own.includes(message)), "they are the same");
      equal(given.slice(1).map((message) => own.indexOf(message)), [2, 3].slice(3 - given.length), "their order");
      given.length = 0;
      ok(session.buildSessionContext().messages.length > 1, "the list is the host's");
    },
  },
  {
    name: "what a prune has rewritten are new objects, and what was handed out stays as it was",
    async run() {
      const one = world({ summarize: () => { throw Object.assign(new Error("no"), { status: 401 }); } });
      const { agent, session, told } = one;
      const index = session.path().findIndex(({ message }) => message.role === "toolResult");
      const before = session.path();
      const views = session.buildSessionContext().messages;
      const { action, pruned } = await agent.handleTurnEnd();
      equal([action, pruned.prunedCount], ["failed", 1]);
      const after = session.path();
      before.forEach((entry, at) => equal(entry === after[at], at !== index, `entry ${at}`));
      ok(before[index].message.prunedAt === undefined && before[index].message.content[0].text.startsWith("line but"), "it is as it was");
      matches(after[index].message.content[0].text, /^\[Output truncated - \d+ tokens\]$/);
      const [, given] = told.find(([name]) => name === "replaceMessages");
      given.forEach((message, at) => equal(message === views[at], at !== index, `message ${at}`));
      equal(given[index] === after[index].message, true);
    },
  },
  {
    name: "where pruning is enough, that is all",
    async run() {
      const session = story();
      const fixedTokens = 183_616 - session.contextUsage({ contextWindow: 200_000 }).tokens + 50;
      const { agent, events, named } = beside(session, { ...full, fixedTokens });
      const { action, next, pruned, outcome, contextUsage } = await agent.handleTurnEnd();
      equal([action, next.type, pruned.prunedCount, outcome], ["pruned", "wait", 1, undefined]);
      ok(contextUsage.tokens <= contextUsage.limit, "it fits");
      equal([named(), events], [["replaceMessages"], []]);
      equal(agent.contextUsage(), contextUsage);
    },
  },
  {
    name: "a prune as an entry of its own is there, and can be undone",
    async run() {
      const prune = { ...full.settings.prune, mode: "overlay" };
      const one = world({ summarize: () => { throw Object.assign(new Error("no"), { status: 401 }); }, settings: { ...full.settings, prune } });
      const before = bytesOf(one.session);
      const { action, pruned } = await one.agent.handleTurnEnd();
      equal([action, pruned.prunedCount, one.session.path().at(-1).type], ["failed", 1, "prune"]);
      ok(bytesOf(one.session).startsWith(before), "the originals stay");
      equal(new TextDecoder().decode((await one.store.load()).lines), bytesOf(one.session));
      equal(one.session.restoreToolOutputs().restoredCount, 1);
    },
  },
];

const hooks = [
  {
    name: "`compact` takes hooks: one that gives the compaction, with what is to be kept",
    async run() {
      const session = story();
      const firstKeptEntryId = session.path().at(-1).id;
      const given = { summary: "By the hook.", firstKeptEntryId, tokensBefore: 7, details: { a: [1] }, preserveData: { b: null } };
      const asked = [];
      const hooks = {
        session_before_compact: (event) => {
          asked.push([event.reason, event.willRetry, event.customInstructions, event.pathEntries.length, event.preparation.isSplitTurn]);
          return { compaction: given };
        },
        "session.compacting": () => void asked.push("compacting"),
      };
      const { entry, summarizer } = await compact(session, { settings, summarize: reply, customInstructions: "the tests", hooks });
      equal(asked, [["manual", false, "the tests", 6, true]]);
      const { summary, details, preserveData, tokensBefore, fromExtension } = entry;
      equal([summarizer, summary, details, preserveData, tokensBefore, fromExtension], ["hook", ...[given.summary, given.details, given.preserveData, 7, true]]);
      equal(JSON.parse(bytesOf(session).trim().split("\n").at(-1)), entry);
    },
  },
  {
    name: "a hook's compaction that names no entry of the path ends the run by name, and nothing is stored",
    async run() {
      const session = story();
      const before = bytesOf(session);
      const compaction = { summary: "x", firstKeptEntryId: "nowhere", tokensBefore: 1 };
      const { status, error } = await compact(session, { settings, summarize: reply, hooks: { session_before_compact: () => ({ compaction }) } });
      equal([status, error.code, bytesOf(session)], ["failed", "unknown-entry", before]);
      for (const hooks of [7, null, { before: () => {} }, { session_before_compact: 7 }, { session_before_tree: () => {} }]) {
        await rejects(compact(session, { summarize: reply, hooks }), "invalid-argument");
      }
    },
  },
  {
    name: "what `session.compacting` adds is in the requests and in the entry",
    async run() {
      const prompts = [];
      const summarize = (request) => prompts.push(request.prompt) && reply(request);
      const { agent, session } = world({ summarize });
      const seen = [];
      agent.hook("session.compacting", ({ sessionId, messages }) => {
        seen.push(sessionId, messages.length);
        return { prompt: "SAY IT ANEW", context: ["one line"], preserveData: { a: 1 } };
      });
      agent.hook("session.compacting", () => ({ context: ["another"], preserveData: { b: 2 } }));
      const { entry } = await agent.compact({ customInstructions: "ABOVE ALL" });
      equal([seen[0], seen[1] > 0, entry.preserveData], ["story", true, { a: 1, b: 2 }]);
      ok(session.entry(entry.id) === entry, "the entry");
      matches(prompts[0], /SAY IT ANEW/);
      for (const prompt of prompts) {
        for (const part of ["- one line\n- another", "ABOVE ALL"]) ok(prompt.includes(part), `${part} in ${prompt.slice(-600)}`);
      }
    },
  },
];

export const cases = [...messages, ...hooks];
