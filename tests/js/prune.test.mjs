// Pruning of tool outputs through the package, in both modes.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compact, convertToLlm, Session } from "threadfold";
import { throwsCode } from "./throws.mjs";

const usage = (totalTokens) => ({ input: totalTokens, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens });
const all = { protectTokens: 0, minimumSavings: 0 };
const NOTICE = [{ type: "text", text: "[Output truncated - 1000 tokens]" }];

/** A call with its result of 1 000 tokens, so many times; a usage in the last turn. */
function session(count = 3, options = {}) {
  const session = Session.create(options);
  session.appendMessage({ role: "user", content: "Look around." });
  const results = [];
  for (let number = 0; number < count; number += 1) {
    const call = { type: "toolCall", id: `c${number}`, name: "bash", arguments: {} };
    session.appendMessage({ role: "assistant", content: [call], stopReason: "toolUse" });
    const content = [{ type: "text", text: "but ".repeat(1000) }];
    results.push(session.appendMessage({ role: "toolResult", toolCallId: call.id, toolName: "bash", content, isError: false }));
  }
  session.appendMessage({ role: "assistant", content: [{ type: "text", text: "Done." }], stopReason: "stop", usage: usage(5000) });
  return { session, results };
}

const messageOf = (session, id) => {
  const { messages, entryIds } = session.buildSessionContext();
  return messages[entryIds.indexOf(id)];
};
const reloaded = (session) => Session.fromJsonl(session.toJsonl());

describe("a prune that rewrites entries", () => {
  it("replaces the content, says when, and hands the new form out", () => {
    const { session: story, results } = session();
    const [first, second, third] = results;
    const before = story.entry(first);
    const message = messageOf(story, first);
    const start = Date.now();
    const pruned = story.pruneToolOutputs({ ...all, protectTokens: 1 });
    assert.deepEqual(pruned, { prunedCount: 2, tokensSaved: 1984, prunedIds: [first, second] });
    const after = story.entry(first);
    assert.deepEqual(after.message.content, NOTICE);
    assert.ok(after.message.prunedAt >= start);
    assert.deepEqual({ ...after, message: { ...after.message, content: before.message.content } }, {
      ...before,
      message: { ...before.message, prunedAt: after.message.prunedAt },
    });
    assert.equal(message.content[0].text.length, 4000, "what was handed out before stays as it was");
    assert.equal(messageOf(story, first), after.message);
    assert.equal(story.entry(first), after, "the same object each time");
    assert.equal(messageOf(story, third).content[0].text.length, 4000);
    assert.deepEqual(convertToLlm([messageOf(story, first)])[0].content, NOTICE);
    const again = reloaded(story);
    assert.deepEqual(again.entries(), story.entries());
    assert.deepEqual(again.buildSessionContext(), story.buildSessionContext());
    assert.deepEqual(story.pruneToolOutputs({ ...all, protectTokens: 1 }), { prunedCount: 0, tokensSaved: 0, prunedIds: [] });
  });

  it("makes the context as much smaller, also once it was saved and loaded", () => {
    const { session: story } = session();
    assert.equal(story.contextUsage().tokens, 5000);
    const { tokensSaved } = story.pruneToolOutputs(all);
    assert.equal(story.contextUsage().tokens, 5000 - tokensSaved);
    assert.equal(reloaded(story).contextUsage().tokens, 5000 - tokensSaved);
    story.appendMessage({ role: "assistant", content: [{ type: "text", text: "More." }], stopReason: "stop", usage: usage(2500) });
    assert.equal(story.contextUsage().tokens, 2500);
  });

  it("hands new forms out of entries that were the host's own", () => {
    const { session: story, results } = session();
    const given = story.entries();
    const own = Session.fromEntries(given);
    assert.equal(own.entry(results[0]), given.find(({ id }) => id === results[0]));
    own.pruneToolOutputs(all);
    assert.deepEqual(own.entry(results[0]).message.content, NOTICE);
    assert.equal(story.entry(results[0]).message.content[0].text.length, 4000);
    assert.equal(messageOf(own, own.leafId), given.at(-1).message, "the others are still the host's own");
  });
});

