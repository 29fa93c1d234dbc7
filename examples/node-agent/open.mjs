// Puts the agent together: session, companion, provider, loop.

import { mkdir, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { AgentSession, FileStore, Session } from "threadfold";
import { Agent, FIXED_TOKENS } from "./agent.mjs";
import { openProvider } from "./provider.mjs";
import { summarizeWith } from "./summarize.mjs";

/**
 * @typedef {object} OpenOptions
 * @property {"anthropic" | "openai"} provider
 * @property {import("threadfold").Model & { contextWindow: number, maxOutputTokens: number }} model
 * @property {string} folder the folder that the tools may touch; it is made where it is missing
 * @property {string} session the file of the session; its folder is made where it is missing
 * @property {import("threadfold").PartialSettings} [settings]
 * @property {string | undefined} [baseURL]
 * @property {string | undefined} [apiKey]
 * @property {import("threadfold").Sleep} [sleep]
 *
 * @param {OpenOptions} options
 * @param {import("./agent.mjs").Screen} screen
 */
export async function openAgent(options, screen) {
  const { model, settings = {}, baseURL, apiKey, sleep } = options;
  await mkdir(options.folder, { recursive: true });
  const folder = await realpath(options.folder);
  await mkdir(dirname(options.session), { recursive: true });
  const store = new FileStore(options.session);
  const loaded = await store.load();
  const session = loaded ? Session.fromJsonl(loaded.lines) : Session.create({ cwd: folder });
  const provider = openProvider(options.provider, { baseURL, apiKey });
  const companion = new AgentSession({
    session,
    store,
    model,
    settings,
    fixedTokens: FIXED_TOKENS,
    summarize: summarizeWith(provider, model),
    sleep,
  });
  // No result of a tool may fill the window by itself: as many characters as the window has tokens are about a quarter of it.
  const workplace = { folder, longestResult: model.contextWindow };
  const agent = new Agent({ companion, session, provider, model, workplace, screen, sleep });
  return { agent, companion, session };
}
