// The example page in Chromium: a chat that outgrows its window, against a local server that checks each request.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { provideTalk } from "../example/provide-talk.mjs";
import { ASKS_FOR_FACT, FACT, said, talk } from "../example/small-talk.mjs";
import { openBrowser } from "./harness.mjs";

const WINDOW = 6_000;
/** The keys of a user's message of this size, typed one by one, would take the most time. */
const LIMIT_MS = 20_000;

let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

/** Opens the page on a provider of its own, and gives it with what a user does there. */
async function sitDown(t, options = {}) {
  const provider = await provideTalk(t, { window: WINDOW, ...options });
  const page = await browser.open("/examples/fetch-page/");
  page.setDefaultTimeout(LIMIT_MS);
  await page.getByLabel("Endpoint").fill(provider.baseURL.openai);
  await page.getByLabel("Model", { exact: true }).fill("m");
  await page.getByLabel("Window, in tokens").fill(String(WINDOW));
  const answers = page.locator("#talk .assistant");
  /** Says something, and waits for the answer. */
  const say = async (text) => {
    const before = await answers.count();
    await page.getByLabel("Message").fill(text);
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator("#talk[aria-busy=false]").waitFor({ state: "attached" });
    assert.equal(await answers.count(), before + 1, (await page.getByRole("status").textContent()) ?? "");
    return answers.last().locator("p").textContent();
  };
  return { asked: provider.asked, provider, page, answers, say };
}

describe("the chat page", () => {
  test("folds what outgrows the window, shows it, and goes on", async (t) => {
    const { asked, provider, page, say } = await sitDown(t);
    const fold = page.locator("#talk .fold");
    for (let turn = 1; turn <= 24; turn += 1) {
      assert.equal(await say(said(turn)), talk({ tools: [], messages: [{ role: "user", parts: [{ type: "text", text: said(turn) }] }] }).text);
      if (turn === 2) assert.equal(await fold.count(), 0);
    }
    assert.equal(await say(ASKS_FOR_FACT), `You said that ${FACT}.`);

    assert.deepEqual(provider.violations, []);
    assert.ok(provider.requests.every(({ outcome, tokens }) => outcome === "answered" && tokens < WINDOW));
    const prompts = asked.filter(({ kind }) => kind === "summary").map(({ request }) => request.messages[0].parts[0].text);
    const goOn = prompts.filter((text) => text.includes("\n## Goal\n") && text.includes("<previous-summary>"));
    assert.ok(goOn.length > 0, `${prompts.length} requests for summaries, and none goes on from another`);

    // The notice stands between what is folded and what is kept; the summary is what the model was given.
    assert.equal(await fold.count(), 1);
    const kinds = await page.locator("#talk li").evaluateAll((list) => list.map(({ className }) => className));
    const at = kinds.indexOf("fold");
    assert.ok(at > 0 && kinds.slice(0, at).every((kind) => kind.endsWith(" folded")) && kinds.slice(at + 1).every((kind) => !kind.includes("fold")), kinds.join());
    const given = provider.last.messages.map(({ parts }) => parts[0].text);
    assert.equal(kinds.length - at - 2, given.length - 1, "the kept messages, without the last answer, and what was sent behind the summary");
    await fold.getByText("What the model reads in its place").click();
    const summary = await fold.locator("details p").textContent();
    assert.ok(summary.includes(FACT) && given[0].includes(summary));
    assert.match(await page.locator("#size").textContent(), /^[\d,]+ of 6,000 tokens$/);
    page.assertQuiet();
  });

  test("shows a text as text", async (t) => {
    const { page, say } = await sitDown(t);
    const text = '<img src="x" onerror="alert(1)"> & <b>bold</b>';
    await say(text);
    assert.equal(await page.locator("#talk .user p").textContent(), text);
    assert.equal(await page.locator("#talk img, #talk b").count(), 0);
    page.assertQuiet();
  });

  for (const kind of ["chat", "summary"]) {
    test(`stops in a request for ${kind === "chat" ? "an answer" : "a summary"}, and gives the message back`, async (t) => {
      let came;
      const reached = new Promise((resolve) => (came = resolve));
      const onRequest = (record, closed) => (record.kind === kind && (kind === "summary" || record.turn === 3) ? (came(), closed) : undefined);
      const { page, say } = await sitDown(t, { onRequest });
      const isReached = reached.then(() => true);
      for (let turn = 1; turn < 24; turn += 1) {
        const answered = say(said(turn)).then(() => false, (error) => error);
        if ((await Promise.race([isReached, answered])) !== true) {
          assert.equal(await answered, false);
          continue;
        }
        const before = 2 * (turn - 1);
        await page.getByRole("button", { name: "Stop" }).click();
        assert.notEqual(await answered, false);
        assert.equal(await page.getByRole("status").textContent(), "Stopped");
        assert.equal(await page.getByLabel("Message").inputValue(), said(turn));
        assert.equal(await page.locator("#talk li").count(), before);
        // A request that was given up is one that failed, to the browser.
        assert.ok(page.complaints.every((text) => text.startsWith("failed: ")), page.complaints.join("\n"));
        return;
      }
      assert.fail("the request was never sent");
    });
  }

  test("tells why a request was refused, and can send it again", async (t) => {
    const { page, say } = await sitDown(t, { faults: [{ fault: "wrong-key" }] });
    await assert.rejects(say("Question 1: hello?"), /That failed: Incorrect API key provided\./);
    assert.equal(await page.locator("#talk li").count(), 0);
    assert.match(await say("Question 1: hello?"), /^At berth 1 /);
  });

  test("asks for an endpoint before it asks one", async (t) => {
    const { page } = await sitDown(t);
    await page.getByLabel("Endpoint").fill("");
    await page.getByLabel("Message").fill("Hello");
    await page.getByLabel("Message").press("Enter");
    assert.equal(await page.getByLabel("Endpoint").evaluate((field) => document.activeElement === field), true);
    assert.equal(await page.locator("#talk li").count(), 0);
    page.assertQuiet();
  });
});
