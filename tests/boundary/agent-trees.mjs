// Moving through the tree with an agent's companion, and branch summaries alone.

import { AgentSession, generateBranchSummary, Session } from "threadfold";
import { equal, matches, ok, rejects } from "./check.mjs";
import { bytesOf, reply, story } from "./story.mjs";

const model = { provider: "p", id: "m", contextWindow: 200_000 };
const user = (content) => ({ role: "user", content });
const says = (text) => ({ role: "assistant", content: [{ type: "text", text }], stopReason: "stop" });
const BRANCH = "## Goal\nThe branch was left.";

/** A trunk of two messages, two branches of it, and a second root: the leaf is `left`. */
function tree() {
  const session = Session.create();
  const ids = { root: session.appendMessage(user("root")) };
  ids.fork = session.appendMessage(says("fork"));
  ids.right = session.appendMessage(user("right"));
  ids.rightAnswer = session.appendMessage(says("right answer"));
  session.resetLeaf();
  ids.other = session.appendMessage(user("other root"));
  ids.otherAnswer = session.appendMessage(says("other answer"));
  session.branch(ids.fork);
  ids.ask = session.appendMessage(user("left"));
  ids.left = session.appendMessage(says("left answer ".repeat(30)));
  return { session, ids };
}

function beside(session, options = {}) {
  const requests = [];
  const heard = [];
  const summarize = (request) => requests.push(request) && (request.kind === "branch" ? BRANCH : reply(request));
  const host = { replaceMessages: (messages) => void heard.push(["replaceMessages", messages.length]) };
  const agent = new AgentSession({ session, model, summarize, host, ...options });
  agent.on("session_tree", (event) => void heard.push(event));
  const hooked = [];
  agent.hook("session_before_tree", ({ signal, ...event }) => void hooked.push({ ...event, entries: event.entries.map(({ id }) => id), quiet: !signal.aborted }));
  return { agent, requests, heard, hooked };
}

/** Where the targets of {@link tree} lead: the leaf afterwards, the common ancestor and the entries that are left. */
const TARGETS = {
  fork: { leaf: "fork", ancestor: "fork", left: ["ask", "left"] },
  ask: { leaf: "fork", ancestor: "ask", left: ["left"], editorText: "left" },
  root: { leaf: null, ancestor: "root", left: ["fork", "ask", "left"], editorText: "root" },
  rightAnswer: { leaf: "rightAnswer", ancestor: "fork", left: ["ask", "left"] },
  right: { leaf: "fork", ancestor: "fork", left: ["ask", "left"], editorText: "right" },
  otherAnswer: { leaf: "otherAnswer", ancestor: null, left: ["root", "fork", "ask", "left"] },
  other: { leaf: null, ancestor: null, left: ["root", "fork", "ask", "left"], editorText: "other root" },
};

const moving = Object.entries(TARGETS).flatMap(([name, { leaf, ancestor, left, editorText }]) => [true, false].map((summarize) => ({
  name: `to ${name} ${summarize ? "with" : "without"} a summary`,
  async run() {
    const { session, ids } = tree();
    const id = (name) => (name === null ? null : ids[name]);
    const before = session.length;
    const { agent, requests, heard, hooked } = beside(session);
    const result = await agent.navigateTree(ids[name], { summarize });
    equal(hooked, [{ targetId: ids[name], oldLeafId: ids.left, summarize, commonAncestorId: id(ancestor), entries: left.map(id), quiet: true }], "the hook");
    equal([result.cancelled, result.failed, result.aborted, result.editorText, result.summarySkipped], [false, undefined, undefined, editorText, undefined]);
    const { summaryEntry } = result;
    equal(requests.map(({ kind }) => kind), summarize ? ["branch"] : []);
    if (summarize) {
      equal([summaryEntry.type, summaryEntry.parentId, summaryEntry.fromId, summaryEntry.fromExtension], ["branch_summary", id(leaf), ids.left, undefined]);
      ok(summaryEntry.summary.includes(BRANCH) && session.entry(summaryEntry.id) === summaryEntry, "the summary");
    }
    const newLeafId = summarize ? summaryEntry.id : id(leaf);
    equal([session.leafId, session.length], [newLeafId, before + (summarize ? 1 : 0)]);
    const event = { type: "session_tree", newLeafId, oldLeafId: ids.left, ...(summarize ? { summaryEntry } : {}) };
    equal(heard, [["replaceMessages", session.buildSessionContext().messages.length], event]);
  },
})));

