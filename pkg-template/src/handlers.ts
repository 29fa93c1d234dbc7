import { refuse } from "./guard.js";

/** Handlers by the name of what they are called for, in the order in which they were added. */
export class Handlers<Known extends { [Name in keyof Known]: (event: never) => unknown }> {
  readonly #what: string;
  readonly #names: readonly string[];
  readonly #added = new Set<{ name: keyof Known; handler: Known[keyof Known] }>();

  /** `what` is the call that adds a handler, `names` what it can be called for. */
  constructor(what: string, names: readonly (keyof Known & string)[]) {
    this.#what = what;
    this.#names = names;
  }

  /**
   * Adds a handler and gives the function that removes it. One that is added twice is called twice.
   * Throws `invalid-argument` for a name that is not known and for what is no function.
   */
  add<Name extends keyof Known & string>(name: Name, handler: Known[Name]): () => void {
    if (!this.#names.includes(name)) refuse(`${this.#what}: the name`, name, this.#names.map((one) => `"${one}"`).join(", "));
    if (typeof handler !== "function") refuse(`${this.#what}: the handler of ${name}`, handler, "a function");
    const added = { name, handler };
    this.#added.add(added);
    return () => {
      this.#added.delete(added);
    };
  }

  /** Whether a name has a handler. */
  has(name: keyof Known): boolean {
    return [...this.#added].some((added) => added.name === name);
  }

  /** The handlers of a name that are there now, without those that are removed before their turn. */
  *of<Name extends keyof Known>(name: Name): Generator<Known[Name], void> {
    for (const added of [...this.#added]) {
      if (added.name === name && this.#added.has(added)) yield added.handler as Known[Name];
    }
  }
}

/** Says that a handler failed; it is passed over. */
export function reportHandler(name: string, error: unknown): void {
  console.error(`threadfold: a handler of ${name} failed and was passed over:`, error);
}
