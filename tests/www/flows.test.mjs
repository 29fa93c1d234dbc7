// What a visitor does on the page: each thing with the mouse and with the keyboard alone, on a desktop and on a phone,
// in light and in dark. Pictures of the states are taken to `target/www-screenshots`.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startEndpoint, SUMMARY } from "../remote/server.mjs";
import { FLOWS, giveModel } from "./flows.mjs";
import { openDemo } from "./harness.mjs";
import { startModels } from "./models.mjs";
import { settled, Visitor } from "./visitor.mjs";

/** Each hand on each size, and each size in each scheme. */
const LOOKS = [
  { hand: "mouse", size: "desktop", scheme: "light" },
  { hand: "keyboard", size: "desktop", scheme: "dark" },
  { hand: "mouse", size: "phone", scheme: "dark" },
  { hand: "keyboard", size: "phone", scheme: "light" },
];

/** A transcript of another tool. */
const TRANSCRIPT = [
  { type: "user", uuid: "a", parentUuid: null, sessionId: "s", timestamp: "2026-03-17T08:00:00.000Z", message: { role: "user", content: "Which berth is free?" } },
  { type: "assistant", uuid: "b", parentUuid: "a", sessionId: "s", timestamp: "2026-03-17T08:00:01.000Z", message: { role: "assistant", id: "m", model: "claude-x", content: [{ type: "text", text: "Berth four." }] } },
];

const local = {};
let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "threadfold-page-"));
  const transcript = join(folder, "transcript.jsonl");
  await writeFile(transcript, `${TRANSCRIPT.map((line) => JSON.stringify(line)).join("\n")}\n`);
  Object.assign(local, { demo: await openDemo(), models: await startModels(), endpoint: await startEndpoint(), files: { transcript } });
});
after(async () => {
  await local.demo?.close();
  await local.models?.stop();
  await local.endpoint?.stop();
  await rm(folder, { recursive: true, force: true });
});

for (const look of LOOKS) {
  describe(`a visitor with the ${look.hand}, on a ${look.size}, in ${look.scheme}`, () => {
    for (const [name, flow] of Object.entries(FLOWS)) {
      it(name, async () => {
        const page = await local.demo.open({ ...look, prepare: (fresh) => fresh.addInitScript(giveModel, SUMMARY) });
        try {
          await settled(page);
          await flow(new Visitor(page, look), local);
          page.assertQuiet();
        } finally {
          await page.context().close();
        }
      });
    }
  });
}
