// Asking the handlers of a hook: whose answer counts, what is nonsense, and what a handler may do meanwhile.

import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { internals } from "./internals.mjs";

const { askBeforeCompact, askBeforeTree, askCompacting, noHooks, ThreadfoldError } = await internals("hooks");

const compaction = { summary: "what went on", firstKeptEntryId: "a", tokensBefore: 10 };
const summary = { summary: "the branch", details: { readFiles: ["a"] } };

const hooks = {
  session_before_compact: { ask: askBeforeCompact, event: { reason: "manual", willRetry: false }, nothing: undefined, answer: { compaction }, whole: compaction },
  "session.compacting": { ask: askCompacting, event: { sessionId: "s" }, nothing: { context: [] }, answer: { prompt: "p" }, whole: { prompt: "p", context: [] } },
  session_before_tree: { ask: askBeforeTree, event: { targetId: "a", summarize: true }, nothing: undefined, answer: { summary }, whole: summary },
};

/** Asks handlers of a hook, and tells what was complained of. */
async function asked(name, handlers, limits = {}) {
  const all = noHooks();
  for (const handler of handlers) all.add(name, handler);
  return { ...(await askWith(all, name, limits)), hooks: all };
}

async function askWith(all, name, limits = {}) {
  const { mock: log } = mock.method(console, "error", () => {});
  try {
    const { ask, event } = hooks[name];
    const result = await ask(all, event, { signal: undefined, timeoutMs: 0, ...limits });
    return { result, complaints: log.calls.map(({ arguments: said }) => said.map(String).join(" ")) };
  } finally {
    log.restore();
  }
}

const answered = (answer) => ({ type: "answered", answer });
const never = () => new Promise(() => {});

