// What a message is, in a word and in a line.

import { oneLine } from "./text.mjs";

const NAMES = {
  user: "user",
  assistant: "assistant",
  toolResult: "tool result",
  bashExecution: "command",
  pythonExecution: "code",
  fileMention: "files",
  custom: "custom",
  hookMessage: "custom",
  branchSummary: "branch summary",
  compactionSummary: "summary",
};

/** The role as a person calls it. */
export function roleName(message) {
  return Object.hasOwn(NAMES, message?.role) ? NAMES[message.role] : oneLine(message?.role ?? "other", 20);
}

function blocks(message) {
  const { content } = message;
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}

/** The images of a message. */
export function images(message) {
  const found = blocks(message).filter((block) => block?.type === "image");
  for (const file of filesOf(message)) if (file?.image) found.push(file.image);
  return found;
}

function filesOf(message) {
  return Array.isArray(message.files) ? message.files : [];
}

/** The message without its images. */
export function withoutImages(message) {
  const bare = { ...message };
  if (Array.isArray(bare.content)) bare.content = bare.content.filter((block) => block?.type !== "image");
  if (Array.isArray(bare.files)) bare.files = bare.files.map((file) => withoutImage(Object(file)));
  return bare;
}

function withoutImage({ image, ...file }) {
  return file;
}

const ARGUMENTS = ["path", "command", "pattern", "query", "url"];

function callLine(call) {
  const given = call.arguments ?? {};
  const key = ARGUMENTS.find((name) => typeof given[name] === "string");
  return `${call.name ?? "?"}(${key === undefined ? "…" : oneLine(given[key], 60)})`;
}

/** The first words of a message, harmless, in one line. */
export function snippet(message) {
  switch (message?.role) {
    case "bashExecution":
      return oneLine(`$ ${message.command ?? ""}`);
    case "pythonExecution":
      return oneLine(`>>> ${message.code ?? ""}`);
    case "fileMention":
      return oneLine(filesOf(message).map((file) => file?.path).join(", "));
    case "compactionSummary":
    case "branchSummary":
      return oneLine(String(message.summary ?? "").replace(/^#+ */gm, ""));
    case "toolResult":
      return oneLine(`${message.toolName ?? "?"}: ${spoken(message)}`);
    default:
      return oneLine(spoken(message));
  }
}

/** What a message says, its parts one behind the other. */
export function spoken(message) {
  const parts = [];
  let thinking = "";
  for (const block of blocks(message ?? {})) {
    if (block?.type === "text") parts.push(block.text);
    else if (block?.type === "toolCall") parts.push(callLine(block));
    else if (block?.type === "image") parts.push("[image]");
    else if (block?.type === "thinking") thinking ||= block.thinking;
  }
  const said = parts.filter(Boolean).join(" · ");
  if (said === "" && thinking !== "") return `(thinking) ${thinking}`;
  return said || (message?.stopReason ? `(${message.stopReason})` : "(empty)");
}

/** The message that an entry brings into the context, or undefined. */
export function messageOf(entry) {
  if (entry?.type === "message") return entry.message;
  if (entry?.type === "custom_message") return { role: "custom", content: entry.content };
  if (entry?.type === "branch_summary") return { role: "branchSummary", summary: entry.summary };
  if (entry?.type === "compaction") return { role: "compactionSummary", summary: entry.summary };
  return undefined;
}
