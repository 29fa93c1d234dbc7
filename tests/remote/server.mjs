// A remote endpoint on loopback that answers as its address says, well or badly. It lets pages of
// any origin in, and remembers what it was sent.
//
//   const endpoint = await startEndpoint();
//   POST `${endpoint.origin}/say?status=429&retry-after=2&body=slow+down`
//   GET  `${endpoint.origin}/received?id=7`    // what the POST with `id=7` sent, and how far it went
//   await endpoint.stop();

import { createServer } from "node:http";

/** What `/summary` answers. */
export const SUMMARY = "## Goal\nShip it.\n\n## Next Steps\n1. Go on.";

const half = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"summary":"it goes');
};

/** What is done with a request that has come in whole. `reach` notes how far the answer went. */
const answers = {
  "/summary": ({ response }) => response.end(JSON.stringify({ model: "m", summary: SUMMARY })),
  "/recovers": ({ response, record, query }) => {
    const failing = record.count <= Number(query.get("after"));
    response.writeHead(failing ? 503 : 200).end(failing ? "busy" : JSON.stringify({ summary: SUMMARY }));
  },
  "/fails": ({ response, record, query }) => {
    const failing = record.count > Number(query.get("after"));
    response.writeHead(failing ? Number(query.get("status")) : 200).end(failing ? "no" : JSON.stringify({ summary: SUMMARY }));
  },
  "/say": ({ response, query }) => {
    const wait = query.get("retry-after");
    response.writeHead(Number(query.get("status") ?? 200), wait === null ? {} : { "retry-after": wait });
    response.end(query.get("body") ?? "");
  },
  "/big": ({ response }) => response.end(JSON.stringify({ summary: "x".repeat(5_000_000) })),
  "/endless": ({ response }) => {
    const more = () => response.destroyed || response.write("x".repeat(65_536), () => setImmediate(more));
    more();
  },
  "/redirect": ({ response, query }) => {
    response.writeHead(Number(query.get("status") ?? 301), { location: "/summary" }).end("moved");
  },
  "/echo": ({ response, record, query }) => {
    response.writeHead(Number(query.get("status") ?? 500)).end(JSON.stringify(record.headers));
  },
  "/breaks": ({ response }) => {
    half(response);
    setTimeout(() => response.destroy(), 20);
  },
  "/refuses": ({ response }) => response.destroy(),
  // These three never end by themselves.
  "/silent": ({ reach }) => reach("silent"),
  "/headers": ({ response, reach }) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    reach("headers");
  },
  "/stalls": ({ response, reach }) => {
    half(response);
    reach("half");
  },
};

/** What pages of other origins may do. A preflight does not let `*` stand for every header. */
const openTo = (request) => ({
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "*",
  "access-control-expose-headers": "retry-after",
});

export async function startEndpoint() {
  const records = new Map();

  const server = createServer(async (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url, "http://localhost");
    const id = query.get("id");
    for (const [name, value] of Object.entries(openTo(request))) response.setHeader(name, value);
    if (request.method === "OPTIONS") return response.writeHead(204).end();
    if (pathname === "/received") return response.end(JSON.stringify(records.get(id) ?? null));
    const record = { count: (records.get(id)?.count ?? 0) + 1, method: request.method, headers: request.headers };
    records.set(id, record);
    response.on("close", () => (record.closed = true));
    let body = "";
    request.setEncoding("utf8");
    try {
      for await (const piece of request) body += piece;
    } catch {
      return undefined;
    }
    record.body = body;
    // A moment later, so that it has gone out.
    const reach = (point) => setTimeout(() => (record.reached = point), 20);
    return (answers[pathname] ?? (() => response.writeHead(404).end()))({ response, query, record, reach });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
