// OpenAI's client sends an array as the input of a Responses request.

import OpenAI from "openai";
import { complaints, startLoopback } from "./loopback.mjs";
import { checkOpenaiResponses } from "./wire/openai-responses.mjs";

const REPLY = { id: "r", object: "response", status: "completed", output: [] };
const baseURL = await startLoopback((body) => checkOpenaiResponses(body?.input), REPLY);
const client = new OpenAI({ baseURL, apiKey: "any", maxRetries: 0 });

/** What is wrong with the items; nothing where the API would take them. */
export const judge = (input) => complaints(() => client.responses.create({ model: "any", input }), (error) => error.error?.problems);
