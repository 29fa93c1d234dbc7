// The few lines that do in an application what the page does, with the settings as set.

import { signal } from "@preact/signals";
import { defaultSettings, type MessageFormat } from "threadfold";
import type { Choices } from "../contract.js";
import type { SummarizerSettings } from "../summarizers/settings.js";
import { clientCode, type ClientCode } from "./code-client.js";
import { INITIAL } from "./choices.js";
import { literal, Raw, withValue, type Value } from "./literal.js";

/** A session of one's own, the array of messages of any chat, or a companion that folds by itself. */
export type CodeKind = "session" | "messages" | "agent";

export const codeKind = signal<CodeKind>("session");

/** The code of a module that runs as it is. `format`: that of an array of messages. */
export function codeFor(kind: CodeKind, choices: Choices, summarizer: SummarizerSettings, format: MessageFormat = "openai-chat"): string {
  const client = clientCode(summarizer);
  const parts = { session: sessionCode, messages: messagesCode, agent: agentCode }[kind](choices, client, format);
  const setUp = [...loadingLines(kind, choices, client), ...client.lines];
  const blocks = [[...parts.imports, ...client.imports, importOf(parts.names, kind, choices, client)], setUp, ...parts.blocks];
  return `${blocks.filter((lines) => lines.length > 0).map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

interface Parts {
  imports: string[];
  names: string[];
  blocks: string[][];
}

function sessionCode(choices: Choices, client: ClientCode): Parts {
  const options = { ...sizes(choices), ...settings(choices, client, false), ...client.options };
  const { imports, line, save } = opening(choices, client);
  const call = withValue("const outcome = await compact(session, ", options, ");");
  return { imports, names: ["compact", "Session"], blocks: [[line, call, "console.log(outcome.status, outcome.tokensBefore, outcome.tokensAfter);", ...save]] };
}

function messagesCode(choices: Choices, client: ClientCode, format: MessageFormat): Parts {
  const tokenizer: Record<string, Value> = choices.tokenizer === undefined ? {} : { tokenizer: choices.tokenizer };
  const options = { format, ...sizes(choices), ...tokenizer, ...settings(choices, client, false), ...client.options };
  const read = client.inBrowser ? 'await (await fetch("messages.json")).json()' : 'JSON.parse(await readFile("messages.json", "utf8"))';
  const blocks = [
    ["// Your chat, in the format of the library that you use.", `const chat = ${read};`],
    [
      withValue("const { messages, outcome, state } = await foldMessages(chat, ", options, ");"),
      "console.log(outcome.status, chat.length, messages.length);",
      "// Send `messages` to the model, and hand `state` to the next call.",
    ],
  ];
  return { imports: client.inBrowser ? [] : ['import { readFile } from "node:fs/promises";'], names: ["foldMessages"], blocks };
}

function agentCode(choices: Choices, client: ClientCode): Parts {
  const { contextWindow, ...fixed } = sizes(choices);
  const model = { provider: "your-provider", id: "your-model", contextWindow };
  const options = { session: new Raw("session"), model, ...fixed, ...settings(choices, client, true), ...client.options };
  const { imports, line, save } = opening(choices, client);
  const answer = { role: "assistant", content: [{ type: "text", text: "Done." }], stopReason: "stop" };
  const turn = [
    "// Append each message, and say when a turn has ended.",
    `await agent.append(${literal({ role: "user", content: "Go on." })});`,
    `await agent.append(${literal(answer)});`,
    "const { action, contextUsage } = await agent.handleTurnEnd();",
    "console.log(action, contextUsage.tokens);",
    ...save,
  ];
  return { imports, names: ["AgentSession", "Session"], blocks: [[line, withValue("const agent = new AgentSession(", options, ");")], turn] };
}

/** How a session is read and written. */
function opening(choices: Choices, client: ClientCode): { imports: string[]; line: string; save: string[] } {
  const { tokenizer, images } = choices;
  const given = { ...(tokenizer === undefined ? {} : { tokenizer }), ...(images === INITIAL.images ? {} : { images }) };
  const options = Object.keys(given).length === 0 ? "" : `, ${literal(given)}`;
  if (client.inBrowser) return { imports: [], line: `const session = Session.fromJsonl(await (await fetch("session.jsonl")).text()${options});`, save: [] };
  return {
    imports: ['import { readFile, writeFile } from "node:fs/promises";'],
    line: `const session = Session.fromJsonl(await readFile("session.jsonl")${options});`,
    save: ['await writeFile("session.jsonl", session.toJsonl());'],
  };
}

/** A page loads the engine first, and the vocabulary where it counts exactly; `foldMessages` does both by itself. */
function loadingLines(kind: CodeKind, { tokenizer }: Choices, { inBrowser }: ClientCode): string[] {
  if (!inBrowser || kind === "messages") return [];
  return ["await init();", ...(tokenizer === undefined ? [] : [`await loadTokenizer(${literal(tokenizer)});`])];
}

function importOf(names: string[], kind: CodeKind, choices: Choices, client: ClientCode): string {
  const loading = loadingLines(kind, choices, client).map((line) => /await (\w+)/.exec(line)?.[1] ?? "");
  const sorted = [...names, ...client.names, ...loading].sort((one, other) => one.localeCompare(other, "en"));
  return `import { ${sorted.join(", ")} } from "threadfold";`;
}

function sizes({ contextWindow, fixedTokens }: Choices): { contextWindow: number; fixedTokens?: number } {
  return { contextWindow, ...(fixedTokens === undefined ? {} : { fixedTokens }) };
}

/** The settings that are not what they would be anyway. A summary alone prunes nothing; an agent does. */
function settings(choices: Choices, client: ClientCode, prunes: boolean): Record<string, Value> {
  const { reserveTokens, keepRecentTokens, protectTokens, minimumSavings, contextWindow } = choices;
  const { compaction, prune } = defaultSettings;
  // At their defaults these two shrink with the window.
  const reserve = Math.min(compaction.reserveTokens, Math.floor(contextWindow / 4));
  const keep = Math.min(compaction.keepRecentTokens, Math.floor((contextWindow - reserveTokens) / 2));
  const sections: Record<string, Record<string, Value>> = {
    compaction: {
      ...(reserveTokens === reserve ? {} : { reserveTokens }),
      ...(keepRecentTokens === keep ? {} : { keepRecentTokens }),
      ...client.compaction,
    },
    prune: {
      ...(!prunes || protectTokens === prune.protectTokens ? {} : { protectTokens }),
      ...(!prunes || minimumSavings === prune.minimumSavings ? {} : { minimumSavings }),
    },
  };
  const set = Object.fromEntries(Object.entries(sections).filter(([, section]) => Object.keys(section).length > 0));
  return Object.keys(set).length === 0 ? {} : { settings: set };
}
