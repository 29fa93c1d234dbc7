// Who is asked for a summary, in which order, and with which requests.

import { equal, matches, ok } from "./check.mjs";
import { endsAs, KINDS, reply, run, settings, story } from "./story.mjs";

const model = (id, contextWindow) => ({ provider: "p", id, ...(contextWindow === undefined ? {} : { contextWindow }) });
const [A, B, C] = ["a", "b", "c"].map((id) => model(id));
/** Failures that no second attempt mends. */
const lasting = (message) => Promise.reject(Object.assign(new Error(message), { status: 401 }));

/** A summariser that some models fail, and what it was asked: the model, the kind, the attempt. */
function asking(failing, more = {}) {
  const asked = [];
  const summarize = (request, { model, attempt }) => {
    asked.push([model?.id ?? null, request.kind, attempt]);
    return failing.includes(model?.id) ? lasting(`no key for ${model.id}`) : reply(request);
  };
  return { asked, options: { summarize, ...more } };
}

const orders = [
  ["models alone", { models: [A, B] }, ["a", "b"]],
  ["the current model first", { model: C, models: [A, B] }, ["c", "a", "b"]],
  ["a model that comes twice once", { model: A, models: [B, A, B, C] }, ["a", "b", "c"]],
  ["the same id of another provider as another model", { model: A, models: [{ provider: "q", id: "a" }] }, ["a", "a"]],
  ["the current model alone", { model: A }, ["a"]],
  ["the current model beside an empty list", { model: A, models: [] }, ["a"]],
  ["no model where none is named", {}, [null]],
];

const byOrder = orders.map(([name, options, expected]) => ({
  name: `the callback is asked with ${name}`,
  async run() {
    const asked = [];
    const summarize = (_, { model }) => asked.push(model?.id ?? null) && lasting("no");
    const { outcome, events } = await endsAs("failed", story(), { ...options, summarize });
    equal(asked, expected);
    const progress = events.filter(({ type }) => type === "compaction_progress");
    equal(progress.map(({ candidate, summarizer }) => [candidate, summarizer]), expected.map((_, at) => [at + 1, "callback"]));
    if (expected.length > 1) for (const at of expected.keys()) ok(outcome.error.message.includes(`callback with model ${at + 1}: no`), outcome.error.message);
  },
}));

/** In tokens: less than the history of the story takes, and enough for a part of it. */
const SMALL = 2_200;

