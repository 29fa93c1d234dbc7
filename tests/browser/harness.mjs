// A page in a real browser where `import("threadfold")` works: a static server for the installed
// package, Chromium, and a record of everything that went wrong on the page.
//
//   const browser = await openBrowser();
//   const page = await browser.open();                  // a fresh, isolated page
//   await page.evaluate(async () => { const { init } = await import("threadfold"); ... });
//   page.assertQuiet();                                 // no error, no CSP violation
//   await browser.open("/", "some/folder");             // a page of that folder, under the same policy
//   await browser.close();

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { delimiter, extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../../", import.meta.url));

const types = {
  ".cjs": "text/javascript",
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".jsonl": "application/x-ndjson",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

const importMap = JSON.stringify({
  imports: {
    threadfold: "/node_modules/threadfold/dist/browser.mjs",
    "threadfold/inline": "/node_modules/threadfold/dist/inline.mjs",
  },
});

/** What users with a strict policy set; the import map is inline, so its digest is allowed too. */
const policyWith = (connect) => [
  "default-src 'none'",
  `script-src 'self' 'wasm-unsafe-eval' 'sha256-${createHash("sha256").update(importMap).digest("base64")}'`,
  ["connect-src 'self'", ...connect].join(" "),
  "img-src data:",
  "worker-src 'self'",
].join("; ");

const start = `<!doctype html><meta charset="utf-8"><title>threadfold</title><link rel="icon" href="data:,">
<script type="importmap">${importMap}</script>`;

/** Folders that the server shows, by the first part of the address. */
const shown = ["node_modules/threadfold", "tests", "examples"];

/** Pages of these bring a policy of their own. */
const withOwnPolicy = /^\/examples\//;

/** Answers with what a page of the package needs; or, where a folder is given, with its files. */
async function answer({ folder, policy }, request, response) {
  const { pathname } = new URL(request.url, "http://localhost");
  const headers = { "cache-control": "no-store", ...(withOwnPolicy.test(pathname) ? {} : { "content-security-policy": policy }) };
  if (folder === undefined && pathname === "/") {
    response.writeHead(200, { ...headers, "content-type": types[".html"] }).end(start);
    return;
  }
  const path = normalize(decodeURIComponent(pathname).replace(/\/$/, "/index.html").slice(1));
  try {
    if (folder === undefined && !shown.some((part) => path.startsWith(normalize(part) + sep))) throw new Error("not shown");
    const body = await readFile(join(folder ?? root, path));
    const type = types[extname(path)] ?? "application/octet-stream";
    response.writeHead(200, { ...headers, "content-type": type }).end(body);
  } catch {
    response.writeHead(404, headers).end();
  }
}

/** The browser's program; nothing where there is none. */
export function findChromium() {
  if (process.env.CHROME_PATH) return process.env.CHROME_PATH;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
}

/** Starts Chromium, without a window. */
export function launchChromium() {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error("no Chromium on the PATH: name one in CHROME_PATH, or run `cargo xtask test`");
  }
  const asRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // A page that is not served securely: of a name, not of this machine.
      "--host-resolver-rules=MAP insecure.example 127.0.0.1",
      // Chromium's sandbox refuses to run as root, which is what containers are.
      ...(asRoot ? ["--no-sandbox"] : []),
    ],
  });
}

/** Everything that goes wrong on a page from now on, and what its console says at these levels. */
export async function complaintsOf(page, isSaid = (level) => ["error", "warning"].includes(level)) {
  const complaints = [];
  page.on("console", (message) => {
    if (isSaid(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.stack ?? error}`));
  page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()} ${request.failure()?.errorText}`));
  await page.exposeFunction("reportViolation", (text) => complaints.push(`policy: ${text}`));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      reportViolation(`${event.violatedDirective} refused ${event.blockedURI}`);
    });
  });
  return complaints;
}

/**
 * Starts the server and Chromium. Close it in the end, or the test run does not end. Pages may also
 * connect to the origins in `connect`.
 */
export async function openBrowser({ connect = [] } = {}) {
  const policy = policyWith(connect);
  const servers = [];
  /** Starts a server, and gives its origin. */
  const serve = async (folder) => {
    const server = createServer((request, response) => answer({ folder, policy }, request, response));
    servers.push(server);
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${server.address().port}`;
  };
  const browser = await launchChromium();
  const origin = await serve();
  return {
    origin,
    /** A page of its own context: nothing is shared with another page. `path` is below the root, or the folder. */
    async open(path = "/", folder = undefined) {
      const context = await browser.newContext();
      const page = await context.newPage();
      const complaints = await complaintsOf(page);
      await page.goto((folder === undefined ? origin : await serve(folder)) + path);
      /** Everything that went wrong on the page so far. */
      page.complaints = complaints;
      page.assertQuiet = () => assert.deepEqual(complaints, []);
      return page;
    },
    async close() {
      await browser.close();
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

/**
 * For `page.evaluate`: runs a case of a module, which the page imports. `path` leads from the module to
 * the case, and the case's `run` gets `argument`. Gives the error it ended with and the rejections that
 * nobody handled.
 */
export async function runCase({ module, path, argument }) {
  const { init } = await import("threadfold");
  await init();
  const one = path.reduce((value, key) => value[key], await import(module));
  const unhandled = [];
  const hear = (event) => unhandled.push(String(event.reason?.stack ?? event.reason));
  addEventListener("unhandledrejection", hear);
  try {
    await one.run(argument);
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { unhandled };
  } catch (error) {
    return { unhandled, failure: String(error?.stack ?? error) };
  } finally {
    removeEventListener("unhandledrejection", hear);
  }
}
