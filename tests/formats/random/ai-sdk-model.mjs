// Random arrays of the AI SDK's model messages.

import { PDF, PNG, randomConversation } from "./conversation.mjs";
import { damaged } from "./damage.mjs";

/** A legal array of some `messages` messages; some of its images are bytes or `URL` objects. */
export function randomArray(random, { messages }) {
  const { pick, chance } = random;
  const { system, turns, next } = randomConversation(random, { messages, idsComeAgain: "in steps" });

  const part = (piece) => {
    switch (piece.kind) {
      case "text": return { type: "text", text: piece.text };
      case "image": return { type: "image", image: chance(0.3) ? new Uint8Array(Buffer.from(PNG, "base64")) : PNG, mediaType: "image/png" };
      case "link": return { type: "image", image: chance(0.3) ? new URL("https://example.com/a.png") : "https://example.com/a.png" };
      case "file": return { type: "file", mediaType: "application/pdf", filename: "a.pdf", data: PDF };
      default: return { type: "text", text: "a note", weight: 12 };
    }
  };
  const text = (words) => ({ type: "text", text: words, ...(chance(0.05) ? { providerOptions: { openai: { itemId: `msg_${next()}` } } } : {}) });
  const thought = (reasoning) => {
    if (reasoning === undefined) return [];
    const { seal, redacted } = reasoning;
    return [{ type: "reasoning", text: redacted ? "" : reasoning.text, providerOptions: { anthropic: redacted ? { redactedData: seal } : { signature: seal } } }];
  };
  const output = ({ result, approval }) => {
    if (approval?.approved === false) return { type: "execution-denied", ...(approval.reason ? { reason: approval.reason } : {}) };
    switch (result.kind) {
      case "json": return { type: pick(["json", "error-json"]), value: result.value };
      case "error": return { type: "error-text", value: result.text };
      case "image": return { type: "content", value: [{ type: "text", text: result.text }, pick([{ type: "media", data: PNG, mediaType: "image/png" }, { type: "image-data", data: PNG, mediaType: "image/png" }])] };
      default: return { type: "text", value: result.text };
    }
  };
  const called = ({ id, name, input }) => ({ type: "tool-call", toolCallId: id, toolName: name, input });
  const returned = (call) => ({ type: "tool-result", toolCallId: call.id, toolName: call.name, output: output(call) });
  const served = (call) => {
    const own = { ...call, id: `srv_${next()}`, approval: undefined };
    return [{ ...called(own), providerExecuted: true }, returned(own)];
  };

  const said = system === undefined ? [] : [{ role: "system", content: system }];
  for (const turn of turns) {
    if (turn.note !== undefined && said.length > 0) said.push({ role: "system", content: turn.note });
    said.push({ role: "user", content: turn.said.length === 1 && chance(0.6) ? turn.said[0].text : turn.said.map(part), ...(chance(0.1) ? { providerOptions: { a: { b: 1 } } } : {}) });
    for (const step of turn.steps) {
      const words = step.text === undefined ? [] : [text(step.text)];
      const asked = step.calls.filter(({ approval }) => approval).map((call) => ({ ...call, approvalId: `approval_${next()}` }));
      const requests = asked.map(({ id, approvalId }) => ({ type: "tool-approval-request", approvalId, toolCallId: id }));
      const replies = asked.map(({ approvalId, approval }) => ({ type: "tool-approval-response", approvalId, approved: approval.approved, ...(approval.reason ? { reason: approval.reason } : {}) }));
      said.push({ role: "assistant", content: [...thought(step.reasoning), ...words, ...step.served.flatMap(served), ...step.calls.map(called), ...requests] });
      if (replies.length > 0) said.push({ role: "tool", content: replies });
      const results = step.answered.map(returned);
      if (chance(0.3)) said.push(...results.map((result) => ({ role: "tool", content: [result] })));
      else said.push({ role: "tool", content: results });
    }
    if (turn.answer === undefined) continue;
    const plain = turn.answer.reasoning === undefined && chance(0.5);
    said.push({ role: "assistant", content: plain ? turn.answer.text : [...thought(turn.answer.reasoning), text(turn.answer.text)] });
  }
  return said;
}

/** A copy with something broken. */
export const damage = (random, messages) => damaged(random, messages, { roles: ["system", "user", "assistant", "tool"], lists: ["content"] });
