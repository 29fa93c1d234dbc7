// One conversation as each format writes it: a system message where the format has one, and turns with a tool call.

const question = (turn) => `Question ${turn}: ${"why does it do so? ".repeat(20)}`;
const path = (turn) => `src/part-${turn}.rs`;
const output = (turn) => `Output ${turn}: ${"a line of the file. ".repeat(20)}`;
const answer = (turn) => `Answer ${turn}: ${"because it must. ".repeat(20)}`;
const SYSTEM = "You are the assistant of a harbour.";

/** For each format, what stands in front, and one turn: question, call, result, answer. */
const FORMATS = {
  "openai-chat": {
    system: [{ role: "system", content: SYSTEM }],
    turn: (n) => [
      { role: "user", content: question(n) },
      { role: "assistant", content: null, tool_calls: [{ id: `call_${n}`, type: "function", function: { name: "read", arguments: JSON.stringify({ path: path(n) }) } }] },
      { role: "tool", tool_call_id: `call_${n}`, content: output(n) },
      { role: "assistant", content: answer(n) },
    ],
  },
  "openai-responses": {
    system: [{ type: "message", role: "system", content: SYSTEM }],
    turn: (n) => [
      { type: "message", role: "user", content: [{ type: "input_text", text: question(n) }] },
      { type: "function_call", id: `fc_${n}`, call_id: `call_${n}`, name: "read", arguments: JSON.stringify({ path: path(n) }), status: "completed" },
      { type: "function_call_output", call_id: `call_${n}`, output: output(n) },
      { type: "message", id: `msg_${n}`, role: "assistant", status: "completed", content: [{ type: "output_text", text: answer(n), annotations: [] }] },
    ],
  },
  anthropic: {
    system: [],
    turn: (n) => [
      { role: "user", content: question(n) },
      { role: "assistant", content: [{ type: "tool_use", id: `toolu_${n}`, name: "read", input: { path: path(n) } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${n}`, content: output(n) }] },
      { role: "assistant", content: [{ type: "text", text: answer(n) }] },
    ],
  },
  gemini: {
    system: [],
    turn: (n) => [
      { role: "user", parts: [{ text: question(n) }] },
      { role: "model", parts: [{ functionCall: { name: "read", args: { path: path(n) } } }] },
      { role: "user", parts: [{ functionResponse: { name: "read", response: { output: output(n) } } }] },
      { role: "model", parts: [{ text: answer(n) }] },
    ],
  },
  "ai-sdk-model": {
    system: [{ role: "system", content: SYSTEM }],
    turn: (n) => [
      { role: "user", content: [{ type: "text", text: question(n) }] },
      { role: "assistant", content: [{ type: "tool-call", toolCallId: `call_${n}`, toolName: "read", input: { path: path(n) } }] },
      { role: "tool", content: [{ type: "tool-result", toolCallId: `call_${n}`, toolName: "read", output: { type: "text", value: output(n) } }] },
      { role: "assistant", content: [{ type: "text", text: answer(n) }] },
    ],
  },
  "ai-sdk-ui": {
    system: [{ id: "system", role: "system", parts: [{ type: "text", text: SYSTEM }] }],
    turn: (n) => [
      { id: `u${n}`, role: "user", parts: [{ type: "text", text: question(n) }] },
      {
        id: `a${n}`,
        role: "assistant",
        parts: [
          { type: "step-start" },
          { type: "tool-read", toolCallId: `call_${n}`, state: "output-available", input: { path: path(n) }, output: output(n) },
          { type: "step-start" },
          { type: "text", text: answer(n), state: "done" },
        ],
      },
    ],
  },
  pi: {
    system: [],
    turn: (n) => [
      { role: "user", content: question(n), timestamp: n },
      { role: "assistant", content: [{ type: "toolCall", id: `call_${n}`, name: "read", arguments: { path: path(n) } }], stopReason: "toolUse", timestamp: n },
      { role: "toolResult", toolCallId: `call_${n}`, toolName: "read", content: [{ type: "text", text: output(n) }], isError: false, timestamp: n },
      { role: "assistant", content: [{ type: "text", text: answer(n) }], stopReason: "stop", timestamp: n },
    ],
  },
};

/** Every format by its name. */
export const FORMAT_NAMES = Object.keys(FORMATS);

/** A conversation of so many turns; each holds about 350 tokens. */
export const chat = (format, turns) => [...FORMATS[format].system, ...more(format, 1, turns)];

/** Turns to go on with, by their numbers. */
export const more = (format, from, turns) => Array.from({ length: turns }, (_, at) => FORMATS[format].turn(from + at)).flat();

/** How many system messages stand in front. */
export const systemCount = (format) => FORMATS[format].system.length;
