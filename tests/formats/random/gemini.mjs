// Random arrays of Gemini contents.

import { PDF, PNG, randomConversation } from "./conversation.mjs";
import { damaged } from "./damage.mjs";

const IMAGE = { inlineData: { mimeType: "image/png", data: PNG } };

/** A legal array of some `messages` contents. */
export function randomArray(random, { messages }) {
  const { chance } = random;
  const { turns } = randomConversation(random, { messages, idsComeAgain: "in steps" });
  const withIds = chance(0.5);

  const part = (piece) => {
    switch (piece.kind) {
      case "text": return { text: piece.text };
      case "image": return IMAGE;
      case "link": return { fileData: { mimeType: "image/png", fileUri: "https://example.com/a.png" } };
      case "file": return { inlineData: { mimeType: "application/pdf", data: PDF } };
      default: return { text: "a note", weight: 12 };
    }
  };
  const id = (call) => (withIds ? { id: call.id } : {});
  const response = (call) => {
    const { kind, value, text } = call.result;
    const given = kind === "json" ? value : { [kind === "error" ? "error" : "output"]: text };
    return { functionResponse: { ...id(call), name: call.name, response: given, ...(kind === "image" ? { parts: [IMAGE] } : {}) } };
  };
  const thought = (reasoning) => (reasoning ? [{ text: reasoning.text, thought: true }] : []);
  const sealed = (reasoning) => (reasoning ? { thoughtSignature: reasoning.seal } : {});
  const served = () => [{ executableCode: { language: "PYTHON", code: "print(1)" } }, { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } }];

  const contents = [];
  for (const turn of turns) {
    contents.push({ ...(chance(0.95) ? { role: "user" } : {}), parts: turn.said.map(part) });
    for (const step of turn.steps) {
      const calls = step.calls.map((call, index) => ({
        functionCall: { ...id(call), name: call.name, ...(Object.keys(call.input).length > 0 || chance(0.5) ? { args: call.input } : {}) },
        ...(index === 0 ? sealed(step.reasoning) : {}),
      }));
      const words = step.text === undefined ? [] : [{ text: step.text }];
      contents.push({ role: "model", parts: [...thought(step.reasoning), ...words, ...step.served.flatMap(served), ...calls] });
      contents.push({ role: "user", parts: step.answered.map(response) });
    }
    if (turn.answer === undefined) continue;
    const closing = turn.answer.reasoning && chance(0.3) ? [{ text: "", ...sealed(turn.answer.reasoning) }] : [];
    contents.push({ role: "model", parts: [...thought(turn.answer.reasoning), { text: turn.answer.text }, ...closing], ...(chance(0.1) ? { finishReason: "STOP" } : {}) });
  }
  return contents;
}

/** A copy with something broken. */
export const damage = (random, messages) => damaged(random, messages, { roles: ["user", "model"], lists: ["parts"] });
