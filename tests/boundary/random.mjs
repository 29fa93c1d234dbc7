// A summariser that answers at random: every run ends within its bounds, and either stored a good
// summary or changed nothing. A failure names the seed of its run.

import { compact } from "threadfold";
import { equal, matches, ok } from "./check.mjs";
import { bytesOf, isFree, KINDS, run, story } from "./story.mjs";

const BATCHES = 12;
const RUNS = 25;
/** No run has a reason to take so long, in milliseconds. */
const LONGEST_RUN = 10_000;

/** Numbers from 0 to below 1, the same for the same seed. */
function randomBy(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

// What may be stored holds the first word, and what must not be the second.
const GOOD = "## Goal\nWELL done.\n\n## Next Steps\n1. Go on.";
const BAD = "## Goal\nSPOILT.\n\n## Next Steps\n1. Do not.";
const failed = (fields, message = "no") => Object.assign(new Error(message), fields);
const later = (value) => new Promise((resolve) => setTimeout(() => resolve(value), 1));

/** Answers of which none may be stored. */
const bad = {
  empty: () => "",
  blank: () => ({ text: " \n\u200b" }),
  huge: () => `${BAD}\n${"word ".repeat(4_000)}`,
  "more than is read": () => BAD.padEnd(5_000_000, "x"),
  "cut off": () => ({ text: BAD, stopReason: "max_tokens" }),
  "an error text": () => "Error: 529 overloaded, SPOILT",
  "an error": () => ({ text: BAD, stopReason: "error", errorMessage: "529 overloaded" }),
  "a tool call": () => ({ text: BAD, stopReason: "tool_use" }),
  reasoning: () => "<think>SPOILT</think>",
  junk: () => ({ summary: BAD }),
  nothing: () => undefined,
  never: () => new Promise(() => {}),
  "too late": () => new Promise((resolve) => setTimeout(() => resolve(BAD), 40)),
  "throwing what passes": () => { throw failed({ status: 503 }); },
  "throwing what lasts": () => { throw failed({ status: 401 }); },
  "throwing nothing": () => { throw undefined; },
  "rejecting with a string": () => Promise.reject("it broke"),
  "rejecting with a wait": () => Promise.reject(failed({ status: 429, headers: { "retry-after": "3" } })),
  "rejecting with too long a wait": () => Promise.reject(failed({ status: 429, headers: { "retry-after": "3000" } })),
};

/** Answers that may be stored. Each gets what it may meddle with. */
const good = {
  plain: () => GOOD,
  fenced: () => `\`\`\`markdown\n${GOOD}\n\`\`\``,
  slow: () => later({ text: GOOD, stopReason: "stop" }),
  reading: ({ session }) => {
    session.buildSessionContext();
    session.contextUsage();
    session.toJsonl();
    return GOOD;
  },
  appending: ({ session, changed }) => {
    session.appendMessage({ role: "user", content: "meanwhile" });
    changed();
    return GOOD;
  },
  "compacting again": async ({ session }) => {
    const code = await compact(session, { summarize: () => BAD }).then(() => "none", (error) => error.code);
    equal(code, "busy", "a second run");
    return GOOD;
  },
};

/** What ends the run, although the answer is good. */
const ending = {
  "moving the leaf": ({ session, changed }) => {
    session.branch(session.path()[0].id);
    changed();
    return GOOD;
  },
  aborting: ({ controller }) => {
    controller.abort();
    return GOOD;
  },
  freeing: ({ session }) => {
    session.free();
    return GOOD;
  },
};

async function randomRun(seed) {
  const random = randomBy(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const session = story();
  const controller = new AbortController();
  let stored = bytesOf(session);
  let leafId = session.leafId;
  const around = {
    session,
    controller,
    changed: () => { [stored, leafId] = [bytesOf(session), session.leafId]; },
  };
  const answers = [];
  /** Some runs go mostly well, and some do not. */
  const luck = random();
  const summarize = async (request, { attempt }) => {
    const chance = random();
    const [name, act] = pick(Object.entries(chance < 0.03 ? ending : chance < 0.03 + 0.97 * luck ? good : bad));
    answers.push([request.kind, attempt, name]);
    return act(around);
  };
  const maxRetries = pick([0, 1, 3]);
  const models = pick([[], ["a"], ["a", "b"], ["a", "b", "c"]]).map((id) => ({ provider: "p", id, contextWindow: pick([undefined, 2_200, 200_000]) }));
  const options = {
    summarize,
    models,
    signal: controller.signal,
    settings: {
      compaction: { keepRecentTokens: 400, shortSummary: random() < 0.8 },
      retry: { enabled: random() < 0.8, maxRetries },
      requestTimeoutMs: 20,
      fallback: pick(["none", "none", "local"]),
    },
  };
  const events = [];
  const running = run(session, { ...options, onEvent: (event) => events.push(event) }).catch((error) => ({ error }));
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(() => resolve("late"), LONGEST_RUN); });
  const ended = await Promise.race([running, late]);
  clearTimeout(timer);
  const told = JSON.stringify(answers);
  ok(ended !== "late", `it did not end: ${told}`);
  bounded({ answers, events, candidates: Math.max(models.length, 1), maxRetries });
  const ends = events.filter(({ type }) => type === "compaction_end");
  if (answers.some(([, , name]) => name === "freeing")) {
    equal(ended.error?.code, "invalid-argument", `the end of a run whose session was freed, after ${told}`);
    matches(ended.error.message, /freed/);
    return "freed";
  }
  ok(ended.error === undefined, `${ended.error?.stack} after ${told}`);
  const { outcome } = ended;
  equal(ends.map(({ status }) => status), [outcome.status], `the ends after ${told}`);
  if (outcome.status === "committed") {
    const { summary, shortSummary } = outcome.entry;
    const text = `${summary}${shortSummary ?? ""}`;
    ok(!text.includes("SPOILT") && !text.includes("```"), `${text} after ${told}`);
    ok(outcome.summarizer === "local" ? summary !== "" : summary.includes("WELL done."), `${text} after ${told}`);
    ok(shortSummary === undefined || outcome.summarizer === "local" || shortSummary.includes("WELL done."), shortSummary);
    ok(bytesOf(session).startsWith(stored), "what was there is still there");
    equal(session.entries().filter(({ type }) => type === "compaction").length, 1, "the compactions");
  } else {
    ok(["failed", "cancelled"].includes(outcome.status), outcome.status);
    equal([bytesOf(session) === stored, session.leafId], [true, leafId], `unchanged after ${told}`);
    equal(outcome.entry, undefined);
    if (outcome.status === "failed") ok(["summarizer-failed", "summary-refused", "stale"].includes(outcome.error.code), outcome.error.message);
    session.branch(leafId);
    await isFree(session);
  }
  return outcome.status;
}

/** No request is sent more often than its retries and the one refusal let it, to each candidate. */
function bounded({ answers, events, candidates, maxRetries }) {
  for (const [kind, attempt, name] of answers) ok(attempt <= maxRetries + 2, `attempt ${attempt} at ${kind}, ${name}`);
  const requests = Math.max(KINDS.length, ...events.map((event) => event.requests ?? 0));
  ok(answers.length <= requests * candidates * (maxRetries + 2), `${answers.length} calls for ${requests} requests`);
}

const seen = new Set();

export const cases = [
  ...Array.from({ length: BATCHES }, (_, batch) => ({
    name: `${RUNS} runs with a summariser that answers at random, from seed ${batch * RUNS + 1}`,
    async run() {
      for (let seed = batch * RUNS + 1; seed <= (batch + 1) * RUNS; seed += 1) {
        try {
          seen.add(await randomRun(seed));
        } catch (error) {
          throw new Error(`seed ${seed}: ${error.stack ?? error}`, { cause: error });
        }
      }
    },
  })),
  {
    name: "those runs ended in every way",
    run() {
      equal([...seen].sort(), ["cancelled", "committed", "failed", "freed"]);
    },
  },
];
