// What OpenAI's Responses API demands of a list as `input`. Items and required fields are those of
// `ResponseInputItem` in the declarations of the package `openai`; each law names the words the API
// refuses with.

import { Problems } from "../../../example/server/problems.mjs";
import { checkParts, demand, isAnything, isFlag, isList, isName, isObject, isText, oneOf } from "./fields.mjs";

const INPUT = {
  input_text: { text: isText },
  input_image: { type: isText },
  input_file: { type: isText },
  input_audio: { type: isText },
};
const OUTPUT = { output_text: { text: isText }, refusal: { refusal: isText } };
const KNOWN = new Set([...Object.keys(INPUT), ...Object.keys(OUTPUT)]);
const ROLES = { user: INPUT, system: INPUT, developer: INPUT, assistant: OUTPUT };
const isOutput = (output) => isText(output) || isList(output);

const ITEMS = {
  reasoning: { id: isName, summary: isList },
  compaction: { encrypted_content: isText },
  function_call: { call_id: isName, name: isName, arguments: isText },
  function_call_output: { call_id: isName, output: isOutput },
  custom_tool_call: { call_id: isName, name: isName, input: isText },
  custom_tool_call_output: { call_id: isName, output: isOutput },
  computer_call: { id: isName, call_id: isName },
  computer_call_output: { call_id: isName, output: isObject },
  local_shell_call: { id: isName, call_id: isName, action: isObject },
  local_shell_call_output: { output: isText },
  shell_call: { call_id: isName, action: isObject },
  shell_call_output: { call_id: isName, output: isList },
  apply_patch_call: { call_id: isName, operation: isObject },
  apply_patch_call_output: { call_id: isName, status: oneOf("completed", "failed") },
  tool_search_call: { arguments: isAnything },
  tool_search_output: { tools: isList },
  web_search_call: { id: isName },
  file_search_call: { id: isName, queries: isList },
  code_interpreter_call: { id: isName, container_id: isText },
  image_generation_call: { id: isName },
  mcp_list_tools: { id: isName, server_label: isText, tools: isList },
  mcp_call: { id: isName, server_label: isText, name: isName, arguments: isText },
  mcp_approval_request: { id: isName, server_label: isText, name: isName, arguments: isText },
  mcp_approval_response: { approval_request_id: isName, approve: isFlag },
  item_reference: { id: isName },
};

/** The problems of a list of items. */
export function checkOpenaiResponses(items) {
  const problems = new Problems();
  if (!problems.unless(isList(items) && items.length > 0, "input", "is empty")) return problems.list;
  const seen = { open: new Map(), ids: new Set(), requests: new Set() };
  for (const [index, item] of items.entries()) {
    const place = `input[${index}]`;
    if (!problems.unless(isObject(item) && (isName(item.type) || isName(item.role)), place, "has neither type nor role")) continue;
    if (isMessage(item)) checkMessage(item, problems, place);
    else demand(item, ITEMS[item.type] ?? {}, problems, place);
    checkId(item, seen.ids, problems, place);
    checkPair(item, seen, problems, place);
    // "Item 'rs_…' of type 'reasoning' was provided without its required following item."
    if (item.type === "reasoning") problems.unless(isPartner(items[index + 1]), place, "is reasoning without the item that came of it");
  }
  // "No tool output found for function call call_…"
  for (const [id, place] of seen.open) problems.unless(false, place, `calls ${id}, which has no output`);
  return problems.list;
}

const isMessage = ({ type }) => type === undefined || type === "message";

function checkMessage({ role, content }, problems, place) {
  if (!problems.unless(Object.hasOwn(ROLES, role), place, `has the role ${role}`)) return;
  // "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'."
  if (isList(content)) checkParts(content, { allowed: ROLES[role], known: KNOWN }, problems, `${place}.content`);
  else problems.unless(isText(content), `${place}.content`, "is neither text nor a list");
}

/** "Duplicate item found with id rs_…. Remove duplicate items from your input and try again." */
function checkId({ id }, ids, problems, place) {
  if (!isName(id)) return;
  problems.unless(!ids.has(id), place, `repeats the id ${id}`);
  ids.add(id);
}

/** A call the client carries out has a `call_id`, and an output with the same one anywhere behind it. */
function checkPair(item, { open, requests }, problems, place) {
  const type = item.type ?? "";
  // The declaration of `local_shell_call_output` names its call in `id`.
  const called = item.call_id ?? (type === "local_shell_call_output" ? item.id : undefined);
  if (type.endsWith("_output") && isAnything(called) && called !== null) {
    // "No tool call found for function call output with call_id call_…."
    problems.unless(open.delete(called), place, `answers ${called}, which no call before it awaits`);
  } else if (type.endsWith("_call") && isName(called)) {
    problems.unless(!open.has(called), place, `calls ${called} again before its output`);
    open.set(called, place);
  } else if (type === "mcp_approval_request") {
    requests.add(item.id);
  } else if (type === "mcp_approval_response") {
    problems.unless(requests.has(item.approval_request_id), place, "answers no approval request before it");
  }
}

/** What a model writes behind its reasoning. */
function isPartner(item) {
  if (!isObject(item)) return false;
  if (isMessage(item)) return item.role === "assistant";
  return !item.type.endsWith("_output") && !["mcp_approval_response", "item_reference"].includes(item.type);
}
