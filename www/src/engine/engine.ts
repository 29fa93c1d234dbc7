// The engine behind the page: what each call of the contract does.

import { messageFormats, Session, transcriptFormats, type MessageFormat } from "threadfold";
import type { Answer, Choices, Engine, KeptSession, Listener, PlayListener, Snapshot, Source, Summarizing } from "../contract.js";
import { entryTextOf } from "./entry-text.js";
import { messagesFile, sessionFile } from "./export.js";
import { fold } from "./fold.js";
import { Held } from "./held.js";
import * as kept from "./kept/kept.js";
import { navigate } from "./navigate.js";
import { OneAtATime } from "./one-at-a-time.js";
import { openSource, reload } from "./opening.js";
import { planOf } from "./plan.js";
import { Stage } from "./play/stage.js";
import type { Asked } from "./running.js";
import { areSame, needsLoading } from "./settings.js";
import { snapshotOf } from "./snapshot.js";
import { answer, refusal } from "./troubles.js";

export class Worker implements Engine {
  #held: Held | undefined;
  #stage: Stage | undefined;
  #abort = new AbortController();
  readonly #turns = new OneAtATime();
  readonly #sample: () => Promise<Uint8Array>;

  /** `sample` gives the bytes of the sample session, whose story is played. */
  constructor(sample: () => Promise<Uint8Array>) {
    this.#sample = sample;
  }

  async formats() {
    return { transcripts: [...transcriptFormats], messages: [...messageFormats] };
  }

  open(source: Source, choices: Choices) {
    return this.#soon(async () => {
      const { session, about } = await openSource(source, choices);
      return this.#show(new Held(session, about, choices));
    });
  }

  choose(choices: Choices) {
    // A run that is under way does not mind what changes nothing.
    if (this.#held !== undefined && areSame(this.#held.choices, choices)) return answer(() => snapshotOf(this.#opened()));
    return this.#soon(async () => {
      const held = this.#opened();
      if (needsLoading(held.choices, choices)) return this.#loadAnew(held, choices);
      held.adopt(choices);
      return snapshotOf(held);
    });
  }

  plan(choices: Choices) {
    return answer(() => planOf(this.#opened(), choices));
  }

  entry(index: number) {
    return answer(() => entryTextOf(this.#opened(), index));
  }

  fold(choices: Choices, summarizing: Summarizing, instructions: string, listener: Listener) {
    return this.#run("a fold", { choices, summarizing, instructions, listener }, fold);
  }

  navigate(index: number, summarize: boolean, instructions: string, choices: Choices, summarizing: Summarizing, listener: Listener) {
    const go = (held: Held, asked: Asked) => navigate(held, index, summarize, asked);
    return this.#run("a move through the tree", { choices, summarizing, instructions, listener }, go);
  }

  async abort() {
    this.#abort.abort();
  }

  undo() {
    return this.#back((held) => held.history.undo());
  }

  redo() {
    return this.#back((held) => held.history.redo());
  }

  exportSession() {
    return answer(() => sessionFile(this.#opened()));
  }

  exportMessages(format: MessageFormat) {
    return answer(() => messagesFile(this.#opened(), format));
  }

  play(choices: Choices, speed: number, listener: PlayListener) {
    return answer(async () => {
      const end = await this.#turns.begin("a played run");
      try {
        this.#stage = await Stage.open(await this.#sample(), { choices, speed, listener, waiting: this.#held, end });
      } catch (error) {
        end();
        throw error;
      }
      this.#held = this.#stage.held;
      const snapshot = snapshotOf(this.#held);
      this.#stage.begin();
      return snapshot;
    });
  }

  async pause() {
    this.#stage?.pause();
  }

  async resume() {
    this.#stage?.resume();
  }

  async step() {
    this.#stage?.step();
  }

  async setSpeed(speed: number) {
    this.#stage?.setSpeed(speed);
  }

  endPlay(keep: boolean) {
    return answer(async () => {
      const stage = this.#stage;
      if (stage === undefined) throw refusal("invalid-argument", "nothing is being played");
      this.#stage = undefined;
      this.#held = await stage.close(keep);
      return snapshotOf(this.#opened());
    });
  }

  keep() {
    return this.#soon(async () => {
      await kept.keep(this.#opened());
      return kept.list();
    });
  }

  listKept() {
    return answer(() => kept.list());
  }

  openKept(key: string, choices: Choices) {
    return this.#soon(async () => {
      const { name, stored, store } = await kept.load(key);
      const { session, about } = await openSource({ name, bytes: stored.lines, kind: "kept" }, choices);
      const held = new Held(session, about, choices);
      held.moveTo(stored.leafId);
      kept.keepOn(held, key, store);
      return this.#show(held);
    });
  }

  forgetKept(key: string): Promise<Answer<KeptSession[]>> {
    return this.#soon(async () => {
      if (this.#held?.kept?.key === key) this.#held.forgetKept();
      await kept.forget(key);
      return kept.list();
    });
  }

  #soon<T>(work: () => Promise<T> | T): Promise<Answer<T>> {
    return answer(() => this.#turns.soon(work));
  }

  #run<T>(name: string, asked: Omit<Asked, "signal">, work: (held: Held, asked: Asked) => Promise<T>): Promise<Answer<T>> {
    return answer(() =>
      this.#turns.run(name, () => {
        this.#abort = new AbortController();
        return work(this.#opened(), { ...asked, signal: this.#abort.signal });
      }),
    );
  }

  #back(step: (held: Held) => string | null | undefined): Promise<Answer<Snapshot>> {
    return this.#soon(() => {
      const held = this.#opened();
      held.moveTo(step(held));
      return snapshotOf(held);
    });
  }

  async #loadAnew(held: Held, choices: Choices): Promise<Snapshot> {
    const again: Session = await reload(held.session, choices);
    const next = new Held(again, held.about, choices, held.history);
    if (held.kept !== undefined) await kept.keepAgain(held.kept, next);
    return this.#show(next);
  }

  #show(held: Held): Snapshot {
    const snapshot = snapshotOf(held);
    this.#held?.free();
    this.#held = held;
    return snapshot;
  }

  #opened(): Held {
    if (this.#held === undefined) throw refusal("invalid-argument", "no session is open");
    return this.#held;
  }
}
