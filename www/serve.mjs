// Serves the built page on this machine alone: `node www/serve.mjs [FOLDER]`, until Ctrl+C.

import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import sirv from "sirv";

/** Tried first: what a browser keeps for the page belongs to its address, so that is the same each time. */
const USUAL_PORT = 8317;

const BUILT = fileURLToPath(new URL("../target/www", import.meta.url));

/** Types that sirv does not know. */
const TYPES = { ".jsonl": "application/jsonl", ".vocabulary": "application/octet-stream" };

/**
 * The page as a server. `mount` is the folder of the host that it lies in, with slashes around it; `port` 0 takes any
 * that is free. Gives the page's address, and a function that ends it.
 */
export async function serve(folder = BUILT, { mount = "/", port = 0 } = {}) {
  const policy = policyOf(folder);
  const files = sirv(folder, {
    // The files are looked up for each request: a build may replace them.
    dev: true,
    etag: true,
    setHeaders(response, pathname) {
      // A worker has no other policy than that of its own header.
      response.setHeader("content-security-policy", policy);
      response.setHeader("x-content-type-options", "nosniff");
      response.setHeader("referrer-policy", "no-referrer");
      const type = TYPES[extname(pathname)];
      if (type !== undefined) response.setHeader("content-type", type);
    },
  });
  const server = createServer((request, response) => {
    if (request.url === mount.slice(0, -1)) return response.writeHead(301, { location: mount }).end();
    if (!request.url.startsWith(mount)) return response.writeHead(404).end();
    request.url = request.url.slice(mount.length - 1);
    return files(request, response);
  });
  await listen(server, port);
  return {
    address: `http://127.0.0.1:${server.address().port}${mount}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The policy stands in the page; the header is the same. */
export function policyOf(folder) {
  const page = join(folder, "index.html");
  if (!existsSync(page)) throw new Error(`${page} is not there: run \`cargo xtask build\` first`);
  const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(readFileSync(page, "utf8"))?.[1];
  if (policy === undefined) throw new Error(`${page} holds no Content-Security-Policy`);
  return policy;
}

function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
}

async function main([folder]) {
  const page = await serve(folder, { port: USUAL_PORT }).catch((error) => {
    if (error.code === "EADDRINUSE") return serve(folder);
    throw error;
  });
  console.log(`\nThe demo page: ${page.address}  (Ctrl+C ends it)`);
  process.once("SIGINT", () => page.close());
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
