// What an agent's companion does when, as a host sees it: overflow, threshold, before a prompt, settings.

import { AgentSession, compact } from "threadfold";
import { answer, beside, full, model, quiet, short, user } from "./agent-world.mjs";
import { equal, matches, ok, rejects, settle } from "./check.mjs";
import { reply, settings, story, words } from "./story.mjs";

const OVERFLOW = "prompt is too long: 213462 tokens > 200000 maximum";
const failed = (errorMessage = OVERFLOW) => answer("", { content: [], stopReason: "error", errorMessage });
const SPENT = "still too large after one compaction and retry; shorten the request or choose a model with a larger window";

/** The story with a request that was too large behind it. */
function overflowed() {
  const session = story();
  session.appendMessage(user("and now?"));
  const error = failed();
  session.appendMessage(error);
  return { session, error };
}

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
      for (let n = 0; n < 6; n += 1) session.appendMessage(answer(words(375, "word")));
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
    name: "`next` says whether the last answer is to be left out, as a host with `replaceMessages` is told",
    async run() {
      const usage = { input: 200_500, output: 10, cacheRead: 0, cacheWrite: 0 };
      const call = { type: "toolCall", id: "c9", name: "read", arguments: { path: "src/z.ts" } };
      const result = { role: "toolResult", toolCallId: "c9", toolName: "read", content: [{ type: "text", text: "z" }], isError: false };
      const cases = [
        [[failed()], undefined, user("and now?")],
        [[answer("It was cut o", { stopReason: "length", usage })], true, user("and now?")],
        [[answer("", { content: [call], stopReason: "toolUse", usage }), result], undefined, result],
      ];
      for (const [messages, withoutLast, last] of cases) {
        const session = story();
        for (const message of [user("and now?"), ...messages]) session.appendMessage(message);
        const { agent, told } = beside(session, full);
        const { next } = await agent.handleTurnEnd();
        equal(next, withoutLast ? { type: "continue", withoutLast } : { type: "continue" }, messages[0].stopReason);
        const context = session.buildSessionContext().messages;
        if (next.withoutLast) context.pop();
        equal([context, context.at(-1)], [told.findLast(([name]) => name === "replaceMessages")[1], last]);
      }
    },
  },
  {
    name: "a host is told to go on only where no listener has started a run, or disposed of the agent",
    async run() {
      const going = async (setUp, listen) => {
        const one = setUp();
        let other;
        one.agent.on("auto_compaction_end", () => void (other = listen(one.agent)));
        await one.agent.handleTurnEnd();
        await other;
        await settle();
        return one.named().filter((name) => name === "continue" || name === "prompt");
      };
      const late = () => new Promise((resolve) => setTimeout(resolve, 2));
      const setUps = {
        continue: (summarize) => beside(overflowed().session, { summarize }),
        prompt: (summarize) => beside(story(), { ...full, summarize }),
      };
      for (const [name, make] of Object.entries(setUps)) {
        const setUp = () => make(reply);
        equal(await going(setUp, () => undefined), [name]);
        equal(await going(setUp, (agent) => agent.dispose()), []);
        const hooked = (hook) => () => {
          const one = setUp();
          return one.agent.hook(hook, () => late()), one;
        };
        equal(await going(hooked("session_before_tree"), (agent) => agent.navigateTree(agent.session.path()[1].id)), []);
        equal(await going(() => make(reply), (agent) => agent.compact()), [], "a compaction that waits for the host");
      }
    },
  },
  {
    name: "what a host throws is logged where nobody listens to `error`",
    complaints: 2,
    async run() {
      const host = { abort: () => Promise.reject(new Error("no")), replaceMessages: () => { throw new Error("no"); } };
      const agent = new AgentSession({ session: story(), model, settings, summarize: reply, host });
      equal((await agent.compact()).status, "committed");
      const remove = agent.on("error", () => undefined);
      await agent.compact();
      remove();
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
      const long = user(words(1_250, "word"));
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
      for (const [pending, place] of [[7, "pending[0]"], [null, "pending[0]"], [["x"], "pending[0]"], [[user("a"), cycle], "pending[1]"], [{ role: "alien", content: "x" }, "pending[0].role"]]) {
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

export const cases = [...overflow, ...threshold, ...live];
