import { aiSdk } from "./summarize-with/ai-sdk.js";
import { anthropic } from "./summarize-with/anthropic.js";
import { gemini } from "./summarize-with/gemini.js";
import { ollama } from "./summarize-with/ollama.js";
import { openai } from "./summarize-with/openai.js";
import { promptApi } from "./summarize-with/prompt-api.js";

/**
 * Make the `summarize` callback from a client that the host has: it is handed in, and nothing is imported.
 * The signal of the run, the output limit, why the model stopped and what it used are passed on; what the
 * client throws goes to the run as it is, with its status and headers. Wrong options are `invalid-argument`.
 */
export const summarizeWith = { openai, anthropic, aiSdk, gemini, ollama, promptApi } as const;
