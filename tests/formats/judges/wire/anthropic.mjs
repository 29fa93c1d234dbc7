// What Anthropic's Messages API demands of `messages`. Roles, blocks and required fields are those of
// `MessageParam` in the declarations of the package `@anthropic-ai/sdk`; each law names the words the API
// refuses with, or the page that states it.

import { Problems } from "../../../example/server/problems.mjs";
import { checkParts, demand, isAnything, isList, isName, isObject, isText, optional } from "./fields.mjs";

/** "messages: text content blocks must be non-empty", and "must contain non-whitespace text" */
const isSpoken = (text) => isText(text) && text.trim() !== "";
const isSource = (source) => isObject(source) && isName(source.type);
const isContent = (content) => isText(content) || isList(content);

const SHARED = { text: { text: isSpoken } };
const MEDIA = { image: { source: isSource }, document: { source: isSource }, search_result: { content: isList } };
const USER = { ...SHARED, ...MEDIA, tool_result: { tool_use_id: isName, content: optional(isContent) }, container_upload: { file_id: isName } };
const ASSISTANT = {
  ...SHARED,
  // "Thinking blocks must be passed back unmodified", says the declaration, hence with their signature.
  thinking: { thinking: isText, signature: isName },
  redacted_thinking: { data: isName },
  tool_use: { id: isName, name: isName, input: isObject },
  server_tool_use: { id: isName, name: isName, input: isAnything },
  mcp_tool_use: { id: isName, name: isName, input: isAnything },
};
const RESULT = { ...SHARED, ...MEDIA, tool_reference: { tool_name: isName } };
const KNOWN = new Set([USER, ASSISTANT, RESULT].flatMap(Object.keys));
const ROLES = { user: USER, assistant: ASSISTANT, system: SHARED };
const THINKING = ["thinking", "redacted_thinking"];

/** The problems of a list of messages. */
export function checkAnthropic(messages) {
  const problems = new Problems();
  if (!problems.unless(isList(messages) && messages.length > 0, "messages", "is empty")) return problems.list;
  for (const [index, message] of messages.entries()) {
    const place = `messages[${index}]`;
    if (!problems.unless(isObject(message) && Object.hasOwn(ROLES, message.role), place, "has no role that the API knows")) continue;
    checkContent(message, index === messages.length - 1, problems, place);
  }
  checkTurns(turnsOf(messages), problems);
  return problems.list;
}

function checkContent({ role, content }, isLast, problems, place) {
  if (!problems.unless(isContent(content), `${place}.content`, "is neither text nor a list")) return;
  // "messages.1: all messages must have non-empty content except for the optional final assistant message"
  problems.unless(content.length > 0 || (isLast && role === "assistant"), `${place}.content`, "is empty");
  if (isText(content)) return void problems.unless(content === "" || isSpoken(content), `${place}.content`, "is blank");
  checkParts(content, { allowed: ROLES[role], known: KNOWN }, problems, `${place}.content`);
  for (const [index, block] of content.entries()) {
    if (block?.type !== "tool_result" || !isList(block.content)) continue;
    checkParts(block.content, { allowed: RESULT, known: KNOWN }, problems, `${place}.content[${index}].content`);
  }
}

/**
 * The messages as turns: "Consecutive `user` or `assistant` turns in your request will be combined into a
 * single turn", says the declaration of `MessageCreateParams`.
 */
function turnsOf(messages) {
  const turns = [];
  for (const [index, { role, content } = {}] of messages.entries()) {
    const blocks = isList(content) ? content.filter(isObject) : isText(content) ? [{ type: "text", text: content }] : [];
    if (turns.length > 0 && turns.at(-1).role === role) turns.at(-1).blocks.push(...blocks);
    else turns.push({ role, blocks: [...blocks], place: `messages[${index}]` });
  }
  return turns;
}

function checkTurns(turns, problems) {
  // "messages: first message must use the "user" role"
  problems.unless(turns[0].role === "user", turns[0].place, "begins the conversation, and is not the user's");
  const ids = new Set();
  let calls = [];
  for (const [index, { role, blocks, place }] of turns.entries()) {
    const results = blocks.filter(({ type }) => type === "tool_result");
    // "`tool_use` ids were found without `tool_result` blocks immediately after", and "unexpected
    // `tool_use_id` found in `tool_result` blocks […] must have a corresponding `tool_use` block in the
    // previous message".
    problems.results(calls, results.map(({ tool_use_id: id }) => id), place);
    // "Tool result blocks must come first in the content array. Any text must come after all tool
    // results." (page "Handle tool calls")
    problems.unless(blocks.slice(0, results.length).every(({ type }) => type === "tool_result"), place, "has something before a result");
    calls = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
    for (const id of calls) {
      // "messages.3.content.1: `tool_use` ids must be unique"
      problems.unless(!ids.has(id), place, `repeats the id ${id}`);
      ids.add(id);
    }
    if (role === "assistant") checkAssistant(blocks, index === turns.length - 1, problems, place);
  }
  problems.results(calls, [], "the end");
}

function checkAssistant(blocks, isLast, problems, place) {
  // "The final block in an assistant message cannot be `thinking`."
  problems.unless(!THINKING.includes(blocks.at(-1)?.type), place, "ends with thinking");
  const open = new Set();
  for (const block of blocks) {
    if (["server_tool_use", "mcp_tool_use"].includes(block.type)) open.add(block.id);
    if (!block.type?.endsWith("_tool_result")) continue;
    demand(block, { tool_use_id: isName, content: isAnything }, problems, place);
    // The result of a tool that the server ran stands in the same message, behind its call.
    problems.unless(open.delete(block.tool_use_id), place, `has a result for ${block.tool_use_id}, which no call before it awaits`);
  }
  // "`web_search` tool use with id srvtoolu_… was found without a corresponding `web_search_tool_result`
  // block"; at the end the turn may have been paused (page "Handling stop reasons", `pause_turn`).
  problems.unless(open.size === 0 || isLast, place, `has no results for ${[...open].join(", ")}`);
}
