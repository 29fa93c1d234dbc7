// Anthropic's client sends an array as a Messages request.

import Anthropic from "@anthropic-ai/sdk";
import { complaints, startLoopback } from "./loopback.mjs";
import { checkAnthropic } from "./wire/anthropic.mjs";

const REPLY = { id: "m", type: "message", role: "assistant", model: "any", content: [{ type: "text", text: "ok" }], stop_reason: "end_turn" };
const baseURL = await startLoopback((body) => checkAnthropic(body?.messages), REPLY);
const client = new Anthropic({ baseURL, apiKey: "any", maxRetries: 0 });

/** What is wrong with the messages; nothing where the API would take them. */
export const judge = (messages) =>
  complaints(() => client.messages.create({ model: "any", max_tokens: 1, messages }), (error) => error.error?.error?.problems);
