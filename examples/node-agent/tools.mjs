// The tools of the agent: files in one folder, no shell.

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { inSandbox } from "./sandbox.mjs";

/**
 * What a tool works with.
 *
 * @typedef {object} Workplace
 * @property {string} folder the only folder that tools may touch, without links in its path
 * @property {number} longestResult in characters; what is longer is cut, and says so
 *
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} description
 * @property {{ type: "object", properties: Record<string, { type: "string" | "number", description: string }>, required: string[] }} parameters
 * @property {(given: any, workplace: Workplace) => Promise<string>} run
 */

const path = { type: /** @type {const} */ ("string"), description: "relative to the working folder" };

/**
 * The names `read`, `write` and `edit` and the argument `path` are those that Threadfold's setting
 * `fileTools` knows by default: so each summary ends with the files that were read and modified.
 *
 * @type {readonly Tool[]}
 */
export const TOOLS = [
  {
    name: "read",
    description: "Gives the text of a file, from a line on if one is named.",
    parameters: schema({ path, line: { type: "number", description: "the first line to give, from 1" } }, ["path"]),
    async run({ path, line = 1 }, { folder }) {
      const text = await readFile(await inSandbox(folder, path), "utf8");
      return text.split("\n").slice(line - 1).join("\n");
    },
  },
  {
    name: "write",
    description: "Writes a whole file, with the folders above it. What was in it is gone.",
    parameters: schema({ path, content: { type: "string", description: "all of its text" } }, ["path", "content"]),
    async run({ path, content }, { folder }) {
      const file = await inSandbox(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      return `wrote ${content.length} characters to ${path}`;
    },
  },
  {
    name: "edit",
    description: "Replaces a passage of a file. The old text has to stand in the file exactly once.",
    parameters: schema(
      { path, oldText: { type: "string", description: "the passage" }, newText: { type: "string", description: "what takes its place" } },
      ["path", "oldText", "newText"],
    ),
    async run({ path, oldText, newText }, { folder }) {
      const file = await inSandbox(folder, path);
      const parts = (await readFile(file, "utf8")).split(oldText);
      if (oldText === "" || parts.length !== 2) throw new Error(`the old text stands ${parts.length - 1} times in ${path}, not once`);
      await writeFile(file, parts.join(newText));
      return `edited ${path}`;
    },
  },
  {
    name: "list",
    description: "Lists the files below a folder.",
    parameters: schema({ path }, ["path"]),
    async run({ path }, { folder }) {
      const files = await filesBelow(await inSandbox(folder, path));
      return files.map((file) => relative(folder, file)).join("\n");
    },
  },
  {
    name: "search",
    description: "Finds the lines below a folder that hold a text.",
    parameters: schema({ path, text: { type: "string", description: "the text, as it stands" } }, ["path", "text"]),
    async run({ path, text }, { folder }) {
      const found = [];
      for (const file of await filesBelow(await inSandbox(folder, path))) {
        for (const [index, line] of (await readFile(file, "utf8")).split("\n").entries()) {
          if (line.includes(text)) found.push(`${relative(folder, file)}:${index + 1}: ${line}`);
        }
      }
      return found.join("\n");
    },
  },
];

/** @param {Tool["parameters"]["properties"]} properties @param {string[]} required @returns {Tool["parameters"]} */
function schema(properties, required) {
  return { type: "object", properties, required };
}

/** Every file below a folder, in order. Links are no files here: they may lead out of it. @param {string} folder */
async function filesBelow(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
}

/**
 * Carries a call out. Whatever goes wrong becomes a result too: the model reads it and tries another way.
 *
 * @param {import("threadfold").ToolCallBlock} call @param {Workplace} workplace
 * @returns {Promise<import("threadfold").ToolResultMessage>}
 */
export async function runTool(call, workplace) {
  try {
    const tool = TOOLS.find(({ name }) => name === call.name);
    if (tool === undefined) throw new Error(`there is no tool ${call.name}; there are ${TOOLS.map(({ name }) => name).join(", ")}`);
    checkArguments(tool, call.arguments);
    const text = await tool.run(call.arguments, workplace);
    // Providers refuse a result without text.
    return toolResult(call, cut(text || "(nothing)", workplace.longestResult), false);
  } catch (error) {
    return toolResult(call, /** @type {Error} */ (error).message, true);
  }
}

/**
 * @param {import("threadfold").ToolCallBlock} call @param {string} text @param {boolean} isError
 * @returns {import("threadfold").ToolResultMessage}
 */
export function toolResult(call, text, isError) {
  const content = [{ type: /** @type {const} */ ("text"), text }];
  return { role: "toolResult", toolCallId: call.id, toolName: call.name, content, isError, timestamp: Date.now() };
}

/** A model may leave arguments out, or send them as another type. @param {Tool} tool @param {Record<string, unknown>} given */
function checkArguments({ name, parameters }, given) {
  for (const [key, { type }] of Object.entries(parameters.properties)) {
    const value = given[key];
    if (value === undefined && !parameters.required.includes(key)) continue;
    if (typeof value !== type) throw new Error(`${name} needs the argument ${key}, a ${type}; it got ${JSON.stringify(value)}`);
  }
}

/** @param {string} text @param {number} longest */
function cut(text, longest) {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest)}\n(${text.length - longest} characters more)`;
}
