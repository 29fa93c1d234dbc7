// The peer for arrays: `trimMessages` of LangChain, which keeps the newest messages that fit.

import { AIMessage, HumanMessage, SystemMessage, ToolMessage, trimMessages } from "@langchain/core/messages";

/**
 * An array of Chat Completions messages as LangChain's own, with what each counts: characters / 4, taken once.
 * The trimmer makes copies, so the lengths go by ids.
 */
export function hold(messages) {
  const held = messages.map((message, place) => ofLangchain(message, `${place}`));
  const lengths = new Map(messages.map((message, place) => [`${place}`, JSON.stringify(message).length]));
  const tokenCounter = (some) => {
    let length = 0;
    for (const { id } of some) length += lengths.get(id);
    return Math.ceil(length / 4);
  };
  return { held, tokenCounter };
}

/** The newest messages of at most so many tokens, from a user's message on, behind the system message. */
export function trim({ held, tokenCounter }, maxTokens) {
  return trimMessages(held, { maxTokens, tokenCounter, strategy: "last", startOn: "human", includeSystem: true });
}

function ofLangchain({ role, content, tool_calls: calls = [], tool_call_id: callId }, id) {
  switch (role) {
    case "system":
      return new SystemMessage({ content, id });
    case "user":
      return new HumanMessage({ content, id });
    case "tool":
      return new ToolMessage({ content, id, tool_call_id: callId });
    default: {
      const toolCalls = calls.map((call) => ({ id: call.id, name: call.function.name, args: JSON.parse(call.function.arguments) }));
      return new AIMessage({ content: content ?? "", id, tool_calls: toolCalls });
    }
  }
}