describe("a result that another program pruned", () => {
  it("is handed to a model as its notice alone", () => {
    const image = { type: "image", data: "AAAA", mimeType: "image/png" };
    const result = { role: "toolResult", toolCallId: "c", toolName: "t", content: [...NOTICE, image], isError: false };
    for (const [message, expected] of [
      [{ ...result, prunedAt: 1 }, NOTICE],
      [{ ...result, prunedAt: null }, result.content],
      [result, result.content],
      [{ ...result, content: "[Output truncated - 9 tokens]", prunedAt: 1 }, "[Output truncated - 9 tokens]"],
    ]) {
      const [converted] = convertToLlm([message]);
      assert.deepEqual(converted, { ...message, content: expected });
      assert.equal(converted === message, expected === message.content);
    }
  });
});

describe("when a prune happens", () => {
  const settings = { compaction: { reserveTokens: 100 } };

  it("with a window only over the threshold", () => {
    const { session: story } = session();
    const bytes = story.toJsonl();
    assert.equal(story.pruneToolOutputs({ ...all, settings, contextWindow: 5100 }).prunedCount, 0);
    assert.deepEqual(story.toJsonl(), bytes);
    const off = { compaction: { ...settings.compaction, enabled: false } };
    assert.equal(story.pruneToolOutputs({ ...all, settings: off, contextWindow: 5099 }).prunedCount, 0);
    assert.equal(story.pruneToolOutputs({ ...all, settings, contextWindow: 5099 }).prunedCount, 3);
    assert.equal(story.pruneToolOutputs({ ...all, settings, contextWindow: 5099 }).prunedCount, 0);
  });

  it("in the classic preset whatever the size", () => {
    const { session: story } = session(3, { preset: "classic" });
    assert.equal(story.pruneToolOutputs({ ...all, contextWindow: 1e6 }).prunedCount, 3);
  });

  it("with the defaults not for so little", () => {
    const { session: story } = session();
    assert.equal(story.pruneToolOutputs().prunedCount, 0);
    assert.equal(story.pruneToolOutputs({ settings: { prune: { ...all, protectedTools: ["bash"] } } }).prunedCount, 0);
    // What is said beside the settings goes before what they say.
    assert.equal(story.pruneToolOutputs({ protectedTools: [], settings: { prune: { ...all, protectedTools: ["bash"] } } }).prunedCount, 3);
  });

  it("never with what is no setting", () => {
    const { session: story } = session();
    const bytes = story.toJsonl();
    const thrower = { get mode() { throw new Error("no"); } };
    for (const [config, place] of [
      [{ protectToken: 1 }, "prune.protectToken"],
      [{ protectTokens: -1 }, "prune.protectTokens"],
      [{ minimumSavings: Number.NaN }, "prune.minimumSavings"],
      [{ protectedTools: "read" }, "prune.protectedTools"],
      [{ mode: "erase" }, "prune.mode"],
      [{ settings: { prune: { mode: 1 } } }, "prune.mode"],
      [{ settings: "x" }, "settings"],
      [{ settings, contextWindow: 100 }, "compaction.reserveTokens"],
      ["overlay", "prune"],
      [7, "prune"],
      [[], "prune"],
    ]) {
      throwsCode(() => story.pruneToolOutputs(config), "invalid-settings", place);
    }
    assert.throws(() => story.pruneToolOutputs(thrower), /no/);
    throwsCode(() => story.pruneToolOutputs({ contextWindow: 0 }), "invalid-window", "contextWindow");
    throwsCode(() => story.pruneToolOutputs({ fixedTokens: -1 }), "invalid-argument", "fixedTokens");
    assert.deepEqual(story.toJsonl(), bytes);
  });
});

