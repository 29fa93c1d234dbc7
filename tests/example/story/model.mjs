// The model of the tests: a function of what the request holds, and of nothing else. What a request
// does not say any more, this model does not know.

import { stepsOf } from "./turns.mjs";
import { writeSummary } from "./summary.mjs";

/** What a request is about, for the server's records. */
export function aboutRequest(request) {
  return isSummary(request) ? { kind: "summary", turn: 0 } : { kind: "chat", turn: turnOf(request) };
}

/** The reply to a request in the server's neutral form (see ../server/openai/read.mjs). */
export function reply(request) {
  if (isSummary(request)) return { text: writeSummary(textsOf(request).join("\n")), calls: [] };
  const newest = userTexts(request).at(-1) ?? "";
  if (/^Continue if you have next steps/.test(newest)) return { text: "There are no next steps.", calls: [] };
  const turn = turnOf(request);
  const steps = stepsOf(turn);
  const open = steps.find((calls) => !calls.every((call) => wasMade(call, request)));
  if (open !== undefined) return { text: `I look at turn ${turn}.`, calls: open };
  if (/What is the code word of the release\?/.test(newest)) return { text: answerOf(request), calls: [] };
  return { text: steps.length === 0 ? "Noted." : `Turn ${turn} is done: ${steps.flat().map(({ name }) => name).join(", ")}.`, calls: [] };
}

function answerOf(request) {
  const found = /the code word of the release is ([\w-]+)/.exec(textsOf(request).join("\n"));
  return found === null ? "I do not know the code word." : `The code word is ${found[1]}.`;
}

/** Threadfold's requests for summaries put the record between these tags. */
const isSummary = ({ tools, messages }) => tools.length === 0 && messages[0].parts[0]?.text?.includes("<conversation>");

/** Whether a text stands for earlier messages instead of being one. */
export const isSummaryText = (text) => text.includes("<summary>");

const textsOf = ({ messages }) => messages.flatMap(({ parts }) => parts.map(({ text = "" }) => text));

/** What the user said, as it was said. */
function userTexts({ messages }) {
  const said = messages.flatMap(({ role, parts }) => (role === "user" ? parts.filter(({ type }) => type === "text") : []));
  return said.map(({ text }) => text).filter((text) => !isSummaryText(text));
}

/** The turn that is going on: the newest that the user opened; in a summary the highest it names. */
function turnOf(request) {
  const said = numbers(userTexts(request).join("\n"));
  return said.at(-1) ?? Math.max(0, ...numbers(textsOf(request).filter(isSummaryText).join("\n")));
}

const numbers = (text) => [...text.matchAll(/\bTurn (\d+):/g)].map(([, number]) => Number(number));

/** Whether a call was made in the turn that is going on, by the messages since then or by the summary of its beginning. */
function wasMade(call, { messages }) {
  const opens = ({ role, parts }) => role === "user" && parts.some(({ type, text }) => type === "text" && !isSummaryText(text) && /\bTurn \d+:/.test(text));
  const start = messages.findLastIndex(opens);
  const signature = signatureOf(call);
  const made = messages.slice(start + 1).some(({ parts }) => parts.some((part) => part.type === "call" && signatureOf(part) === signature));
  return made || (start < 0 && textsOf({ messages }).some((text) => isSummaryText(text) && text.includes(signature)));
}

/** A call as a summary names it, short of what it writes. */
const signatureOf = ({ name, arguments: { path, text = "" } }) => `${name} ${path} ${text}`.trim();