export const cases = [
  ...byOrder,
  {
    name: "the callback gets the very objects that the host named",
    async run() {
      const given = [Object.freeze({ ...A, key: 1 }), Object.freeze({ ...B, key: 2 })];
      const seen = [];
      const summarize = (request, { model }) => seen.push(model) && (model === given[0] ? lasting("no") : reply(request));
      await endsAs("committed", story(), { model: given[0], models: [given[1]], summarize });
      ok(seen[0] === given[0] && seen.slice(1).every((one) => one === given[1]), "the same objects");
    },
  },
  {
    name: "a model that failed is not asked again, and the next one goes on from that request",
    async run() {
      const { asked, options } = asking([], { models: [A, B] });
      const summarize = (request, context) => {
        if (context.model === A && request.kind === "turn-prefix") asked.push(["a", request.kind, context.attempt]);
        return context.model === A && request.kind === "turn-prefix" ? lasting("no") : options.summarize(request, context);
      };
      await endsAs("committed", story(), { ...options, summarize });
      equal(asked, [["a", "history", 1], ["a", "turn-prefix", 1], ["b", "turn-prefix", 1], ["b", "short", 1]]);
    },
  },
  {
    name: "a model whose reply is refused twice is left, and the attempts of the next begin at one",
    async run() {
      const asked = [];
      const summarize = (request, { model, attempt }) => asked.push([model.id, attempt]) && (model === A ? "" : reply(request));
      await endsAs("committed", story(), { models: [A, B], summarize });
      equal(asked.slice(0, 3), [["a", 1], ["a", 2], ["b", 1]]);
    },
  },
  {
    name: "a request that is too large for a model's window is folded for that model alone",
    async run() {
      for (const [order, expected] of [[[model("small", SMALL), B], [true, true]], [[model("large", 100_000), B], [false, false]]]) {
        const sizes = [];
        const summarize = (request, { model }) => {
          sizes.push([model.id, request.promptTokens + request.maxTokens]);
          return reply(request);
        };
        const { events } = await endsAs("committed", story(), { models: order, summarize });
        const [{ id, contextWindow }] = order;
        ok(sizes.every(([asked, size]) => asked === id && size <= contextWindow), JSON.stringify(sizes));
        const first = events[0];
        equal([first.requests > KINDS.length, sizes.length > KINDS.length], expected, "more requests than parts");
      }
    },
  },
  {
    name: "a model that fails amid a folded history hands on to the next, which may take it whole",
    async run() {
      const asked = [];
      const summarize = (request, { model }) => {
        asked.push([model.id, request.kind]);
        return model.id === "small" && asked.length === 2 ? lasting("no") : reply(request);
      };
      const { outcome } = await endsAs("committed", story(), { models: [model("small", SMALL), model("large", 200_000)], summarize });
      equal(asked.slice(0, 2).map(([id]) => id), ["small", "small"]);
      ok(asked.slice(2).every(([id]) => id === "large"), JSON.stringify(asked));
      matches(outcome.entry.summary, /Ship it/);
    },
  },
  {
    name: "a model in whose window nothing fits is passed over without a request",
    async run() {
      const { asked, options } = asking([], { models: [model("tiny", 100), B] });
      await endsAs("committed", story(), options);
      ok(asked.every(([id]) => id === "b"), JSON.stringify(asked));
      const { outcome } = await endsAs("failed", story(), { ...options, models: [model("tiny", 100)] });
      equal(outcome.error.code, "summarizer-failed");
      matches(outcome.error.message, /window of 100 tokens/);
    },
  },
  ...[undefined, 0, -1, Number.NaN, Infinity, 1.5, "200000", null].map((contextWindow) => ({
    name: `a model's window of ${String(contextWindow)} (${typeof contextWindow}) is an unknown one, and nothing is folded for it`,
    async run() {
      const { asked, options } = asking([], { models: [{ provider: "p", id: "m", contextWindow }] });
      await endsAs("committed", story(), options);
      equal(asked.map(([, kind]) => kind), KINDS);
    },
  })),
  {
    name: "the window of the call stands for the current model's, of the others each has its own",
    async run() {
      const { asked, options } = asking(["a"], { contextWindow: 200_000, model: model("a", 10), models: [B] });
      await endsAs("committed", story(), options);
      equal(asked.map(([id]) => id), ["a", "b", "b", "b"]);
    },
  },
  {
    name: "a run that is aborted before it starts is cancelled, whatever fits the models",
    async run() {
      const signal = AbortSignal.abort();
      const { asked, options } = asking([], { models: [model("tiny", 100)], signal });
      await endsAs("cancelled", story(), options);
      equal(asked, []);
    },
  },
  {
    name: "the local summariser serves when every model failed, and the end says so",
    async run() {
      const { asked, options } = asking(["a", "b"], { models: [A, B], settings: { ...settings, fallback: "local" } });
      const { outcome, events } = await endsAs("committed", story(), options);
      equal(asked.map(([id]) => id), ["a", "b"]);
      equal([outcome.summarizer, events.at(-1).summarizer], ["local", "local"]);
    },
  },
  {
    name: "a list that the host changes during a run has no effect",
    async run() {
      const models = [A, B];
      const seen = [];
      const summarize = (request, { model }) => {
        models.length = 0;
        seen.push(model.id);
        return model === A ? lasting("no") : reply(request);
      };
      await run(story(), { models, summarize });
      equal(seen, ["a", "b", "b", "b"]);
    },
  },
];
