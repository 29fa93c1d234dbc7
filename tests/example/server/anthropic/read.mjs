// A well-formed messages request in the server's neutral form, which `openai/read.mjs` describes.

import { asBlocks } from "./check.mjs";

export function readAnthropic(body) {
  return {
    model: body.model,
    stream: body.stream === true,
    wantsUsage: true,
    maxTokens: body.max_tokens,
    caches: JSON.stringify(body).includes('"cache_control"'),
    system: textOf(body.system),
    tools: body.tools ?? [],
    messages: body.messages.map(({ role, content }) => ({ role, parts: asBlocks(content).map(readBlock) })),
  };
}

function readBlock(block) {
  if (block.type === "tool_use") return { type: "call", id: block.id, name: block.name, arguments: block.input };
  if (block.type === "tool_result") return { type: "result", id: block.tool_use_id, text: textOf(block.content) };
  return { type: "text", text: block.text ?? "" };
}

const textOf = (content) => asBlocks(content).map(({ text = "" }) => text).join("\n");
