// What a run tells while it goes on.

import { Session } from "threadfold";
import { equal, ok, rejects, settle } from "./check.mjs";
import { bytesOf, endsAs, reply, run, settings, story } from "./story.mjs";

const named = ({ type, phase, request, requests, attempt, status }) =>
  type === "compaction_progress" ? `${phase} ${request}/${requests} #${attempt}` : status === undefined ? type : `${type} ${status}`;

const ALL = ["history 1/3 #1", "turn-prefix 2/3 #1", "short 3/3 #1", "save 3/3 #1", "session_compact", "compaction_end committed"];

const throwing = [
  ["throws", () => { throw new Error("handler"); }],
  ["throws nothing", () => { throw undefined; }],
  ["rejects", () => Promise.reject(new Error("handler"))],
  ["rejects with nothing", () => Promise.reject()],
  ["returns a thenable that rejects", () => ({ then: (_, reject) => reject(new Error("handler")) })],
  ["returns an object whose `then` throws", () => ({ get then() { throw new Error("then"); } })],
];

export const cases = [
  {
    name: "the phases come in order, and one end",
    async run() {
      for (const summarize of [reply, "local"]) {
        const { events } = await run(story(), { summarize });
        equal(events.map(named), ALL);
        equal(events.at(-1).summarizer, summarize === "local" ? "local" : "callback");
      }
    },
  },
  {
    name: "a progress event comes before its request",
    async run() {
      const seen = [];
      const onEvent = (event) => seen.push(named(event));
      await run(story(), { onEvent, summarize: (request) => seen.push(`asked ${request.kind}`) && reply(request) });
      equal(seen.slice(0, 6), [ALL[0], "asked history", ALL[1], "asked turn-prefix", ALL[2], "asked short"]);
    },
  },
  {
    name: "requests that are not made are not counted",
    async run() {
      const { events } = await run(story(), { settings: { compaction: { ...settings.compaction, shortSummary: false } } });
      equal(events.map(named), ["history 1/2 #1", "turn-prefix 2/2 #1", "save 2/2 #1", ...ALL.slice(4)]);
    },
  },
  {
    name: "a second attempt is told as such",
    async run() {
      const summarize = (request, { attempt }) => (request.kind === "turn-prefix" && attempt === 1 ? "" : reply(request));
      const { events } = await run(story(), { summarize });
      equal(events.map(named).slice(0, 3), ["history 1/3 #1", "turn-prefix 2/3 #1", "turn-prefix 2/3 #2"]);
    },
  },
  {
    name: "the entry is there when session_compact tells of it, and the view begins with it",
    async run() {
      const session = story();
      const seen = [];
      const onEvent = (event) => {
        if (event.type !== "session_compact") return;
        seen.push(event.reason, event.fromExtension, event.compactionEntry === session.entry(event.compactionEntry.id));
        seen.push(session.buildSessionContext().entryIds[0] === event.compactionEntry.id);
      };
      await run(session, { onEvent });
      equal(seen, ["manual", false, true, true]);
    },
  },
  {
    name: "nothing to do is one end and nothing else",
    async run() {
      const { outcome, events } = await run(Session.create());
      equal([outcome.status, outcome.reason], ["nothing-to-do", "session-too-small"]);
      equal(events.map(named), ["compaction_end nothing-to-do"]);
    },
  },
  {
    name: "the end says the same sizes as the outcome",
    async run() {
      const { outcome, events } = await run(story());
      const { tokensBefore, tokensAfter } = events.at(-1);
      equal([tokensBefore, tokensAfter], [outcome.tokensBefore, outcome.tokensAfter]);
      ok(tokensAfter < tokensBefore, "it became smaller");
      equal(outcome.progress, "sufficient");
    },
  },
  ...throwing.map(([name, onEvent]) => ({
    name: `a handler that ${name} is reported and passed over`,
    complaints: 6,
    async run() {
      await endsAs("committed", story(), { onEvent });
      await settle();
    },
  })),
  {
    name: "a handler may call the session; a run from within is busy until the end, then free",
    async run() {
      const session = story();
      const codes = [];
      const onEvent = ({ type }) => {
        session.buildSessionContext();
        session.contextUsage();
        session.toJsonl();
        const again = run(session).then(({ outcome }) => outcome.reason, ({ code }) => code);
        codes.push(again.then((code) => [type, code]));
      };
      const { outcome } = await endsAs("committed", session, { onEvent });
      equal(outcome.status, "committed");
      equal(await Promise.all(codes.slice(0, 3)), Array(3).fill(["compaction_progress", "busy"]));
      equal((await Promise.all(codes.slice(-1)))[0], ["compaction_end", "already-compacted"]);
    },
  },
  {
    name: "an entry appended by a handler of the end is an ordinary one behind the summary",
    async run() {
      const session = story();
      let id;
      const onEvent = ({ type }) => {
        if (type === "compaction_end") id = session.appendMessage({ role: "user", content: "go on" });
      };
      const { outcome } = await run(session, { onEvent });
      equal(session.path().slice(-2).map((entry) => entry.id), [outcome.entry.id, id]);
      ok(bytesOf(session).includes("go on"), "it is stored");
    },
  },
  {
    name: "wrong use tells nothing",
    async run() {
      const events = [];
      await rejects(run(story(), { contextWindow: -1, onEvent: (event) => events.push(event) }), "invalid-window");
      equal(events, []);
    },
  },
];
