// Any endpoint that speaks Anthropic's messages.

import Anthropic from "@anthropic-ai/sdk";
import { eventsOf, GrowingAnswer, textOf } from "./answer.mjs";

/**
 * @typedef {import("@anthropic-ai/sdk").Anthropic.MessageParam} Param
 * @typedef {import("@anthropic-ai/sdk").Anthropic.ContentBlockParam} Block
 * @typedef {import("threadfold").AssistantMessage} AssistantMessage
 */

/** @type {Record<string, NonNullable<AssistantMessage["stopReason"]>>} */
const STOP_REASONS = { end_turn: "stop", stop_sequence: "stop", max_tokens: "length", tool_use: "toolUse" };

/** Up to this block the provider may keep the prompt for the next request, which then costs a tenth. */
const CACHE = { cache_control: { type: /** @type {const} */ ("ephemeral") } };

/**
 * @param {import("./provider.mjs").Endpoint} endpoint
 * @returns {import("./provider.mjs").Provider}
 */
export function anthropicProvider({ baseURL, apiKey }) {
  // Retries are the agent's (see retry.mjs): two that wait one inside the other would wait for minutes.
  const client = new Anthropic({ baseURL, apiKey, maxRetries: 0, logLevel: "off" });
  return {
    name: "anthropic",
    async ask(request, { signal, onText } = {}) {
      const stream = await client.messages.create({ ...toRequest(request), stream: true }, { signal });
      const answer = new GrowingAnswer(onText);
      let counted;
      let written = 0;
      let finish;
      for await (const event of eventsOf(stream, signal)) {
        if (event.type === "message_start") counted = event.message.usage;
        else if (event.type === "content_block_start" && event.content_block.type === "tool_use") {
          answer.startCall(event.index, event.content_block.id, event.content_block.name);
        } else if (event.type === "content_block_delta") {
          if (event.delta.type === "text_delta") answer.addText(event.delta.text);
          if (event.delta.type === "input_json_delta") answer.addArguments(event.index, event.delta.partial_json);
        } else if (event.type === "message_delta") {
          finish = event.delta.stop_reason ?? finish;
          written = event.usage.output_tokens;
        }
      }
      const usage = counted && toUsage(counted, written);
      return answer.finish({ provider: "anthropic", model: request.model, usage }, finish, STOP_REASONS);
    },
  };
}

/** @param {import("./provider.mjs").ModelRequest} request */
function toRequest({ model, system, messages, tools, maxTokens }) {
  return {
    model,
    max_tokens: maxTokens,
    system: [{ type: /** @type {const} */ ("text"), text: system, ...CACHE }],
    messages: withCacheMark(inTurns(messages)),
    ...(tools.length === 0 ? {} : { tools: tools.map(toTool) }),
  };
}

/** @param {import("./tools.mjs").Tool} tool */
function toTool({ name, description, parameters }) {
  return { name, description, input_schema: parameters };
}

/**
 * User and assistant take turns, and the results of tools are the user's: neighbours of one side
 * become one message.
 *
 * @param {readonly import("threadfold").LlmMessage[]} messages
 */
function inTurns(messages) {
  /** @type {{ role: "user" | "assistant", content: Block[] }[]} */
  const turns = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...toBlocks(message));
    else turns.push({ role, content: toBlocks(message) });
  }
  return turns;
}

/**
 * @param {import("threadfold").LlmMessage} message
 * @returns {Block[]}
 */
function toBlocks(message) {
  if (message.role === "toolResult") {
    const { toolCallId, content, isError } = message;
    return [{ type: "tool_result", tool_use_id: toolCallId, content: textOf(content), is_error: isError }];
  }
  if (typeof message.content === "string") return [{ type: "text", text: message.content }];
  return message.content.flatMap(toBlock);
}

/**
 * Reasoning is left out: it may only be sent back unchanged and with its signature.
 *
 * @param {import("threadfold").AssistantMessage["content"][number] | import("threadfold").ImageBlock} block
 * @returns {Block[]}
 */
function toBlock(block) {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: block.text }];
    case "image": {
      const media_type = /** @type {"image/png"} */ (block.mimeType);
      return [{ type: "image", source: { type: "base64", media_type, data: block.data } }];
    }
    case "toolCall":
      return [{ type: "tool_use", id: block.id, name: block.name, input: block.arguments }];
    case "thinking":
      return [];
  }
}

/** Marks the end of the prompt for the cache. @param {{ role: "user" | "assistant", content: Block[] }[]} turns */
function withCacheMark(turns) {
  const block = turns.at(-1)?.content.at(-1);
  if (block !== undefined) Object.assign(block, CACHE);
  return turns;
}

/** @param {import("@anthropic-ai/sdk").Anthropic.Usage} usage @param {number} output */
function toUsage({ input_tokens, cache_read_input_tokens, cache_creation_input_tokens }, output) {
  return { input: input_tokens, output, cacheRead: cache_read_input_tokens ?? 0, cacheWrite: cache_creation_input_tokens ?? 0 };
}
