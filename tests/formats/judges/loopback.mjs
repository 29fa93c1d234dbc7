// A server on loopback that stands for a vendor: it takes a request that its check finds good, and refuses
// any other with a list of what is wrong.

import { createServer } from "node:http";
import { parsed } from "../../example/server/problems.mjs";

/** The status that says that the check itself failed. */
const BROKEN = 500;

/**
 * Starts one for a check and gives its address. It does not keep the process alive.
 * @param {(body: unknown) => string[]} check the problems of a request
 * @param {object} reply what answers a good one
 */
export async function startLoopback(check, reply) {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request.setEncoding("utf8")) text += piece;
    const [status, body] = answerTo(parsed(text));
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  const answerTo = (body) => {
    try {
      const problems = check(body);
      return problems.length === 0 ? [200, reply] : [400, { error: { message: "refused", problems } }];
    } catch (error) {
      return [BROKEN, { error: { message: error.stack } }];
    }
  };
  // A client that was held up may come back to an old connection.
  server.keepAliveTimeout = 0;
  server.on("connection", (socket) => socket.unref());
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return `http://127.0.0.1:${server.address().port}`;
}

/**
 * Sends a request, and gives what is wrong with it: what the server says, or why the client would not even send it.
 * @param {() => Promise<unknown>} send
 * @param {(error: any) => string[] | undefined} problemsOf finds the server's list in the client's error
 */
export async function complaints(send, problemsOf) {
  try {
    await send();
    return [];
  } catch (error) {
    if (error.status === BROKEN) throw error;
    return problemsOf(error) ?? [`${error.name}: ${error.message}`];
  }
}
