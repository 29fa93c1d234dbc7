// A conversation about a harbour for chats: what the user says, and a model that answers from what a request
// holds and from nothing else. It writes notes where it is told to, and reads them where it is asked about them.

/** Said once, in the first turn. */
export const FACT = "the pilot boat is called Marten";
export const NOTE = "The lighthouse is closed on Mondays";
/** The turn in which the user dictates the note. */
export const NOTE_TURN = 7;

/** What the user says in a turn, from 1. */
export function said(turn) {
  if (turn === 1) return `Question 1: remember that ${FACT}. ${filler(turn)}`;
  if (turn === NOTE_TURN) return `Question ${turn}: write this note: "${NOTE}".`;
  if (turn % 10 === 0) return `Question ${turn}: what do the notes say? ${filler(turn)}`;
  return `Question ${turn}: what is moored at berth ${turn}? ${filler(turn)}`;
}

export const ASKS_FOR_FACT = "What is the pilot boat called?";

const filler = (turn) => `I ask because the harbour master wants to know it for the plan of day ${turn}. `.repeat(8).trim();

/** What a request is about, for the server's records. */
export const aboutTalk = (request) => ({ kind: isSummary(request) ? "summary" : "chat", turn: turnOf(request) });

const isSummary = ({ messages }) => messages[0].parts[0]?.text?.includes("<conversation>") === true;

const textsOf = ({ messages }) => messages.flatMap(({ parts }) => parts.map(({ text = "" }) => text));

const turnOf = (request) => Number(/^Question (\d+):/.exec(lastText(request))?.[1] ?? 0);

/** What the user said last. */
function lastText({ messages }) {
  const own = messages.filter(({ role, parts }) => role === "user" && parts.some(({ type }) => type === "text"));
  return own.at(-1)?.parts.find(({ type }) => type === "text").text ?? "";
}

/** The reply to a request in the server's neutral form (see server/openai/read.mjs). */
export function talk(request) {
  if (isSummary(request)) return { text: summaryOf(textsOf(request).join("\n")), calls: [] };
  const last = request.messages.at(-1);
  const results = last.parts.filter(({ type }) => type === "result");
  if (results.length > 0) return { text: `The tools say: ${results.map(({ text }) => text).join(" ")}`, calls: [] };
  const asked = lastText(request);
  if (asked === ASKS_FOR_FACT) return { text: textsOf(request).some((text) => text.includes(FACT)) ? `You said that ${FACT}.` : "I do not know.", calls: [] };
  const dictated = /write this note: "(.*)"/.exec(asked);
  if (dictated !== null && request.tools.length > 0) return { text: "", calls: [{ name: "writeNote", arguments: { text: dictated[1] } }] };
  if (asked.includes("what do the notes say?") && request.tools.length > 0) return { text: "I look.", calls: [{ name: "readNotes", arguments: {} }] };
  const turn = turnOf(request);
  return { text: `At berth ${turn} lies a barge with ${turn} masts. ${"It came with the tide and leaves with the next one. ".repeat(10)}`.trim(), calls: [] };
}

/** A summary as a good model writes one: facts are carried over from the earlier one, and it is short. */
function summaryOf(prompt) {
  const lines = prompt.includes(FACT) ? [`- ${FACT}`] : [];
  const latest = [...prompt.matchAll(/Question (\d+):/g)].at(-1)?.[1] ?? "";
  return `## Goal\nTo know the harbour.\n\n## Critical Context\n${lines.join("\n") || "(none)"}\n\n## Next Steps\n1. Go on after question ${latest}.`;
}
