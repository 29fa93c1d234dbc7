import type { ImageRule } from "./data.js";
import type { ImageBlock, LlmMessage, Message, TextBlock, ToolResultMessage } from "./entry.js";
import { checkOptions, guard, refuse } from "./guard.js";
import { toWellFormedJson } from "./json.js";
import { checkImages } from "./loading.js";
import type { Preset } from "./state.js";

/**
 * Messages of a session as a model takes them: user, assistant and tool results are handed on as the
 * same objects, the others become user messages, and what the model must not see is left out.
 */
export function convertToLlm(messages: readonly Message[]): LlmMessage[] {
  if (!Array.isArray(messages)) refuse("messages", messages, "an array of messages");
  return (messages as readonly Message[]).flatMap((message, index) => convert(message, `messages[${index}]`));
}

function convert(message: Message, place: string): LlmMessage[] {
  const role = message?.role;
  if (role === "user" || role === "assistant") return [message];
  if (role === "toolResult") return [withoutPrunedBlocks(message)];
  const json = toWellFormedJson(message, place);
  const [kind, text = ""] = guard((glue) => glue.convertMessage(json));
  const { timestamp } = message;
  const user = (content: Exclude<Extract<LlmMessage, { role: "user" }>["content"], string>): LlmMessage[] => [
    { role: "user", content, ...(timestamp === undefined ? {} : { timestamp }) },
  ];
  switch (kind) {
    case "text":
      return user([{ type: "text", text }]);
    case "content": {
      const content = "content" in message ? message.content : [];
      return user(typeof content === "string" ? [{ type: "text", text: content }] : content);
    }
    case "text-and-images": {
      const files = role === "fileMention" ? message.files : [];
      return user([{ type: "text", text }, ...files.flatMap((file) => file.image ?? [])]);
    }
    default:
      return [];
  }
}

/** Of a result that was pruned the notice alone: other programs leave images beside it. */
function withoutPrunedBlocks(message: ToolResultMessage): ToolResultMessage {
  const { content, prunedAt = null } = message;
  if (prunedAt === null || !Array.isArray(content)) return message;
  const texts = (content as readonly (TextBlock | ImageBlock)[]).filter(({ type }) => type === "text");
  return texts.length === content.length ? message : { ...message, content: texts };
}

/** Messages as the text that a summariser reads: who speaks is marked, images are named, long tool results are shortened. */
export function serializeConversation(messages: readonly LlmMessage[]): string {
  if (!Array.isArray(messages)) refuse("messages", messages, "an array of messages");
  const json = messages.map((message, index) => toWellFormedJson(message, `messages[${index}]`));
  return guard((glue) => glue.serializeMessages(json));
}

/** Options of {@link estimateTokens}. */
export interface EstimateOptions {
  /** By which rule. Default: `safe`. */
  preset?: Preset | undefined;
  /** How images are counted. Default: `anthropic`, in the preset `classic` `flat`. */
  images?: ImageRule | undefined;
}

/** Estimates a text, a message or several, in tokens. */
export function estimateTokens(x: string | Message | readonly Message[], options: EstimateOptions = {}): number {
  checkOptions("estimateTokens", options, ["preset", "images"]);
  const { preset = "safe" } = options;
  const images = checkImages(options.images);
  if (typeof x === "string") return guard((glue) => glue.estimateText(x, String(preset), images));
  const messages = Array.isArray(x) ? x : [x];
  return messages.reduce((sum: number, message: Message, index) => {
    const json = toWellFormedJson(message, Array.isArray(x) ? `messages[${index}]` : "message");
    return sum + guard((glue) => glue.estimateMessage(json, String(preset), images));
  }, 0);
}

/** The system prompt of every summary request. */
export function summarizationSystemPrompt(): string {
  return guard((glue) => glue.summarizationSystemPrompt());
}
