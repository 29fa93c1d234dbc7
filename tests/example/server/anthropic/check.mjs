// Whether a messages request is one that Anthropic takes.

import { isObject, Problems } from "../problems.mjs";

/** The problems of a request; none where it is well-formed. */
export function checkAnthropic(body) {
  const problems = new Problems();
  if (!isObject(body)) return ["the body: is no JSON object"];
  const { model, messages, max_tokens: maxTokens, stream, system } = body;
  if (!problems.frame({ model, messages, maxTokens, stream })) return problems.list;
  if (system !== undefined) for (const [index, block] of asBlocks(system).entries()) problems.text(block.text, `system[${index}]`);
  const tools = checkTools(body.tools, problems);
  let calls = [];
  for (const [index, message] of messages.entries()) {
    const place = `messages[${index}]`;
    // Newer endpoints join neighbours of one role; older ones and other vendors' refuse them.
    problems.unless(message.role === (index % 2 === 0 ? "user" : "assistant"), place, `is out of turn with the role ${JSON.stringify(message.role)}`);
    const blocks = asBlocks(message.content);
    problems.unless(blocks.length > 0, place, "is empty");
    checkResults(blocks, calls, problems, place);
    calls = [];
    for (const [number, block] of blocks.entries()) {
      const id = checkBlock(block, message.role, tools, problems, `${place}.content[${number}]`);
      if (id !== undefined) calls.push(id);
    }
  }
  problems.results(calls, [], "the end");
  problems.unless(messages.at(-1).role === "user", "the end", "leaves nothing to answer");
  return problems.list;
}

/** A text stands for one block. */
export const asBlocks = (content) => (typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []));

function checkTools(tools, problems) {
  if (tools === undefined) return [];
  if (!problems.unless(Array.isArray(tools), "tools", "is no list")) return [];
  return tools.map(({ name, input_schema: schema }, index) => {
    problems.unless(/^[\w-]{1,128}$/.test(name), `tools[${index}]`, "has no usable name");
    problems.unless(schema?.type === "object", `tools[${index}]`, "has no schema");
    return name;
  });
}

/** The results stand at the start of the message behind their calls. */
function checkResults(blocks, calls, problems, place) {
  const results = blocks.filter(({ type }) => type === "tool_result");
  problems.results(calls, results.map(({ tool_use_id: id }) => id), place);
  const first = blocks.findIndex(({ type }) => type !== "tool_result");
  problems.unless(first < 0 || first >= results.length, place, "has something before a result");
}

/** Gives the id of a call. */
function checkBlock(block, role, tools, problems, place) {
  switch (block.type) {
    case "text":
      problems.text(block.text, place);
      return undefined;
    case "image":
      problems.unless(role === "user", place, "is an image of the assistant's");
      return undefined;
    case "tool_result": {
      problems.unless(role === "user", place, "is a result of the assistant's");
      for (const { text } of asBlocks(block.content)) problems.text(text, place);
      return undefined;
    }
    case "tool_use":
      problems.unless(role === "assistant", place, "is a call of the user's");
      problems.call({ id: block.id, name: block.name, given: block.input }, tools, place);
      return block.id;
    default:
      problems.unless(false, place, `has the type ${JSON.stringify(block.type)}`);
      return undefined;
  }
}
