// T25: images in the folded part are named in the summary's request, one by one, and never sent along.

import assert from "node:assert/strict";
import { test } from "node:test";
import { foldMessages, fromSessionMessages } from "threadfold";
import { formats } from "./all.mjs";
import { PNG } from "./random/conversation.mjs";

const IMAGES = 45;

for (const { name: format } of formats) {
  test(`${IMAGES} images of ${format} are told, and their bytes stay`, async () => {
    const said = [];
    for (let number = 1; number <= IMAGES; number += 1) {
      const image = { type: "image", data: PNG, mimeType: "image/png" };
      said.push({ role: "user", content: [{ type: "text", text: `Look at picture ${number}.` }, image], timestamp: number });
      said.push({ role: "assistant", content: [{ type: "text", text: `Picture ${number} shows a crane.` }], stopReason: "stop", timestamp: number });
    }
    const messages = fromSessionMessages(said, format);
    const prompts = [];
    const summarize = ({ kind, prompt }) => {
      if (kind !== "short") prompts.push(prompt);
      return "## Goal\nTo look at pictures.";
    };
    const settings = { compaction: { keepRecentTokens: 100 } };
    const { outcome, messages: folded } = await foldMessages(messages, { format, contextWindow: 1_000_000, settings, summarize, force: true });
    assert.equal(outcome.status, "committed");
    const kept = folded.slice(1).filter(({ role }) => role === "user").length;
    const request = prompts.join("\n");
    assert.ok(!request.includes(PNG.slice(0, 24)), "bytes of an image");
    assert.equal((request.match(/\[image/gi) ?? []).length, IMAGES - kept);
  });
}