const editing = [
  ["a string", (session) => session.appendMessage(user("as it was")), "as it was"],
  ["blocks", (session) => session.appendMessage(user([{ type: "text", text: "one" }, { type: "image", data: "AAAA", mimeType: "image/png" }, { type: "text", text: "two" }])), "one\ntwo"],
  ["an image alone", (session) => session.appendMessage(user([{ type: "image", data: "AAAA", mimeType: "image/png" }])), ""],
  ["a custom message", (session) => session.append({ type: "custom_message", customType: "note", content: "noted", display: true }), "noted"],
  ["an answer", (session) => session.appendMessage(says("no text to edit")), undefined],
  ["a label", (session) => session.setLabel(session.leafId, "here"), undefined],
].map(([what, append, editorText]) => ({
  name: `the text of ${what} to be edited`,
  async run() {
    const { session, ids } = tree();
    const target = append(session);
    session.appendMessage(says("behind it"));
    const result = await beside(session).agent.navigateTree(target);
    equal([result.editorText, session.leafId], [editorText, editorText === undefined ? target : ids.left]);
  },
}));

const ending = [
  {
    name: "to the leaf nothing happens, and to an unknown id neither",
    async run() {
      const { session, ids } = tree();
      const before = bytesOf(session);
      const { agent, heard, hooked, requests } = beside(session);
      equal(await agent.navigateTree(ids.left, { summarize: true }), { warnings: [], cancelled: false });
      for (const target of ["nowhere", "", null, undefined, 7]) await rejects(agent.navigateTree(target), "unknown-entry");
      for (const options of [7, null, { sumarize: true }, { summarize: "yes" }, { customInstructions: 7 }, { signal: {} }]) {
        await rejects(agent.navigateTree(ids.root, options), "invalid-argument");
      }
      equal([heard, hooked, requests, session.leafId, bytesOf(session)], [[], [], [], ids.left, before]);
    },
  },
  {
    name: "from before the first entry",
    async run() {
      const { session, ids } = tree();
      session.resetLeaf();
      const { agent, heard } = beside(session);
      equal(await agent.navigateTree(ids.rightAnswer, { summarize: true }), { summarySkipped: "no-messages", warnings: [], cancelled: false });
      equal(heard.at(-1), { type: "session_tree", newLeafId: ids.rightAnswer, oldLeafId: null });
    },
  },
  {
    name: "`branchSummary.enabled` decides where the caller does not, and what the hook is told",
    async run() {
      for (const enabled of [true, false, undefined]) {
        for (const summarize of [true, false, undefined]) {
          const { session, ids } = tree();
          const { agent, hooked } = beside(session, { settings: { branchSummary: { enabled } } });
          const { summaryEntry } = await agent.navigateTree(ids.fork, summarize === undefined ? {} : { summarize });
          const wanted = summarize ?? enabled ?? false;
          equal([summaryEntry !== undefined, hooked[0].summarize], [wanted, wanted]);
        }
      }
    },
  },
  {
    name: "a summary that nothing is there for, or nothing fits, is left out and said so",
    async run() {
      const { session, ids } = tree();
      session.branch(ids.fork);
      equal((await beside(session).agent.navigateTree(ids.rightAnswer, { summarize: true })).summarySkipped, "no-messages");
      session.branch(ids.left);
      const settings = { branchSummary: { reserveTokens: 849 } };
      const { agent, requests } = beside(session, { model: { ...model, contextWindow: 1_000 }, settings });
      session.appendMessage(says("too long for that ".repeat(200)));
      equal([(await agent.navigateTree(ids.fork, { summarize: true })).summarySkipped, requests, session.leafId], ["nothing-fits", [], ids.fork]);
    },
  },
  {
    name: "a summary without the headings is stored, with a warning",
    async run() {
      for (const [text, warnings] of [[reply({ kind: "history" }), []], ["They looked, and it went well.", ["unstructured"]]]) {
        const { session, ids } = tree();
        const { agent } = beside(session, { summarize: () => text });
        const result = await agent.navigateTree(ids.fork, { summarize: true });
        equal([result.summaryEntry.id, result.warnings], [session.leafId, warnings]);
      }
    },
  },
  {
    name: "a summary that fails ends it as failed, and the leaf stays",
    async run() {
      const { session, ids } = tree();
      const cause = new Error("no model");
      const { agent, heard } = beside(session, { summarize: () => Promise.reject(cause) });
      const before = bytesOf(session);
      const { failed, cancelled, ...rest } = await agent.navigateTree(ids.right, { summarize: true });
      equal([failed.code, failed.cause === cause, cancelled, rest, heard], ["summarizer-failed", true, false, { warnings: [] }, []]);
      equal([session.leafId, bytesOf(session)], [ids.left, before]);
    },
  },
  {
    name: "a hook may cancel, or give the summary, which counts only where one is asked for",
    async run() {
      for (const summarize of [true, false]) {
        const { session, ids } = tree();
        const { agent, heard, requests } = beside(session);
        const remove = agent.hook("session_before_tree", async () => ({ cancel: true }));
        const before = bytesOf(session);
        equal(await agent.navigateTree(ids.fork, { summarize }), { warnings: [], cancelled: true });
        equal([session.leafId, bytesOf(session), heard], [ids.left, before, []]);
        remove();
        agent.hook("session_before_tree", () => ({ summary: { summary: "By the hook.", details: { mine: [1] } } }));
        const { summaryEntry, summarizer } = await agent.navigateTree(ids.fork, { summarize });
        equal(requests, []);
        const told = summaryEntry && [summaryEntry.summary, summaryEntry.details, summaryEntry.fromExtension, summarizer, heard.at(-1).fromExtension];
        equal(told, summarize ? ["By the hook.", { mine: [1] }, true, "hook", true] : undefined);
      }
    },
  },
  {
    name: "instructions of the caller take the place of ours, and are no focus",
    async run() {
      const ours = {};
      for (const customInstructions of [undefined, "ONLY THE FILES, PLEASE"]) {
        const { session, ids } = tree();
        const { agent, requests } = beside(session);
        await agent.navigateTree(ids.fork, { summarize: true, customInstructions });
        const alone = [];
        const summarize = (request) => alone.push(request) && BRANCH;
        session.branch(ids.left);
        await generateBranchSummary(session, { targetId: ids.fork, summarize, model, customInstructions });
        equal(alone[0].prompt, requests[0].prompt, "alone it is the same");
        ours[customInstructions] = requests[0].prompt.slice(requests[0].prompt.indexOf("</conversation>"));
      }
      matches(ours.undefined, /## Goal/);
      const given = ours["ONLY THE FILES, PLEASE"];
      ok(given.includes("ONLY THE FILES, PLEASE") && !given.includes("## Goal"), given);
    },
  },
];

const alone = [
  {
    name: "`generateBranchSummary` gives the text with its details, and changes nothing",
    async run() {
      for (const summarize of [() => BRANCH, "local"]) {
        const session = story();
        const before = [bytesOf(session), session.leafId];
        const events = [];
        const options = { targetId: null, summarize, model, onEvent: (event) => events.push(event) };
        const { status, summary, details, summarizer, warnings } = await generateBranchSummary(session, options);
        equal([status, details, summarizer], ["summarized", { readFiles: ["src/a.ts"], modifiedFiles: [] }, summarize === "local" ? "local" : "callback"]);
        ok(Array.isArray(warnings) && summary.includes("<read-files>\nsrc/a.ts\n</read-files>"), summary);
        equal([bytesOf(session), session.leafId], before);
        equal(events.every(({ type, phase }) => type === "compaction_progress" && phase === "branch"), true, JSON.stringify(events));
        const id = session.branchWithSummary(null, summary, details);
        equal(session.entry(id).fromId, before[1]);
      }
    },
  },
  {
    name: "of a branch that is named, and of none",
    async run() {
      const { session, ids } = tree();
      const summarize = () => BRANCH;
      equal((await generateBranchSummary(session, { oldLeafId: ids.rightAnswer, targetId: ids.fork, summarize })).status, "summarized");
      for (const [oldLeafId, targetId] of [[null, ids.fork], [ids.fork, ids.left], [null, null]]) {
        const { status, reason, summary } = await generateBranchSummary(session, { oldLeafId, targetId, summarize });
        equal([status, reason, summary], ["nothing-to-do", "no-messages", undefined]);
      }
      for (const [options, code] of [
        [{ targetId: "nowhere" }, "unknown-entry"],
        [{ targetId: ids.fork, oldLeafId: "nowhere" }, "unknown-entry"],
        [{}, "invalid-argument"],
        [undefined, "invalid-argument"],
        [{ targetId: ids.fork, contextWindow: 0 }, "invalid-window"],
        [{ targetId: ids.fork, hooks: {} }, "invalid-argument"],
        [{ targetId: ids.fork, settings: { branchSummary: { enabled: 1 } } }, "invalid-settings"],
        [{ targetId: ids.fork, onEvent: 7 }, "invalid-argument"],
      ]) {
        await rejects(generateBranchSummary(session, options === undefined ? options : { summarize, ...options }), code);
      }
      await rejects(generateBranchSummary({}, { targetId: null }), "invalid-argument");
    },
  },
];

export const cases = [...moving, ...editing, ...ending, ...alone];
