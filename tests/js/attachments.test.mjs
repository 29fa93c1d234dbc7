// PDFs, recordings and images in arrays of messages: what they count in a fold, by whose rule, in every format
// and however long they are. How a file is read is held in Rust.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { foldMessages, pruneMessages, Session, toSessionMessages } from "threadfold";
import { rejectsCode, throwsCode } from "./throws.mjs";

const PAGES = 40;
/** A page by the rules `gemini` and `gemini-3`. */
const PAGE = { gemini: 258, "gemini-3": 560 };

/** A PDF with its tree of pages at the end, behind so many bytes of pictures. */
function pdf(bytes) {
  const picture = Buffer.alloc(bytes, 0x80);
  return Buffer.concat([Buffer.from("%PDF-1.7\n"), picture, Buffer.from(`\n2 0 obj\n<</Type /Pages /Kids [] /Count ${PAGES}>>\nendobj\ntrailer\n`)]);
}

const small = pdf(4_000).toString("base64");
const large = pdf(900_001).toString("base64");

/** A message of each format with a PDF. */
const messages = {
  anthropic: (data) => ({ role: "user", content: [{ type: "document", source: { type: "base64", media_type: "application/pdf", data } }] }),
  "openai-chat": (data) => ({ role: "user", content: [{ type: "file", file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${data}` } }] }),
  "openai-responses": (data) => ({ role: "user", content: [{ type: "input_file", filename: "a.pdf", file_data: `data:application/pdf;base64,${data}` }] }),
  gemini: (data) => ({ role: "user", parts: [{ inlineData: { mimeType: "application/pdf", data } }] }),
  "ai-sdk-model": (data) => ({ role: "user", content: [{ type: "file", mediaType: "application/pdf", data }] }),
  "ai-sdk-ui": (data) => ({ id: "m", role: "user", parts: [{ type: "file", mediaType: "application/pdf", url: `data:application/pdf;base64,${data}` }] }),
  pi: (data) => ({ role: "user", content: [{ type: "document", source: { type: "base64", media_type: "application/pdf", data } }] }),
};

/** What a message counts in a fold, to the nearest hundred. */
async function tokensOf(message, format, options) {
  const { outcome } = await foldMessages([message], { format, summarize: "local", force: true, ...options });
  return Math.round(outcome.tokensBefore / 100) * 100;
}

describe("files in arrays of messages", () => {
  for (const [format, message] of Object.entries(messages)) {
    it(`count their pages in ${format}, however long they are`, async () => {
      for (const data of [small, large]) {
        for (const [images, page] of Object.entries(PAGE)) {
          assert.equal(await tokensOf(message(data), format, { images }), Math.round((PAGES * page) / 100) * 100, images);
        }
        assert.equal(await tokensOf(message(data), format, { images: "base64-as-text" }), Math.round(data.length / 100) * 100);
      }
    });
  }

  it("count the same as bytes", async () => {
    for (const data of [small, large]) {
      const bytes = new Uint8Array(Buffer.from(data, "base64"));
      const count = (given, images) => tokensOf(messages["ai-sdk-model"](given), "ai-sdk-model", { images });
      for (const images of ["gemini", "base64-as-text"]) assert.equal(await count(bytes, images), await count(data, images), images);
    }
  });

  it("count with a tokenizer as without", async () => {
    const [counted, estimated] = [{ tokenizer: "o200k_base" }, {}].map((more) => tokensOf(messages.anthropic(small), "anthropic", { images: "gemini", ...more }));
    assert.equal(await counted, await estimated);
  });

  it("count in sessions, alone and beside the text that stands for them", () => {
    const size = (given) => {
      const session = Session.create({ images: "gemini" });
      session.appendMessage(given);
      return Math.round(session.contextUsage().tokens / 100) * 100;
    };
    const expected = Math.round((PAGES * PAGE.gemini) / 100) * 100;
    assert.equal(size(messages.pi(large)), expected);
    for (const [format, message] of Object.entries(messages)) {
      const [said] = toSessionMessages([message(large)], format);
      assert.equal(size(said), expected, format);
    }
  });

  it("go through a fold untouched", async () => {
    const kept = messages.anthropic(small);
    const chat = [...Array.from({ length: 20 }, (_, at) => ({ role: at % 2 === 0 ? "user" : "assistant", content: "Why? ".repeat(300) })), kept];
    const before = JSON.stringify(chat);
    const settings = { compaction: { keepRecentTokens: 100 } };
    const { messages: folded } = await foldMessages(chat, { format: "anthropic", summarize: "local", force: true, settings });
    assert.equal(folded.at(-1), kept);
    assert.equal(JSON.stringify(chat), before);
  });
});

describe("the rule for images of arrays of messages", () => {
  const header = Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), Buffer.from([0, 0, 3, 32, 0, 0, 2, 88, 8, 6, 0, 0, 0])]).toString("base64");
  const image = { type: "image_url", image_url: { url: `data:image/png;base64,${header}` } };

  it("is that of the option, in system messages, too", async () => {
    const chat = [{ role: "user", content: [image] }];
    const size = async (images) => (await foldMessages(chat, { format: "openai-chat", summarize: "local", force: true, images })).outcome.tokensBefore;
    // 800 by 600 pixels.
    assert.deepEqual(await Promise.all(["openai", "gemini-3", "flat", undefined].map(size)), [765, 1_120, 1_200, 638]);
  });

  it("holds when outputs are pruned", () => {
    const output = { type: "tool-result", toolCallId: "c", toolName: "show", output: { type: "content", value: [{ type: "media", data: header, mediaType: "image/png" }] } };
    const call = { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "show", input: {} }] };
    const chat = [{ role: "user", content: "Go." }, call, { role: "tool", content: [output] }, { role: "user", content: "On." }];
    const settings = { prune: { protectTokens: 0, minimumSavings: 0, protectedTools: [] } };
    const saved = (images) => pruneMessages(chat, { format: "ai-sdk-model", settings, images }).tokensSaved;
    assert.equal(saved("flat") - saved("openai"), 1_200 - 765);
  });

  it("is refused where it is none", async () => {
    const chat = [{ role: "user", content: "Go." }];
    await rejectsCode(foldMessages(chat, { format: "openai-chat", images: "claude" }), "invalid-argument", '"claude"');
    throwsCode(() => pruneMessages(chat, { format: "openai-chat", images: 7 }), "invalid-argument", "images");
  });
});
