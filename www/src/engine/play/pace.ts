// How fast a run is played, and whether it is.

/** Ends the play wherever it waits. */
export class Ended extends Error {
  override readonly name = "Ended";
}

/** So long at most it is waited at once, in milliseconds: a new speed holds soon. */
const SLICE_MS = 40;

export class Pace {
  /** So many messages may still go by while it is paused; none where that many are not asked for. */
  #steps = 0;
  #isPaused = false;
  /** One of these is going by. */
  #isStepping = false;
  #hasEnded = false;
  #wake: () => void = () => undefined;

  /** `speed`: turns a minute. */
  constructor(public speed: number) {}

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** How long a part of a turn takes now, in milliseconds. */
  msOf(share: number): number {
    return (60_000 / this.speed) * share;
  }

  pause(): void {
    this.#isPaused = true;
    this.#steps = 0;
  }

  resume(): void {
    this.#isPaused = false;
    this.#wake();
  }

  step(): void {
    this.#isPaused = true;
    this.#steps += 1;
    this.#wake();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  /** Waits until the next message may go by. Throws {@link Ended}. */
  async next(): Promise<void> {
    this.#isStepping = false;
    await this.#pass();
  }

  /** Waits a part of a turn, at the speed of each moment. Throws {@link Ended}. */
  async wait(share: number): Promise<void> {
    for (let left = share; left > 0; ) {
      const ms = Math.min(SLICE_MS, this.msOf(left));
      const taken = (ms * this.speed) / 60_000;
      await new Promise((resolve) => setTimeout(resolve, ms));
      await this.#pass();
      left = ms < SLICE_MS ? 0 : left - taken;
    }
  }

  /** Holds a message, also in the middle of it, until the pause is over or it is stepped on. */
  async #pass(): Promise<void> {
    const isHeld = () => this.#isPaused && !this.#isStepping && !this.#hasEnded;
    while (isHeld() && this.#steps === 0) await new Promise<void>((wake) => (this.#wake = wake));
    if (this.#hasEnded) throw new Ended();
    if (!isHeld()) return;
    this.#steps -= 1;
    this.#isStepping = true;
  }
}
