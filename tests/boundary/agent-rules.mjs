// What an agent's companion does when, as a host sees it: overflow, threshold, before a prompt, settings.

import { AgentSession, compact, Session } from "threadfold";
import { full, model, world } from "./agent-world.mjs";
import { equal, matches, ok, rejects, settle } from "./check.mjs";
import { bytesOf, reply, settings, story } from "./story.mjs";

const user = (content) => ({ role: "user", content });
const answer = (text, more = {}) => ({ role: "assistant", content: [{ type: "text", text }], stopReason: "stop", provider: "p", model: "m", ...more });
const OVERFLOW = "prompt is too long: 213462 tokens > 200000 maximum";
const failed = (errorMessage = OVERFLOW) => answer("", { content: [], stopReason: "error", errorMessage });
const SPENT = "still too large after one compaction and retry; shorten the request or choose a model with a larger window";

/** A companion of a short story, whose summariser answers well; what the host is told is noted. */
function beside(session, { host = {}, ...options } = {}) {
  const told = [];
  const events = [];
  const note = (name) => (...given) => void told.push([name, ...given]);
  const noting = Object.fromEntries(["abort", "continue", "prompt", "replaceMessages"].map((name) => [name, note(name)]));
  const agent = new AgentSession({ session, model, settings, summarize: reply, host: { ...noting, ...host }, ...options });
  for (const name of ["auto_compaction_start", "auto_compaction_end", "session_compact", "compaction_end", "session_tree", "error"]) {
    agent.on(name, (event) => void (events.push(event), told.push([name])));
  }
  return { agent, told, events, named: () => told.map(([name]) => name) };
}

/** The story with a request that was too large behind it. */
function overflowed() {
  const session = story();
  session.appendMessage(user("and now?"));
  const error = failed();
  session.appendMessage(error);
  return { session, error };
}

const quiet = { action: "none", next: { type: "wait" } };
const short = ({ action, next }) => ({ action, next });

const overflow = [
  {
    name: "an overflow is recovered from: folded, the failed answer left out, then continued behind the last event",
    async run() {
      const { session, error } = overflowed();
      const { agent, told, events, named } = beside(session);
      const result = await agent.handleTurnEnd(error);
      await settle();
      equal(short(result), { action: "compacted", next: { type: "continue" } });
      equal(named(), ["auto_compaction_start", "replaceMessages", "session_compact", "compaction_end", "auto_compaction_end", "continue"]);
      const [[, messages]] = told.filter(([name]) => name === "replaceMessages");
      equal([messages[0].role, messages.at(-1)], ["compactionSummary", user("and now?")]);
      equal(events[0], { type: "auto_compaction_start", reason: "overflow" });
      const end = events.at(-1);
      equal([end.reason, end.aborted, end.willRetry, end.errorMessage], ["overflow", false, true, undefined]);
      const { type, id, parentId, timestamp, ...stored } = result.outcome.entry;
      equal(Object.entries(end.result).sort(), Object.entries(stored).sort(), "the result");
    },
  },
  {
    name: "a second overflow before a good turn ends the recovery; behind a good turn there is another",
    async run() {
      const { session, error } = overflowed();
      const { agent, events } = beside(session);
      equal((await agent.handleTurnEnd(error)).next.type, "continue");
      session.appendMessage(failed());
      const second = await agent.handleTurnEnd();
      equal([second.action, second.next.type, second.outcome.error.code], ["failed", "wait", "too-large"]);
      equal(events.at(-1).errorMessage, `Context overflow recovery failed: ${SPENT}`);
      session.appendMessage(answer("good"));
      equal(short(await agent.handleTurnEnd()), quiet);
      for (let n = 0; n < 6; n += 1) session.appendMessage(answer("word ".repeat(300)));
      session.appendMessage(failed());
      equal((await agent.handleTurnEnd()).action, "compacted");
    },
  },
  {
    name: "`continue` may fold, and a listener of `error` hears of one that fails",
    async run() {
      for (const [go, message] of [[({ agent }) => agent.compact(), undefined], [() => { throw new Error("no way"); }, "no way"], [() => Promise.reject(new Error("later")), "later"]]) {
        const { session } = overflowed();
        const around = {};
        let calls = 0;
        let folded;
        const one = beside(session, { host: { continue: () => ((calls += 1), (folded = go(around))) } });
        around.agent = one.agent;
        equal((await one.agent.handleTurnEnd()).next.type, "continue");
        await settle();
        equal(calls, 1);
        const errors = one.events.filter(({ type }) => type === "error");
        equal(errors.map(({ error }) => error.message), message === undefined ? [] : [message]);
        if (message === undefined) equal((await folded).status, "nothing-to-do");
        await compact(session, { summarize: "local" });
      }
    },
  },
  {
    name: "a host without parts acts on `next`",
    async run() {
      const { session } = overflowed();
      const agent = new AgentSession({ session, model, settings, summarize: reply });
      equal((await agent.handleTurnEnd()).next, { type: "continue" });
      const again = new AgentSession({ session: story(), ...full, summarize: reply });
      equal((await again.handleTurnEnd()).next, { type: "prompt", text: "Continue if you have next steps." });
    },
  },
  {
    name: "the error of another model, an error that is no overflow and a turn that was stopped start nothing",
    async run() {
      for (const message of [failed("529 overloaded"), { ...failed(), model: "other" }, { ...failed(), provider: "q" }, answer("so", { stopReason: "aborted", errorMessage: OVERFLOW })]) {
        const session = story();
        session.appendMessage(message);
        const { agent, named } = beside(session);
        equal(short(await agent.handleTurnEnd(message)), quiet, message.errorMessage);
        equal(named(), []);
      }
    },
  },
  {
    name: "a failed or cancelled recovery says so and is not tried again before something is appended",
    async run() {
      const { session } = overflowed();
      const { agent, events, named } = beside(session, { summarize: () => Promise.reject(new Error("no model")) });
      const { action, outcome, next } = await agent.handleTurnEnd();
      equal([action, next.type, outcome.error.code, outcome.error.cause.message], ["failed", "wait", "summarizer-failed", "no model"]);
      matches(events.at(-1).errorMessage, /^Context overflow recovery failed: .*no model/);
      const told = named().length;
      equal(short(await agent.handleTurnEnd()), quiet);
      equal(named().length, told, "the events");
      agent.hook("session_before_compact", () => ({ cancel: true }));
      session.appendMessage(failed());
      const cancelled = await agent.handleTurnEnd();
      equal([cancelled.action, cancelled.outcome.status, events.at(-1).aborted, events.at(-1).errorMessage], ["none", "cancelled", true, undefined]);
    },
  },
];

