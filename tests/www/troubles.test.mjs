// What goes wrong is said in words, with what to do; and the session on the screen is unharmed.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startEndpoint, SUMMARY } from "../remote/server.mjs";
import { giveModel } from "./flows.mjs";
import { openDemo } from "./harness.mjs";
import { KEY, startModels } from "./models.mjs";
import { settled, Visitor } from "./visitor.mjs";

const LOOKS = [
  { hand: "mouse", size: "desktop", scheme: "dark" },
  { hand: "keyboard", size: "phone", scheme: "light" },
];

let demo;
let models;
let endpoint;
let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "threadfold-page-"));
  demo = await openDemo();
  models = await startModels();
  endpoint = await startEndpoint();
});
after(async () => {
  await demo?.close();
  await models?.stop();
  await endpoint?.stop();
  await rm(folder, { recursive: true, force: true });
});

const byModel = (way, key = KEY) => ["OpenAI-compatible endpoint", () => ({ "Base URL": `${models.origin}${way}/v1`, Model: "m", Key: key })];
const byEndpoint = (path) => ["Threadfold endpoint", () => ({ Address: endpoint.origin + path })];

/** A browser says by itself that an answer was a refusal. */
const refusal = (status) => new RegExp(`^console: Failed to load resource: the server responded with a status of ${status} `);

/** What a summariser does, what is said of it, and what the browser says by itself. */
const SUMMARISERS = {
  "an endpoint that fails": { summariser: byModel("/fails"), says: [/The model is on strike/, /Check the name of the model/], provoked: [refusal(400)] },
  "a wrong key": { summariser: byModel("/good", "the-wrong-key"), says: [/Incorrect API key provided/, /Check the key/], provoked: [refusal(401)] },
  "an answer that is no JSON": { summariser: byModel("/no-json"), says: [/a web page, where JSON was expected/, /Check the base URL/] },
  "an endpoint that knows no such path": { summariser: ["OpenAI-compatible endpoint", () => ({ "Base URL": `${models.origin}/good/elsewhere`, Model: "m", Key: KEY })], says: [/404/, /Check the base URL/], provoked: [refusal(404)] },
  "a Threadfold endpoint that refuses": { summariser: byEndpoint("/say?status=403&body=keep+out"), says: [/403/, /header/], provoked: [refusal(403)] },
  "a Threadfold endpoint whose answer is no JSON": { summariser: byEndpoint("/say?body=hello"), says: [/JSON/, /address/] },
};

/** What is in a file that is no session, and what is said of it. */
const FILES = {
  "a picture": { name: "picture.png", content: Buffer.from("89504e470d0a1a0a0000000d4948445200000001", "hex"), says: /picture|JSON|session|transcript/ },
  "an empty file": { name: "empty.jsonl", content: "", says: /empty|no |session/ },
  "JSON of something else": { name: "package.json", content: '{"name":"x","version":"1.0.0"}', says: /transcript|session|file of one of/ },
  "prose": { name: "letter.txt", content: "Dear harbour master,\nthe tide is late.\n", says: /transcript|session|JSON/ },
  "an array of numbers": { name: "numbers.json", content: "[1, 2, 3]", says: /transcript|session|messages/ },
};

for (const look of LOOKS) {
  describe(`with the ${look.hand} on a ${look.size}`, () => {
    /** Opens the page, and holds in the end that the session stands where it stood and can be folded still. */
    async function unharmed(provoked, act) {
      // The arrows go past the browser's model, and Chromium says on the console where it has none.
      const page = await demo.open({ ...look, prepare: (fresh) => fresh.addInitScript(giveModel, SUMMARY) });
      try {
        await settled(page);
        const visitor = new Visitor(page, look);
        const before = await visitor.standing();
        await act(visitor);
        assert.deepEqual(await visitor.standing(), before);
        await fold(visitor, "Local summariser", {});
        await visitor.find("region", "Outcome").getByRole("heading", { name: "Folded" }).waitFor();
        page.assertQuiet(provoked);
      } finally {
        await page.context().close();
      }
    }

    async function fold(visitor, title, fields) {
      await visitor.open("Summariser");
      await visitor.hand.check(visitor.page, visitor.find("radio", new RegExp(`^${title}`)));
      for (const [label, text] of Object.entries(fields)) await visitor.write(label, text);
      await visitor.open("Fold");
      await visitor.press("Fold");
    }

    for (const [name, { summariser, says, provoked = [] }] of Object.entries(SUMMARISERS)) {
      it(`${name} is said`, () =>
        unharmed(provoked, async (visitor) => {
          const [title, fields] = summariser;
          await fold(visitor, title, fields());
          const outcome = visitor.find("region", "Outcome");
          await outcome.getByRole("heading", { name: "The fold failed" }).waitFor();
          const words = await outcome.innerText();
          for (const said of [...says, /The session is as it was/]) assert.match(words, said);
          assert.ok(!words.includes(KEY) && !words.includes("the-wrong-key"), "no key on the screen");
          await visitor.look(`trouble-${name.replaceAll(" ", "-")}`);
        }));
    }

    it("an endpoint that is not there is said when it is tried", () =>
      unharmed([/net::ERR_CONNECTION_REFUSED/], async (visitor) => {
        const { origin, stop } = await startModels();
        await stop();
        await visitor.open("Summariser");
        await visitor.hand.check(visitor.page, visitor.find("radio", /^OpenAI-compatible endpoint/));
        await visitor.write("Base URL", `${origin}/v1`);
        await visitor.press("Try it");
        const outcome = visitor.find("region", "Outcome of the try");
        await outcome.getByText(/Check the address and that the server runs/).waitFor();
        await visitor.look("trouble-nobody-there");
      }));

    it("a fold is aborted in the middle", () =>
      unharmed([/^failed: .*\/stalls\/v1\/chat\/completions net::ERR_ABORTED$/], async (visitor) => {
        const [title, fields] = byModel("/stalls");
        await fold(visitor, title, fields());
        await visitor.find("group", "The summary as it comes").getByText(/Goal/).waitFor();
        await visitor.look("trouble-before-the-abort");
        await visitor.press("Abort");
        await visitor.find("region", "Outcome").getByRole("heading", { name: "Aborted" }).waitFor();
        await visitor.hears("The fold was aborted. The session is as it was.");
      }));

    it("files that are no session are refused with the reason", () =>
      unharmed([], async (visitor) => {
        const trouble = visitor.find("alert", "What went wrong");
        for (const [kind, { name, content, says }] of Object.entries(FILES)) {
          const path = join(folder, name);
          await writeFile(path, content);
          await visitor.openFile(path);
          await trouble.waitFor();
          assert.match(await trouble.innerText(), says, kind);
          if (kind === "a picture") await visitor.look("trouble-no-session");
          await visitor.press("Dismiss");
          await trouble.waitFor({ state: "hidden" });
        }
      }));
  });
}
