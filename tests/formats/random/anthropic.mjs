// Random arrays of Messages API messages.

import { PDF, PNG, randomConversation, textOf } from "./conversation.mjs";
import { damaged } from "./damage.mjs";

const IMAGE = { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } };

/** A legal array of some `messages` messages. */
export function randomArray(random, { messages }) {
  const { chance, below } = random;
  const { turns, next } = randomConversation(random, { messages });

  const text = (words) => ({ type: "text", text: words, ...(chance(0.05) ? { cache_control: { type: "ephemeral" } } : {}) });
  const block = (piece) => {
    switch (piece.kind) {
      case "text": return text(piece.text);
      case "image": return IMAGE;
      case "link": return { type: "image", source: { type: "url", url: "https://example.com/a.png" } };
      case "file": return { type: "document", source: { type: "base64", media_type: "application/pdf", data: PDF } };
      default: return { type: "sticker", code: 12 };
    }
  };
  const thought = (reasoning) => {
    if (reasoning === undefined) return [];
    const { text: thinking, seal, redacted } = reasoning;
    return [redacted ? { type: "redacted_thinking", data: seal } : { type: "thinking", thinking, signature: seal }];
  };
  const result = ({ id, result: given }) => ({
    type: "tool_result",
    tool_use_id: id,
    content: given.kind === "image" ? [text(given.text), IMAGE] : textOf(given),
    ...(given.kind === "error" ? { is_error: true } : {}),
  });
  const served = () => {
    const id = `srvtoolu_${next()}`;
    return [
      { type: "server_tool_use", id, name: "web_search", input: { query: "all" } },
      { type: "web_search_tool_result", tool_use_id: id, content: [{ type: "web_search_result", url: "https://example.com", title: "All", encrypted_content: "RW5j" }] },
    ];
  };

  const said = [];
  for (const turn of turns) {
    said.push({ role: "user", content: turn.said.length === 1 && chance(0.6) ? turn.said[0].text : turn.said.map(block) });
    for (const step of turn.steps) {
      const words = step.text === undefined ? [] : [text(step.text)];
      const calls = step.calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input }));
      said.push({ role: "assistant", content: [...thought(step.reasoning), ...words, ...step.served.flatMap(served), ...calls] });
      const results = step.answered.map(result);
      // The API joins neighbours of one role.
      const split = chance(0.2) ? below(results.length) : 0;
      if (split > 0) said.push({ role: "user", content: results.slice(0, split) });
      said.push({ role: "user", content: [...results.slice(split), ...(chance(0.1) ? [text("go on")] : [])] });
    }
    if (turn.answer === undefined) continue;
    const words = text(turn.answer.text);
    const plain = turn.answer.reasoning === undefined && chance(0.5);
    said.push({ role: "assistant", content: plain ? turn.answer.text : [...thought(turn.answer.reasoning), words], ...(chance(0.1) ? { stop_reason: "end_turn" } : {}) });
  }
  return said;
}

/** A copy with something broken. */
export const damage = (random, messages) => damaged(random, messages, { roles: ["user", "assistant"], lists: ["content"] });
