// The nine things that a visitor does on the page, each as a flow that any hand can go through.

import assert from "node:assert/strict";
import { KEY } from "./models.mjs";
import { settled } from "./visitor.mjs";

/** A flow gets a visitor who looks at the sample, and what runs on this machine: models, an endpoint, files. */
export const FLOWS = {
  "sees the sample at once": async (visitor) => {
    const { page } = visitor;
    assert.match(await settled(page), /^session · 653 entries · \d+ kB$/);
    assert.match(await visitor.context(), /^\d{2,3},\d{3}$/);
    assert.match(await visitor.find("region", "Context window").getByRole("img").getAttribute("aria-label"), /over the threshold.*Assistant.*Tool outputs/);
    await page.getByText("Nothing leaves this machine").first().waitFor();
    const map = visitor.find("listbox", "Branches and marked entries");
    for (const mark of [/the leaf/, /a fork/, /Compaction/, /Branch summary/, /labelled/]) assert.ok((await map.getByRole("option", { name: mark }).count()) > 0, String(mark));
    await visitor.look("1-sample");
    await visitor.hand.pick(page, visitor.find("listbox", "Entries of the path"), /\S/);
    const detail = visitor.find("dialog", /^Entry \d+/);
    await detail.getByRole("group", { name: "Text of the entry" }).getByText(/\S/).first().waitFor();
    await visitor.look("1-entry");
    await page.keyboard.press("Escape");
    await detail.waitFor({ state: "hidden" });
  },

  "opens a file, and an array that is pasted": async (visitor, { files }) => {
    const { page } = visitor;
    await visitor.openFile(files.transcript);
    assert.match(await settled(page, /claude-code/), /entries/);
    await visitor.look("2-transcript");
    await visitor.press("Open");
    const messages = [{ role: "user", content: "Is the tide in?" }, { role: "assistant", content: "Until four." }, { role: "user", content: "And then?" }];
    await visitor.write("Or paste messages, as a JSON array or as JSON lines", JSON.stringify(messages));
    await visitor.look("2-paste");
    await visitor.press("Open what is pasted");
    // So short an array may be of several formats.
    const question = visitor.find("alert", "What went wrong");
    await question.getByText("What you opened fits several formats.").waitFor();
    await visitor.look("2-which-format");
    await visitor.press("openai-chat", question);
    assert.match(await settled(page, /3 entries/), /^openai-chat · /);
    await visitor.find("option", /Is the tide in\?/).first().waitFor();
  },

  "plans by sliders, and changes nothing": async (visitor) => {
    const { page } = visitor;
    await visitor.toSession();
    const before = await visitor.standing();
    await visitor.open("Plan");
    const plan = visitor.find("region", "Plan", { exact: true });
    await plan.getByText(/is the first entry that stays/).waitFor();
    const bar = visitor.find("region", "Context window").getByRole("img");
    const told = async () => `${await bar.getAttribute("aria-label")}\n${await plan.innerText()}`;
    for (const [name, share] of [["Keep", 0.7], ["Reserve", 0.3], ["Window", 0.55]]) {
      const before = await told();
      await visitor.hand.slide(page, visitor.find("slider", name, { exact: true }), share);
      await visitor.until(async () => (await told()) !== before, `${name} changes the plan`);
    }
    await plan.getByRole("listitem").filter({ hasText: /summarised/ }).waitFor();
    await visitor.look("3-plan");
    await visitor.write("Keep, in tokens", "30000");
    await plan.getByText(/30,000 tokens are to stay/).waitFor();
    await visitor.toSession();
    const [facts, , title] = await visitor.standing();
    assert.deepEqual([facts, title], [before[0], before[2]]);
    await visitor.look("3-fates");
  },

  "folds, compares, and steps back and forward": async (visitor) => {
    const { page, size } = visitor;
    const before = await visitor.context();
    await visitor.open("Fold");
    await visitor.press("Fold");
    const outcome = visitor.find("region", "Outcome");
    await outcome.getByRole("heading", { name: "Folded" }).waitFor();
    await visitor.hears(/^Folded: /);
    await visitor.look("4-folded");
    const folded = await visitor.context();
    assert.ok(number(folded) < number(before) / 2, `${before} became ${folded}`);
    if (size === "phone") await visitor.press("Compare before and after");
    const compared = visitor.find("region", "Before and after");
    if (size === "desktop") await compared.getByRole("heading", { name: /What the model saw [\d,]+ tokens/ }).waitFor();
    await compared.getByRole("heading", { name: /What it sees now [\d,]+ tokens/ }).waitFor();
    await compared.getByRole("article", { name: "The summary" }).getByText(/Goal/).first().waitFor();
    await visitor.look("4-compared");
    await visitor.press("Back to the entries", compared);
    await visitor.open("Fold");
    await visitor.press("Undo");
    await visitor.hears(/^Taken back: /);
    assert.equal(await visitor.context(), before);
    await visitor.press("Redo");
    await visitor.hears(/^Done again: /);
    assert.equal(await visitor.context(), folded);
    await page.keyboard.press("Control+Z");
    await visitor.hears(/^Taken back: /);
    assert.equal(await visitor.context(), before);
  },

  "goes to an entry of another branch, with a summary and without": async (visitor) => {
    const { page } = visitor;
    const before = await visitor.context();
    const map = visitor.find("listbox", "Branches and marked entries");
    await visitor.hand.pick(page, map, /^#252 /);
    await visitor.press("Go to this entry");
    const way = visitor.find("dialog", "Go to entry 252");
    await way.getByText(/of the branch that you are on/).waitFor();
    await visitor.look("5-way");
    await visitor.press("Summarise and go");
    await way.getByRole("heading", { name: "You are there" }).waitFor();
    await way.getByRole("group", { name: "Branch summary" }).getByText(/Goal/).first().waitFor();
    await visitor.look("5-there");
    await visitor.press("Close", way);
    await way.waitFor({ state: "hidden" });
    assert.match(await settled(page), /654 entries/);
    assert.notEqual(await visitor.context(), before);
    await visitor.open("Fold");
    await visitor.press("Undo");
    await visitor.hears(/^Taken back: /);
    assert.equal(await visitor.context(), before);

    await visitor.toSession();
    await visitor.hand.pick(page, map, /^#554 /);
    await visitor.press("Go to this entry");
    await visitor.hand.toggle(page, visitor.find("checkbox", /Carry over a summary/));
    await visitor.press("Go");
    await visitor.find("heading", "You are there").waitFor();
    assert.equal(await visitor.find("group", "Branch summary").count(), 0);
  },

  "plays a run, and takes it along": async (visitor) => {
    const { page } = visitor;
    await visitor.open("Play");
    await visitor.press("Play");
    await page.getByText(/^Turn \d+ of \d+$/).waitFor();
    await visitor.press("Pause");
    await visitor.press("Step");
    await visitor.look("6-paused");
    await visitor.press("Go on");
    await visitor.hand.slide(page, visitor.find("slider", /Speed/), 1);
    const counter = (name) => page.locator("dl div").filter({ has: page.getByRole("term").filter({ hasText: name }) }).getByRole("definition");
    await page.getByText("The run has ended.").first().waitFor({ timeout: 60_000 });
    for (const name of ["Prunes", "Folds", "Rescues"]) assert.ok(number(await counter(name).textContent()) > 0, name);
    const log = visitor.find("log", "What happened");
    assert.match(await log.innerText(), /[Ff]old[\s\S]*overflow|overflow[\s\S]*[Ff]old|too long/);
    await visitor.look("6-played");
    await visitor.press("Back to your session");
    await visitor.hears("Your session is back.");
    assert.match(await settled(page), /653 entries/);
  },

  "chooses who summarises": async (visitor, { models, endpoint }) => {
    const { page } = visitor;
    const before = await visitor.context();
    const choices = [
      ["OpenAI-compatible endpoint", { "Base URL": `${models.origin}/good/v1`, Model: "m", Key: KEY }],
      ["Ollama", { Host: `${models.origin}/good`, Model: "m" }],
      ["The browser's model", {}],
      ["Threadfold endpoint", { Address: `${endpoint.origin}/summary` }],
    ];
    for (const [place, [title, fields]] of choices.entries()) {
      await visitor.open("Summariser");
      await visitor.hand.check(page, visitor.find("radio", new RegExp(`^${title}`)));
      for (const [label, text] of Object.entries(fields)) await visitor.write(label, text);
      await visitor.press("Try it");
      await visitor.find("heading", "It works").waitFor();
      await visitor.look(`7-summariser-${place + 1}`);
      await visitor.open("Fold");
      await visitor.press("Fold");
      // The answers of the models come in pieces, and can be read as they come.
      if (place < 2) {
        await visitor.find("button", "Abort").waitFor();
        await visitor.find("group", "The summary as it comes").getByText(/Goal/).waitFor();
        if (place === 0) await visitor.look("7-folding");
      }
      const outcome = visitor.find("region", "Outcome", { exact: true });
      await outcome.getByRole("heading", { name: "Folded" }).waitFor();
      await visitor.press("Undo");
      await visitor.hears(/^Taken back: /);
      assert.equal(await visitor.context(), before);
    }
    // The key is in no storage of the browser, and went to the endpoint alone.
    const stored = await page.evaluate(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, await indexedDB.databases()]));
    assert.ok(!stored.includes(KEY));
    const withKey = models.asked.filter(({ headers, body }) => JSON.stringify([headers, body]).includes(KEY));
    assert.ok(withKey.length > 0 && withKey.every(({ url }) => url === "/good/v1/chat/completions"));
  },

  "exports the session, its messages and its picture": async (visitor) => {
    const { page } = visitor;
    await visitor.open("Export");
    await visitor.look("8-export");
    const session = await visitor.saves("Save as JSONL");
    assert.equal(session.name, "sample.jsonl");
    assert.equal(session.text.trim().split("\n").map((line) => JSON.parse(line)).length, 654);
    const format = page.getByLabel("Format");
    for (const name of await format.locator("option").allInnerTexts()) {
      await visitor.hand.choose(page, format, name);
      const saved = await visitor.saves("Save as JSON");
      assert.equal(saved.name, `sample.${name}.json`);
      const messages = JSON.parse(saved.text);
      assert.ok(Array.isArray(messages) && messages.length > 100, name);
    }
    await visitor.press("Copy");
    await visitor.hears("Copied.");
    assert.ok(JSON.parse(await visitor.clipboard()).length > 100);
    const picture = await visitor.saves("Save as SVG");
    assert.equal(picture.name, "sample.svg");
    assert.equal(await rootOf(page, picture.text), "svg");
    await visitor.press("Keep this session");
    await visitor.hears(/kept in this browser/);
    await page.reload();
    await settled(page);
    await visitor.open("Export");
    await visitor.hand.press(page, visitor.find("list", "Kept in this browser").getByRole("button").first());
    await visitor.hears(/^Opened /);
    assert.match(await settled(page), /653 entries/);
  },

  "copies the code that does the same": async (visitor) => {
    await visitor.open("Plan");
    await visitor.write("Window, in tokens", "123456");
    await visitor.open("Code");
    for (const [kind, call] of [["Session", /await compact\(/], ["Array of messages", /await foldMessages\(/], ["Agent", /new Agent\(|Agent/]]) {
      await visitor.hand.tab(visitor.page, "Kinds of code", kind);
      await visitor.press("Copy the code");
      await visitor.hears("Copied.");
      const code = await visitor.clipboard();
      assert.match(code, call);
      assert.match(code, /contextWindow: 123_?456/);
      assert.equal(code.trim(), (await visitor.find("group", "Code", { exact: true }).innerText()).trim());
    }
    await visitor.look("9-code");
  },
};

/** What a browser's own model is to a page, where this one has none. For `page.addInitScript`. */
export function giveModel(summary) {
  globalThis.LanguageModel = {
    availability: async () => "available",
    create: async () => ({
      contextWindow: 100_000,
      promptStreaming: () => new Response(summary).body.pipeThrough(new TextDecoderStream()),
      destroy() {},
    }),
  };
}

/** The root of a text as XML; `parsererror` where it is none. Read beside the page, whose policy parses no string. */
async function rootOf(page, text) {
  const beside = await page.context().newPage();
  const root = await beside.evaluate((text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement.localName, text);
  await beside.close();
  return root;
}

/** A figure as the page writes it. */
function number(text) {
  return Number(text.replaceAll(",", ""));
}
