// A well-formed chat completions request in the server's neutral form.

/**
 * `{ model, stream, maxTokens, caches, system, tools, messages: [{ role: "user" | "assistant", parts }] }`, a
 * part being `{ type: "text", text }`, `{ type: "call", id, name, arguments }` or `{ type: "result", id, text }`.
 */
export function readOpenai(body) {
  const [first] = body.messages;
  const system = first.role === "system" ? first.content : "";
  return {
    model: body.model,
    stream: body.stream === true,
    wantsUsage: body.stream !== true || body.stream_options?.include_usage === true,
    maxTokens: body.max_completion_tokens ?? body.max_tokens,
    caches: true,
    system,
    tools: body.tools ?? [],
    messages: (first.role === "system" ? body.messages.slice(1) : body.messages).map(readMessage),
  };
}

function readMessage({ role, content, tool_calls: calls = [], tool_call_id: id }) {
  if (role === "tool") return { role: "user", parts: [{ type: "result", id, text: content }] };
  const texts = typeof content === "string" ? [content] : (content ?? []).map(({ text = "" }) => text);
  return {
    role,
    parts: [
      ...texts.map((text) => ({ type: "text", text })),
      ...calls.map(({ id, function: { name, arguments: json } }) => ({ type: "call", id, name, arguments: JSON.parse(json) })),
    ],
  };
}
