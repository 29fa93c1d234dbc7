// Where a chat is kept: one JSON file with the messages, the notes, and what Threadfold needs to go on
// from its last fold. All in one file, so that they always belong together.

import { readFile, rename, writeFile } from "node:fs/promises";

/**
 * @typedef {object} Kept
 * @property {readonly import("./chat.mjs").ChatMessage[]} messages the whole conversation, as the user saw it
 * @property {import("threadfold").FoldState} [foldState]
 * @property {readonly string[]} notes
 *
 * @typedef {{ kept: Kept, save: (kept: Kept) => Promise<void> }} ChatFile
 */

/** @param {string} path the file; it need not be there yet @returns {Promise<ChatFile>} */
export async function openFile(path) {
  return {
    kept: await read(path),
    async save(kept) {
      // A program that is killed while it writes leaves the old file.
      const next = `${path}.next`;
      await writeFile(next, JSON.stringify(kept));
      await rename(next, path);
    },
  };
}

/** @param {string} path @returns {Promise<Kept>} */
async function read(path) {
  let text;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return { messages: [], notes: [] };
    throw error;
  }
  return JSON.parse(text);
}
