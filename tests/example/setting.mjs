// The setting of the tests: the local provider with the scripted model, folders, messages.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProvider } from "./server/start.mjs";
import { aboutRequest, reply } from "./story/model.mjs";

export const PROTOCOLS = /** @type {const} */ (["openai", "anthropic"]);

export const WINDOW = 16_000;

/** Starts the local provider with the scripted model. */
export const startStory = (options = {}) => startProvider({ window: WINDOW, model: reply, about: aboutRequest, ...options });

/** Starts a provider for a test, and stops it afterwards. @param {import("node:test").TestContext} test */
export async function provide(test, options = {}) {
  const provider = await startStory(options);
  test.after(() => provider.stop());
  return provider;
}

/** A folder for a test, removed afterwards. @param {import("node:test").TestContext} test */
export async function scratch(test) {
  const folder = await mkdtemp(join(tmpdir(), "threadfold-example-"));
  test.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A list of messages of a session as Threadfold names them. */
export const user = (content) => ({ role: "user", content });
export const assistant = (text, ...calls) => ({
  role: "assistant",
  content: [...(text === "" ? [] : [{ type: "text", text }]), ...calls.map(([id, name, given]) => ({ type: "toolCall", id, name, arguments: given }))],
  stopReason: calls.length === 0 ? "stop" : "toolUse",
});
export const result = (toolCallId, text, isError = false) => ({ role: "toolResult", toolCallId, toolName: "read", content: [{ type: "text", text }], isError });
