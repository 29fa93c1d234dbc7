// The model's tools: it may read the notes, and write one where the user agrees.

import { tool } from "ai";
import { z } from "zod";

/** @param {string[]} notes what they work on */
export const toolsOn = (notes) => ({
  readNotes: tool({
    description: "Reads all notes.",
    inputSchema: z.object({}),
    execute: async () => ({ notes: [...notes] }),
  }),
  writeNote: tool({
    description: "Writes a note, which outlasts this chat.",
    inputSchema: z.object({ text: z.string() }),
    needsApproval: true,
    execute: async ({ text }) => {
      notes.push(text);
      return { written: notes.length };
    },
  }),
});

/** @typedef {ReturnType<typeof toolsOn>} Tools */
