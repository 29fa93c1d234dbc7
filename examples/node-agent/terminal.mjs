// The terminal: asks for lines, prints text, and hears the Escape key at any time.

import { createInterface } from "node:readline";

/** How long a lone Escape is waited on, in milliseconds: the keys with arrows begin with it, too. */
const ESCAPE_MS = 50;

export class Terminal {
  #lines;
  #output;
  /** Lines that came before they were asked for. @type {string[]} */
  #ahead = [];
  /** Who waits for the next line. @type {((line: string | undefined) => void) | undefined} */
  #waiting;
  /** Called on Escape and on Ctrl-C while no question is open. */
  onStop = () => {};
  #isClosed = false;
  /** Whether something stands in the line that the cursor is in. */
  #isMidLine = false;

  /** @param {{ input?: NodeJS.ReadStream, output?: NodeJS.WriteStream }} [streams] */
  constructor({ input = process.stdin, output = process.stdout } = {}) {
    this.#output = output;
    this.#lines = createInterface({ input, output, terminal: input.isTTY === true, escapeCodeTimeout: ESCAPE_MS, prompt: "" });
    this.#lines.on("line", (line) => (this.#waiting === undefined ? this.#ahead.push(line) : this.#answer(line)));
    this.#lines.on("close", () => {
      this.#isClosed = true;
      // What comes next in this terminal does not belong behind the question.
      if (this.#waiting !== undefined) this.write("\n");
      this.#answer(undefined);
    });
    input.on("keypress", (_, key) => key?.name === "escape" && this.#stop());
    this.#lines.on("SIGINT", () => (this.#waiting === undefined ? this.#stop() : this.close()));
  }

  /** Whether there is no line left, nor one to come. */
  get isOver() {
    return this.#isClosed && this.#ahead.length === 0;
  }

  /**
   * Asks for a line. Gives undefined where the user pressed Escape or the input ended.
   *
   * @param {string} question @param {string} [draft] what already stands in the line
   * @returns {Promise<string | undefined>}
   */
  ask(question, draft = "") {
    if (this.#ahead.length > 0) return Promise.resolve(this.#ahead.shift());
    if (this.#isClosed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.#freshLine();
      this.#lines.setPrompt(question);
      this.#lines.prompt();
      this.#lines.write(draft);
    });
  }

  /** @param {string} text */
  write(text) {
    if (text === "") return;
    this.#output.write(text);
    this.#isMidLine = !text.endsWith("\n");
  }

  /** Writes a line of its own. @param {string} text */
  line(text) {
    this.#freshLine();
    this.write(`${text}\n`);
  }

  close() {
    this.#lines.close();
  }

  #freshLine() {
    if (this.#isMidLine) this.write("\n");
  }

  #stop() {
    if (this.#waiting === undefined) return this.onStop();
    // Empties the line, as Ctrl-U does.
    this.#lines.write(null, { ctrl: true, name: "e" });
    this.#lines.write(null, { ctrl: true, name: "u" });
    this.write("\n");
    this.#answer(undefined);
  }

  /** @param {string | undefined} line */
  #answer(line) {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(line);
  }
}
