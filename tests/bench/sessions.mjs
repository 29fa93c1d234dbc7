// The sessions that are measured: a real one, and a long path that is made here.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url);
const REAL = new URL("../shared/sessions/pi-v1-before-compaction.jsonl", ROOT);

/** The real session; where it is absent, the generated one. */
export function realSession() {
  if (existsSync(REAL)) return { name: "pi-v1-before-compaction.jsonl", bytes: readFileSync(REAL) };
  const folder = mkdtempSync(join(tmpdir(), "threadfold-bench-"));
  const file = join(folder, "session.jsonl");
  const sample = ["run", "--quiet", "--package", "xtask", "--example", "sample", "--", file];
  execFileSync("cargo", sample, { cwd: fileURLToPath(ROOT), stdio: ["ignore", "ignore", "inherit"] });
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return { name: "the generated sample session, since the real one is absent", bytes };
}

/**
 * A path of version 3 without a branch: turns of a user's message, two calls with their results and
 * an answer. With `compactionBack`, a compaction lies so many entries before the end and keeps the
 * turns right above it.
 */
export function pathOf(length, { compactionBack } = {}) {
  const lines = [{ type: "session", version: 3, id: "bench", timestamp: time(0), cwd: "/work" }];
  for (let index = 0; index < length; index += 1) {
    const at = { id: idOf(index), parentId: index === 0 ? null : idOf(index - 1), timestamp: time(index) };
    if (compactionBack !== undefined && index === length - 1 - compactionBack) {
      const firstKeptEntryId = idOf(index - (index % TURN) - KEPT_TURNS * TURN);
      const details = { readFiles: ["src/a.rs"], modifiedFiles: ["src/b.rs"] };
      lines.push({ type: "compaction", ...at, summary: prose(index, 300), firstKeptEntryId, tokensBefore: 150_000, details });
    } else {
      lines.push({ type: "message", ...at, message: message(index) });
    }
  }
  return new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

const TURN = 5;
const KEPT_TURNS = 4;

/** The message of an entry, by its place in its turn. */
export function message(index) {
  const timestamp = START + index * 1_000;
  const turn = Math.floor(index / TURN);
  const call = (number, name, args) => ({ type: "toolCall", id: `call_${turn}_${number}`, name, arguments: args });
  switch (index % TURN) {
    case 0:
      return { role: "user", content: prose(turn, 120), timestamp };
    case 1:
      return assistant(timestamp, "toolUse", [
        { type: "text", text: prose(turn, 60) },
        call(0, "read", { path: `src/module_${turn % 40}.rs` }),
        call(1, "edit", { path: `src/part_${turn % 7}.rs`, oldText: prose(turn, 40), newText: prose(turn, 50) }),
      ]);
    case 2:
      return result(timestamp, `call_${turn}_0`, "read", prose(turn, 400));
    case 3:
      return result(timestamp, `call_${turn}_1`, "edit", prose(turn, 80));
    default:
      return assistant(timestamp, "stop", [{ type: "text", text: prose(turn, 200) }]);
  }
}

/**
 * A chat as Chat Completions messages, of so many characters of JSON: a user asks and the model answers, each third
 * time with a tool. A message has some 650 characters.
 */
export function chatOf(characters) {
  const messages = [{ role: "system", content: prose(0, 600) }];
  let length = 0;
  for (let turn = 0; length < characters; turn += 1) {
    const id = `call_${turn}`;
    const call = { id, type: "function", function: { name: "read", arguments: JSON.stringify({ path: `src/module_${turn % 40}.rs` }) } };
    const asks = { role: "user", content: prose(turn, 200) };
    const answers = { role: "assistant", content: prose(turn, 1_000) };
    const looksUp = [
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: id, content: prose(turn, 1_500) },
    ];
    const said = turn % 3 === 0 ? [asks, ...looksUp, answers] : [asks, answers];
    messages.push(...said);
    length += JSON.stringify(said).length;
  }
  return messages;
}

function assistant(timestamp, stopReason, content) {
  const usage = { input: 10, output: 120, cacheRead: 40_000, cacheWrite: 500, totalTokens: 40_630 };
  return { role: "assistant", content, provider: "anthropic", model: "claude-opus-4-5", usage, stopReason, timestamp };
}

function result(timestamp, toolCallId, toolName, text) {
  return { role: "toolResult", toolCallId, toolName, content: [{ type: "text", text }], isError: false, timestamp };
}

const START = Date.UTC(2026, 0, 1);
const WORDS = "the harbour plan moves a crane to the berth before low tide and checks each line of cost again".split(" ");

function prose(seed, length) {
  let text = `Step ${seed}:`;
  for (let word = seed; text.length < length; word += 1) text += ` ${WORDS[word % WORDS.length]}`;
  return text;
}

function time(index) {
  return new Date(START + index * 1_000).toISOString();
}

function idOf(index) {
  return (index + 0x1000_0000).toString(16);
}
