// What the Gemini API demands of `contents`. Roles, parts and required fields are those of `Content` and
// `Part` in the declarations of the package `@google/genai`; each law names the words the API refuses with.

import { Problems } from "../../../example/server/problems.mjs";
import { demand, isList, isName, isObject, isText } from "./fields.mjs";

/** What a part may hold, one of them, and who says it. */
const KINDS = {
  text: { holds: isText },
  inlineData: { fields: { mimeType: isName, data: isName } },
  fileData: { fields: { fileUri: isName } },
  functionCall: { fields: { name: isName }, role: "model" },
  functionResponse: { fields: { name: isName, response: isObject }, role: "user" },
  executableCode: { fields: { code: isText } },
  codeExecutionResult: { fields: { outcome: isName } },
  toolCall: { fields: {} },
  toolResponse: { fields: {} },
};

/** The problems of a list of contents. */
export function checkGemini(contents) {
  const problems = new Problems();
  // "contents is not specified"
  if (!problems.unless(isList(contents) && contents.length > 0, "contents", "is empty")) return problems.list;
  let calls = [];
  for (const [index, content] of contents.entries()) {
    const place = `contents[${index}]`;
    if (!problems.unless(isObject(content), place, "is no object")) continue;
    const { role = "user", parts } = content;
    // "Please use a valid role: user, model."
    problems.unless(["user", "model"].includes(role), place, `has the role ${role}`);
    // "contents.parts must not be empty."
    if (!problems.unless(isList(parts) && parts.length > 0, `${place}.parts`, "is empty")) continue;
    for (const [number, part] of parts.entries()) checkPart(part, role, problems, `${place}.parts[${number}]`);
    const responses = of(parts, "functionResponse");
    checkResponses(calls, responses, problems, place);
    calls = of(parts, "functionCall");
    // "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
    problems.unless(calls.length === 0 || (contents[index - 1] !== undefined && contents[index - 1].role !== "model"), place, "calls without a turn of the user's before it");
  }
  checkResponses(calls, [], problems, "the end");
  // The API begins with the user: a history that was cut must not begin with the model.
  problems.unless(contents[0]?.role !== "model", "contents[0]", "begins the conversation, and is the model's");
  return problems.list;
}

const of = (parts, kind) => parts.map((part) => part?.[kind]).filter(isObject);

/** "required oneof field 'data' must have one initialized field" */
function checkPart(part, role, problems, place) {
  const kinds = Object.keys(KINDS).filter((kind) => part?.[kind] !== undefined && part[kind] !== null);
  if (!problems.unless(kinds.length === 1, place, `holds ${kinds.join(" and ") || "nothing"}`)) return;
  const [kind] = kinds;
  const { fields, holds = isObject, role: speaker = role } = KINDS[kind];
  if (!problems.unless(holds(part[kind]), `${place}.${kind}`, "has the wrong form")) return;
  problems.unless(speaker === role, place, `is a ${kind} of the ${role}'s`);
  if (fields !== undefined) demand(part[kind], fields, problems, `${place}.${kind}`);
  // A signature may come in a part whose text is empty (page "Thought signatures").
  if (kind === "text") problems.unless(part.text !== "" || isName(part.thoughtSignature), place, "is empty");
}

/**
 * "Please ensure that the number of function response parts is equal to the number of function call parts
 * of the function call turn." Names match, and ids where both sides have them.
 */
function checkResponses(calls, responses, problems, place) {
  problems.unless(calls.length === responses.length, place, `has ${responses.length} responses to ${calls.length} calls`);
  const left = [...calls];
  for (const { name, id } of responses) {
    const fits = (call) => call.name === name && (call.id ?? id) === (id ?? call.id);
    const index = left.findIndex(fits);
    if (problems.unless(index >= 0, place, `answers ${name} ${id ?? ""}, which is not called right before`)) left.splice(index, 1);
  }
}