for (const [name, { nothing, answer, whole }] of Object.entries(hooks)) {
  describe(name, () => {
    test("without handlers there is no answer", async () => {
      assert.deepEqual((await asked(name, [])).result, answered(nothing));
    });

    test("handlers are asked one after the other, in their order, with the event and a signal of their own", async () => {
      const order = [];
      const signals = new Set();
      const handler = (number) => async (event) => {
        order.push(`${number} begins`);
        signals.add(event.signal);
        for (const [key, value] of Object.entries(hooks[name].event)) assert.equal(event[key], value);
        await new Promise((resolve) => setTimeout(resolve, 1));
        order.push(`${number} ends`);
      };
      const { signal } = new AbortController();
      const { result } = await asked(name, [handler(1), handler(2)], { signal });
      assert.deepEqual([result, order], [answered(nothing), ["1 begins", "1 ends", "2 begins", "2 ends"]]);
      assert.equal(signals.size, 2);
      assert.ok([...signals].every((own) => own instanceof AbortSignal && own !== signal && !own.aborted));
    });

    for (const none of [undefined, null, {}]) {
      test(`${JSON.stringify(none)} is no answer and leaves that of another`, async () => {
        assert.deepEqual((await asked(name, [() => answer, async () => none])).result, answered(whole));
      });
    }

    const failing = {
      "throws": () => { throw new Error("no"); },
      "throws nothing": () => { throw undefined; },
      "rejects": async () => { throw new Error("no"); },
      "rejects with nothing": () => Promise.reject(),
      "returns an object whose `then` throws": () => ({ get then() { throw new Error("no"); } }),
      "never answers": never,
    };
    for (const [how, handler] of Object.entries(failing)) {
      test(`a handler that ${how} is reported and passed over`, async () => {
        const { result, complaints } = await asked(name, [handler, () => answer], { timeoutMs: 5 });
        assert.deepEqual(result, answered(whole));
        assert.equal(complaints.length, 1, complaints.join("\n"));
        assert.ok(complaints[0].includes(`a handler of ${name} failed`), complaints[0]);
        if (handler === never) assert.match(complaints[0], /did not answer within 5 ms \(requestTimeoutMs\)/);
      });
    }

    test("the signal of a handler that took too long is aborted, and its late answer is not taken", async () => {
      let own;
      const late = (event) => new Promise((resolve) => {
        own = event.signal;
        own.addEventListener("abort", () => resolve({ cancel: true }));
      });
      const { result } = await asked(name, [late], { timeoutMs: 5 });
      assert.deepEqual([result, own.aborted], [answered(nothing), true]);
    });

    test("an abort does not wait for a handler, and no other is asked", async () => {
      const controller = new AbortController();
      let own;
      let others = 0;
      const waiting = (event) => {
        own = event.signal;
        setTimeout(() => controller.abort("enough"), 1);
        return never();
      };
      const { result, complaints } = await asked(name, [() => answer, waiting, () => (others += 1)], { signal: controller.signal });
      assert.deepEqual([result, own.aborted, own.reason, others], [{ type: "aborted" }, true, "enough", 0]);
      assert.deepEqual(complaints, []);
    });

    test("a signal that is aborted before, or by the last handler, is honoured", async () => {
      let calls = 0;
      assert.deepEqual((await asked(name, [() => (calls += 1)], { signal: AbortSignal.abort() })).result, { type: "aborted" });
      assert.deepEqual((await asked(name, [], { signal: AbortSignal.abort() })).result, { type: "aborted" });
      assert.equal(calls, 0);
      const controller = new AbortController();
      const { result } = await asked(name, [() => (controller.abort(), answer)], { signal: controller.signal });
      assert.deepEqual(result, { type: "aborted" });
    });

    test("a handler may remove itself and others, and add some, while it is asked", async () => {
      const { hooks: all } = await asked(name, []);
      const order = [];
      const remove = all.add(name, async () => {
        order.push("once");
        await undefined;
        remove();
        removeOther();
        all.add(name, () => void order.push("added"));
      });
      const removeOther = all.add(name, () => void order.push("never"));
      all.add(name, () => void order.push("always"));
      await askWith(all, name);
      assert.deepEqual(order.splice(0), ["once", "always"]);
      await askWith(all, name);
      assert.deepEqual(order, ["always", "added"]);
    });

    test("what is made only when it is read is not made for a handler that does not read it", async () => {
      const all = noHooks();
      let made = 0;
      const event = { get entries() { made += 1; return []; } };
      const ask = () => hooks[name].ask(all, event, { signal: undefined, timeoutMs: 0 });
      all.add(name, () => undefined);
      await ask();
      assert.equal(made, 0);
      all.add(name, ({ entries }) => void entries.length);
      await ask();
      assert.equal(made, 1);
    });

    const throwing = new Proxy({}, { ownKeys() { throw new Error("no"); } });
    const { proxy: revoked, revoke } = Proxy.revocable([], {});
    revoke();
    const nonsense = [7, "cancel", true, [], () => {}, Symbol("s"), 1n, throwing, { cancle: true }, { get prompt() { throw new Error("no"); } }];
    for (const value of nonsense) {
      const shown = typeof value === "object" && value !== throwing ? JSON.stringify(Object.keys(value)) : `a ${typeof value}`;
      test(`${shown} is refused, and nobody else is asked`, async () => {
        let others = 0;
        const { result, complaints } = await asked(name, [() => value, () => (others += 1)]);
        assert.equal(result.type, "refused");
        assert.ok(ThreadfoldError.isInstance(result.error));
        assert.equal(result.error.code, "invalid-argument");
        assert.ok(result.error.message.startsWith(`${name}: answer`), result.error.message);
        assert.deepEqual([others, complaints], [0, []]);
      });
    }

    test("a revoked proxy as an answer is a handler that rejects", async () => {
      const { result, complaints } = await asked(name, [() => revoked, () => answer]);
      assert.deepEqual([result, complaints.length], [answered(whole), 1]);
    });
  });
}

describe("cancelling", () => {
  for (const name of ["session_before_compact", "session_before_tree"]) {
    test(`the first to cancel ${name} ends it`, async () => {
      let others = 0;
      const { result } = await asked(name, [() => hooks[name].answer, () => ({ cancel: false }), () => ({ cancel: true }), () => (others += 1)]);
      assert.deepEqual([result, others], [{ type: "cancelled" }, 0]);
    });

    test(`a full answer to ${name} that cancels cancels`, async () => {
      assert.deepEqual((await asked(name, [() => ({ ...hooks[name].answer, cancel: true })])).result, { type: "cancelled" });
    });
  }

  test("session.compacting cannot be cancelled", async () => {
    const { result } = await asked("session.compacting", [() => ({ cancel: true })]);
    assert.match(result.error.message, /answer\.cancel: .*prompt, context, preserveData/);
  });
});