const threshold = [
  {
    name: "above the threshold a good turn is folded and the host prompted, unless autoContinue is false",
    async run() {
      for (const autoContinue of [true, false]) {
        const compaction = { ...full.settings.compaction, autoContinue };
        const { agent, told, named } = beside(story(), { ...full, settings: { ...full.settings, compaction } });
        const { action, next } = await agent.handleTurnEnd();
        await settle();
        const prompt = "Continue if you have next steps.";
        equal([action, next], ["compacted", autoContinue ? { type: "prompt", text: prompt } : { type: "wait" }]);
        const ends = ["session_compact", "compaction_end", "auto_compaction_end"];
        equal(named().slice(-4), autoContinue ? [...ends, "prompt"] : ["replaceMessages", ...ends]);
        if (autoContinue) equal(told.at(-1), ["prompt", prompt, { synthetic: true }]);
      }
    },
  },
  {
    name: "a host that calls `handleTurnEnd` again, and again after the fold, folds once",
    async run() {
      const session = story();
      const { agent, named } = beside(session, full);
      const newest = session.path().at(-1).message;
      const both = await Promise.all([agent.handleTurnEnd(newest), agent.handleTurnEnd(newest)]);
      equal(both.map(({ action }) => action), ["compacted", "busy"]);
      const again = await agent.handleTurnEnd(newest);
      equal([again.action, again.next.type], ["none", "wait"]);
      equal(named().filter((name) => name === "session_compact").length, 1);
    },
  },
  {
    name: "before a prompt the pending messages count, one or several, and nothing is continued",
    async run() {
      const long = user("word ".repeat(1_000));
      for (const [pending, action] of [[undefined, "none"], [user("short"), "none"], [[], "none"], [long, "compacted"], [[user("short"), long], "compacted"]]) {
        const { agent, named } = beside(story(), { ...full, fixedTokens: 180_500 });
        const result = await agent.beforePrompt(pending);
        await settle();
        equal(short(result), { action, next: { type: "wait" } });
        ok(!named().includes("prompt") && !named().includes("continue"), "nothing goes on");
      }
    },
  },
  {
    name: "before a prompt nonsense is refused by name",
    async run() {
      const { agent, named } = beside(story(), full);
      const cycle = user("a");
      cycle.self = cycle;
      for (const [pending, place] of [[7, "pending[0]"], [null, "pending[0]"], [["x"], "pending[0]"], [[user("a"), cycle], "pending[1]"]]) {
        const error = await agent.beforePrompt(pending).catch((error) => error);
        equal([error.code, error.message.startsWith(place)], ["invalid-entry", true], error.message);
      }
      equal(named(), []);
    },
  },
  {
    name: "disabled, of an unknown window, and where nothing can help, no request is made and the result says why",
    async run() {
      const asked = [];
      const summarize = (request) => asked.push(request) && reply(request);
      const one = (options) => beside(story(), { ...full, summarize, ...options }).agent;
      const disabled = { ...full.settings, compaction: { ...full.settings.compaction, enabled: false } };
      const cases = [
        [{ settings: disabled }, "disabled"],
        [{ model: { provider: "p", id: "m" } }, "unknown-window"],
        ...[0, -1, Number.NaN, 1.5].map((contextWindow) => [{ model: { ...model, contextWindow } }, "unknown-window"]),
        [{ model: undefined }, "unknown-window"],
        [{ fixedTokens: 199_000 }, "infeasible"],
      ];
      for (const [options, reason] of cases) {
        for (const check of ["handleTurnEnd", "beforePrompt"]) {
          const { action, outcome, next } = await one(options)[check]();
          equal([action, outcome?.reason, next.type], ["none", reason, "wait"], check);
        }
      }
      equal(asked, []);
      equal((await one({ settings: disabled }).compact()).status, "committed", "by hand");
    },
  },
];

