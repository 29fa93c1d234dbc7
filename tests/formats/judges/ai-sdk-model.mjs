// Vercel's `generateText` takes an array: it checks the message schemas, carries out what was approved, and
// finds calls without a result. What it would hand to a provider is then held to the rule of pairs that
// providers have, as OpenAI states it. Majors 5 and 6.

import * as five from "ai-5";
import { MockLanguageModelV2 } from "ai-5/test";
import * as six from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { checkOpenaiChat } from "./wire/openai-chat.mjs";

/** Links are for the provider to fetch. */
const supportedUrls = { "*/*": [/^https?:/] };
const WORDS = { content: [{ type: "text", text: "ok" }], warnings: [] };
const SIX = {
  name: "ai 6",
  ai: six,
  model: new MockLanguageModelV3({ supportedUrls, doGenerate: answer({ ...WORDS, finishReason: { unified: "stop" }, usage: { inputTokens: {}, outputTokens: {} } }) }),
};
const FIVE = { name: "ai 5", ai: five, model: new MockLanguageModelV2({ supportedUrls, doGenerate: answer({ ...WORDS, finishReason: "stop", usage: {} }) }) };

/** What is wrong with the messages; nothing where each major that knows their parts takes them. */
export async function judge(messages) {
  const majors = isOfMajor5(messages) ? [judgeBy6, judgeBy5] : [judgeBy6];
  return (await Promise.all(majors.map((judgeBy) => judgeBy(messages)))).flat();
}

export const judgeBy6 = (messages) => complaintsOf(SIX, messages);
export const judgeBy5 = (messages) => complaintsOf(FIVE, messages);

async function complaintsOf({ name, ai, model }, messages) {
  try {
    await ai.generateText({ model, messages, tools: toolsOf(messages, ai), allowSystemInMessages: true, maxRetries: 0 });
    return [];
  } catch (error) {
    return [toldBy(name, error)];
  }
}

/** An error in a line; schemas tell every way in which a value does not fit. */
export const toldBy = (name, error) => `${name}: ${error.name}: ${error.message.slice(0, 400)}`;

/** Each tool that is called, so that an approved call can be carried out. */
function toolsOf(messages, { jsonSchema }) {
  const names = partsOf(messages).filter(({ type }) => type === "tool-call").map(({ toolName }) => toolName);
  const tool = { inputSchema: jsonSchema({}), needsApproval: true, execute: async () => "done" };
  return Object.fromEntries(names.map((name) => [name, tool]));
}

/** Whether the array uses nothing that came with major 6: approvals, denials, more kinds of results. */
function isOfMajor5(messages) {
  return partsOf(messages).every(({ type, output }) => {
    if (["tool-approval-request", "tool-approval-response"].includes(type) || output?.type === "execution-denied") return false;
    return output?.type !== "content" || !Array.isArray(output.value) || output.value.every((part) => ["text", "media"].includes(part?.type));
  });
}

const partsOf = (messages) =>
  messages.flatMap((message) => (Array.isArray(message?.content) ? message.content : [])).filter((part) => typeof part === "object" && part !== null);

/** A model that answers what a provider would take. */
function answer(reply) {
  return async ({ prompt }) => {
    const problems = checkOpenaiChat(joined(prompt).flatMap(asChat));
    if (problems.length > 0) throw Object.assign(new Error(problems.join("; ")), { name: "Refused" });
    return reply;
  };
}

/** Some providers join neighbours that are the assistant's, so that no provider's rule is broken between them. */
function joined(prompt) {
  const messages = [];
  for (const message of prompt) {
    const before = messages.at(-1);
    if (message.role === "assistant" && before?.role === "assistant") before.content.push(...message.content);
    else messages.push({ ...message, content: Array.isArray(message.content) ? [...message.content] : message.content });
  }
  return messages;
}

/** A message of a prompt as Chat Completions would get it, as far as pairs and emptiness go. */
function asChat({ role, content }) {
  if (role === "system") return { role, content };
  if (role === "user") return { role, content: content.map(({ text }) => ({ type: "text", text: text ?? "a file" })) };
  if (role === "tool") {
    return content.filter(({ type }) => type === "tool-result").map(({ toolCallId }) => ({ role, tool_call_id: toolCallId, content: "a result" }));
  }
  const calls = content.filter(({ type, providerExecuted }) => type === "tool-call" && !providerExecuted);
  const tool_calls = calls.map(({ toolCallId, toolName }) => ({ id: toolCallId, type: "function", function: { name: toolName, arguments: "{}" } }));
  return { role, content: "what it said", tool_calls: tool_calls.length > 0 ? tool_calls : undefined };
}
