// Answers and errors in Anthropic's words.

import { pieces, sendEvents, sendJson } from "../sse.mjs";

/** Sends a reply, `{ text, calls }`, in the way the request asked for. */
export function sendAnthropicReply(response, { request, reply, id, usage: counted, fault }) {
  const stop_reason = reply.cutOff ? "max_tokens" : reply.calls.length > 0 ? "tool_use" : "end_turn";
  const usage = {
    input_tokens: counted.input - counted.cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: counted.cached,
    output_tokens: counted.output,
  };
  const frame = { id: `msg_${id}`, type: "message", role: "assistant", model: request.model };
  const blocks = [
    ...(reply.text === "" ? [] : [{ type: "text", text: reply.text }]),
    ...reply.calls.map(({ id, name, arguments: input }) => ({ type: "tool_use", id, name, input })),
  ];
  if (!request.stream) {
    return sendJson(response, 200, { ...frame, content: blocks, stop_reason, stop_sequence: null, usage }, { fault });
  }
  const event = (type, fields = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const events = [
    event("message_start", { message: { ...frame, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } } }),
    event("ping"),
    ...blocks.flatMap((block, index) => [
      event("content_block_start", { index, content_block: emptied(block) }),
      ...deltasOf(block).map((delta) => event("content_block_delta", { index, delta })),
      event("content_block_stop", { index }),
    ]),
    event("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: counted.output } }),
    event("message_stop"),
  ];
  return sendEvents(response, events, fault);
}

const emptied = (block) => (block.type === "text" ? { ...block, text: "" } : { ...block, input: {} });

function deltasOf(block) {
  if (block.type === "text") return pieces(block.text).map((text) => ({ type: "text_delta", text }));
  return pieces(JSON.stringify(block.input)).map((partial_json) => ({ type: "input_json_delta", partial_json }));
}

const error = (type, message) => ({ type: "error", error: { type, message }, request_id: "req_test" });

/** What Anthropic says when it does not answer. */
export const ANTHROPIC_REFUSALS = {
  "too-long": ({ input, maxTokens, window }) => ({
    status: 400,
    body: error(
      "invalid_request_error",
      input > window
        ? `prompt is too long: ${input} tokens > ${window} maximum`
        : `input length and \`max_tokens\` exceed context limit: ${input} + ${maxTokens} > ${window}, decrease input length or \`max_tokens\` and try again`,
    ),
  }),
  "rate-limit": ({ retryAfter }) => ({
    status: 429,
    headers: { "retry-after": String(retryAfter) },
    body: error("rate_limit_error", "This request would exceed your organization's rate limit of 30,000 input tokens per minute. Please reduce the prompt length or the maximum tokens requested, or try again later."),
  }),
  overloaded: () => ({ status: 529, body: error("overloaded_error", "Overloaded") }),
  invalid: ({ problems }) => ({ status: 400, body: error("invalid_request_error", problems.join("; ")) }),
  "wrong-key": () => ({ status: 401, body: error("authentication_error", "invalid x-api-key") }),
};
