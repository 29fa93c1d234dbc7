// The messages of a chat are folded in its own format.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { detectFormat, foldMessages, fromSessionMessages, pruneMessages, repairMessages, toSessionMessages, validateMessages } from "threadfold";
import { chat, FORMAT_NAMES, more, systemCount } from "./chats.mjs";
import { rejectsCode, throwsCode } from "./throws.mjs";

const WINDOW = 32_000;

/** A summariser that notes what it is asked. */
function summarizer(text = "## Goal\nTo understand the harbour.") {
  const asked = [];
  return { asked, summarize: (request) => (asked.push(request), text) };
}

/** A deep copy that nothing can be written to: the array, the messages, and all in them. */
function frozen(value) {
  if (typeof value !== "object" || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

/** Holds a folded array to the rules: system messages, one summary, and the newest messages, each the very same. */
function checkFolded({ messages, state, format }, given, summary) {
  const system = systemCount(format);
  const kept = messages.length - system - 1;
  assert.ok(kept > 0 && kept < given.length - system, `${kept} messages are kept of ${given.length}`);
  for (let at = 0; at < system; at += 1) assert.equal(messages[at], given[at]);
  for (let at = 1; at <= kept; at += 1) assert.equal(messages.at(-at), given.at(-at));
  assert.ok(JSON.stringify(messages[system]).includes(summary.split("\n").at(-1)), JSON.stringify(messages[system]));
  assert.equal(state.folded, given.length - system - kept);
  const { valid, problems } = validateMessages(messages, format);
  assert.deepEqual([valid, problems], [true, []]);
}

for (const format of FORMAT_NAMES) {
  describe(`a chat as ${format} writes it`, () => {
    const options = { format, contextWindow: WINDOW };
    const small = frozen(chat(format, 10));
    const large = frozen(chat(format, 90));

    it("below the threshold is left alone, and nobody is asked", async () => {
      const { asked, summarize } = summarizer();
      const { messages, outcome, ...rest } = await foldMessages(small, { ...options, summarize });
      assert.equal(messages, small);
      assert.deepEqual([outcome.status, outcome.reason, asked], ["nothing-to-do", "below-threshold", []]);
      assert.equal(outcome.nothingToDo.limit, 24_000);
      assert.deepEqual(rest, { format });
    });

    it("above it is folded: system messages, summary, and the very messages that are kept", async () => {
      const { asked, summarize } = summarizer();
      const result = await foldMessages(large, { ...options, summarize });
      assert.equal(result.outcome.status, "committed");
      assert.ok(asked[0].prompt.includes("Question 1:") && asked[0].prompt.includes("part-1.rs"));
      checkFolded(result, large, "To understand the harbour.");
      assert.deepEqual([result.state.version, result.state.format, result.edited], [1, format, undefined]);
      assert.deepEqual(result.state.details.readFiles.slice(0, 2), ["src/part-1.rs", "src/part-10.rs"]);
      assert.deepEqual(JSON.parse(JSON.stringify(result.state)), result.state);
    });

    it("goes on from the earlier summary, with the messages that came out or with the whole conversation", async () => {
      const first = await foldMessages(large, { ...options, summarize: summarizer().summarize });
      const state = JSON.parse(JSON.stringify(first.state));
      const said = frozen(more(format, 101, 60));
      for (const given of [[...first.messages, ...said], [...large, ...said]]) {
        const { asked, summarize } = summarizer("## Goal\nTo know the harbour by heart.");
        const result = await foldMessages(frozen(given), { ...options, state, summarize });
        assert.deepEqual([result.outcome.status, result.edited], ["committed", undefined]);
        assert.equal(asked[0].kind, "update");
        assert.ok(/<previous-summary>[^]*To understand the harbour[^]*<\/previous-summary>/.test(asked[0].prompt));
        assert.ok(!asked[0].prompt.includes("Question 1:"), "what was folded is not told again");
        checkFolded(result, given, "To know the harbour by heart.");
        assert.ok(result.state.details.readFiles.includes("src/part-1.rs"), "files add up");
      }
    });

    it("gives the folded view again where nothing new is to be folded", async () => {
      const { messages, state } = await foldMessages(large, { ...options, summarize: summarizer().summarize });
      const again = await foldMessages(messages, { ...options, state });
      assert.deepEqual([again.outcome.reason, again.messages === messages, again.state], ["below-threshold", true, state]);
      const whole = await foldMessages(large, { ...options, state });
      assert.deepEqual(whole.messages, messages);
      for (const [at, message] of whole.messages.entries()) if (at !== systemCount(format)) assert.equal(message, messages[at]);
      assert.deepEqual([whole.outcome.reason, whole.state], ["below-threshold", state]);
    });

    it("says where it was edited underneath, and starts from the whole", async () => {
      const { state } = await foldMessages(large, { ...options, summarize: summarizer().summarize });
      const { asked, summarize } = summarizer();
      const other = [...large.slice(0, systemCount(format)), ...more(format, 500, 1), ...large.slice(systemCount(format))];
      const result = await foldMessages(other, { ...options, state, summarize });
      assert.deepEqual([result.outcome.status, result.edited, asked[0].kind], ["committed", true, "history"]);
      checkFolded(result, other, "To understand the harbour.");
    });

    it("is folded by force below the threshold", async () => {
      const force = { ...options, force: true, settings: { compaction: { keepRecentTokens: 500 } } };
      const result = await foldMessages(small, { ...force, summarize: summarizer().summarize });
      assert.equal(result.outcome.status, "committed");
      checkFolded(result, small, "To understand the harbour.");
    });

    it("stays the same where the summariser fails or the run is aborted", async () => {
      const failing = await foldMessages(large, { ...options, summarize: () => Promise.reject(new Error("no key")) });
      assert.deepEqual([failing.outcome.status, failing.messages === large, failing.state], ["failed", true, undefined]);
      const abort = new AbortController();
      const stopped = await foldMessages(large, { ...options, signal: abort.signal, summarize: () => new Promise(() => abort.abort()) });
      assert.deepEqual([stopped.outcome.status, stopped.messages === large], ["cancelled", true]);
    });

    it("is told from the messages, is valid, and has nothing to repair", () => {
      assert.equal(detectFormat(large), format);
      assert.deepEqual(validateMessages(large), { valid: true, format, problems: [] });
      const repaired = repairMessages(large);
      assert.deepEqual([repaired.messages === large, repaired.repairs, repaired.problems], [true, [], []]);
    });

    it("comes back from the messages of a session as it was", () => {
      const core = toSessionMessages(large, format);
      assert.deepEqual(fromSessionMessages(core, format), large);
    });

    it("without a result is healed, and the rest of it is untouched", () => {
      const damaged = damage(format, small);
      const { problems } = validateMessages(damaged, format);
      assert.ok(problems.length > 0);
      const { messages, repairs } = repairMessages(damaged, format);
      assert.deepEqual(validateMessages(messages, format).problems, []);
      assert.ok(repairs.length > 0 && messages !== damaged);
      const kept = messages.filter((message) => damaged.includes(message));
      assert.ok(kept.length >= damaged.length - 2, `${kept.length} of ${damaged.length} are the same`);
    });

    it("has old outputs pruned, and the rest of it is untouched", () => {
      const settings = { prune: { protectTokens: 500, minimumSavings: 100, protectedTools: [] } };
      const pruned = pruneMessages(large, { format, settings });
      assert.ok(pruned.prunedCount > 50 && pruned.tokensSaved > 1_000, JSON.stringify({ ...pruned, messages: 0 }));
      assert.equal(pruned.messages.length, large.length);
      for (const [at, message] of pruned.messages.entries()) assert.equal(message === large[at], !pruned.prunedIndices.includes(at), `messages[${at}]`);
      assert.match(JSON.stringify(pruned.messages), /\[Output truncated - \d+ tokens\]/);
      assert.deepEqual(validateMessages(pruned.messages, format).problems, []);
      assert.equal(pruneMessages(large, { format }).messages, large, "nothing to prune by the defaults");
    });
  });
}

/** The same chat without the result of its third call. */
function damage(format, messages) {
  if (format !== "ai-sdk-ui") {
    const results = messages.flatMap((message, at) => (JSON.stringify(message).includes("Output 3:") ? [at] : []));
    return messages.filter((_, at) => !results.includes(at));
  }
  const without = (part) => (part.toolCallId === "call_3" ? { ...part, state: "input-available", output: undefined } : part);
  return messages.map((message) => (message.id === "a3" ? { ...message, parts: message.parts.map(without) } : message));
}

describe("what only a session knows", () => {
  const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };
  const messages = [
    { role: "bashExecution", command: "ls -l", output: "a", exitCode: 0 },
    { role: "bashExecution", command: "rm -r", output: "", excludeFromContext: true },
    { role: "pythonExecution", code: "1 + 1", output: "2" },
    { role: "fileMention", files: [{ path: "a.png", content: "", image }, { path: "b.ts", content: "let b;" }] },
    { role: "branchSummary", summary: "it was left", fromId: "a" },
    { role: "compactionSummary", summary: "so far", tokensBefore: 9 },
  ];
  const spoken = [/ls -l/, /1 \+ 1/, /let b;/, /it was left/, /so far/];

  for (const format of FORMAT_NAMES.filter((name) => name !== "pi")) {
    it(`is said by the user in ${format}, and what the model must not see is left out`, () => {
      const written = fromSessionMessages(frozen(messages), format);
      assert.equal(written.length, spoken.length, JSON.stringify(written));
      for (const [at, pattern] of spoken.entries()) {
        assert.equal(written[at].role, "user");
        assert.match(JSON.stringify(written[at]), pattern);
      }
      assert.deepEqual(written.map((message) => JSON.stringify(message).includes(image.data)), [false, false, true, false, false]);
      assert.deepEqual(validateMessages(written, format).problems.filter(({ rule }) => rule !== "wrong-order"), []);
    });
  }

  it("stays what it is in pi", () => assert.deepEqual(fromSessionMessages(messages, "pi"), messages));

  it("is refused where it holds what JSON cannot", () => {
    throwsCode(() => fromSessionMessages([{ role: "bashExecution", command: 5n }], "gemini"), "invalid-argument", "messages[0].command", "5n");
  });
});

describe("the system messages", () => {
  it("count as fixed overhead, beside what the host states", async () => {
    const [, ...rest] = chat("openai-chat", 10);
    const messages = [{ role: "system", content: "rule ".repeat(20_000) }, ...rest];
    const { outcome } = await foldMessages(messages, { format: "openai-chat", contextWindow: WINDOW, summarize: "local", fixedTokens: 900 });
    assert.equal(outcome.reason, "infeasible");
    assert.ok(outcome.nothingToDo.fixedTokens > 20_900, JSON.stringify(outcome.nothingToDo));
  });
});

describe("what is wrong use", () => {
  const messages = chat("openai-chat", 5);
  const rows = [
    [messages, { format: "openai" }, "unsupported-format", "openai"],
    [messages, { format: 7 }, "unsupported-format", "format", "7"],
    [messages, { force: "yes" }, "invalid-argument", "force"],
    [messages, { contextwindow: 1 }, "invalid-argument", "foldMessages.contextwindow", "contextWindow"],
    [messages, { contextWindow: 0 }, "invalid-window", "contextWindow"],
    [messages, { settings: { compactoin: {} } }, "invalid-settings", "compactoin"],
    [messages, { state: { version: 2 } }, "invalid-argument", "state.version"],
    [messages, { format: "anthropic", state: { version: 1, format: "openai-chat", summary: "S", tokensBefore: 1, folded: 1, digest: "d" } }, "invalid-argument", "state.format"],
    ["messages", {}, "invalid-argument", "messages", "an array"],
    [null, {}, "invalid-argument", "messages", "an array"],
    [messages, null, "invalid-argument", "foldMessages"],
    [[...messages, undefined], {}, "invalid-argument", "messages[21]"],
    [[...messages, { role: "user", content: 5n }], {}, "invalid-argument", "messages[21].content"],
    [[...messages, { text: "x" }], { format: "openai-chat" }, "unsupported-format", "messages[21]"],
    [[...messages, "text"], { format: "openai-chat" }, "unsupported-format", "messages[21]"],
    [[{ role: "user", content: "Hi" }], {}, "ambiguous-format", "format"],
    [[{ hello: 1 }], {}, "unsupported-format"],
  ];
  for (const [given, options, code, ...named] of rows) {
    it(`rejects: ${code} ${named.join(", ")}`, () => rejectsCode(foldMessages(given, options && { summarize: "local", ...options }), code, ...named));
  }

  it("of the functions beside it throws", () => {
    for (const call of [validateMessages, repairMessages, toSessionMessages]) {
      throwsCode(() => call("messages"), "invalid-argument", "messages", "an array");
      throwsCode(() => call(messages, "openai"), "unsupported-format", "openai");
      throwsCode(() => call(messages, 7), "unsupported-format", "format", "7");
      throwsCode(() => call([{ role: "user", content: "Hi" }]), "ambiguous-format");
    }
    throwsCode(() => fromSessionMessages([], undefined), "unsupported-format", "format");
    throwsCode(() => pruneMessages(messages, { protectTokens: 7 }), "invalid-argument", "pruneMessages.protectTokens");
    throwsCode(() => pruneMessages(messages, { settings: { prune: { protectTokens: -1 } } }), "invalid-settings", "prune.protectTokens");
  });
});

it("an empty array has nothing to fold, to heal or to refuse", async () => {
  const empty = [];
  const folded = await foldMessages(empty, { contextWindow: WINDOW, summarize: "local" });
  assert.deepEqual([folded.messages === empty, folded.outcome.status], [true, "nothing-to-do"]);
  assert.equal(validateMessages(empty).valid, true);
  assert.equal(repairMessages(empty).messages, empty);
  throwsCode(() => detectFormat(empty), "ambiguous-format");
});

it("an array that grows while the run waits is folded as it was", async () => {
  const messages = chat("openai-chat", 100);
  const summarize = () => (messages.push({ role: "user", content: "One more thing" }), "## Goal\nS");
  const result = await foldMessages(messages, { format: "openai-chat", contextWindow: WINDOW, summarize });
  assert.equal(result.outcome.status, "committed");
  assert.equal(result.messages.at(-1), messages[400]);
});
