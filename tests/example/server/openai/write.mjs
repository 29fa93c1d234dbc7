// Answers and errors in OpenAI's words.

import { pieces, sendEvents, sendJson } from "../sse.mjs";

/** Sends a reply, `{ text, calls }`, in the way the request asked for. */
export function sendOpenaiReply(response, { request, reply, id, usage: counted, fault }) {
  const finish = reply.cutOff ? "length" : reply.calls.length > 0 ? "tool_calls" : "stop";
  const usage = {
    prompt_tokens: counted.input,
    completion_tokens: counted.output,
    total_tokens: counted.input + counted.output,
    prompt_tokens_details: { cached_tokens: counted.cached },
  };
  const frame = { id: `chatcmpl-${id}`, created: 1_760_000_000, model: request.model };
  if (!request.stream) {
    const message = { role: "assistant", content: reply.text || null, refusal: null, ...callsOf(reply.calls) };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: finish }];
    return sendJson(response, 200, { ...frame, object: "chat.completion", choices, usage }, { fault });
  }
  const chunk = (choices, more = {}) => `data: ${JSON.stringify({ ...frame, object: "chat.completion.chunk", choices, ...more })}\n\n`;
  const delta = (delta, finish_reason = null) => chunk([{ index: 0, delta, logprobs: null, finish_reason }]);
  const events = [
    delta({ role: "assistant", content: "" }),
    ...pieces(reply.text).map((content) => delta({ content })),
    ...reply.calls.flatMap((call, index) => callEvents(call, index).map((part) => delta({ tool_calls: [part] }))),
    delta({}, finish),
    ...(request.wantsUsage ? [chunk([], { usage })] : []),
    "data: [DONE]\n\n",
  ];
  return sendEvents(response, events, fault);
}

function callsOf(calls) {
  if (calls.length === 0) return {};
  return { tool_calls: calls.map(({ id, name, arguments: given }) => ({ id, type: "function", function: { name, arguments: JSON.stringify(given) } })) };
}

/** The first piece of a call names it, the others bring its arguments. */
function callEvents({ id, name, arguments: given }, index) {
  return [
    { index, id, type: "function", function: { name, arguments: "" } },
    ...pieces(JSON.stringify(given)).map((json) => ({ index, function: { arguments: json } })),
  ];
}

const error = (message, type, code, param = null) => ({ error: { message, type, param, code } });

/** What OpenAI says when it does not answer. */
export const OPENAI_REFUSALS = {
  "too-long": ({ input, maxTokens, window, toolTokens }) => {
    const withTools = `${input} tokens (${input - toolTokens} in the messages, ${toolTokens} in the functions). Please reduce the length of the messages or functions.`;
    const without = `${input} tokens. Please reduce the length of the messages.`;
    const withOutput = `${input + maxTokens} tokens (${input} in the messages, ${maxTokens} in the completion). Please reduce the length of the messages or completion.`;
    const found = input > window ? `your messages resulted in ${toolTokens > 0 ? withTools : without}` : `you requested ${withOutput}`;
    const message = `This model's maximum context length is ${window} tokens. However, ${found}`;
    return { status: 400, body: error(message, "invalid_request_error", "context_length_exceeded", "messages") };
  },
  "rate-limit": ({ model, retryAfter, input }) => ({
    status: 429,
    headers: { "retry-after": String(retryAfter) },
    body: error(
      `Rate limit reached for ${model} in organization org-test on tokens per min (TPM): Limit 30000, Used ${30_000 - input + 900}, Requested ${input}. Please try again in ${retryAfter}s. Visit https://platform.openai.com/account/rate-limits to learn more.`,
      "tokens",
      "rate_limit_exceeded",
    ),
  }),
  overloaded: () => ({
    status: 503,
    body: error("The engine is currently overloaded, please try again later", "server_error", "service_unavailable"),
  }),
  invalid: ({ problems }) => ({ status: 400, body: error(problems.join("; "), "invalid_request_error", null, "messages") }),
  "wrong-key": () => ({ status: 401, body: error("Incorrect API key provided.", "invalid_request_error", "invalid_api_key") }),
};
