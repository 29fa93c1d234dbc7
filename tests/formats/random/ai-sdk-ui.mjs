// Random arrays of the AI SDK's UI messages.

import { PDF, PNG, randomConversation } from "./conversation.mjs";
import { damaged } from "./damage.mjs";

/** A legal array; a turn's steps are one message, so there are fewer than `messages`. */
export function randomArray(random, { messages }) {
  const { chance } = random;
  const { system, turns, next } = randomConversation(random, { messages, idsComeAgain: "in turns" });

  const text = (words) => ({ type: "text", text: words, ...(chance(0.5) ? { state: "done" } : {}) });
  const part = (piece) => {
    switch (piece.kind) {
      case "text": return text(piece.text);
      case "image": return { type: "file", mediaType: "image/png", url: `data:image/png;base64,${PNG}` };
      case "link": return { type: "file", mediaType: "image/png", url: "https://example.com/a.png" };
      case "file": return { type: "file", mediaType: "application/pdf", filename: "a.pdf", url: `data:application/pdf;base64,${PDF}` };
      default: return { type: "data-note", data: { code: 12 } };
    }
  };
  const thought = (reasoning) => {
    if (reasoning === undefined) return [];
    const { seal, redacted } = reasoning;
    return [{ type: "reasoning", text: redacted ? "" : reasoning.text, providerMetadata: { anthropic: redacted ? { redactedData: seal } : { signature: seal } } }];
  };
  const ended = ({ result, approval }) => {
    const asked = approval === undefined ? {} : { approval: { id: `approval_${next()}`, approved: approval.approved, ...(approval.reason ? { reason: approval.reason } : {}) } };
    if (approval?.approved === false) return { state: "output-denied", ...asked };
    if (result.kind === "error") return { state: "output-error", errorText: result.text, ...asked };
    return { state: "output-available", output: result.kind === "json" ? result.value : result.text, ...asked };
  };
  const tool = (call) => ({
    ...(chance(0.8) ? { type: `tool-${call.name}` } : { type: "dynamic-tool", toolName: call.name }),
    toolCallId: call.id,
    input: call.input,
    ...ended(call),
  });
  const served = (call) => ({ ...tool({ ...call, id: `srv_${next()}`, approval: undefined }), providerExecuted: true });
  const source = () => (chance(0.1) ? [{ type: "source-url", sourceId: `s${next()}`, url: "https://example.com" }] : []);
  const message = (role, parts) => ({ id: `m${next()}`, role, parts, ...(chance(0.1) ? { metadata: { sentAt: 5 } } : {}) });

  const said = system === undefined ? [] : [message("system", [text(system)])];
  for (const turn of turns) {
    if (turn.note !== undefined && said.length > 0) said.push(message("system", [text(turn.note)]));
    said.push(message("user", turn.said.map(part)));
    const parts = turn.steps.flatMap((step) => [
      { type: "step-start" },
      ...thought(step.reasoning),
      ...(step.text === undefined ? [] : [text(step.text)]),
      ...step.served.map(served),
      ...step.calls.map(tool),
    ]);
    if (turn.answer) parts.push({ type: "step-start" }, ...thought(turn.answer.reasoning), ...source(), text(turn.answer.text));
    if (parts.length > 0) said.push(message("assistant", parts));
  }
  return said;
}

/** A copy with something broken. */
export const damage = (random, messages) => damaged(random, messages, { roles: ["system", "user", "assistant"], lists: ["parts"] });
