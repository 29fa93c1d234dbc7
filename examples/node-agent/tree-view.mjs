// A session's tree as numbered lines: one for each entry that a user would want to go back to.

const LONGEST = 70;

/**
 * The branches stand below each other, indented where they part; the leaf's line has an arrow.
 *
 * @param {import("threadfold").Session} session
 * @returns {{ id: string, line: string }[]}
 */
export function treeRows(session) {
  const { roots, nodes } = session.tree();
  const rows = [];
  // A session can be one chain of 100 000 entries: a list of what is left to do, and no recursion.
  const rest = roots.map((id) => ({ id, depth: 0 })).reverse();
  const leaf = nearestShown(session);
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { id, depth } = next;
    const node = nodes.get(id);
    const text = summaryOf(session.entry(id));
    if (text !== undefined) {
      const label = node?.label === undefined ? "" : `[${node.label}] `;
      rows.push({ id, line: `${id === leaf ? "->" : "  "} ${"  ".repeat(depth)}${label}${text}` });
    }
    const childIds = node?.childIds ?? [];
    const below = childIds.length > 1 ? depth + 1 : depth;
    for (const childId of [...childIds].reverse()) rest.push({ id: childId, depth: below });
  }
  const width = String(rows.length).length;
  return rows.map(({ id, line }, index) => ({ id, line: `${String(index + 1).padStart(width)} ${line}` }));
}

/** The leaf, or where its entry is not shown the nearest one above it. @param {import("threadfold").Session} session */
function nearestShown(session) {
  return session.path().findLast((entry) => summaryOf(entry) !== undefined)?.id;
}

/** An entry in one line; undefined for one that is of no interest here. @param {import("threadfold").Entry | undefined} entry */
function summaryOf(entry) {
  switch (entry?.type) {
    case "compaction":
      return oneLine("summary", entry.shortSummary ?? gist(entry.summary));
    case "branch_summary":
      return oneLine("branch summary", gist(entry.summary));
    case "message": {
      const { message } = entry;
      if (message.role !== "user" && message.role !== "assistant") return undefined;
      // A place between a call and its result is none to go back to.
      if (message.role === "assistant" && message.content.some(({ type }) => type === "toolCall")) return undefined;
      const text = typeof message.content === "string" ? message.content : firstText(message.content);
      return text === undefined ? undefined : oneLine(message.role, text);
    }
    default:
      return undefined;
  }
}

/** What a summary says under its first heading; in front of it there may be words that are the same in all. @param {string} summary */
const gist = (summary) => /^#+ .*\n+(?:- )?(.+)$/m.exec(summary)?.[1] ?? summary;

/** @param {readonly { type: string, text?: string }[]} blocks */
const firstText = (blocks) => blocks.find(({ type }) => type === "text")?.text;

/** @param {string} who @param {string} text */
function oneLine(who, text) {
  const words = text.trim().replaceAll(/\s+/g, " ");
  return `${who}: ${words.length > LONGEST ? `${words.slice(0, LONGEST - 1)}…` : words}`;
}
