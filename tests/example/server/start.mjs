// A provider on loopback that speaks OpenAI's and Anthropic's protocol, streaming included. It checks
// every request as strictly as the judges of formats do, counts its tokens, refuses what does not fit its
// window, and goes wrong when told to. Pages of other origins may ask it.
//
//   const provider = await startProvider({ window: 16_000, model, faults: [{ fault: "overloaded", turn: 7 }] });
//   new OpenAI({ baseURL: provider.baseURL.openai, apiKey: "any" });
//   new Anthropic({ baseURL: provider.baseURL.anthropic, apiKey: "any" });
//   provider.violations;   // what was wrong with requests, each a text
//   provider.requests;     // one record for each request
//   await provider.stop();

import { createServer } from "node:http";
import { checkAnthropic as checkAnthropicMessages } from "../../formats/judges/wire/anthropic.mjs";
import { checkOpenaiChat as checkOpenaiMessages } from "../../formats/judges/wire/openai-chat.mjs";
import { checkAnthropic } from "./anthropic/check.mjs";
import { readAnthropic } from "./anthropic/read.mjs";
import { ANTHROPIC_REFUSALS, sendAnthropicReply } from "./anthropic/write.mjs";
import { cacheOf } from "./cache.mjs";
import { schedule } from "./faults.mjs";
import { checkOpenai } from "./openai/check.mjs";
import { readOpenai } from "./openai/read.mjs";
import { OPENAI_REFUSALS, sendOpenaiReply } from "./openai/write.mjs";
import { parsed } from "./problems.mjs";
import { sendJson } from "./sse.mjs";
import { countReply, countRequest, countText } from "./tokens.mjs";

/** What is wrong with a request as a whole, or else with its messages. */
const checkWith = (checkRequest, checkMessages) => (body) => {
  const problems = checkRequest(body);
  return problems.length > 0 ? problems : checkMessages(body.messages);
};

const PROTOCOLS = {
  "/v1/chat/completions": { check: checkWith(checkOpenai, checkOpenaiMessages), read: readOpenai, reply: sendOpenaiReply, refusals: OPENAI_REFUSALS, callPrefix: "call_" },
  "/v1/messages": { check: checkWith(checkAnthropic, checkAnthropicMessages), read: readAnthropic, reply: sendAnthropicReply, refusals: ANTHROPIC_REFUSALS, callPrefix: "toolu_" },
};

/**
 * @param {object} options
 * @param {number} options.window the context window, in tokens
 * @param {(request: object) => { text: string, calls: { name: string, arguments: object }[] }} options.model answers a
 *   request in neutral form (see openai/read.mjs)
 * @param {(request: object) => { kind: "chat" | "summary", turn: number }} options.about what a request is about
 * @param {import("./faults.mjs").Fault[]} [options.faults]
 * @param {(record: object, closed: Promise<void>, request: object) => unknown} [options.onRequest] told of each good
 *   request and of when its client has left; awaited before it is answered
 */
export async function startProvider({ window, model, about, faults = [], onRequest = () => {} }) {
  const provider = { requests: [], violations: [], last: undefined, faults: schedule(faults) };
  const cache = cacheOf();
  const counts = { chat: 0, summary: 0, calls: 0 };

  const server = createServer(async (request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    if (request.method === "OPTIONS") return response.writeHead(204, { "access-control-allow-headers": "authorization, content-type" }).end();
    const protocol = PROTOCOLS[request.url];
    if (request.method !== "POST" || protocol === undefined) return response.writeHead(404).end();
    const body = parsed(await textOf(request));
    const refuse = (kind, figures) => {
      const { status, body, headers } = protocol.refusals[kind](figures);
      return sendJson(response, status, body, { headers });
    };
    const problems = protocol.check(body);
    if (problems.length > 0) {
      provider.violations.push(...problems);
      return refuse("invalid", { problems });
    }
    const neutral = protocol.read(body);
    const { kind, turn } = about(neutral);
    const input = countRequest(neutral);
    const record = { kind, turn, number: (counts[kind] += 1), tokens: input, outcome: "answered" };
    provider.requests.push(record);
    provider.last = neutral;
    const closed = new Promise((resolve) => response.once("close", resolve));
    await onRequest(record, closed, neutral);
    // The client may have had enough while it was held up.
    if (response.destroyed) return (record.outcome = "given up");

    const fault = provider.faults.next(record);
    const figures = { model: neutral.model, input, maxTokens: neutral.maxTokens, toolTokens: countText(JSON.stringify(neutral.tools)) };
    if (fault !== undefined) {
      record.outcome = fault.fault;
      if (fault.fault in protocol.refusals) return refuse(fault.fault, { ...figures, window: fault.above, retryAfter: fault.retryAfter });
    } else if (input + neutral.maxTokens > window) {
      record.outcome = "too-long";
      return refuse("too-long", { ...figures, window });
    }
    const { text, calls } = model(neutral);
    const reply = limited({ text, calls: calls.map((call) => ({ id: `${protocol.callPrefix}${(counts.calls += 1)}`, ...call })) }, neutral.maxTokens);
    const usage = { input, output: countReply(reply), cached: cache.hit(neutral, input) };
    return protocol.reply(response, { request: neutral, reply, id: provider.requests.length, usage, fault: fault?.fault });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return Object.assign(provider, {
    baseURL: { openai: `${origin}/v1`, anthropic: origin },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

async function textOf(request) {
  let text = "";
  request.setEncoding("utf8");
  try {
    for await (const piece of request) text += piece;
  } catch {
    // The client went away; there is nobody to answer.
  }
  return text;
}

/** A reply that is longer than the request allows is cut off. */
function limited(reply, maxTokens) {
  if (countReply(reply) <= maxTokens) return reply;
  return { text: reply.text.slice(0, maxTokens * 4), calls: [], cutOff: true };
}
