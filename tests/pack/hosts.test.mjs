// The packed package in the hosts that users have. The projects in hosts/ are copied out, the
// tarball is installed beside them as npm does it; each folds the same small session and array, and
// counts a text with a vocabulary of the package.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createLogger, createServer } from "vite";
import webpack from "webpack";
import { findChromium, openBrowser } from "../browser/harness.mjs";
import { fold } from "./hosts/fold.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
// Beside the tarball, which lies in cargo's target folder.
const hosts = resolve(root, process.env.CARGO_TARGET_DIR ?? "target", "xtask/hosts");
const { version } = JSON.parse(readFileSync(join(root, "node_modules/threadfold/package.json"), "utf8"));

/** Runs a program in a project and gives what it printed. What hangs is ended. */
async function run(folder, program, ...parameters) {
  const [command, ...all] = [program, parameters].flat();
  const shell = command.endsWith(".cmd");
  // Deno's cache; without the others it and Bun ask the network for news.
  const env = { ...process.env, DENO_DIR: join(hosts, "deno"), DENO_NO_UPDATE_CHECK: "1", DO_NOT_TRACK: "1" };
  const options = { cwd: join(hosts, folder), encoding: "utf8", env, shell, timeout: 20_000 };
  const { stdout, stderr } = await promisify(execFile)(command, all, options);
  assert.equal(stderr, "", `${folder} complains`);
  return stdout;
}

/** Far more than any of them needs; a page that never answers must not hang the whole. */
const limits = { timeout: 20_000 };

/** The outcome in this very process: what every host must say. */
let expected;

before(async () => {
  rmSync(hosts, { recursive: true, force: true });
  mkdirSync(hosts, { recursive: true });
  cpSync(fileURLToPath(new URL("hosts", import.meta.url)), hosts, { recursive: true });
  writeFileSync(join(hosts, "package.json"), `{ "private": true, "type": "module" }\n`);
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const quiet = ["--offline", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  await run(".", npm, "install", ...quiet, "--cache=npm-cache", `../pack/threadfold-${version}.tgz`);

  expected = await fold(await import("threadfold"));
  assert.equal(expected.status, "committed");
  assert.equal(expected.summarizer, "local");
  assert.equal(expected.roles[0], "compactionSummary");
  assert.ok(expected.tokensAfter < expected.tokensBefore);
  assert.ok(expected.roles.length > 1 && expected.roles.length < 40);
  assert.equal(expected.hello, 2);
  const { status, roles, valid } = expected.array;
  assert.deepEqual([status, valid], ["committed", true]);
  assert.ok(roles.length > 1 && roles.length < 40);
});

/** The program of a runtime that npm brings as one package for each platform. */
function platformProgram(scope, path) {
  const folder = join(root, "node_modules", scope);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.flatMap((name) => [join(folder, name, path), join(folder, name, `${path}.exe`)]).find(existsSync);
}

const runtimes = {
  Node: [process.execPath],
  // No install script is run here, so neither has linked its program into the package `bun` or `deno`.
  Bun: [platformProgram("@oven", "bin/bun"), "--no-install"],
  Deno: [platformProgram("@deno", "deno"), "run", "--cached-only", "--no-prompt", "--allow-read"],
};

for (const [name, program] of Object.entries(runtimes)) {
  const skip = program[0] === undefined && `npm has no ${name} for this platform`;
  describe(name, { skip }, () => {
    for (const file of ["main.mjs", "main.cjs"]) {
      test(`${name}: ${file}`, limits, async () => assert.deepEqual(JSON.parse(await run("runtime", program, file)), expected));
    }
  });
}

describe("Chromium", { skip: findChromium() === undefined && "no Chromium on the PATH or in CHROME_PATH" }, () => {
  let browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser?.close());

  /** Holds what a page says against Node. */
  async function says(page, places) {
    for (const place of places) {
      assert.deepEqual(await page.evaluate((place) => globalThis[place], place), expected, place);
    }
    page.assertQuiet();
  }

  /** Opens a folder's page, under the harness's strict policy. */
  const opens = async (folder, path, places) => says(await browser.open(path, join(hosts, folder)), places);

  test("a module worker without a bundler", limits, () => opens(".", "/worker/", ["inWorker"]));

  test("a production build of Vite: the page, and its worker", limits, async () => {
    const vite = join(root, "node_modules/vite/bin/vite.js");
    assert.equal(await run("vite", process.execPath, vite, "build", "--logLevel", "warn"), "");
    await opens("vite/dist", "/", ["inPage", "inWorker"]);
  });

  test("the development server of Vite: the page, and its worker", limits, async () => {
    const complaints = [];
    const complain = (message) => complaints.push(message);
    const customLogger = { ...createLogger("silent"), warn: complain, warnOnce: complain, error: complain };
    const server = await createServer({ root: join(hosts, "vite"), configFile: false, customLogger, server: { host: "127.0.0.1" } });
    try {
      await server.listen();
      const page = await browser.open();
      await page.goto(server.resolvedUrls.local[0]);
      await says(page, ["inPage", "inWorker"]);
      assert.deepEqual(complaints, []);
    } finally {
      await server.close();
    }
  });

  test("a production build of webpack: the page, and its worker", limits, async () => {
    const context = join(hosts, "webpack");
    const output = { path: join(context, "dist") };
    // Without `performance` it warns of every file above 244 KiB, which the engine is before compression.
    const compiler = webpack({ mode: "production", context, entry: "./main.js", output, performance: false });
    const stats = await promisify(compiler.run.bind(compiler))();
    await promisify(compiler.close.bind(compiler))();
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
    assert.deepEqual([...errors, ...warnings].map(({ message }) => message), []);
    await opens("webpack", "/", ["inPage", "inWorker"]);
  });
});
