// How the server counts: four characters a token, over everything that the model sees.

/** @param {string} text */
export const countText = (text) => Math.ceil(text.length / 4);

/** A request in the server's neutral form (see openai/read.mjs), system prompt and tools included. */
export function countRequest({ system, tools, messages }) {
  let tokens = countText(system) + countText(JSON.stringify(tools));
  // What a provider puts around a message costs a few tokens, too.
  for (const message of messages) tokens += 4 + message.parts.reduce((sum, part) => sum + countPart(part), 0);
  return tokens;
}

function countPart(part) {
  return part.type === "call" ? countText(part.name + JSON.stringify(part.arguments)) : countText(part.text);
}

/** What a reply takes. */
export const countReply = ({ text, calls }) => countText(text) + calls.reduce((sum, call) => sum + countPart({ type: "call", ...call }), 0);
