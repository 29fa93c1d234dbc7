// What the agent needs of a provider, and the choice of one.

import { anthropicProvider } from "./anthropic.mjs";
import { openaiProvider } from "./openai.mjs";

/**
 * A request in Threadfold's words.
 *
 * @typedef {object} ModelRequest
 * @property {string} model the provider's id of the model
 * @property {string} system
 * @property {readonly import("threadfold").LlmMessage[]} messages
 * @property {readonly import("./tools.mjs").Tool[]} tools
 * @property {number} maxTokens the most output, in tokens
 *
 * @typedef {object} AskOptions
 * @property {AbortSignal} [signal]
 * @property {(text: string) => void} [onText] called with each piece of text as it streams in
 *
 * @typedef {object} Provider
 * @property {string} name
 * @property {(request: ModelRequest, options?: AskOptions) => Promise<import("threadfold").AssistantMessage>} ask
 *   Sends one request and gives the whole answer. Rejects with the error of the vendor's package, its
 *   `status` and `headers` untouched; that is what retries and the recovery from an overflow go by.
 *
 * @typedef {object} Endpoint
 * @property {string} [baseURL] default: the vendor's own
 * @property {string} [apiKey] default: from the environment
 */

const PROVIDERS = { anthropic: anthropicProvider, openai: openaiProvider };

export const PROVIDER_NAMES = /** @type {(keyof typeof PROVIDERS)[]} */ (Object.keys(PROVIDERS));

/**
 * @param {keyof typeof PROVIDERS} name @param {Endpoint} [endpoint]
 * @returns {Provider}
 */
export function openProvider(name, endpoint = {}) {
  return PROVIDERS[name](endpoint);
}
