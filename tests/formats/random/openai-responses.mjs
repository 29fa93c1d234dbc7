// Random arrays of Responses items.

import { PDF, PNG, randomConversation, textOf } from "./conversation.mjs";
import { damaged } from "./damage.mjs";

const IMAGE = { type: "input_image", detail: "auto", image_url: `data:image/png;base64,${PNG}` };

/** A legal array of some `messages` items. */
export function randomArray(random, { messages }) {
  const { pick, chance } = random;
  const { system, turns, next } = randomConversation(random, { messages, idsComeAgain: "in steps" });

  const part = (piece) => {
    switch (piece.kind) {
      case "text": return { type: "input_text", text: piece.text };
      case "image": return IMAGE;
      case "link": return { type: "input_image", detail: "low", image_url: "https://example.com/a.png" };
      case "file": return { type: "input_file", filename: "a.pdf", file_data: `data:application/pdf;base64,${PDF}` };
      default: return { type: "input_sticker", code: 12 };
    }
  };
  const message = (role, content) => ({ ...(chance(0.5) ? { type: "message" } : {}), role, content });
  const user = (said) => message("user", said.length === 1 && chance(0.6) ? said[0].text : said.map(part));
  const spoken = (text) => ({ type: "message", id: `msg_${next()}`, role: "assistant", status: "completed", content: [{ type: "output_text", text, annotations: [] }] });
  const thought = ({ text, seal, redacted }) => ({ type: "reasoning", id: `rs_${next()}`, summary: redacted ? [] : [{ type: "summary_text", text }], encrypted_content: seal });
  const output = (result) => (result.kind === "image" ? [{ type: "input_text", text: result.text }, IMAGE] : textOf(result));
  /** A call, and what makes its output. */
  const pair = ({ id, name, input, result }) => {
    const [type, fields] = pick([
      ["function_call", { name, arguments: chance(0.05) ? pick(["", "{\"path\": "]) : JSON.stringify(input) }],
      ["function_call", { id: `fc_${next()}`, name, arguments: JSON.stringify(input), status: "completed" }],
      ["custom_tool_call", { name, input: JSON.stringify(input) }],
      ["foo_call", { colour: "blue", given: input }],
    ]);
    return [{ type, call_id: id, ...fields }, { type: `${type}_output`, call_id: id, output: output(result) }];
  };
  const served = ({ name, input, result, approval }) => {
    if (approval === undefined) return [{ type: "web_search_call", id: `ws_${next()}`, status: "completed", action: { type: "search", query: "all" } }];
    const request = `mcpr_${next()}`;
    const call = { server_label: "files", name, arguments: JSON.stringify(input) };
    const answer = { type: "mcp_approval_response", approval_request_id: request, approve: approval.approved, ...(approval.reason ? { reason: approval.reason } : {}) };
    const asked = [{ type: "mcp_approval_request", id: request, ...call }, answer];
    return approval.approved ? [...asked, { type: "mcp_call", id: `mcp_${next()}`, ...call, approval_request_id: request, output: textOf(result) }] : asked;
  };

  const items = system === undefined ? [] : [message(pick(["system", "developer"]), system)];
  for (const turn of turns) {
    if (turn.note !== undefined && items.length > 0) items.push(message("developer", turn.note));
    items.push(user(turn.said));
    for (const step of turn.steps) {
      if (step.reasoning) items.push(thought(step.reasoning));
      if (step.text !== undefined) items.push(spoken(step.text));
      items.push(...step.served.flatMap(served));
      const pairs = new Map(step.calls.map((call) => [call, pair(call)]));
      items.push(...step.calls.map((call) => pairs.get(call)[0]), ...step.answered.map((call) => pairs.get(call)[1]));
    }
    if (turn.answer?.reasoning) items.push(thought(turn.answer.reasoning));
    if (turn.answer) items.push(turn.answer.reasoning || chance(0.5) ? spoken(turn.answer.text) : message("assistant", turn.answer.text));
    if (chance(0.05)) items.push({ type: "mood", id: `mood_${next()}`, value: ["calm", null] });
  }
  return items;
}

/** A copy with something broken. */
export const damage = (random, messages) => damaged(random, messages, { roles: ["system", "developer", "user", "assistant"], lists: ["content"] });