const live = [
  {
    name: "a model and settings that are set hold from the next run on",
    async run() {
      const { agent } = beside(story(), { ...full, fixedTokens: undefined });
      equal([agent.contextUsage().limit, short(await agent.handleTurnEnd())], [183_616, quiet]);
      agent.setModel({ ...model, contextWindow: 2_000 });
      equal([agent.contextUsage().limit, (await agent.handleTurnEnd()).action], [1_500, "compacted"]);
      agent.setSettings({ compaction: { enabled: false } });
      equal((await agent.handleTurnEnd()).action, "none");
      agent.setModel(undefined);
      equal(agent.contextUsage().reason, "unknown-window");
    },
  },
  {
    name: "what is refused changes nothing",
    async run() {
      const { agent } = beside(story(), full);
      const before = agent.contextUsage();
      for (const [act, code] of [
        [() => agent.setModel("m"), "invalid-argument"],
        [() => agent.setModel({ id: "m" }), "invalid-argument"],
        [() => agent.setModel(null), "invalid-argument"],
        [() => agent.setSettings({ compaction: { keepRecentTokens: -1 } }), "invalid-settings"],
        [() => agent.setSettings({ compactions: {} }), "invalid-settings"],
        [() => agent.setSettings(7), "invalid-settings"],
        [() => agent.setSettings({ get compaction() { throw new Error("no"); } }), "invalid-settings"],
        [() => agent.on("compacted", () => {}), "invalid-argument"],
        [() => agent.on("compaction_end", {}), "invalid-argument"],
        [() => agent.hook("before", () => {}), "invalid-argument"],
      ]) {
        await rejects((async () => act())(), code);
        equal(agent.contextUsage(), before);
      }
      equal((await agent.handleTurnEnd()).action, "compacted");
    },
  },
  {
    name: "a reserve that does not fit the window is refused by whatever meets that window, and leaves the session free",
    async run() {
      const session = story();
      const { agent, named } = beside(session, { settings: { compaction: { reserveTokens: 180_000 }, branchSummary: { reserveTokens: 180_000 } } });
      for (const run of [() => agent.handleTurnEnd(), () => agent.beforePrompt(), () => agent.compact(), () => agent.navigateTree(session.path()[0].id)]) {
        await rejects(run(), "invalid-settings");
      }
      equal(named(), []);
      agent.setModel({ ...model, contextWindow: 1_000_000 });
      equal((await agent.handleTurnEnd()).action, "none");
    },
  },
  {
    name: "options that are not allowed are refused by name",
    async run() {
      const session = story();
      for (const [options, pattern] of [
        [{}, /^session: /],
        [{ session: {} }, /^session: /],
        [{ session, hosts: {} }, /^AgentSession\.hosts: no such option/],
        [{ session, host: 7 }, /^host: 7 /],
        [{ session, host: { abort: true } }, /^host\.abort: true .* a function$/],
        [{ session, store: {} }, /^store\.load: undefined /],
        [{ session, store: { load() {}, append() {} } }, /^store\.replace: undefined /],
        [{ session, fixedTokens: "many" }, /^fixedTokens: "many" /],
        [{ session, fixedTokens: -1 }, /^fixedTokens: -1 /],
        [{ session, summarize: "remote" }, /^summarize: "remote" /],
        [undefined, /^AgentSession: undefined /],
      ]) {
        const error = await (async () => new AgentSession(options))().catch((error) => error);
        equal(error.code, "invalid-argument", error.message);
        matches(error.message, pattern);
      }
      equal((await compact(session, { summarize: "local" })).reason, "session-too-small");
    },
  },
];

const appended = [
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
      const messages = [user("word ".repeat(900)), answer("word ".repeat(900)), user("word ".repeat(50)), answer("word ".repeat(300))];
      for (const message of messages) session.appendMessage(message);
      const { agent, told } = beside(session);
      equal((await agent.compact()).status, "committed");
      const [, given] = told.find(([name]) => name === "replaceMessages");
      ok(given.length > 1 && given.slice(1).every((message) => messages.includes(message)), "they are the same");
      equal(given.map(({ role }) => role).slice(1), given.slice(1).map((message) => messages[messages.indexOf(message)].role));
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
      ok(before[index].message.prunedAt === undefined && before[index].message.content[0].text.startsWith("line0"), "it is as it was");
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

const standalone = [
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

export const cases = [...overflow, ...threshold, ...live, ...appended, ...standalone];
