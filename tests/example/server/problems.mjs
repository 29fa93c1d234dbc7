// What both protocols demand of a request, in the same words.

/** Collects what is wrong with a request; each problem names its place. */
export class Problems {
  /** @type {string[]} */
  list = [];
  #ids = new Set();

  /** Notes the problem unless the condition holds. @param {unknown} holds @param {string} place @param {string} problem */
  unless(holds, place, problem) {
    if (!holds) this.list.push(`${place}: ${problem}`);
    return Boolean(holds);
  }

  text(value, place) {
    return this.unless(typeof value === "string" && value.trim() !== "", place, "is empty");
  }

  /** A call: a known tool, an id of its own. */
  call({ id, name, given }, tools, place) {
    this.unless(typeof id === "string" && /^[\w-]+$/.test(id), place, `has no usable id: ${JSON.stringify(id)}`);
    this.unless(!this.#ids.has(id), place, `repeats the id ${id}`);
    this.#ids.add(id);
    this.unless(tools.includes(name), place, `calls ${JSON.stringify(name)}, which is not among the tools`);
    this.unless(isObject(given), place, "has arguments that are no object");
  }

  /** The results that follow a message: one for each of its calls, and no other. */
  results(calls, results, place) {
    const missing = calls.filter((id) => !results.includes(id));
    const foreign = results.filter((id, index) => !calls.includes(id) || results.indexOf(id) !== index);
    this.unless(missing.length === 0, place, `the calls ${missing.join(", ")} have no result right behind them`);
    this.unless(foreign.length === 0, place, `the results ${foreign.join(", ")} answer no call right before them`);
  }

  /** What a request must say beside its messages. */
  frame({ model, messages, maxTokens, stream }) {
    this.unless(typeof model === "string" && model !== "", "model", "is missing");
    this.unless(Number.isInteger(maxTokens) && maxTokens > 0, "the output limit", `is ${JSON.stringify(maxTokens)}`);
    this.unless(stream === undefined || typeof stream === "boolean", "stream", "is no boolean");
    return this.unless(Array.isArray(messages) && messages.length > 0, "messages", "is empty");
  }
}

export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** A value as JSON text; undefined where it is none. */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
