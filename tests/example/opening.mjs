// Opens the example's agent on the local provider.

import { join } from "node:path";
import { openAgent } from "../../examples/node-agent/open.mjs";
import { WINDOW } from "./setting.mjs";

/** Opens the example's agent on a session file in the folder. Nothing waits in real time. */
export async function openOn(provider, protocol, folder, options = {}) {
  const notices = [];
  const screen = { text() {}, call() {}, notice: (text) => notices.push(text), ...options.screen };
  const parts = await openAgent(
    {
      provider: protocol,
      baseURL: provider.baseURL[protocol],
      apiKey: "a-key",
      model: { provider: protocol, id: "m", contextWindow: WINDOW, maxOutputTokens: 2_000 },
      folder: join(folder, "work"),
      session: join(folder, "session.jsonl"),
      sleep: async () => {},
      settings: options.settings,
    },
    screen,
  );
  return { ...parts, notices };
}
