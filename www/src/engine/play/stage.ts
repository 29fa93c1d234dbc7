// The played session in place of the one on the screen, which waits.

import { init, Session } from "threadfold";
import type { Choices, PlayListener } from "../../contract.js";
import { Held } from "../held.js";
import { playChoices } from "./choices.js";
import { Pace } from "./pace.js";
import { PlayedRun } from "./run.js";
import { scriptOf } from "./script.js";

interface Staging {
  choices: Choices;
  speed: number;
  listener: PlayListener;
  /** The session on the screen. */
  waiting: Held | undefined;
  /** Called when the play is over. */
  end: () => void;
}

export class Stage {
  readonly held: Held;
  readonly #pace: Pace;
  readonly #run: PlayedRun;
  readonly #staging: Staging;
  #playing: Promise<void> = Promise.resolve();

  private constructor(held: Held, pace: Pace, run: PlayedRun, staging: Staging) {
    this.held = held;
    this.#pace = pace;
    this.#run = run;
    this.#staging = staging;
  }

  /** `file` is the session whose story is played. */
  static async open(file: Uint8Array, staging: Staging): Promise<Stage> {
    await init({ formats: true });
    const { choices, speed, listener } = staging;
    const script = scriptOf(file);
    const session = Session.create({ cwd: script.cwd, images: choices.images });
    const about = { name: "A played run", kind: "play" as const, format: "session" as const, bytes: 0, diagnostics: [] };
    const held = new Held(session, about, playChoices(choices));
    const pace = new Pace(speed);
    return new Stage(held, pace, new PlayedRun(held, script, pace, listener), staging);
  }

  /** Begins, without being waited for. */
  begin(): void {
    this.#playing = this.#run.play();
  }

  pause(): void {
    this.#pace.pause();
    this.#run.tell();
  }

  resume(): void {
    this.#pace.resume();
    this.#run.tell();
  }

  step(): void {
    this.#pace.step();
    this.#run.tell();
  }

  setSpeed(speed: number): void {
    this.#pace.speed = speed;
  }

  /** Ends it; gives the session that is shown now. Without one to go back to, the played one stays. */
  async close(keep: boolean): Promise<Held> {
    const { waiting, end } = this.#staging;
    this.#pace.end();
    await this.#playing;
    end();
    if (keep || waiting === undefined) {
      waiting?.free();
      return this.held;
    }
    this.held.free();
    waiting.forgetRows();
    return waiting;
  }
}
