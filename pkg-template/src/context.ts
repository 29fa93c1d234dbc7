import type { ContextNotes } from "./data.js";
import type { Entry, Message, ToolCallBlock, ToolResultMessage } from "./entry.js";
import { guard } from "./guard.js";
import type { ViewHandle } from "./glue/threadfold.js";
import { deepFreeze } from "./json.js";
import type { SessionState } from "./state.js";

/** What a model gets to see. */
export interface SessionContext extends ContextNotes {
  /** The messages, first to last; the same objects each time, read-only, or the host's own. */
  messages: Message[];
  /** The id of the entry behind each message; for a result that was made up, that of its call's message. */
  entryIds: string[];
}

/** The calls of an entry with the results that were made up for them, each in the place of its call. */
const madeUp = new WeakMap<Entry, { calls: ToolCallBlock[]; results: Message[] }>();

export function buildContext(state: SessionState, leaf: number): SessionContext {
  const view = state.call((handle) => handle.contextMessages(leaf));
  const notes = view.notes() as ContextNotes;
  return { ...takeView(state, view), ...notes };
}

/** The messages of a view, with the ids of the entries behind them; gives its handle back. */
export function takeView(state: SessionState, view: ViewHandle): { messages: Message[]; entryIds: string[] } {
  const { plain } = view;
  const places = view.messages();
  view.free();
  const step = plain ? 1 : 2;
  const length = places.length / step;
  const messages = new Array<Message>(length);
  const entryIds = new Array<string>(length);
  for (let at = 0; at < length; at += 1) {
    const index = places[at * step] as number;
    const seen = plain ? 0 : (places[at * step + 1] as number);
    if (seen === 0) messages[at] = state.message(index);
    else messages[at] = seen > 0 ? syntheticResult(state.entry(index), seen - 1) : state.prunedMessage(index, -1 - seen);
    entryIds[at] = state.id(index);
  }
  return { messages, entryIds };
}

/** The message of an entry in a view; a new object where no entry holds it as such. */
export function entryMessage(entry: Entry): Message {
  return entry.type === "message" ? entry.message : Object.freeze(makeMessage(entry));
}

/** The time of an entry in milliseconds, where it has one. */
function timeOf(entry: Entry): { timestamp?: number } {
  const timestamp = Date.parse(entry.timestamp);
  return Number.isNaN(timestamp) ? {} : { timestamp };
}

function makeMessage(entry: Entry): Message {
  const time = timeOf(entry);
  switch (entry.type) {
    case "compaction":
      return { role: "compactionSummary", summary: entry.summary, tokensBefore: entry.tokensBefore, ...time };
    case "branch_summary":
      return { role: "branchSummary", summary: entry.summary, fromId: entry.fromId, ...time };
    case "custom_message": {
      const { customType, content, display, details } = entry;
      return { role: "custom", customType, content, display, ...(details === undefined ? {} : { details }), ...time };
    }
    default:
      throw new TypeError(`an entry of type ${entry.type} is no message`);
  }
}

/** The error result that stands for one that was never stored. */
function syntheticResult(entry: Entry, call: number): Message {
  let known = madeUp.get(entry);
  if (known === undefined) madeUp.set(entry, (known = { calls: callsOf(entry), results: [] }));
  return (known.results[call] ??= makeResult(entry, known.calls[call]));
}

function callsOf(entry: Entry): ToolCallBlock[] {
  const content = entry.type === "message" && entry.message.role === "assistant" ? entry.message.content : [];
  return content.filter((block) => block.type === "toolCall");
}

function makeResult(entry: Entry, block: ToolCallBlock | undefined): ToolResultMessage {
  return deepFreeze<ToolResultMessage>({
    role: "toolResult",
    toolCallId: block?.id ?? "",
    toolName: block?.name ?? "",
    content: [{ type: "text", text: guard((glue) => glue.syntheticResultText()) }],
    isError: true,
    ...timeOf(entry),
  });
}