describe("several answers", () => {
  test("of whole results the last one counts, as it was when it was given", async () => {
    const last = { ...compaction, summary: "another", preserveData: { a: [1] } };
    const { result } = await asked("session_before_compact", [() => ({ compaction }), () => ({ compaction: last }), () => { last.preserveData.a.push(2); }]);
    assert.deepEqual(result, answered({ ...compaction, summary: "another", preserveData: { a: [1] } }));
    const branch = await asked("session_before_tree", [() => ({ summary }), () => ({ summary: { summary: "b" } })]);
    assert.deepEqual(branch.result, answered({ summary: "b" }));
  });

  test("context adds up, the last prompt and the last value of a key of preserveData count", async () => {
    const { result } = await asked("session.compacting", [
      () => ({ prompt: "one", context: ["a", "b"], preserveData: { x: 1, y: { deep: true } } }),
      () => ({ context: ["c"], preserveData: { x: 2, z: null } }),
      () => ({ prompt: "two" }),
      () => ({ context: [] }),
    ]);
    const { preserveData, ...rest } = result.answer;
    assert.deepEqual(rest, { prompt: "two", context: ["a", "b", "c"] });
    assert.deepEqual(preserveData, { x: 2, y: { deep: true }, z: null });
  });

  test("a key named __proto__ is one like any other", async () => {
    const { result } = await asked("session.compacting", [() => ({ preserveData: JSON.parse('{"__proto__":{"a":1}}') }), () => ({ preserveData: { b: 2 } })]);
    assert.equal(JSON.stringify(result.answer.preserveData), '{"__proto__":{"a":1},"b":2}');
  });
});

describe("nonsense in a field is refused by its name", () => {
  const cycle = {};
  cycle.again = cycle;
  const wrong = [
    ["session_before_compact", { cancel: "yes" }, "cancel"],
    ["session_before_compact", { cancel: 1 }, "cancel"],
    ["session_before_compact", { compaction: null }, "compaction"],
    ["session_before_compact", { compaction: "text" }, "compaction"],
    ["session_before_compact", { compaction: [] }, "compaction"],
    ["session_before_compact", { compaction: Promise.resolve(compaction) }, "compaction.summary"],
    ["session_before_compact", { compaction: { ...compaction, summary: 7 } }, "compaction.summary"],
    ["session_before_compact", { compaction: { ...compaction, summary: " \n" } }, "compaction.summary"],
    ["session_before_compact", { compaction: { ...compaction, firstKeptEntryId: undefined } }, "compaction.firstKeptEntryId"],
    ["session_before_compact", { compaction: { ...compaction, tokensBefore: -1 } }, "compaction.tokensBefore"],
    ["session_before_compact", { compaction: { ...compaction, tokensBefore: NaN } }, "compaction.tokensBefore"],
    ["session_before_compact", { compaction: { ...compaction, tokensBefore: "10" } }, "compaction.tokensBefore"],
    ["session_before_compact", { compaction: { ...compaction, shortSummary: {} } }, "compaction.shortSummary"],
    ["session_before_compact", { compaction: { ...compaction, details: cycle } }, "compaction"],
    ["session_before_compact", { compaction: { ...compaction, preserveData: 1n } }, "compaction"],
    ["session.compacting", { prompt: 7 }, "prompt"],
    ["session.compacting", { prompt: "  " }, "prompt"],
    ["session.compacting", { context: "a line" }, "context"],
    ["session.compacting", { context: ["a", 7] }, "context[1]"],
    ["session.compacting", { context: [, "a"] }, "context[0]"],
    ["session.compacting", { preserveData: [] }, "preserveData"],
    ["session.compacting", { preserveData: "x" }, "preserveData"],
    ["session.compacting", { preserveData: cycle }, "preserveData"],
    ["session_before_tree", { summary: "text" }, "summary"],
    ["session_before_tree", { summary: {} }, "summary.summary"],
    ["session_before_tree", { summary: { summary: "" } }, "summary.summary"],
    ["session_before_tree", { summary: { summary: "a", details: cycle } }, "summary"],
  ];
  for (const [number, [name, answer, field]] of wrong.entries()) {
    test(`${number}: ${name}, ${field}`, async () => {
      const { result } = await asked(name, [() => answer]);
      assert.equal(result.type, "refused");
      assert.equal(result.error.code, "invalid-argument");
      assert.ok(result.error.message.startsWith(`${name}: answer.${field}: `), result.error.message);
    });
  }
});

test("a hook that is not known, or a handler that is no function, is refused", () => {
  assert.throws(() => noHooks().add("session_after_compact", () => {}), { code: "invalid-argument", message: /"session_before_compact", / });
  assert.throws(() => noHooks().add("session_before_tree", undefined), { code: "invalid-argument" });
});
