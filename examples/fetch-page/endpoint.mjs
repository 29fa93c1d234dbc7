// An endpoint that speaks OpenAI's chat completions, asked with `fetch`.

/**
 * @typedef {{ role: "system" | "user" | "assistant", content: string }} ChatMessage
 *
 * @typedef {object} Connection
 * @property {string} baseURL
 * @property {string} model
 * @property {string} apiKey empty where the endpoint wants none
 * @property {number} contextWindow in tokens
 */

/** @param {Connection} connection @param {object} body @param {AbortSignal} signal */
async function post({ baseURL, model, apiKey }, body, signal) {
  const response = await fetch(`${baseURL.replace(/\/+$/, "")}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` }) },
    body: JSON.stringify({ model, ...body }),
    signal,
  });
  if (response.ok) return response;
  // Threadfold goes by the status and the headers of what failed, and waits where that helps.
  const text = await response.text();
  throw Object.assign(new Error(wordsOf(text) ?? `the endpoint answered ${response.status}`), { status: response.status, headers: response.headers });
}

/** What a refusal says. @param {string} text @returns {string | undefined} */
function wordsOf(text) {
  try {
    return JSON.parse(text).error.message;
  } catch {
    return undefined;
  }
}

/**
 * The pieces of an answer as they come.
 *
 * @param {Connection} connection @param {{ messages: readonly ChatMessage[], max_completion_tokens: number }} body @param {AbortSignal} signal
 */
export async function* streamAnswer(connection, body, signal) {
  const { body: stream } = await post(connection, { ...body, stream: true }, signal);
  for await (const data of eventsOf(stream)) {
    if (data === "[DONE]") return;
    const piece = JSON.parse(data).choices?.[0]?.delta?.content;
    if (typeof piece === "string") yield piece;
  }
  throw new Error("the answer broke off");
}

/** The data of server-sent events; a line that holds none is passed over. @param {ReadableStream<Uint8Array> | null} stream */
async function* eventsOf(stream) {
  if (stream === null) return;
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + decoder.decode(value, { stream: !done })).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data:")) yield line.slice("data:".length).trim();
    if (done) return;
  }
}

/** As much of OpenAI's client as `summarizeWith.openai` calls. @param {Connection} connection */
export const clientOf = (connection) => ({
  chat: {
    completions: {
      /** @param {object} body @param {{ signal: AbortSignal }} options */
      create: async (body, { signal }) => (await post(connection, body, signal)).json(),
    },
  },
});
