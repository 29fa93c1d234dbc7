// Random arrays of pi's messages.

import { PNG, randomConversation, textOf } from "./conversation.mjs";
import { damaged } from "./damage.mjs";

const IMAGE = { type: "image", data: PNG, mimeType: "image/png" };

/** A legal array of some `messages` messages. */
export function randomArray(random, { messages }) {
  const { pick, chance, below } = random;
  const { turns, next } = randomConversation(random, { messages, idsComeAgain: "in steps" });

  const timed = (message) => ({ ...message, timestamp: 1_750_000_000_000 + next() });
  const text = (words) => ({ type: "text", text: words });
  const block = (piece) => (piece.kind === "text" ? text(piece.text) : IMAGE);
  const thought = (reasoning) => {
    if (reasoning === undefined) return [];
    const { seal, redacted } = reasoning;
    return [{ type: "thinking", thinking: redacted ? "" : reasoning.text, thinkingSignature: seal, ...(redacted ? { redacted } : {}) }];
  };
  const usage = () => ({ input: below(9_000), output: below(900), cacheRead: 0, cacheWrite: 0, totalTokens: below(9_900) });
  const assistant = (content, stopReason) =>
    timed({ role: "assistant", content, api: "a", provider: "p", model: pick(["m", "n"]), stopReason, ...(chance(0.5) ? { usage: usage() } : {}) });
  const returned = ({ id, name, result }) =>
    timed({ role: "toolResult", toolCallId: id, toolName: name, content: [text(textOf(result)), ...(result.kind === "image" ? [IMAGE] : [])], isError: result.kind === "error" });
  const aside = () =>
    timed(
      pick([
        { role: "bashExecution", command: "ls", output: "a.txt", exitCode: 0, cancelled: false, truncated: false },
        { role: "bashExecution", command: "date", output: "today", exitCode: 0, cancelled: false, truncated: false, excludeFromContext: true },
        { role: "custom", customType: "note", content: "Mind the dog.", display: true },
        { role: "branchSummary", summary: "A detour.", fromId: "root" },
      ]),
    );

  const said = [];
  for (const turn of turns) {
    if (chance(0.1)) said.push(aside());
    said.push(timed({ role: "user", content: turn.said.length === 1 && chance(0.6) ? turn.said[0].text : turn.said.map(block) }));
    for (const step of turn.steps) {
      const words = step.text === undefined ? [] : [text(step.text)];
      const calls = step.calls.map(({ id, name, input }) => ({ type: "toolCall", id, name, arguments: input }));
      said.push(assistant([...thought(step.reasoning), ...words, ...calls], "toolUse"), ...step.answered.map(returned));
    }
    // A turn that failed is never sent.
    if (chance(0.05)) said.push({ ...assistant([text("I be")], "error"), errorMessage: "529" });
    if (turn.answer) said.push(assistant([...thought(turn.answer.reasoning), text(turn.answer.text)], pick(["stop", "length"])));
  }
  return said;
}

/** A copy with something broken. */
export const damage = (random, messages) => damaged(random, messages, { roles: ["user", "assistant", "toolResult"], lists: ["content"] });
