// Looks at a session through the public API, and gives plain data for the report.

import { images, messageOf, roleName, snippet, withoutImages } from "./messages.mjs";

/** Entries, branches and what is on the path. */
export function surveyTree(session) {
  const entries = session.entries();
  const { roots, nodes } = session.tree();
  let leaves = 0;
  for (const node of nodes.values()) if (node.childIds.length === 0) leaves += 1;
  const path = session.path();
  const infos = path.filter((entry) => entry.type === "session_info" && typeof entry.name === "string");
  return {
    name: infos.at(-1)?.name,
    cwd: session.header?.cwd,
    entries: entries.length,
    roots: roots.length,
    branches: leaves,
    onPath: path.length,
    messages: entries.filter((entry) => entry.type === "message").length,
    compactions: entries.filter((entry) => entry.type === "compaction").length,
    diagnostics: session.diagnostics.map(({ line, kind, message }) => ({ line, kind, message })),
  };
}

/** The context that the model gets: one row a message. */
export function surveyContext(session, estimateTokens) {
  const { messages, entryIds, repairs } = session.buildSessionContext();
  const rows = messages.flatMap((message, index) => {
    // An entry may lack its message in a file that others wrote.
    if (message === undefined) return [];
    const tokens = estimateTokens(message);
    const pictures = images(message);
    const imageTokens = pictures.length === 0 ? 0 : Math.max(0, tokens - estimateTokens(withoutImages(message)));
    return [{ id: entryIds[index], role: roleName(message), tool: message.toolName, tokens, images: pictures.length, imageTokens, text: snippet(message) }];
  });
  return { rows, repairs: repairs?.length ?? 0 };
}

/** What fills the context: tokens by kind, the largest first; tools by name. */
export function fillOf(rows) {
  const kinds = new Map();
  const tools = new Map();
  const add = (map, key, tokens, number) => {
    const known = map.get(key) ?? { tokens: 0, number: 0 };
    map.set(key, { tokens: known.tokens + tokens, number: known.number + number });
  };
  for (const row of rows) {
    add(kinds, row.role, row.tokens - row.imageTokens, 1);
    if (row.images > 0) add(kinds, "images", row.imageTokens, row.images);
    if (row.tool !== undefined) add(tools, row.tool, row.tokens, 1);
  }
  const sorted = (map) => [...map].map(([name, value]) => ({ name, ...value })).sort((a, b) => b.tokens - a.tokens || a.name.localeCompare(b.name));
  return { kinds: sorted(kinds), tools: sorted(tools), total: rows.reduce((sum, row) => sum + row.tokens, 0) };
}

/** Where the cut lies, from a preparation. */
export function surveyCut(session, preparation, rows, asked) {
  const tokensById = new Map(rows.map((row) => [row.id, row.tokens]));
  const weigh = (ids) => ids.reduce((sum, id) => sum + (tokensById.get(id) ?? 0), 0);
  const path = session.path();
  const at = path.findIndex((entry) => entry.id === preparation.firstKeptEntryId);
  const visible = (entry) => messageOf(entry) !== undefined;
  const first = path.slice(at).find(visible);
  const before = path.slice(0, Math.max(0, at)).findLast(visible);
  const { entryIdsToSummarize: history, turnPrefixEntryIds: prefix } = preparation;
  return {
    firstKeptEntryId: preparation.firstKeptEntryId,
    position: at + 1,
    onPath: path.length,
    firstKept: describe(messageOf(first)),
    before: describe(messageOf(before)),
    turnStart: prefix.length > 0 ? describe(messageOf(session.entry(prefix[0]))) : undefined,
    isSplitTurn: preparation.isSplitTurn,
    asked,
    budget: preparation.keepRecentTokens,
    requestTokens: preparation.requestTokens,
    history: { entries: history.length, tokens: weigh(history) },
    prefix: { entries: prefix.length, tokens: weigh(prefix) },
    kept: { entries: path.length - at, tokens: preparation.keptTokens },
    hasPrevious: Boolean(preparation.previousSummary),
  };
}

function describe(message) {
  return message === undefined ? undefined : { role: roleName(message), text: snippet(message) };
}
