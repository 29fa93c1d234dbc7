// Any endpoint that speaks OpenAI's chat completions.

import OpenAI from "openai";
import { eventsOf, GrowingAnswer, textOf } from "./answer.mjs";

/**
 * @typedef {import("openai").OpenAI.ChatCompletionMessageParam} Param
 * @typedef {import("threadfold").AssistantMessage} AssistantMessage
 */

/** @type {Record<string, NonNullable<AssistantMessage["stopReason"]>>} */
const STOP_REASONS = { stop: "stop", length: "length", tool_calls: "toolUse" };

/**
 * @param {import("./provider.mjs").Endpoint} endpoint
 * @returns {import("./provider.mjs").Provider}
 */
export function openaiProvider({ baseURL, apiKey }) {
  // Retries are the agent's (see retry.mjs): two that wait one inside the other would wait for minutes.
  const client = new OpenAI({ baseURL, apiKey, maxRetries: 0, logLevel: "off" });
  return {
    name: "openai",
    async ask(request, { signal, onText } = {}) {
      const stream = await client.chat.completions.create({ ...toRequest(request), stream: true }, { signal });
      const answer = new GrowingAnswer(onText);
      let finish;
      let usage;
      for await (const chunk of eventsOf(stream, signal)) {
        // The usage comes last, in a chunk that has no choice.
        usage = chunk.usage ?? usage;
        const choice = chunk.choices?.[0];
        finish = choice?.finish_reason ?? finish;
        if (choice?.delta.content) answer.addText(choice.delta.content);
        for (const call of choice?.delta.tool_calls ?? []) {
          if (call.id && call.function?.name) answer.startCall(call.index, call.id, call.function.name);
          if (call.function?.arguments) answer.addArguments(call.index, call.function.arguments);
        }
      }
      return answer.finish({ provider: "openai", model: request.model, usage: usage && toUsage(usage) }, finish, STOP_REASONS);
    },
  };
}

/** @param {import("./provider.mjs").ModelRequest} request */
function toRequest({ model, system, messages, tools, maxTokens }) {
  return {
    model,
    messages: [/** @type {Param} */ ({ role: "system", content: system }), ...messages.map(toParam)],
    // A list of tools may not be empty.
    ...(tools.length === 0 ? {} : { tools: tools.map(toTool) }),
    max_completion_tokens: maxTokens,
    stream_options: { include_usage: true },
  };
}

/** @param {import("./tools.mjs").Tool} tool */
function toTool({ name, description, parameters }) {
  return { type: /** @type {const} */ ("function"), function: { name, description, parameters } };
}

/**
 * @param {import("threadfold").LlmMessage} message
 * @returns {Param}
 */
function toParam(message) {
  switch (message.role) {
    case "user":
      return { role: "user", content: typeof message.content === "string" ? message.content : message.content.map(toPart) };
    case "assistant": {
      const calls = message.content.flatMap((block) => (block.type === "toolCall" ? [toCall(block)] : []));
      return { role: "assistant", content: textOf(message.content) || null, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
    }
    case "toolResult":
      return { role: "tool", tool_call_id: message.toolCallId, content: textOf(message.content) };
  }
}

/** @param {import("threadfold").TextBlock | import("threadfold").ImageBlock} block */
function toPart(block) {
  if (block.type === "text") return { type: /** @type {const} */ ("text"), text: block.text };
  const url = `data:${block.mimeType};base64,${block.data}`;
  return { type: /** @type {const} */ ("image_url"), image_url: { url } };
}

/** @param {import("threadfold").ToolCallBlock} call */
function toCall({ id, name, arguments: given }) {
  return { id, type: /** @type {const} */ ("function"), function: { name, arguments: JSON.stringify(given) } };
}

/**
 * OpenAI counts what its cache served among the input; Threadfold wants the two apart.
 *
 * @param {import("openai").OpenAI.CompletionUsage} usage
 */
function toUsage({ prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details }) {
  const cacheRead = prompt_tokens_details?.cached_tokens ?? 0;
  return { input: prompt_tokens - cacheRead, output: completion_tokens, cacheRead, cacheWrite: 0, totalTokens: total_tokens };
}
