// Vercel's own checks of UI messages, then what it makes of them for a model. Majors 5 and 6.

import * as five from "ai-5";
import * as six from "ai";
import { judgeBy5, judgeBy6, toldBy } from "./ai-sdk-model.mjs";

/** What is wrong with the messages; nothing where each major that knows their parts takes them. */
export async function judge(messages) {
  const lists = [await complaintsOf("ai 6", six, judgeBy6, messages)];
  if (isOfMajor5(messages)) lists.push(await complaintsOf("ai 5", five, judgeBy5, messages));
  return lists.flat();
}

async function complaintsOf(name, ai, judgeConverted, messages) {
  try {
    const checked = await ai.safeValidateUIMessages({ messages });
    if (!checked.success) return [toldBy(name, checked.error)];
    return await judgeConverted(await ai.convertToModelMessages(checked.data));
  } catch (error) {
    return [toldBy(name, error)];
  }
}

/** Whether the array uses nothing that came with major 6: approvals and denials. */
const isOfMajor5 = (messages) =>
  messages.flatMap((message) => (Array.isArray(message?.parts) ? message.parts : [])).every((part) => part?.approval === undefined && part?.state !== "output-denied");
