// The built demo page in Chromium, as visitors of any size and colour scheme meet it.
//
//   const demo = await openDemo();
//   const page = await demo.open({ size: "phone", scheme: "dark" });  // a fresh visitor
//   await dropFile(page, "some/session.jsonl");
//   await assertAccessible(page);                                     // no finding of axe-core
//   page.assertQuiet();                                               // nothing said, nothing failed, nothing refused
//   await demo.close();

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { policyOf, serve } from "../../www/serve.mjs";
import { complaintsOf, launchChromium } from "../browser/harness.mjs";

/** The page as `cargo xtask build` leaves it. */
export const BUILT = process.env.THREADFOLD_PAGE ?? fileURLToPath(new URL("../../target/www", import.meta.url));

export const SIZES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};

/** Every size in every scheme. */
export const LOOKS = Object.keys(SIZES).flatMap((size) => ["light", "dark"].map((scheme) => ({ size, scheme })));

/** More is a hang. In milliseconds. */
export const LIMIT_MS = 30_000;

/** Starts a server and Chromium. Close it in the end, or the test run does not end. */
export async function openDemo({ folder = BUILT, mount = "/", port = 0 } = {}) {
  // Fails where the page was never built.
  policyOf(folder);
  const browser = await launchChromium();
  const site = await serve(folder, { mount, port });
  return {
    browser,
    address: site.address,
    /** A page of a visitor of its own: nothing is kept from another. */
    async open({ size = "desktop", scheme = "light", prepare } = {}) {
      const context = await browser.newContext({ ...SIZES[size], colorScheme: scheme });
      await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(site.address).origin });
      return visit(context, site.address, prepare);
    },
    /** No server any more: whatever works now works without a network. */
    goOffline: () => site.close(),
    async close() {
      await browser.close();
      await site.close();
    },
  };
}

/** A page of a context, watched from its first moment. `prepare` gets it before that. */
export async function visit(context, address, prepare = () => {}) {
  const page = await context.newPage();
  await prepare(page);
  page.setDefaultTimeout(LIMIT_MS);
  const complaints = await complaintsOf(page, () => true);
  /** Everything that went wrong or was said on the console so far. */
  page.complaints = complaints;
  /** What was asked of whom. */
  page.asked = [];
  page.on("request", (request) => page.asked.push(request.url()));
  /** Holds that nothing happened but what a test provoked. */
  page.assertQuiet = (provoked = []) => {
    const unexpected = complaints.filter((complaint) => !provoked.some((pattern) => pattern.test(complaint)));
    assert.deepEqual(unexpected, []);
  };
  await page.goto(address);
  return page;
}

/** Drops a file on the middle of the page, as a hand would. */
export async function dropFile(page, path) {
  const devtools = await page.context().newCDPSession(page);
  const { width, height } = page.viewportSize();
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) {
    await devtools.send("Input.dispatchDragEvent", { type, x: width / 2, y: height / 2, data });
  }
  await devtools.detach();
}

const axeSource = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Holds that axe-core finds nothing on the page as it stands. `where` names the state. */
export async function assertAccessible(page, where) {
  // Evaluated by the developer tools, which no policy of the page binds.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(await axeSource);
  const violations = await page.evaluate(async () => (await globalThis.axe.run()).violations);
  const findings = violations.flatMap(({ id, help, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html.slice(0, 300)}\n  ${failureSummary}`));
  assert.deepEqual(findings, [], `axe-core on ${where}`);
}

/**
 * The longest tasks on the page's thread while something is done, in milliseconds of its own work, longest first: what
 * other programs of a busy machine take is not the page's doing.
 */
export async function tasksDuring(page, act) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline", "__metadata"] });
  let trace;
  try {
    await act();
  } finally {
    trace = JSON.parse(await browser.stopTracing());
  }
  const { traceEvents } = trace;
  const mainThreads = traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const isOnMain = ({ pid, tid }) => mainThreads.some((thread) => thread.pid === pid && thread.tid === tid);
  const tasks = traceEvents.filter((event) => event.ph === "X" && /RunTask$/.test(event.name) && isOnMain(event));
  assert.ok(tasks.length > 0, "the trace holds no task of the page's thread");
  return tasks.map(({ dur, tdur }) => (tdur ?? dur) / 1000).sort((a, b) => b - a);
}
