// Compactions by a remote endpoint. Each case is `{ name, run(origin) }`, where `origin` is that of
// tests/remote/server.mjs, which is on another port than the page.

import { summarizationSystemPrompt } from "threadfold";
import { equal, matches, ok, rejects } from "../boundary/check.mjs";
import { endsAs, isFree, KINDS, reply, run, settings, story } from "../boundary/story.mjs";

const { fetch } = globalThis;
const SECRET = "sk-0123456789";

/** The options of a run by the endpoint, and the id of its requests. */
function aim(origin, path, more = {}) {
  const id = crypto.randomUUID();
  const remoteEndpoint = `${origin}${path}${path.includes("?") ? "&" : "?"}id=${id}`;
  const compaction = { ...settings.compaction, remoteEndpoint };
  return { id, options: { summarize: undefined, settings: { ...settings, compaction, retry: { enabled: false }, ...more } } };
}

const received = async (origin, id) => (await fetch(`${origin}/received?id=${id}`)).json();

/** Waits until a request has got somewhere. */
async function until(origin, id, holds) {
  for (let tries = 0; tries < 400; tries += 1) {
    const record = await received(origin, id);
    if (record !== null && holds(record)) return record;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`the request never got there: ${JSON.stringify(await received(origin, id))}`);
}

async function failsWith(pattern, options) {
  const { outcome } = await endsAs("failed", story(), options);
  equal(outcome.error.code, "remote-failed", `the code of "${outcome.error.message}"`);
  matches(outcome.error.message, pattern);
  return outcome;
}

const say = (status, body, more = "") => `/say?status=${status}&body=${encodeURIComponent(body)}${more}`;

