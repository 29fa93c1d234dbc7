// Real files of other tools: the arrays in them are validated, repaired and folded, and transcripts are imported
// and folded. Prints what came of each.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compact, detectFormat, foldMessages, repairMessages, Session, validateMessages } from "threadfold";
import { assertLegal } from "../js/legal-view.mjs";
import { throwsCode } from "../js/throws.mjs";
import { formats } from "./all.mjs";
import { arraysOf, bytesOf, files, skip } from "./real/arrays.mjs";
import { leavingAlone } from "./untouched.mjs";

const judges = new Map(formats.map(({ name, judge }) => [name, judge]));
/** Large enough that nothing but the will of the test starts a fold. */
const WINDOW = 1_000_000;
const SUMMARY = "## Goal\nTo go on.";

/** How the bytes of each image of an array begin: what stands as `data`, or in a data URL. */
const bytesIn = (messages) => [...JSON.stringify(messages).matchAll(/(?:"data":"|;base64,)([A-Za-z0-9+/]{64})/g)].map(([, bytes]) => bytes);

/** Fails where bytes of these messages stand in a request. */
function assertNoBytes(asked, messages) {
  const all = asked.join("\n");
  for (const bytes of bytesIn(messages)) assert.ok(!all.includes(bytes), "bytes of an image in a request");
}

/** How often each stands in a list. */
function counted(list) {
  const counts = new Map();
  for (const name of list) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} ${count}`).join(", ") || "none";
}

/** The vendor's word on an array; pi's package shortens ids to 40 characters, by which two may become one. */
async function complaints(format, messages) {
  return judges.get(format)(format === "pi" ? withShortIds(messages) : messages);
}

function withShortIds(messages) {
  const short = new Map();
  const shorten = (id) => short.get(id) ?? short.set(id, `call_${short.size}`).get(id);
  return messages.map((message) => {
    if (message.role === "toolResult") return { ...message, toolCallId: shorten(message.toolCallId) };
    if (message.role !== "assistant" || !Array.isArray(message.content)) return message;
    return { ...message, content: message.content.map((block) => (block.type === "toolCall" ? { ...block, id: shorten(block.id) } : block)) };
  });
}

/** Folds with whatever keeps about a fifth of it, and gives the result and all that was asked. */
async function fold(messages, format) {
  const asked = [];
  const keepRecentTokens = Math.max(1, Math.floor(JSON.stringify(messages).length / 20));
  const result = await leavingAlone(messages, () =>
    foldMessages(messages, {
      format,
      force: true,
      contextWindow: WINDOW,
      settings: { compaction: { keepRecentTokens } },
      summarize: ({ systemPrompt, prompt }) => (asked.push(systemPrompt, prompt), SUMMARY),
    }),
  );
  const { outcome, messages: folded } = result;
  assert.ok(["committed", "nothing-to-do"].includes(outcome.status), outcome.error?.message);
  assertNoBytes(asked, messages);
  if (outcome.status === "nothing-to-do") {
    assert.equal(folded, messages);
    return outcome.reason;
  }
  const at = folded.findIndex((message) => !messages.includes(message));
  const kept = folded.slice(at + 1);
  assert.ok(at >= 0 && kept.length > 0 && kept.length < messages.length);
  assert.deepEqual(folded.slice(0, at), messages.slice(0, at), "system messages");
  for (const [index, message] of kept.entries()) assert.equal(message, messages[messages.length - kept.length + index]);
  return { folded, told: messages.length - at - kept.length, kept: kept.length };
}

/** Whether an array has messages enough to be judged. */
const says = (messages) => messages.length > 0;

describe("arrays in real files", { skip }, () => {
  for (const name of files) {
    for (const { name: title, format, messages } of arraysOf(name)) {
      test(title, async (t) => {
        const { problems } = validateMessages(messages, format);
        const repaired = await leavingAlone(messages, () => repairMessages(messages, format));
        assert.deepEqual(repaired.problems, [], "what was not healed");
        assert.equal(repaired.messages === messages, problems.length === 0);
        assert.equal(repaired.repairs.length === 0, problems.length === 0);
        for (const message of repaired.messages) if (messages.includes(message)) assert.ok(Object.isFrozen(message));
        if (says(repaired.messages)) assert.deepEqual(await complaints(format, repaired.messages), []);
        // The provider's word and ours agree before the repair, too.
        if (says(messages)) assert.equal((await complaints(format, messages)).length > 0, problems.length > 0);

        const asIs = await fold(messages, format);
        const healed = await fold(repaired.messages, format);
        if (typeof healed !== "string") {
          assert.deepEqual(validateMessages(healed.folded, format).problems, []);
          assert.deepEqual(await complaints(format, healed.folded), []);
        }
        const figures = typeof asIs === "string" ? asIs : `folded ${asIs.told}, kept ${asIs.kept}`;
        const problemsTold = counted(problems.map(({ rule }) => rule));
        const repairsTold = counted(repaired.repairs.map(({ action, rule }) => `${action} ${rule}`));
        t.diagnostic(`${title} | ${format} | ${messages.length} messages | ${figures} | problems: ${problemsTold} | repairs: ${repairsTold}`);
      });
    }
  }

  test("are told by what is in them, or the error says which formats fit", () => {
    for (const { format, messages } of files.flatMap(arraysOf)) {
      if (!says(messages)) continue;
      try {
        assert.equal(detectFormat(messages), format);
      } catch (error) {
        assert.equal(error.code, "ambiguous-format");
        assert.ok(error.message.includes(format), error.message);
      }
    }
  });

  test("of a library that only looks like one of ours are malformed", () => {
    const { messages } = JSON.parse(bytesOf(files.find((file) => file.startsWith("tanstack-"))));
    const { format, problems } = validateMessages(messages);
    assert.equal(format, "ai-sdk-ui");
    assert.ok(problems.length > 0 && problems.every(({ rule }) => rule === "malformed"), JSON.stringify(problems));
  });
});

describe("transcripts in real files", { skip }, () => {
  /** Files of no transcript: a data set of trees, test cases, traces. */
  const others = /^(oasst|omp-fork|langfuse)-/;

  for (const name of files.filter((file) => !others.test(file))) {
    test(name, async (t) => {
      const session = Session.import(bytesOf(name));
      const { format, messages, calls, branches, compactions, images, custom, diagnostics } = session.importReport;
      const before = session.entries();
      assertLegal(session.buildSessionContext(), name);
      const asked = [];
      const settings = { compaction: { keepRecentTokens: 1_000 } };
      const outcome = await compact(session, {
        contextWindow: WINDOW,
        settings,
        summarize: ({ prompt }) => (asked.push(prompt), SUMMARY),
      });
      assert.ok(["committed", "nothing-to-do"].includes(outcome.status), outcome.error?.message);
      assertNoBytes(asked, before);
      assert.deepEqual(session.entries().slice(0, before.length), before, "nothing of it is changed by a fold");
      const context = session.buildSessionContext();
      assertLegal(context, `${name}, folded`);
      const told = outcome.status === "committed" ? `view of ${context.messages.length}` : outcome.reason;
      const kept = Object.entries(custom).map(([type, count]) => `${type} ${count}`).join(", ") || "none";
      t.diagnostic(
        `${name} | ${format} | ${messages} messages | ${calls} calls | ${branches} branches | ${compactions} compactions | ${images} images | ${told} | custom: ${kept} | ${diagnostics.length} diagnostics`,
      );
    });
  }

  for (const name of files.filter((file) => others.test(file))) {
    test(`${name} is none`, () => throwsCode(() => Session.import(bytesOf(name)), "unsupported-format"));
  }
});
