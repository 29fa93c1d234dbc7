// A server on loopback that answers each request as a test says, and remembers what it was sent.

import { createServer } from "node:http";

/**
 * `answer(response, asked)` gets each request with its body read. Gives the origin, what was asked, and a
 * promise of the moment when somebody who asked went away.
 */
export async function answering(t, answer) {
  const asked = [];
  let tellGone;
  const gone = new Promise((resolve) => (tellGone = resolve));
  const server = createServer(async (request, response) => {
    let body = "";
    request.setEncoding("utf8");
    for await (const piece of request) body += piece;
    const { method, url, headers } = request;
    const one = { method, url, headers, body: body === "" ? undefined : JSON.parse(body) };
    asked.push(one);
    response.on("close", () => response.writableFinished || tellGone());
    answer(response, one);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { origin: `http://127.0.0.1:${server.address().port}`, asked, gone };
}

export const JSON_TYPE = { "content-type": "application/json" };
export const EVENTS_TYPE = { "content-type": "text/event-stream; charset=utf-8" };
export const LINES_TYPE = { "content-type": "application/x-ndjson" };

/** Pieces of an answer, each sent by itself. */
export async function sendPieces(response, pieces) {
  for (const piece of pieces) {
    response.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
