// What a visitor of the page does and sees, by the names that they read.

import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { assertAccessible, BUILT, dropFile, LIMIT_MS } from "./harness.mjs";
import { HANDS } from "./hands.mjs";

/** Looked at before a change of the page is done with. */
const SCREENSHOTS = join(dirname(BUILT), "www-screenshots");

/** On a phone these stand under More. */
const FURTHER = ["Summariser", "Export", "Code"];

/** Waits until a session is shown, and gives what the page says of it: its format, its entries, its size. */
export async function settled(page, said = /[\d,]+ entr(y|ies)/) {
  const facts = page.getByRole("banner").getByText(said);
  await facts.waitFor();
  return facts.textContent();
}

/** A visitor: a page, and a hand that uses it. */
export class Visitor {
  constructor(page, { hand, size, scheme }) {
    this.page = page;
    this.hand = HANDS[hand];
    this.size = size;
    this.name = `${size}-${scheme}-${hand}`;
  }

  /** Something on the page, by its role and its name. */
  find(role, name, options = {}) {
    return this.page.getByRole(role, { name, ...options });
  }

  /** Presses a button, of a part of the page where several have its name. */
  press(name, part = this.page) {
    return this.hand.press(this.page, part.getByRole("button", { name, exact: true }));
  }

  /** Writes into the field whose label begins so. */
  write(label, text) {
    return this.hand.write(this.page, this.page.getByLabel(new RegExp(`^${label}`)).first(), text);
  }

  /** Presses what saves a file; gives the file's name and text. */
  async saves(name) {
    const saving = this.page.waitForEvent("download");
    await this.press(name);
    const download = await saving;
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
  }

  clipboard() {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Opens a panel; on a phone also the session. */
  async open(panel) {
    if (this.size === "desktop") return this.hand.tab(this.page, "Panels", panel);
    await this.hand.tab(this.page, "Parts of the page", FURTHER.includes(panel) ? "More" : panel);
    if (FURTHER.includes(panel)) await this.hand.tab(this.page, "More panels", panel);
  }

  /** Goes where the map and the list are. */
  async toSession() {
    if (this.size === "phone") await this.open("Session");
  }

  /** Drops a file, or chooses it where there is no mouse. */
  async openFile(path) {
    if (this.hand === HANDS.mouse) return dropFile(this.page, path);
    await this.press("Open");
    const chooser = this.page.waitForEvent("filechooser");
    await this.press("Choose a file");
    return (await chooser).setFiles(path);
  }

  /** The tokens of the context, as the bar says them. */
  async context() {
    return this.find("region", "Context window").locator("strong").first().textContent();
  }

  /** Everything that a failure must leave as it was. */
  async standing() {
    return [await settled(this.page), await this.context(), await this.page.title()];
  }

  /** Waits until something holds that no text alone tells. */
  async until(holds, what) {
    const end = performance.now() + LIMIT_MS;
    while (!(await holds())) {
      if (performance.now() > end) throw new Error(`it never came to pass: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Waits for what the page says aloud. */
  async hears(words) {
    await this.page.getByRole("status").filter({ hasText: words }).waitFor({ state: "attached" });
  }

  /** Takes a picture of a state, and holds that everybody can use it. */
  async look(state) {
    await mkdir(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: join(SCREENSHOTS, `${state}-${this.name}.png`) });
    await assertAccessible(this.page, `${state}, ${this.name}`);
  }
}