describe("a prune that is an entry", () => {
  const overlay = { ...all, mode: "overlay" };

  it("leaves the originals in place and shows notices", () => {
    const { session: story, results } = session();
    const [first, second, third] = results;
    const bytes = Buffer.from(story.toJsonl());
    const [original, whole] = [story.entry(first), story.buildSessionContext()];
    assert.deepEqual(story.pruneToolOutputs({ ...overlay, protectTokens: 1 }).prunedIds, [first, second]);
    assert.ok(Buffer.from(story.toJsonl()).subarray(0, bytes.length).equals(bytes));
    const entry = story.entry(story.leafId);
    assert.deepEqual([entry.type, entry.entryIds], ["prune", [first, second]]);
    assert.equal(story.entry(first), original);
    const message = messageOf(story, first);
    assert.deepEqual(message, { ...original.message, content: NOTICE, prunedAt: Date.parse(entry.timestamp) });
    assert.ok(Object.isFrozen(message.content));
    assert.equal(messageOf(story, first), message, "the same object each time");
    assert.equal(messageOf(story, third), story.entry(third).message);
    assert.equal(story.contextUsage().tokens, 5000 - 1984);
    const again = reloaded(story);
    assert.deepEqual(again.buildSessionContext(), story.buildSessionContext());
    assert.equal(again.contextUsage().tokens, 5000 - 1984);
    // From above the prune entry it was never there.
    assert.deepEqual(story.buildSessionContext({ leafId: entry.parentId }), whole);
    assert.equal(story.restoreToolOutputs().restoredCount, 2);
    assert.deepEqual(story.buildSessionContext(), whole);
    assert.equal(messageOf(story, first), original.message);
  });

  it("is taken back for some results, and for nothing nothing is appended", () => {
    const { session: story, results } = session();
    story.pruneToolOutputs(overlay);
    const message = messageOf(story, results[0]);
    assert.deepEqual(story.restoreToolOutputs([results[1]]), { restoredCount: 1, tokensRestored: 992, restoredIds: [results[1]] });
    assert.equal(messageOf(story, results[1]).content[0].text.length, 4000);
    assert.equal(messageOf(story, results[0]), message, "it was hidden all the time");
    const { length } = story;
    assert.deepEqual(story.restoreToolOutputs([results[1]]), { restoredCount: 0, tokensRestored: 0, restoredIds: [] });
    assert.deepEqual(story.restoreToolOutputs([]).restoredIds, []);
    assert.equal(story.length, length);
    throwsCode(() => story.restoreToolOutputs(["nobody"]), "unknown-entry", "restoreToolOutputs");
    throwsCode(() => story.restoreToolOutputs([7]), "unknown-entry", "restoreToolOutputs");
    throwsCode(() => story.restoreToolOutputs("c0"), "invalid-argument", "ids");
    assert.equal(story.length, length);
  });

  it("cannot take back what was rewritten", () => {
    const { session: story } = session();
    story.pruneToolOutputs(all);
    assert.equal(story.restoreToolOutputs().restoredCount, 0);
  });

  it("may be appended by a host, for entries that are there", () => {
    const { session: story, results } = session();
    story.append({ type: "prune", entryIds: [results[1]] });
    assert.deepEqual(messageOf(story, results[1]).content, NOTICE);
    throwsCode(() => story.append({ type: "prune", entryIds: ["nobody"] }), "unknown-entry", "entryIds");
    throwsCode(() => story.append({ type: "prune", entryIds: [1] }), "invalid-entry", "entryIds");
    throwsCode(() => story.append({ type: "prune" }), "invalid-entry", "entryIds");
  });

  it("counts in a preparation and in its requests", async () => {
    const { session: story } = session(4);
    const settings = { compaction: { keepRecentTokens: 1 } };
    const prepare = () => story.prepareCompaction({ settings }).preparation;
    const before = prepare();
    story.pruneToolOutputs(overlay);
    const after = prepare();
    assert.equal(before.tokensBefore - after.tokensBefore, 4 * 992);
    assert.ok(after.requestTokens < before.requestTokens - 1000);
    const prompts = [];
    const summarize = (request) => {
      prompts.push(request.prompt);
      return "Short.";
    };
    assert.equal((await compact(story, { settings, summarize })).status, "committed");
    assert.ok(prompts.every((prompt) => !prompt.includes("wordword")));
    assert.ok(prompts.some((prompt) => prompt.includes(NOTICE[0].text)));
  });

  it("voids a summary that was under way, like a prune that rewrites", async () => {
    for (const mode of ["overlay", "rewrite"]) {
      const { session: story } = session(4);
      const summarize = () => {
        story.pruneToolOutputs({ ...all, mode });
        return "Short.";
      };
      const settings = { compaction: { keepRecentTokens: 1 } };
      const outcome = await compact(story, { settings, summarize });
      assert.deepEqual([outcome.status, outcome.error?.code], ["failed", "stale"], mode);
      assert.ok(story.entries().every(({ type }) => type !== "compaction"));
    }
  });
});

