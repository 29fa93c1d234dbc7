// OpenAI's client sends an array as a Chat Completions request.

import OpenAI from "openai";
import { complaints, startLoopback } from "./loopback.mjs";
import { checkOpenaiChat } from "./wire/openai-chat.mjs";

const REPLY = { id: "c", object: "chat.completion", choices: [{ index: 0, message: { role: "assistant", content: "ok" }, finish_reason: "stop" }] };
const baseURL = await startLoopback((body) => checkOpenaiChat(body?.messages), REPLY);
const client = new OpenAI({ baseURL, apiKey: "any", maxRetries: 0 });

/** What is wrong with the messages; nothing where the API would take them. */
export const judge = (messages) =>
  complaints(() => client.chat.completions.create({ model: "any", messages }), (error) => error.error?.problems);