const answers = [
  ["200 and no JSON", say(200, "a summary\nin words"), /status 200.*no JSON.*begins: a summary in words$/],
  ["200 and nothing", say(200, ""), /status 200.*no JSON.*the body is empty$/],
  ["200 and JSON without a summary", say(200, '{"text":"s"}'), /status 200.*without a string `summary`.*begins: \{"text":"s"\}$/],
  ["200 and a summary that is no string", say(200, '{"summary":["s"]}'), /status 200.*without a string `summary`/],
  ["200 and 5 MB", "/big", /status 200.*more than 4 MB.*begins: \{"summary":"xxx/],
  ["200 and no end", "/endless", /status 200.*more than 4 MB/],
  ["a redirect", "/redirect", /a redirect, which is not followed/],
  ["a redirect that would keep the body", "/redirect?status=307", /a redirect, which is not followed/],
  ...[400, 401, 404, 413, 429, 500, 503, 529].map((status) => [
    `${status}`,
    say(status, `it says ${status}`, status === 429 ? "&retry-after=1" : ""),
    new RegExp(`status ${status}; allowed is 200 to 299; the body begins: it says ${status}$`),
  ]),
  ["a body that breaks off", "/breaks", /status 200, and its body broke off/],
  ["no answer at all", "/refuses", /could not be reached/],
];

const endings = answers.map(([what, path, pattern]) => ({
  name: `an endpoint that answers with ${what} fails the run as remote-failed`,
  run: (origin) => failsWith(pattern, aim(origin, path).options),
}));

const points = { "while it connects": "/silent", "between headers and body": "/headers", "in the middle of the body": "/stalls" };

const aborts = Object.entries(points).flatMap(([when, path]) => [
  {
    name: `an abort ${when} cancels the run, and the request at both ends`,
    async run(origin) {
      for (const reason of [undefined, "a string"]) {
        const controller = new AbortController();
        const { id, options } = aim(origin, path);
        const ending = endsAs("cancelled", story(), { ...options, signal: controller.signal });
        await until(origin, id, ({ reached }) => reached);
        controller.abort(reason);
        await ending;
        await until(origin, id, ({ closed }) => closed);
      }
    },
  },
  {
    name: `an endpoint that stops ${when} is given up after remote.timeoutMs`,
    async run(origin) {
      const { id, options } = aim(origin, path, { remote: { timeoutMs: 60 } });
      await failsWith(/did not answer within 60 ms \(remote\.timeoutMs\)/, options);
      await until(origin, id, ({ closed }) => closed);
    },
  },
]);

/** Runs with the platform's `fetch` spoiled. */
async function spoiled(spoil, act) {
  try {
    spoil();
    return await act();
  } finally {
    globalThis.fetch = fetch;
  }
}

const text = JSON.stringify({ summary: reply({ kind: "history" }) });
const mock = async () => ({ ok: true, status: 200, text: async () => text });

const platform = {
  "is missing": () => { delete globalThis.fetch; },
  "throws at once": () => { globalThis.fetch = () => { throw new Error("at once"); }; },
  "rejects with a string": () => { globalThis.fetch = () => Promise.reject("a string"); },
  "answers with junk": () => { globalThis.fetch = async () => 7; },
};

export const cases = [
  {
    name: "an endpoint serves every request of a compaction",
    async run(origin) {
      const { id, options } = aim(origin, "/summary");
      const { outcome, events } = await endsAs("committed", story(), options);
      equal(outcome.summarizer, "remote");
      ok(outcome.entry.summary.startsWith("## Goal\nShip it."), "its summary was stored");
      equal(events.find(({ type }) => type === "compaction_end").summarizer, "remote");
      const record = await received(origin, id);
      equal([record.count, record.method, record.headers["content-type"]], [KINDS.length, "POST", "application/json"]);
      const body = JSON.parse(record.body);
      equal(Object.keys(body), ["systemPrompt", "prompt"]);
      equal(body.systemPrompt, summarizationSystemPrompt());
      matches(body.prompt, /^<conversation>\n/);
    },
  },
  {
    name: "headers go to the endpoint and nowhere else, also where it sends them back",
    async run(origin) {
      const remote = { headers: { Authorization: `Bearer ${SECRET}`, "X-Team": "blue-whales" } };
      for (const [path, status] of [["/summary", "committed"], ["/echo?status=401", "failed"], ["/echo?status=200", "failed"]]) {
        const { id, options } = aim(origin, path);
        const { outcome, events } = await endsAs(status, story(), { ...options, remote });
        const { headers } = await received(origin, id);
        equal([headers.authorization, headers["x-team"]], [`Bearer ${SECRET}`, "blue-whales"]);
        const told = JSON.stringify([outcome, outcome.error?.message, outcome.error?.stack, events]);
        ok(!told.includes(SECRET) && !told.includes("blue-whales"), told);
      }
    },
  },
  ...endings,
  ...aborts,
  {
    name: "a run aborted before it starts asks no endpoint",
    async run(origin) {
      const { id, options } = aim(origin, "/summary");
      await endsAs("cancelled", story(), { ...options, signal: AbortSignal.abort() });
      equal(await received(origin, id), null);
    },
  },
  {
    name: "an abort after the commit is reported as committed",
    async run(origin) {
      const controller = new AbortController();
      const onEvent = ({ type }) => type === "session_compact" && controller.abort();
      await endsAs("committed", story(), { ...aim(origin, "/summary").options, signal: controller.signal, onEvent });
    },
  },
  ...Object.entries(platform).map(([how, spoil]) => ({
    name: `a platform whose fetch ${how} fails the run as remote-failed`,
    run: (origin) => spoiled(spoil, () => failsWith(/could not be reached|gave no answer/, aim(origin, "/summary").options)),
  })),
  {
    name: "a platform whose fetch is mocked with a plain object serves",
    async run(origin) {
      const mocked = () => { globalThis.fetch = mock; };
      const { outcome } = await spoiled(mocked, () => endsAs("committed", story(), aim(origin, "/summary").options));
      equal(outcome.summarizer, "remote");
    },
  },
  {
    name: "the host's own fetch is called in place of the platform's",
    async run(origin) {
      const { id, options } = aim(origin, "/summary");
      const called = [];
      const own = (url, init) => called.push(init) && fetch(url, init);
      const { outcome } = await endsAs("committed", story(), { ...options, fetch: own, remote: { headers: { "x-a": "1" } } });
      equal([outcome.summarizer, called.length], ["remote", KINDS.length]);
      equal([called[0].method, called[0].redirect, called[0].headers["x-a"]], ["POST", "manual", "1"]);
      equal((await received(origin, id)).body, called.at(-1).body);
    },
  },
  {
    name: "a fetch of the host that never settles is given up at the abort and after remote.timeoutMs",
    async run(origin) {
      const never = () => new Promise(() => {});
      await failsWith(/within 20 ms/, { ...aim(origin, "/", { remote: { timeoutMs: 20 } }).options, fetch: never });
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 5);
      await endsAs("cancelled", story(), { ...aim(origin, "/").options, fetch: never, signal: controller.signal });
    },
  },
  {
    name: "failures that pass are tried again",
    async run(origin) {
      const retry = { maxRetries: 2, baseDelayMs: 1 };
      const { id, options } = aim(origin, "/recovers?after=2", { retry });
      equal((await endsAs("committed", story(), options)).outcome.summarizer, "remote");
      equal((await received(origin, id)).count, KINDS.length + 2);
    },
  },
  {
    name: "the status and the wait are read from what a fetch of the host throws",
    async run(origin) {
      const attempts = async (thrown) => {
        let count = 0;
        const waits = [];
        const throwing = () => { count += 1; throw Object.assign(new Error("no good"), thrown); };
        const sleep = (waitMs) => void waits.push(waitMs);
        await failsWith(/no good/, { ...aim(origin, "/", { retry: { maxRetries: 1, baseDelayMs: 1 } }).options, fetch: throwing, sleep });
        return [count, waits];
      };
      equal(await attempts({ status: 503 }), [2, [1]]);
      equal(await attempts({ response: { status: 429, headers: new Headers({ "retry-after": "2" }) } }), [2, [2_000]]);
      equal(await attempts({ statusCode: 401 }), [1, []]);
    },
  },
  {
    name: "when the endpoint fails the callback serves, and then the local summariser if the settings let it",
    async run(origin) {
      const failing = aim(origin, say(401, "no")).options;
      equal((await endsAs("committed", story(), { ...failing, summarize: reply })).outcome.summarizer, "callback");
      const local = aim(origin, say(401, "no"), { fallback: "local" }).options;
      equal((await endsAs("committed", story(), local)).outcome.summarizer, "local");
      const broken = () => Promise.reject(new Error("no"));
      equal((await endsAs("committed", story(), { ...local, summarize: broken })).outcome.summarizer, "local");
    },
  },
  {
    name: "an endpoint that fails amid the requests hands the rest on to the callback with its models",
    async run(origin) {
      const { id, options } = aim(origin, "/fails?after=1&status=401");
      const asked = [];
      const models = [{ provider: "p", id: "a" }, { provider: "p", id: "b" }];
      const summarize = (request, { model, attempt }) => {
        asked.push([request.kind, model.id, attempt]);
        if (model.id === "a") throw Object.assign(new Error("no key"), { status: 401 });
        return reply(request);
      };
      const { outcome, events } = await endsAs("committed", story(), { ...options, models, summarize });
      equal((await received(origin, id)).count, 2);
      equal(asked, [["turn-prefix", "a", 1], ["turn-prefix", "b", 1], ["short", "b", 1]]);
      equal(outcome.summarizer, "callback");
      const told = events.filter(({ type, phase }) => type === "compaction_progress" && phase !== "save");
      equal(told.map(({ phase, summarizer, candidate }) => `${phase} ${summarizer} ${candidate}`), [
        "history remote 1", "turn-prefix remote 1", "turn-prefix callback 2", "turn-prefix callback 3", "short callback 3",
      ]);
    },
  },
  {
    name: "an endpoint whose reply is refused twice is left for the callback",
    async run(origin) {
      const { id, options } = aim(origin, say(200, JSON.stringify({ summary: " " })));
      const { outcome } = await endsAs("committed", story(), { ...options, summarize: reply });
      const { count, body } = await received(origin, id);
      equal([outcome.summarizer, count], ["callback", 2]);
      matches(JSON.parse(body).prompt, /no text/, "the second prompt gives the reason");
    },
  },
  {
    name: "an endpoint whose reply is refused twice fails the run where nobody is left",
    async run(origin) {
      const { outcome } = await endsAs("failed", story(), aim(origin, say(200, JSON.stringify({ summary: " " }))).options);
      equal([outcome.error.code, "cause" in outcome.error], ["summary-refused", false]);
    },
  },
  {
    name: "when the endpoint and every model failed, the error names each",
    async run(origin) {
      const models = [{ provider: "p", id: "a" }, { provider: "p", id: "b" }];
      const summarize = (_, { model }) => { throw new Error(`no ${model.id}`); };
      const { outcome } = await endsAs("failed", story(), { ...aim(origin, say(401, "no")).options, models, summarize });
      equal(outcome.error.code, "summarizer-failed");
      matches(outcome.error.message, /remote: .*status 401.*callback with model 1: no a; callback with model 2: no b$/);
    },
  },
  {
    name: "a retry-after of the endpoint is waited for, and told",
    async run(origin) {
      const waits = [];
      const { options } = aim(origin, say(429, "slow down", "&retry-after=7"), { retry: { maxRetries: 1 } });
      const { events } = await endsAs("failed", story(), { ...options, now: () => 1_000, sleep: (waitMs) => void waits.push(waitMs) });
      equal(waits, [7_000]);
      equal(events.find(({ waitingUntil }) => waitingUntil !== undefined).waitingUntil, 8_000);
    },
  },
  {
    name: "what a fetch throws is not handed on where headers were given, and may hold them",
    async run(origin) {
      const thrown = Object.assign(new Error(`refused Bearer ${SECRET}`), { config: { headers: { authorization: `Bearer ${SECRET}` } } });
      const failing = { ...aim(origin, "/").options, fetch: () => Promise.reject(thrown) };
      const { outcome } = await endsAs("failed", story(), { ...failing, remote: { headers: { authorization: `Bearer ${SECRET}` } } });
      equal("cause" in outcome.error, false, "a cause");
      matches(outcome.error.message, /refused \*\*\*/);
      ok((await endsAs("failed", story(), failing)).outcome.error.cause === thrown, "without headers it is the cause");
    },
  },
  {
    name: "what is wrong with an address or a header is refused before anything is sent",
    async run(origin) {
      for (const remoteEndpoint of ["http://summaries.example/", "/api", "https://me:secret@summaries.example/", ""]) {
        const session = story();
        await rejects(run(session, { settings: { compaction: { remoteEndpoint } } }), "invalid-settings");
        await isFree(session);
      }
      const { id, options } = aim(origin, "/summary");
      for (const remote of [{ headers: { "a b": "1" } }, { headers: { a: "1\n2" } }, { header: {} }, 7]) {
        const session = story();
        await rejects(run(session, { ...options, remote }), "invalid-argument");
        await isFree(session);
      }
      await rejects(run(story(), { ...options, fetch: "fetch" }), "invalid-argument");
      equal(await received(origin, id), null);
    },
  },
];
