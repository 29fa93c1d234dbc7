// pi's own packages turn an array into a Chat Completions request, which OpenAI's client sends. They
// answer open calls themselves, so the pairs are checked before.

import { convertMessages } from "@mariozechner/pi-ai/openai-completions";
import { convertToLlm } from "@mariozechner/pi-coding-agent";
import { assertLegal } from "../../js/legal-view.mjs";
import { judge as judgeRequest } from "./openai-chat.mjs";

const MODEL = { id: "m", provider: "openai", api: "openai-completions", input: ["text", "image"], reasoning: false };
const COMPAT = { supportsDeveloperRole: true };
/** Turns that failed are never sent. */
const wentWell = ({ stopReason }) => !["error", "aborted"].includes(stopReason);

/** What is wrong with the messages; nothing where pi would send them to a provider. */
export async function judge(messages) {
  let request;
  try {
    const sent = convertToLlm(messages);
    assertLegal({ messages: sent.filter(wentWell), pendingToolCalls: [] }, "the array");
    request = convertMessages(MODEL, { messages: sent }, COMPAT);
  } catch (error) {
    return [`${error.name}: ${error.message}`];
  }
  // Where only hidden messages and turns that failed are left, nothing is sent that could be refused.
  return request.length === 0 ? [] : judgeRequest(request);
}
