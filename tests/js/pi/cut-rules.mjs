// Where a session is cut, as two rules that differ in six named ways. With every difference it is
// pi's rule, with none it is ours.

/** The intended differences: what pi does and we do not. */
export const DIFFERENCES = {
  pullsMessages: "a custom_message or branch_summary right before the cut is pulled to the kept side, like metadata",
  judgesPulled: "metadata that was pulled before the cut is taken for the cut itself, so that a turn seems to be split",
  onlyUsersStart: "a cut at a bashExecution, custom_message or branch_summary splits the turn that begins there",
  fallsToFirst: "with no cut point at or behind the budget line, the cut falls to the first one of all, not to the nearest before",
  separatesResults: "a cut may fall between a call and a result that stands apart from it",
  cutsOpenTurns: "a cut may fall into the turn of a call at the leaf that still awaits its result",
};

const isLike = ({ type }) => type === "custom_message" || type === "branch_summary";
const CUT_ROLES = ["user", "assistant", "bashExecution", "custom", "branchSummary", "compactionSummary"];
const isSeen = (entry) => isLike(entry) || entry.type === "message";
const isCutPoint = (entry) => isLike(entry) || (entry.type === "message" && CUT_ROLES.includes(entry.message.role));
const startsTurn = (entry) => isLike(entry) || (entry.type === "message" && ["user", "bashExecution"].includes(entry.message.role));

/** For each position, whether a cut there lies between a call and a result of it. */
function separating(entries, start, end) {
  const calls = new Map();
  const between = new Set();
  for (let at = start; at < end; at += 1) {
    const { message } = entries[at];
    if (message?.role === "assistant") for (const { type, id } of message.content) if (type === "toolCall") calls.set(id, at);
    if (message?.role !== "toolResult" || !calls.has(message.toolCallId)) continue;
    for (let cut = calls.get(message.toolCallId) + 1; cut <= at; cut += 1) between.add(cut);
  }
  return between;
}

/** The positions behind the start of the turn whose newest calls still await a result, if there are such. */
function openTurn(entries, start, end) {
  const window = entries.slice(start, end);
  const newest = window.findLastIndex((entry) => isSeen(entry) && entry.message?.role !== "toolResult");
  const message = window[newest]?.message;
  if (message?.role !== "assistant" || ["error", "aborted"].includes(message.stopReason)) return [];
  const answered = new Set(window.slice(newest).map(({ message }) => message?.toolCallId));
  if (message.content.every(({ type, id }) => type !== "toolCall" || answered.has(id))) return [];
  const turnStart = Math.max(window.findLastIndex((entry, at) => at <= newest && startsTurn(entry)), 0);
  return window.map((_, at) => start + at).slice(turnStart + 1);
}

/** The cut of `entries` from `start` to `end`. `tokens` estimates a message, `differences` is a set of names. */
export function cutBy(differences, { entries, start, end, keep, tokens }) {
  const does = (difference) => differences.has(difference);
  const forbidden = new Set([
    ...(does("separatesResults") ? [] : separating(entries, start, end)),
    ...(does("cutsOpenTurns") ? [] : openTurn(entries, start, end)),
  ]);
  const points = [];
  for (let at = start; at < end; at += 1) if (isCutPoint(entries[at]) && !forbidden.has(at)) points.push(at);
  if (points.length === 0) return { firstKeptEntryIndex: start, turnStartIndex: -1, isSplitTurn: false };

  let line = -1;
  for (let at = end - 1, kept = 0; at >= start && line < 0; at -= 1) {
    if (entries[at].type !== "message") continue;
    kept += tokens(entries[at].message);
    if (kept >= keep) line = at;
  }
  const behind = points.find((point) => point >= line);
  const before = does("fallsToFirst") ? undefined : points.findLast((point) => point < line);
  const cut = line < 0 ? points[0] : (behind ?? before ?? points[0]);

  const isPulled = (entry) => entry.type !== "message" && entry.type !== "compaction" && (does("pullsMessages") || !isLike(entry));
  let first = cut;
  while (first > start && isPulled(entries[first - 1])) first -= 1;

  const judged = entries[does("judgesPulled") ? first : cut];
  const whole = does("onlyUsersStart") ? judged.message?.role === "user" : startsTurn(judged);
  let turnStartIndex = -1;
  for (let at = first; at >= start && !whole && turnStartIndex < 0; at -= 1) if (startsTurn(entries[at])) turnStartIndex = at;
  return { firstKeptEntryIndex: first, turnStartIndex, isSplitTurn: turnStartIndex >= 0 };
}
