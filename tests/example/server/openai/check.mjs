// Whether a chat completions request is one that OpenAI takes.

import { isObject, parsed, Problems } from "../problems.mjs";

/** The problems of a request; none where it is well-formed. */
export function checkOpenai(body) {
  const problems = new Problems();
  if (!isObject(body)) return ["the body: is no JSON object"];
  const { model, messages, stream, stream_options } = body;
  const maxTokens = body.max_completion_tokens ?? body.max_tokens;
  if (!problems.frame({ model, messages, maxTokens, stream })) return problems.list;
  problems.unless(stream_options === undefined || stream === true, "stream_options", "is only for streams");
  const tools = checkTools(body.tools, problems);
  let calls = [];
  let results = [];
  for (const [index, message] of messages.entries()) {
    const place = `messages[${index}]`;
    if (message.role === "tool") {
      results.push(message.tool_call_id);
      problems.text(message.content, place);
      continue;
    }
    problems.results(calls, results, place);
    checkOrder(message.role, messages[index - 1]?.role, index, problems, place);
    calls = message.role === "assistant" ? checkAssistant(message, tools, problems, place) : [];
    results = [];
    if (message.role !== "assistant") checkContent(message.content, problems, place);
  }
  problems.results(calls, results, "the end");
  problems.unless(["user", "tool"].includes(messages.at(-1).role), "the end", "leaves nothing to answer");
  return problems.list;
}

function checkTools(tools, problems) {
  if (tools === undefined) return [];
  if (!problems.unless(Array.isArray(tools) && tools.length > 0, "tools", "is no list, or an empty one")) return [];
  return tools.map((tool, index) => {
    const { name, parameters } = tool.function ?? {};
    const place = `tools[${index}]`;
    problems.unless(tool.type === "function" && /^[\w-]{1,64}$/.test(name), place, "is no function with a name");
    problems.unless(parameters?.type === "object", place, "has no schema");
    return name;
  });
}

function checkOrder(role, before, index, problems, place) {
  if (role === "system") return problems.unless(index === 0, place, "is a system message that is not the first");
  problems.unless(["user", "assistant"].includes(role), place, `has the role ${JSON.stringify(role)}`);
  return problems.unless(!(role === "assistant" && before !== "user" && before !== "tool"), place, "is an answer to nothing");
}

/** Gives the ids of its calls. */
function checkAssistant({ content, tool_calls: calls = [] }, tools, problems, place) {
  if (content !== null || calls.length === 0) problems.text(content, place);
  for (const [index, call] of calls.entries()) {
    const { name, arguments: json } = call.function ?? {};
    problems.unless(call.type === "function", `${place}.tool_calls[${index}]`, "is no function call");
    problems.call({ id: call.id, name, given: parsed(json) }, tools, `${place}.tool_calls[${index}]`);
  }
  return calls.map(({ id }) => id);
}

function checkContent(content, problems, place) {
  if (!Array.isArray(content)) return problems.text(content, place);
  problems.unless(content.length > 0, place, "is empty");
  for (const [index, part] of content.entries()) {
    if (part.type === "text") problems.text(part.text, `${place}.content[${index}]`);
    else problems.unless(part.type === "image_url", `${place}.content[${index}]`, `has the type ${part.type}`);
  }
  return undefined;
}
