// What OpenAI's Chat Completions demands of `messages`. Roles, parts and required fields are those of
// `ChatCompletionMessageParam` in the declarations of the package `openai`; each law names the words the
// API refuses with.

import { Problems } from "../../../example/server/problems.mjs";
import { checkParts, demand, isList, isName, isObject, isText, oneOf, optional } from "./fields.mjs";

const TEXT = { text: { text: isText } };
const ASSISTANT = { ...TEXT, refusal: { refusal: isText } };
const USER = {
  ...TEXT,
  image_url: { image_url: (image) => isName(image?.url) },
  input_audio: { input_audio: (audio) => isText(audio?.data) && isText(audio?.format) },
  file: { file: isObject },
};
const KNOWN = new Set([...Object.keys(USER), ...Object.keys(ASSISTANT)]);
const ROLES = { system: TEXT, developer: TEXT, user: USER, assistant: ASSISTANT, tool: TEXT, function: TEXT };

/** The problems of a list of messages. */
export function checkOpenaiChat(messages) {
  const problems = new Problems();
  // "[] is too short - 'messages'"
  if (!problems.unless(isList(messages) && messages.length > 0, "messages", "is empty")) return problems.list;
  let calls = [];
  let results = [];
  for (const [index, message] of messages.entries()) {
    const place = `messages[${index}]`;
    if (!problems.unless(isObject(message) && Object.hasOwn(ROLES, message.role), place, "has no role that the API knows")) continue;
    demand(message, { name: optional(isName) }, problems, place);
    checkContent(message, problems, place);
    if (message.role === "tool") {
      demand(message, { tool_call_id: isName }, problems, place);
      results.push(message.tool_call_id);
      continue;
    }
    // "An assistant message with 'tool_calls' must be followed by tool messages responding to each
    // 'tool_call_id'", and "messages with role 'tool' must be a response to a preceeding message with
    // 'tool_calls'".
    problems.results(calls, results, place);
    calls = message.role === "assistant" ? checkCalls(message.tool_calls, problems, place) : [];
    results = [];
  }
  problems.results(calls, results, "the end");
  return problems.list;
}

function checkContent({ role, content, ...message }, problems, place) {
  if (content === undefined || content === null) {
    // "Invalid value for 'content': expected a string, got null": it is "required unless `tool_calls` or
    // `function_call` is specified", says the declaration; replies come with a refusal or with audio alone.
    const others = [message.tool_calls, message.function_call, message.refusal, message.audio];
    problems.unless(role === "assistant" && others.some((other) => other !== undefined && other !== null), `${place}.content`, "is missing");
  } else if (isList(content)) {
    // "[] is too short - 'messages.0.content'"
    problems.unless(content.length > 0, `${place}.content`, "is empty");
    checkParts(content, { allowed: ROLES[role], known: KNOWN }, problems, `${place}.content`);
  } else {
    problems.unless(isText(content), `${place}.content`, "is neither text nor a list");
  }
}

/** Gives the ids of the calls. */
function checkCalls(calls, problems, place) {
  if (calls === undefined || calls === null) return [];
  // "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1"
  if (!problems.unless(isList(calls) && calls.length > 0, `${place}.tool_calls`, "is empty")) return [];
  for (const [index, call] of calls.entries()) {
    const here = `${place}.tool_calls[${index}]`;
    if (!problems.unless(isObject(call), here, "is no object")) continue;
    demand(call, { id: isName, type: oneOf("function", "custom") }, problems, here);
    problems.unless(calls.findIndex((other) => other?.id === call.id) === index, here, "repeats an id of its message");
    // The arguments are text, which the model wrote: the API does not ask that it be JSON.
    if (call.type === "custom") demand(call.custom ?? {}, { name: isName, input: isText }, problems, `${here}.custom`);
    else demand(call.function ?? {}, { name: isName, arguments: isText }, problems, `${here}.function`);
  }
  return calls.map((call) => call?.id);
}
