// Where the leaf stood before each thing that was done, for Undo and Redo.

/** A thing that was done. */
interface Step {
  name: string;
  before: string | null;
  after: string | null;
}

export class History {
  readonly #done: Step[] = [];
  readonly #undone: Step[] = [];

  /** Something was done; what was undone before is forgotten. */
  add(step: Step): void {
    this.#done.push(step);
    this.#undone.length = 0;
  }

  /** The leaf before the last thing; undefined where there is none. */
  undo(): string | null | undefined {
    const step = this.#done.pop();
    if (step !== undefined) this.#undone.push(step);
    return step?.before;
  }

  /** The leaf after what was undone last; undefined where there is none. */
  redo(): string | null | undefined {
    const step = this.#undone.pop();
    if (step !== undefined) this.#done.push(step);
    return step?.after;
  }

  /** What each of them would do. */
  get names(): { undo?: string; redo?: string } {
    const [undo, redo] = [this.#done.at(-1)?.name, this.#undone.at(-1)?.name];
    return { ...(undo === undefined ? {} : { undo }), ...(redo === undefined ? {} : { redo }) };
  }
}
