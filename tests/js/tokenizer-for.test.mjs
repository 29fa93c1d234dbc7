// Which encoding a model has, by the names under which hosts know it. The table is what tiktoken-rs says,
// which a test in Rust holds it to.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { tokenizerFor } from "threadfold";
import { throwsCode } from "./throws.mjs";

const table = readFileSync(new URL("../fixtures/model-encodings.tsv", import.meta.url), "utf8");
const rows = table.split("\n").slice(1, -1).map((line) => line.split("\t"));

describe("tokenizerFor", () => {
  it("says what tiktoken-rs says", () => {
    assert.ok(rows.length > 90);
    const said = rows.map(([name]) => [name, tokenizerFor(name).encoding ?? "-"]);
    assert.deepEqual(said, rows);
  });

  const encodings = {
    o200k_base: [
      ...["openai/gpt-4o", "openai/gpt-5-mini", "azure/gpt-4o-mini", "openrouter/openai/o3-mini", "github/openai/gpt-4.1", "OpenAI/GPT-5"],
      ...[" gpt-4o ", "gpt-4o:extended", "openai/gpt-4o:online", "openai/ft:gpt-4o-mini:acme::id", "gpt-4o-2024-08-06.ft-0123456789abcdef"],
    ],
    o200k_harmony: ["gpt-oss:20b", "gpt-oss", "openai/gpt-oss-120b:free", "openai.gpt-oss-120b-1:0", "accounts/fireworks/models/gpt-oss-20b", "@cf/openai/gpt-oss-120b"],
    cl100k_base: ["azure/gpt-35-turbo", "openai/gpt-4-turbo", "openai/text-embedding-3-small", "ft:gpt-3.5-turbo-0125:acme/team:name:id"],
    r50k_base: ["openai-community/gpt2"],
  };
  for (const [encoding, names] of Object.entries(encodings)) {
    for (const name of names) {
      it(`${name} has ${encoding}`, () => {
        const { encoding: said, estimate } = tokenizerFor(name);
        assert.deepEqual([said, estimate], [encoding, encoding]);
      });
    }
  }

  const images = {
    openai: ["gpt-4o", "azure/gpt-4o", "gpt-4o-2024-08-06", "gpt-4.1", "gpt-4-turbo", "chatgpt-4o-latest", "gpt-4.5-preview", "gpt-6", "o5", "openai/whatever-comes"],
    "openai-gpt-5": ["gpt-5", "openai/gpt-5-chat-latest", "gpt-5.1-codex", "gpt-5.2"],
    "openai-o": ["o1", "o3", "o3-pro-2025-06-10", "openai/o1-pro"],
    "openai-gpt-4o-mini": ["gpt-4o-mini", "ft:gpt-4o-mini-2024-07-18:acme::id"],
    "openai-mini": ["gpt-4.1-mini", "gpt-5-mini", "openai/gpt-5-mini-2025-08-07", "gpt-5.4-mini"],
    "openai-nano": ["gpt-4.1-nano", "gpt-5-nano-2025-08-07"],
    "openai-o4-mini": ["o4-mini", "openai/o4-mini-high"],
    anthropic: ["claude-3-7-sonnet-latest", "claude-sonnet-4-20250514", "claude-opus-4-5", "claude-opus-4.6", "claude-haiku-4-5-20251001"],
    "anthropic-high-resolution": ["claude-opus-4-7", "anthropic/claude-opus-4.7", "us.anthropic.claude-opus-4-8-20270101-v1:0", "claude-sonnet-5"],
    gemini: ["gemini-2.0-flash", "gemini-1.5-pro"],
    "gemini-3": ["gemini-3-pro-preview", "models/gemini-3.1-flash"],
    flat: ["openai/gpt-oss-120b", "llama-4-maverick", "my-deployment"],
  };
  for (const [rule, names] of Object.entries(images)) {
    it(`prices images by the rule ${rule}`, () => {
      for (const name of names) assert.equal(tokenizerFor(name).images, rule, name);
    });
  }

  it("knows every rule for images that there is, and names no other", () => {
    const data = readFileSync(new URL("../../pkg-template/src/data.ts", import.meta.url), "utf8");
    const [, declared] = /export type ImageRule =([^;]*);/.exec(data);
    const known = [...declared.matchAll(/"([^"]+)"/g)].map(([, rule]) => rule);
    // The host alone knows whether its images are sent as text.
    assert.deepEqual(Object.keys(images).sort(), known.filter((rule) => rule !== "base64-as-text").sort());
  });

  const unpublished = {
    anthropic: [
      ...["claude-sonnet-4-5", "claude-3-5-sonnet-20240620", "anthropic/claude-opus-4.1", "openrouter/anthropic/claude-sonnet-4", "claude-3-5-sonnet@20240620"],
      ...["anthropic.claude-3-5-sonnet-20240620-v1:0", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "bedrock/eu.anthropic.claude-sonnet-4-v1:0", "anthropic/next"],
    ],
    gemini: ["gemini-2.5-pro", "models/gemini-2.0-flash", "google/gemini-2.5-flash-lite", "publishers/google/models/gemini-1.5-pro-002", "learnlm-2.0-flash"],
    flat: [
      ...["llama2", "codellama:7b", "mistral-large-latest", "mistralai/Mixtral-8x7B", "deepseek-chat", "deepseek/deepseek-r1", "grok-4", "x-ai/grok-3", "command-r-plus"],
      ...["amazon.nova-pro-v1:0", "gemma3:27b", "google/gemma-2-9b", "moonshotai/kimi-k2", "glm-4.6", "phi4", "", "/", ":", "my-deployment", "constructor"],
    ],
  };
  for (const [images, names] of Object.entries(unpublished)) {
    it(`counts what has no published encoding by script, and images by the rule ${images}`, () => {
      for (const name of names) assert.deepEqual(tokenizerFor(name), { estimate: "by-script", images }, name);
    });
  }

  it("names the encoding from which another was made", () => {
    const names = [
      ...["llama3.1:8b", "meta-llama/Llama-3.3-70B-Instruct", "meta.llama3-1-70b-instruct-v1:0", "llama-v3p1-8b-instruct", "llama-4-maverick"],
      ...["qwen3-coder", "Qwen/Qwen2.5-7B-Instruct", "qwq-32b", "qwen/next"],
    ];
    for (const name of names) assert.deepEqual(tokenizerFor(name), { estimate: "cl100k_base", images: "flat" }, name);
  });

  it("refuses what is no name", () => {
    for (const model of [undefined, null, 7, {}, ["gpt-4o"]]) throwsCode(() => tokenizerFor(model), "invalid-argument", "model: ");
  });
});
