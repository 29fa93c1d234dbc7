// The code that the page hands out: it runs as it is, does what its settings say, and holds no key.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Session } from "threadfold";
import { answering, JSON_TYPE, LINES_TYPE } from "./answering.mjs";
import { bundled } from "./bundled.mjs";

const { codeFor, INITIAL, INITIAL_SUMMARIZER } = await bundled("../../tests/www/page-summarizers.ts");
/** Below the workspace, so that the code finds the packages that it imports. */
const folder = await mkdtemp(fileURLToPath(new URL("../../target/www-code-", import.meta.url)));
after(() => rm(folder, { recursive: true, force: true }));
const run = promisify(execFile);

const KEY = "sk-a-secret-key";
const SUMMARY = "## Goal\nKnow what the sky is.";
const KINDS = ["session", "messages", "agent"];

/** Small, so that what the tests hold passes the threshold, and nothing is at its default. */
const SMALL = { ...INITIAL, contextWindow: 24_000, reserveTokens: 4_000, keepRecentTokens: 2_000, fixedTokens: 100, protectTokens: 5_000, minimumSavings: 1_000, tokenizer: "o200k_base", images: "openai" };

const turns = Array.from({ length: 40 }, (_, turn) => [
  { role: "user", content: `Question ${turn}. ${"Why is the sky blue, and not green? ".repeat(70)}` },
  { role: "assistant", content: `Answer ${turn}: it scatters.` },
]).flat();

/** One server for every kind of client. */
const answer = (response, { url }) => {
  if (url === "/summary") return response.writeHead(200, JSON_TYPE).end(JSON.stringify({ summary: SUMMARY }));
  if (url === "/api/chat") return response.writeHead(200, LINES_TYPE).end(`${JSON.stringify({ message: { role: "assistant", content: SUMMARY }, done: true, done_reason: "stop" })}\n`);
  assert.equal(url, "/v1/chat/completions");
  return response.writeHead(200, JSON_TYPE).end(JSON.stringify({ choices: [{ index: 0, message: { role: "assistant", content: SUMMARY }, finish_reason: "stop" }] }));
};

const summarizers = {
  local: () => ({}),
  openai: (origin) => ({ openai: { baseURL: `${origin}/v1/`, model: "m", apiKey: KEY, window: 16_000 } }),
  ollama: (origin) => ({ ollama: { host: origin, model: "m", window: 0 } }),
  browser: () => ({}),
  remote: (origin) => ({ remote: { endpoint: `${origin}/summary`, headerName: "Authorization", headerValue: KEY } }),
};
const settingsOf = (kind, origin) => ({ ...INITIAL_SUMMARIZER, kind, ...summarizers[kind](origin) });

/** What a page has and Node has not: the built-in model, and files beside it. */
const BROWSER = `
import { readFile } from "node:fs/promises";
globalThis.LanguageModel = { create: async () => ({ prompt: async () => ${JSON.stringify(SUMMARY)}, destroy() {} }) };
globalThis.fetch = async (path) => new Response(await readFile(path));
`;

/** Runs code in a folder that holds a session and an array of messages; gives the words of its last line. */
async function ran(name, code) {
  const own = join(folder, name);
  await mkdir(own);
  const session = Session.create();
  for (const { role, content } of turns) session.appendMessage(role === "user" ? { role, content } : { role, content: [{ type: "text", text: content }], stopReason: "stop" });
  await writeFile(join(own, "session.jsonl"), session.toJsonl());
  await writeFile(join(own, "messages.json"), JSON.stringify(turns));
  await writeFile(join(own, "browser.mjs"), BROWSER);
  await writeFile(join(own, "code.mjs"), code);
  const env = { PATH: process.env.PATH, API_KEY: KEY, SUMMARY_KEY: KEY };
  const preloaded = code.includes("LanguageModel") ? ["--import", "./browser.mjs"] : [];
  const { stdout, stderr } = await run(process.execPath, [...preloaded, "code.mjs"], { cwd: own, env });
  assert.equal(stderr, "");
  const saved = Session.fromJsonl(await readFile(join(own, "session.jsonl")));
  return { words: stdout.trim().split("\n").at(-1).split(" "), saved };
}

