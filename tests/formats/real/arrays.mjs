// The arrays of messages in the real files of `../shared/sessions`, as the libraries had them that wrote them.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { Session } from "threadfold";

const folder = new URL("../../../../shared/sessions/", import.meta.url);

/** The files, in order; none where the folder is absent. */
export const files = existsSync(folder) ? readdirSync(folder).filter((name) => /\.jsonl?$/.test(name)) : [];
export const skip = files.length > 0 ? false : "the folder ../shared/sessions with session files is absent";

export const bytesOf = (name) => readFileSync(new URL(name, folder));
const json = (name) => JSON.parse(bytesOf(name));

/** The records of a file of JSON lines, but for lines that are none. */
const records = (name) =>
  bytesOf(name).toString("utf8").split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });

/**
 * @typedef {object} RealArray
 * @property {string} name the file, and what of it
 * @property {string} format
 * @property {object[]} messages
 */

/** The arrays of a file. @param {string} name @returns {RealArray[]} */
export function arraysOf(name) {
  const found = READERS.find(([pattern]) => pattern.test(name));
  return found === undefined ? [] : found[1](name).map((array) => ({ ...array, name: array.part === undefined ? name : `${name} ${array.part}` }));
}

/** Which files hold arrays, and how to get at them. */
const READERS = [
  [/^cline-/, (name) => [{ format: "anthropic", messages: json(name).messages }]],
  [/^openhands-/, (name) => [{ format: "openai-chat", messages: json(name).messages }]],
  [/^langfuse-/, (name) => traceOf(name)],
  [/^codex-/, (name) => [{ format: "openai-responses", messages: records(name).flatMap(itemOf) }]],
  [/^omp-fork-/, (name) => records(name).flatMap(({ id, input }) => (Array.isArray(input) ? [{ part: id.split(".")[1], format: "openai-responses", messages: input }] : []))],
  [/^(ags-cc|cc|ccl|vsc-cc)-/, (name) => [{ format: "anthropic", messages: joined(chainOf(records(name))) }]],
  [/^(pi|ctree|senpi)-/, (name) => [{ format: "pi", messages: messagesOf(Session.fromJsonl(bytesOf(name))) }]],
];

/** The response item in a record of a rollout; the early form has it bare. */
function itemOf({ type, payload, ...record }) {
  if (type === "response_item") return [payload];
  return payload === undefined && ["message", "reasoning", "function_call", "function_call_output"].includes(type) ? [{ type, ...record }] : [];
}

const messagesOf = (session) => session.path().flatMap((entry) => (entry.type === "message" ? [entry.message] : []));

/** The messages of the longest branch. */
function chainOf(all) {
  const known = new Map(all.filter(({ uuid }) => uuid !== undefined).map((record) => [record.uuid, record]));
  const parents = new Set(all.map(({ parentUuid }) => parentUuid));
  const chains = all.filter((record) => isSpoken(record) && !parents.has(record.uuid)).map((leaf) => pathTo(leaf, known));
  return chains.reduce((longest, chain) => (chain.length > longest.length ? chain : longest), []);
}

function pathTo(leaf, known) {
  const path = [];
  // A record stands once in a path, whatever the file says.
  const passed = new Set();
  for (let at = leaf; at !== undefined && !passed.has(at); at = known.get(at.parentUuid)) {
    passed.add(at);
    if (isSpoken(at)) path.push(at.message);
  }
  return path.reverse();
}

const isSpoken = ({ type, message, isSidechain }) => ["user", "assistant"].includes(type) && message !== undefined && isSidechain !== true;

/** An answer is written in several records, each with a part of its content. */
function joined(messages) {
  const whole = [];
  for (const message of messages) {
    const before = whole.at(-1);
    if (message.id !== undefined && before?.id === message.id) before.content = [...before.content, ...message.content];
    else whole.push({ ...message });
  }
  return whole;
}

/**
 * The arrays of a trace, which stand under the keys of its spans. They are a dialect of Chat Completions that the
 * tracer makes of whatever library it watches: calls are flat, `{ id, type: "function", name, arguments }`. Each
 * is given as it stands and, where it has calls, as Chat Completions has them.
 */
function traceOf(name) {
  return Object.entries(json(name)).flatMap(([span, { input, output }]) => {
    const messages = [...dataOf(input), ...dataOf(output)].filter(({ role }) => role !== undefined);
    if (messages.length === 0) return [];
    const part = span.slice(0, 4);
    const asTraced = { part, format: "openai-chat", messages };
    const hasCalls = messages.some(({ tool_calls }) => tool_calls !== undefined);
    return hasCalls ? [asTraced, { part: `${part}, calls nested`, format: "openai-chat", messages: messages.map(nested) }] : [asTraced];
  });
}

const dataOf = ({ data }) => (Array.isArray(data) ? data : []);

function nested({ tool_calls, ...message }) {
  if (tool_calls === undefined) return message;
  return { ...message, tool_calls: tool_calls.map(({ id, type, name, arguments: given }) => ({ id, type, function: { name, arguments: given } })) };
}
