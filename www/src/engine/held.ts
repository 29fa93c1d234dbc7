// The session that the worker holds, with the numbers of its entries and what the page knows of it.

import type { Entry, Session } from "threadfold";
import type { About, Choices, Row } from "../contract.js";
import { History } from "./history.js";
import type { Keeping } from "./kept/kept.js";

/** So many answers are remembered. */
const MOST_KNOWN = 500;

let sessions = 0;

export class Held {
  /** Another one for each session, also when one is loaded anew: the page forgets its rows then. */
  number = (sessions += 1);
  /** Where it is kept in this browser, if it is. */
  kept: Keeping | undefined;
  /** The rows as the page knows them. */
  readonly rows: Row[] = [];
  /** The entries whose output a prune entry hides, as the page knows it. */
  hidden: ReadonlySet<number> = new Set();
  revision = 0;
  #entries: readonly Entry[] = [];
  #numbers = new Map<string, number>();
  /** What was worked out about the entries as they are. */
  readonly #known = new Map<string, unknown>();

  constructor(
    readonly session: Session,
    readonly about: About,
    public choices: Choices,
    readonly history = new History(),
  ) {
    this.refresh();
  }

  /** Takes over what was set, but for what a session is loaded with. */
  adopt(choices: Choices): void {
    const { tokenizer, images } = this.choices;
    const { tokenizer: _, ...others } = choices;
    this.choices = { ...others, images, ...(tokenizer === undefined ? {} : { tokenizer }) };
  }

  /** The page shows another session meanwhile: the next snapshot tells it everything again. */
  forgetRows(): void {
    this.number = sessions += 1;
    this.rows.length = 0;
  }

  /** Gives its memory back. */
  free(): void {
    this.forgetKept();
    this.session.free();
  }

  /** Every entry as of the last refresh, in the order of the file. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Takes in what came, changed or was taken back; gives the numbers of those entries, in order. */
  refresh(): number[] {
    const before = this.#entries;
    this.#entries = this.session.entries();
    this.#numbers = new Map(this.#entries.map(({ id }, number) => [id, number]));
    this.rows.length = Math.min(this.rows.length, this.#entries.length);
    // An entry is the same object as long as it says the same.
    const touched = [...this.#entries.keys()].filter((number) => before[number] !== this.#entries[number]);
    if (touched.length > 0 || before.length !== this.#entries.length) this.#known.clear();
    return touched;
  }

  /** What was worked out at this leaf under a name, or is now: a slider that is dragged asks the same again and again. */
  known<T>(name: string, work: () => T): T {
    const key = `${this.session.leafId} ${name}`;
    if (!this.#known.has(key)) {
      if (this.#known.size >= MOST_KNOWN) this.#known.clear();
      this.#known.set(key, work());
    }
    return this.#known.get(key) as T;
  }

  /** The number of an entry; -1 for none. */
  numberOf(id: string | null | undefined): number {
    return this.#numbers.get(id ?? "") ?? -1;
  }

  numbersOf(ids: readonly string[]): Uint32Array {
    return Uint32Array.from(ids, (id) => this.numberOf(id));
  }

  /** The tokens that some entries add, as the page was told. */
  tokensOf(numbers: Iterable<number>): number {
    let sum = 0;
    for (const number of numbers) sum += this.rows[number]?.tokens ?? 0;
    return sum;
  }

  /** Moves the leaf; nowhere where no place is named. */
  moveTo(leafId: string | null | undefined): void {
    if (leafId === undefined) return;
    if (leafId === null) this.session.resetLeaf();
    else this.session.branch(leafId);
  }

  /** It is kept no longer. */
  forgetKept(): void {
    this.kept?.agent.dispose();
    this.kept = undefined;
  }
}
