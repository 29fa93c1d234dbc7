// Writes a summary as a good model would: the headings that were asked for, filled from the record and
// the notes before it, facts carried over word for word, and shorter than what it replaces.

const MOST_FACTS = 30;
const MOST_DONE = 6;

/** The summary that a prompt of Threadfold asks for. */
export function writeSummary(prompt) {
  const record = between(prompt, "conversation");
  const notes = between(prompt, "previous-summary");
  const wishes = prompt.slice(Math.max(...["conversation", "previous-summary", "additional-context"].map((tag) => prompt.lastIndexOf(`</${tag}>`))));
  const said = paragraphs(record, "User");
  const facts = [...carried(notes), ...said.flatMap((text) => sentences(text).filter((sentence) => isFact(sentence, focusOf(wishes))))];
  const headings = wishes.match(/^#{2,3} .+$/gm);
  if (headings === null) return `The user and the assistant work on an importer. The latest: ${(said.at(-1) ?? "nothing new").slice(0, 80)}`;
  const lines = {
    "## Goal": ["The importer, part by part."],
    "### Done": said.slice(0, -1).slice(-MOST_DONE).map((text) => text.slice(0, 80)),
    "### In Progress": said.slice(-1),
    "## Request": said.slice(-1),
    "## Done So Far": callsOf(record),
    "## Needed Later": facts,
    "## Critical Context": facts,
  };
  return headings.map((heading) => `${heading}\n${bullets(lines[heading] ?? [])}`).join("\n\n");
}

const bullets = (lines) => (lines.length === 0 ? "(none)" : [...new Set(lines)].slice(-MOST_FACTS).map((line) => `- ${line}`).join("\n"));

function between(text, tag) {
  const [, rest] = text.split(`<${tag}>\n`);
  return rest?.split(`\n</${tag}>`)[0] ?? "";
}

/** What was said under one mark of the record. */
function paragraphs(record, mark) {
  const parts = record.split(/^\[([A-Z][^\]\n]*)\]: /m).slice(1);
  return parts.flatMap((part, index) => (index % 2 === 0 && part === mark ? [parts[index + 1].trim()] : []));
}

const sentences = (text) => text.split(/(?<=\.)\s+/);

/** The bullets of earlier notes under the headings for what must not get lost. */
function carried(notes) {
  const sections = notes.split(/^#{2,3} /m).filter((section) => /^(Critical Context|Needed Later)\n/.test(section));
  return sections.flatMap((section) => [...section.matchAll(/^- (.+)$/gm)].map(([, line]) => line));
}

/** The words of the user's instructions that say what to keep. */
const focusOf = (wishes) => wishes.split("Additional focus:")[1]?.match(/[\w-]{4,}/g)?.filter((word) => word !== "keep") ?? [];

const isFact = (sentence, focus) => /\bremember\b/i.test(sentence) || focus.some((word) => sentence.includes(word));

/** The calls of the record, each as the model will look for it. */
function callsOf(record) {
  return paragraphs(record, "Assistant tool calls").flatMap((text) =>
    [...text.matchAll(/(\w+)\((\{.*?\})\)/g)].map(([, name, json]) => {
      const [path, wanted] = ["path", "text"].map((key) => new RegExp(`"${key}":"([^"]*)"`).exec(json)?.[1] ?? "");
      return `${name} ${path} ${wanted}`.trim();
    }),
  );
}