describe("the code of each kind with each summariser", () => {
  for (const summarizer of Object.keys(summarizers)) {
    for (const kind of KINDS) {
      it(`${kind}, ${summarizer}`, async (t) => {
        const server = await answering(t, answer);
        const code = codeFor(kind, SMALL, settingsOf(summarizer, server.origin));
        assert.ok(!code.includes(KEY), "the key is in the code");
        const { words, saved } = await ran(`${kind}-${summarizer}`, code);
        assert.equal(words[0], kind === "agent" ? "compacted" : "committed", words.join(" "));
        if (kind === "messages") assert.ok(Number(words[2]) < Number(words[1]));
        // A page has nowhere to write to.
        const isSaved = kind !== "messages" && summarizer !== "browser";
        const compaction = saved.entries().find(({ type }) => type === "compaction");
        assert.equal(compaction !== undefined, isSaved);
        const isAsked = ["openai", "ollama", "remote"].includes(summarizer);
        assert.equal(server.asked.length > 0, isAsked);
        if (isAsked && isSaved) assert.ok(compaction.summary.startsWith(SUMMARY));
        if (summarizer !== "ollama" && isAsked) assert.ok(server.asked[0].headers.authorization.endsWith(KEY), "the key comes from the environment");
      });
    }
  }
});

describe("settings in the code", () => {
  const plain = (kind, choices) => codeFor(kind, { ...INITIAL, ...choices }, INITIAL_SUMMARIZER);

  it("are left out where they are what they would be anyway", () => {
    for (const kind of KINDS) assert.ok(!plain(kind, {}).includes("settings"), plain(kind, {}));
    assert.ok(!plain("session", { contextWindow: 40_000, reserveTokens: 10_000, keepRecentTokens: 15_000 }).includes("settings"));
    assert.match(plain("session", { contextWindow: 40_000, reserveTokens: 16_384, keepRecentTokens: 5_000 }), /reserveTokens: 16_384, keepRecentTokens: 5_000/);
  });

  it("stand where they hold", () => {
    assert.match(plain("agent", { minimumSavings: 0 }), /settings: \{ prune: \{ minimumSavings: 0 \} \}/);
    assert.ok(!plain("session", { minimumSavings: 0 }).includes("prune"), "a summary alone prunes nothing");
    assert.match(plain("session", { tokenizer: "cl100k_base", images: "gemini" }), /fromJsonl\(await readFile\("session.jsonl"\), \{ tokenizer: "cl100k_base", images: "gemini" \}\)/);
    assert.match(plain("messages", { tokenizer: "cl100k_base" }), / {2}format: "openai-chat",\n {2}contextWindow: 200_000,\n {2}tokenizer: "cl100k_base",/);
  });

  it("never hold a secret, also not one in an address", () => {
    const openai = { baseURL: "https://me:hunter2@api.example/v1", model: "m", apiKey: KEY, window: 0 };
    for (const kind of KINDS) {
      const code = codeFor(kind, INITIAL, { ...INITIAL_SUMMARIZER, kind: "openai", openai });
      assert.match(code, /baseURL: "https:\/\/api\.example\/v1", apiKey: process\.env\.API_KEY/);
      assert.ok(!/hunter2|sk-a/.test(code));
    }
  });

  it("that were typed are data: nothing breaks out of its string", async () => {
    const model = '"); process.exit(7); ("\u2028';
    const code = codeFor("session", INITIAL, { ...INITIAL_SUMMARIZER, kind: "openai", openai: { baseURL: "https://api.example/v1", model, apiKey: "", window: 0 } });
    // It is never asked: the window is far from full, and all of it fits into what is kept.
    const { words } = await ran("typed", code.replace("await readFile(\"session.jsonl\")", '""').replace("Session.fromJsonl(\"\")", "Session.create()"));
    assert.equal(words[0], "nothing-to-do");
  });
});
