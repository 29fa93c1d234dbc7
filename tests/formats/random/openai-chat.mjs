// Random arrays of Chat Completions messages.

import { PDF, PNG, randomConversation, textOf } from "./conversation.mjs";
import { damaged } from "./damage.mjs";

/** A legal array of some `messages` messages. */
export function randomArray(random, { messages }) {
  const { pick, chance } = random;
  const { system, turns } = randomConversation(random, { messages, idsComeAgain: "in steps" });

  const part = (piece) => {
    switch (piece.kind) {
      case "text": return { type: "text", text: piece.text };
      case "image": return { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } };
      case "link": return { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "low" } };
      case "file": return { type: "file", file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${PDF}` } };
      default: return { type: "sticker", sticker: { code: 12 } };
    }
  };
  const user = (said) => ({ role: "user", content: said.length === 1 && chance(0.6) ? said[0].text : said.map(part), ...(chance(0.1) ? { name: "Ann" } : {}) });
  const text = (words) => (chance(0.8) ? words : [{ type: "text", text: words }]);
  const json = (input) => (chance(0.05) ? pick(["", "{\"path\": ", "null"]) : JSON.stringify(input));
  const call = ({ id, name, input }) =>
    chance(0.85)
      ? { id, type: "function", function: { name, arguments: json(input) } }
      : { id, type: "custom", custom: { name, input: JSON.stringify(input) } };
  const thought = (reasoning) => (reasoning ? { reasoning_content: reasoning.text } : {});

  const said = system === undefined ? [] : [{ role: pick(["system", "developer"]), content: text(system) }];
  for (const turn of turns) {
    if (turn.note !== undefined && said.length > 0) said.push({ role: "system", content: turn.note });
    said.push(user(turn.said));
    for (const step of turn.steps) {
      const content = step.text === undefined ? pick([null, ""]) : text(step.text);
      said.push({ role: "assistant", content, ...thought(step.reasoning), tool_calls: step.calls.map(call) });
      for (const { id, result } of step.answered) said.push({ role: "tool", tool_call_id: id, content: text(textOf(result)) });
    }
    if (turn.answer) said.push({ role: "assistant", content: text(turn.answer.text), ...thought(turn.answer.reasoning), ...(chance(0.1) ? { annotations: [] } : {}) });
  }
  return said;
}

/** A copy with something broken. */
export const damage = (random, messages) =>
  damaged(random, messages, { roles: ["system", "user", "assistant", "tool"], lists: ["content", "tool_calls"] });