describe("a prune that is only prepared", () => {
  it("answers as the prune does, in both modes and presets, and changes nothing", () => {
    for (const mode of ["rewrite", "overlay"]) {
      for (const preset of ["safe", "classic"]) {
        const { session: story } = session(4, { preset });
        const config = { mode, protectTokens: 1_500, minimumSavings: 1_000 };
        const [bytes, before] = [story.toJsonl(), story.entries()];
        const prepared = story.preparePrune(config);
        assert.equal(prepared.prunedCount, 2);
        assert.deepEqual(story.toJsonl(), bytes);
        assert.deepEqual(story.entries(), before);
        assert.deepEqual(story.pruneToolOutputs(config), prepared, `${mode} ${preset}`);
      }
    }
  });

  it("goes by the threshold where there is a window, and refuses what the prune refuses", () => {
    const { session: story } = session();
    assert.equal(story.preparePrune({ ...all, contextWindow: 200_000 }).prunedCount, 0);
    assert.equal(story.preparePrune({ ...all, contextWindow: 6_000 }).prunedCount, 3);
    throwsCode(() => story.preparePrune({ contextWindow: 0 }), "invalid-window");
    throwsCode(() => story.preparePrune({ protectTokens: -1 }), "invalid-settings");
    throwsCode(() => story.preparePrune(7), "invalid-settings");
  });
});

describe("the tokens of an entry", () => {
  const sum = (session) => session.buildSessionContext().entryIds.reduce((sum, id) => sum + session.entryTokens(id), 0);

  it("are what it adds to the context, also once it is pruned and restored", () => {
    for (const mode of ["rewrite", "overlay"]) {
      const { session: story, results } = session();
      assert.equal(story.entryTokens(results[0]), 1000);
      const before = sum(story);
      const { tokensSaved } = story.pruneToolOutputs({ ...all, mode });
      assert.equal(story.entryTokens(results[0]), 8);
      assert.equal(before - sum(story), tokensSaved, mode);
      if (mode === "rewrite") continue;
      story.branch(results[2]);
      assert.equal(story.entryTokens(results[0]), 1000, "above the prune entry it is whole");
    }
  });

  it("are exact with a tokenizer, and none for what the model never sees", () => {
    const story = Session.create({ tokenizer: "o200k_base" });
    const said = story.appendMessage({ role: "user", content: "Why is the sky blue?" });
    assert.equal(story.entryTokens(said), story.contextUsage().tokens);
    const failed = { role: "assistant", content: [{ type: "text", text: "I think" }], stopReason: "error", errorMessage: "overloaded" };
    assert.equal(story.entryTokens(story.appendMessage(failed)), 0);
    assert.equal(story.entryTokens(story.append({ type: "custom", customType: "x", data: "much ".repeat(99) })), 0);
    throwsCode(() => story.entryTokens("nobody"), "unknown-entry");
  });
});
