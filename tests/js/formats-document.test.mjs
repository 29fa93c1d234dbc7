// FORMATS.md says what the code does: its tables are those of the tables in `src/format` and of the types.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { messageFormats, transcriptFormats } from "threadfold";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path) => readFileSync(join(root, path), "utf8");
const document = read("FORMATS.md").split("\n");

/** The rows of the table whose first columns have these titles, as cells. */
function table(...titles) {
  const start = document.findIndex((line) => line.startsWith(`| ${titles.join(" | ")} |`));
  assert.ok(start >= 0, `there is no table of ${titles}`);
  const rows = document.slice(start + 2);
  return rows.slice(0, rows.findIndex((line) => !line.startsWith("|"))).map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim().replace(/^`(.*)`$/, "$1")));
}

/** The words of a union of strings. */
function union(path, name) {
  const [, words] = new RegExp(`export type ${name} =([^;]*);`).exec(read(path));
  return [...words.matchAll(/"([^"]+)"/g)].map(([, word]) => word);
}

/** What the document calls each value of a law. */
const WORDS = {
  results: {
    RightBehind: "right behind their message",
    NextTurn: "first in the next turn",
    NextContent: "all in the next content",
    ToolMessages: "in the tool messages behind",
    Anywhere: "anywhere behind",
    SamePart: "in the part of the call",
  },
  user_first: { true: "yes", false: "no" },
  blank: { Nowhere: "none", Alone: "an empty one alone", Empty: "empty ones without a signature", Spaces: "blank ones" },
  call_ids: { InArray: "once in the array", InMessage: "once in a message", InStep: "once in a step", UntilAnswered: "once until answered" },
  item_id: { None: "none", 'Some("id")': "`id`" },
  reasoning: { BeforeItem: "the item behind it", NotLast: "a part behind it", NotAlone: "another part" },
};

it("the table of formats names every format, with its own file", () => {
  const rows = table("format", "whose it is");
  assert.deepEqual(rows.map(([format]) => format), [...messageFormats]);
  for (const [format, , path] of rows) assert.ok(read(path).includes(`name: "${format}"`), `${path} is not of ${format}`);
});

it("the table of laws is what the tables say", () => {
  const files = new Map(table("format", "whose it is").map(([format, , path]) => [format, path]));
  const rows = table("format", "results stand");
  assert.deepEqual(rows.map(([format]) => format), [...files.keys()]);
  for (const [format, ...cells] of rows) {
    const [, laws] = /laws: Laws \{([^]*?)\n {4}\},/.exec(read(files.get(format)));
    const said = Object.entries(WORDS).map(([law, words]) => {
      const [, value] = new RegExp(`^\\s*${law}: (?:\\w+::)?(.*),$`, "m").exec(laws);
      assert.ok(value in words, `${law} of ${format} is ${value}, which has no words`);
      return words[value].replaceAll("`", "");
    });
    assert.deepEqual(cells, said, format);
  }
});

it("the table of problems has every rule", () => {
  assert.deepEqual(table("rule", "what is wrong").map(([rule]) => rule), union("pkg-template/src/message-problems.ts", "ProblemRule"));
});

it("the table of transcripts has every format that is only imported", () => {
  const only = transcriptFormats.filter((format) => !messageFormats.includes(format));
  assert.deepEqual(table("transcript").map(([format]) => format).filter((format) => /^[\w-]+$/.test(format)), only);
});
