// Models on this machine that answer well or badly, open to pages of any origin: an endpoint as OpenAI has it, one as
// Ollama has it. What their addresses begin with says how they answer.

import { createServer } from "node:http";
import { SUMMARY } from "../remote/server.mjs";

export const KEY = "the-right-key";

const PAUSE_MS = 40;
const pieces = SUMMARY.match(/.{1,12}/gs);

/** How a streamed answer goes on after each piece. */
const ways = {
  "/good": () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS)),
  // Half of it comes, and then nothing.
  "/stalls": (place) => (place < pieces.length / 2 ? undefined : new Promise(() => {})),
};

/** Answers that are none. */
const faults = {
  "/fails": (response) => response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"The model is on strike."}}'),
  "/no-json": (response) => response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Welcome to the router</title>"),
};

const protocols = {
  "/v1/chat/completions": {
    type: "text/event-stream",
    piece: (content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`,
    end: `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`,
  },
  "/api/chat": {
    type: "application/x-ndjson",
    piece: (content) => `${JSON.stringify({ model: "m", message: { role: "assistant", content }, done: false })}\n`,
    end: `${JSON.stringify({ model: "m", message: { role: "assistant", content: "" }, done: true, done_reason: "stop" })}\n`,
  },
};

/** Starts them; gives their origin, and what they were asked. */
export async function startModels() {
  const asked = [];
  const server = createServer(async (request, response) => {
    for (const [name, value] of Object.entries({ "access-control-allow-origin": "*", "access-control-allow-headers": "*, authorization, content-type", "access-control-allow-methods": "POST" })) {
      response.setHeader(name, value);
    }
    if (request.method === "OPTIONS") return response.writeHead(204).end();
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    const [, way, path] = /^(\/[\w-]+)(\/.*)$/.exec(request.url);
    asked.push({ url: request.url, headers: request.headers, body });
    return answer({ way, protocol: protocols[path], request, response });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    asked,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer({ way, protocol, request, response }) {
  if (protocol === undefined) return response.writeHead(404).end();
  if (faults[way] !== undefined) return faults[way](response);
  if (protocol === protocols["/v1/chat/completions"] && request.headers.authorization !== `Bearer ${KEY}`) {
    return response.writeHead(401, { "content-type": "application/json" }).end('{"error":{"message":"Incorrect API key provided."}}');
  }
  response.writeHead(200, { "content-type": protocol.type });
  for (const [place, content] of pieces.entries()) {
    response.write(protocol.piece(content));
    await ways[way](place);
  }
  return response.end(protocol.end);
}
