// Files of every kind dropped on the page: real ones, a huge one, one whose texts are hostile.

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { dropFile, openDemo, tasksDuring } from "./harness.mjs";
import { HOSTILE, hostileSession, writeHuge } from "./made-sessions.mjs";
import { settled, Visitor } from "./visitor.mjs";

const SHARED = fileURLToPath(new URL("../../../shared/sessions", import.meta.url));
const HUGE = { entries: 20_000, bytes: 50_000_000 };
const SHOWN_WITHIN_MS = 5_000;
const LONGEST_TASK_MS = 100;

let demo;
let folder;
before(async () => {
  demo = await openDemo();
  folder = await mkdtemp(join(tmpdir(), "threadfold-page-"));
});
after(async () => {
  await demo?.close();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

describe("real sessions", { skip: existsSync(SHARED) ? false : "../shared/sessions is absent" }, () => {
  let page;
  before(async () => {
    page = await demo.open();
    await settled(page);
  });

  for (const name of existsSync(SHARED) ? readdirSync(SHARED).filter((name) => !name.endsWith(".md")) : []) {
    it(`${name} is shown, or refused with the reason`, async () => {
      const before = await settled(page);
      const trouble = page.getByRole("alert", { name: "What went wrong" });
      const opened = page.getByRole("status").filter({ hasText: `Opened ${name}:` });
      const tasks = await tasksDuring(page, async () => {
        await dropFile(page, join(SHARED, name));
        await Promise.race([opened.waitFor({ state: "attached" }), trouble.waitFor()]);
      });
      if (await trouble.isVisible()) {
        const words = await trouble.innerText();
        assert.match(words, /\w{3,}.*\n+.*\w{3,}/, "what happened, and what to do");
        assert.equal(await settled(page), before, "what was shown is shown on");
        await trouble.getByRole("button", { name: "Dismiss" }).click();
      } else {
        assert.ok((await page.getByRole("listbox", { name: "Entries of the path" }).getByRole("option").count()) > 0);
      }
      assert.ok(tasks[0] < 1_000, `the page was frozen for ${tasks[0]} ms`);
      page.assertQuiet();
    });
  }
});

describe("a session of 20,000 entries and 50 MB", () => {
  let page;
  before(async () => {
    const path = join(folder, "huge.jsonl");
    await writeHuge(path, HUGE);
    assert.ok((await stat(path)).size >= HUGE.bytes);
    page = await demo.open();
    await settled(page);
    page.huge = path;
  });

  it("is shown within 5 seconds", async () => {
    const start = performance.now();
    await dropFile(page, page.huge);
    await settled(page, /20,000 entries/);
    await page.getByRole("listbox", { name: "Entries of the path" }).getByText(/Turn \d{4}/).first().waitFor();
    const took = performance.now() - start;
    assert.ok(took < SHOWN_WITHIN_MS, `it took ${took} ms`);
    await page.getByText("What a fold would do now").waitFor();
  });

  /** Holds that no task on the page's thread is long while something is done for a second. */
  async function staysFluid(act) {
    const tasks = await tasksDuring(page, async () => {
      for (let step = 0; step < 60; step += 1) {
        await act(step);
        await new Promise((resolve) => setTimeout(resolve, 16));
      }
    });
    assert.ok(tasks[0] < LONGEST_TASK_MS, `a task took ${tasks[0]} ms`);
  }

  for (const name of ["Window", "Reserve", "Keep"]) {
    it(`stays fluid while ${name} is dragged, and the plan follows`, async () => {
      const { x, y, width, height } = await page.getByRole("slider", { name, exact: true }).boundingBox();
      const field = page.getByRole("spinbutton", { name: `${name}, in tokens` });
      const before = await field.inputValue();
      const plan = page.getByRole("region", { name: "Plan", exact: true });
      const planned = await plan.innerText();
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.down();
      await staysFluid((step) => page.mouse.move(x + width * (0.55 + 0.35 * Math.cos(step / 9)), y + height / 2));
      await page.mouse.up();
      assert.notEqual(await field.inputValue(), before);
      if (name === "Keep") await page.waitForFunction((planned) => document.querySelector('section[aria-label="Plan"]').innerText !== planned, planned);
    });
  }

  it("stays fluid while it is scrolled", async () => {
    const list = page.getByRole("listbox", { name: "Entries of the path" });
    const { x, y } = await list.boundingBox();
    await page.mouse.move(x + 100, y + 100);
    const first = async () => list.getByRole("option").first().getAttribute("aria-posinset");
    const before = await first();
    await staysFluid((step) => page.mouse.wheel(0, step < 30 ? -4_000 : 1_500));
    assert.notEqual(await first(), before);
    page.assertQuiet();
  });
});

describe("a session full of markup, scripts and control characters", () => {
  const path = () => join(folder, "hostile.jsonl");
  before(() => writeFile(path(), hostileSession()));

  for (const size of ["desktop", "phone"]) {
    it(`shows as text on a ${size}`, async () => {
      const look = { hand: "mouse", size, scheme: "light" };
      const page = await demo.open(look);
      const visitor = new Visitor(page, look);
      await settled(page);
      const title = await page.title();
      const elements = await harmless(page);
      await dropFile(page, path());
      await settled(page, /43 entries/);
      await page.getByRole("listbox", { name: "Branches and marked entries" }).waitFor();
      await assertHarmless(page, elements);

      // Each in full, by the keyboard from the first to the last.
      const list = page.getByRole("listbox", { name: "Entries of the path" });
      await list.focus();
      await page.keyboard.press("Home");
      for (const text of HOSTILE.slice(0, 5)) {
        await page.keyboard.press("Enter");
        const dialog = page.getByRole("dialog", { name: /^Entry \d+/ });
        await dialog.getByText(text.slice(0, 60)).first().waitFor();
        await assertHarmless(page, elements);
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "hidden" });
        for (let step = 0; step < 4; step += 1) await page.keyboard.press("ArrowDown");
      }

      await visitor.open("Fold");
      await visitor.press("Fold");
      await page.getByRole("region", { name: "Outcome" }).waitFor();
      await assertHarmless(page, elements);
      await visitor.look("hostile");
      assert.equal(await page.title(), title);
      assert.deepEqual(page.asked.filter((address) => new URL(address).host === "other.example"), []);
      page.assertQuiet();
    });
  }

  /** The elements of the page by kind, of those that a text could bring in. */
  function harmless(page) {
    return page.evaluate(() => ["script", "style", "iframe", "base", "form[action]", "img", "title", "link"].map((kind) => document.querySelectorAll(kind).length));
  }

  async function assertHarmless(page, elements) {
    assert.deepEqual(await harmless(page), elements);
    const { raw, turned, wide } = await page.evaluate(() => {
      const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
      const turning = /[\u202a-\u202e\u2066-\u2069]/;
      const isolating = (element) => /isolate|plaintext/.test(getComputedStyle(element).unicodeBidi);
      const isIsolated = (element) => element !== null && (isolating(element) || isIsolated(element.parentElement));
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found = { raw: [], turned: [], wide: document.documentElement.scrollWidth - document.documentElement.clientWidth };
      while (texts.nextNode()) {
        const { data, parentElement } = texts.currentNode;
        if (control.test(data)) found.raw.push(JSON.stringify(data.slice(0, 80)));
        if (turning.test(data) && !isIsolated(parentElement)) found.turned.push(JSON.stringify(data.slice(0, 80)));
      }
      return found;
    });
    assert.deepEqual({ raw, turned }, { raw: [], turned: [] }, "control characters on the page");
    assert.ok(wide <= 0, `the page is ${wide} pixels wider than the screen`);
  }
});
