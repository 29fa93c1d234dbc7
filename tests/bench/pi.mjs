// What is measured of pi's package. Its entry leaves some of this out, so it comes from the files.

const CORE = new URL("../../node_modules/@mariozechner/pi-coding-agent/dist/core/", import.meta.url);

const [compaction, utils, messages, sessions] = await Promise.all(
  ["compaction/compaction.js", "compaction/utils.js", "messages.js", "session-manager.js"].map(
    (file) => import(new URL(file, CORE)),
  ),
);

const { DEFAULT_COMPACTION_SETTINGS, estimateTokens } = compaction;
const { serializeConversation } = utils;
const { convertToLlm, createBranchSummaryMessage, createCompactionSummaryMessage, createCustomMessage } = messages;
const { migrateSessionEntries, parseSessionEntries } = sessions;
export const { buildSessionContext } = sessions;

/** From bytes to a migrated session and the sum of its estimates. */
export function load(bytes) {
  const entries = parseSessionEntries(new TextDecoder().decode(bytes));
  migrateSessionEntries(entries);
  let tokens = 0;
  for (const entry of entries) {
    const message = messageOf(entry);
    if (message !== undefined) tokens += estimateTokens(message);
  }
  return { entries, tokens };
}

/** The message of an entry, as pi's own walk over a session makes it. */
function messageOf(entry) {
  switch (entry.type) {
    case "message":
      return entry.message;
    case "custom_message":
      return createCustomMessage(entry.customType, entry.content, entry.display, entry.details, entry.timestamp);
    case "branch_summary":
      return createBranchSummaryMessage(entry.summary, entry.fromId, entry.timestamp);
    case "compaction":
      return createCompactionSummaryMessage(entry.summary, entry.tokensBefore, entry.timestamp);
    default:
      return undefined;
  }
}

/** A loaded session without a branch, as pi's agent holds it. */
export function hold(bytes) {
  const path = load(bytes).entries.filter((entry) => entry.type !== "session");
  return { path, leafId: path.at(-1).id, byId: new Map(path.map((entry) => [entry.id, entry])) };
}

export function prepareCompaction(path) {
  return compaction.prepareCompaction(path, DEFAULT_COMPACTION_SETTINGS);
}

// The instructions are no exports. Their cost is their length.
const HISTORY_INSTRUCTIONS = "i".repeat(1_300);
const PREFIX_INSTRUCTIONS = "p".repeat(500);

/** The prompts for a preparation, put together as pi does for the history and the split turn. */
export function prompts({ messagesToSummarize, turnPrefixMessages, isSplitTurn, previousSummary }) {
  const record = (list) => `<conversation>\n${serializeConversation(convertToLlm(list))}\n</conversation>\n\n`;
  const previous = previousSummary ? `<previous-summary>\n${previousSummary}\n</previous-summary>\n\n` : "";
  const all = [];
  if (messagesToSummarize.length > 0) all.push(record(messagesToSummarize) + previous + HISTORY_INSTRUCTIONS);
  if (isSplitTurn && turnPrefixMessages.length > 0) all.push(record(turnPrefixMessages) + PREFIX_INSTRUCTIONS);
  return all;
}
