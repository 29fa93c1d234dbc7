import { Handlers, reportHandler } from "./handlers.js";

/** Told of an event. What it returns is not looked at; a promise is not waited for. */
export type Listener<Event> = (event: Event) => unknown;

type Listeners<Events> = { [Name in keyof Events]: Listener<Events[Name]> };

/** Hands events to their listeners. `Events` is what each event carries, by its name. */
export class Emitter<Events extends object> {
  readonly #listeners: Handlers<Listeners<Events>>;

  constructor(names: readonly (keyof Events & string)[]) {
    this.#listeners = new Handlers<Listeners<Events>>("on", names);
  }

  /**
   * Adds a listener and gives the function that removes it. Throws `invalid-argument` for an event
   * that is not known and for what is no function.
   */
  on<Name extends keyof Events & string>(name: Name, listener: Listener<Events[Name]>): () => void {
    return this.#listeners.add(name, listener);
  }

  /** Whether somebody listens to an event. */
  has(name: keyof Events): boolean {
    return this.#listeners.has(name);
  }

  /** Tells the listeners that are there now, in the order in which they were added. One that throws or rejects is reported and passed over. */
  emit<Name extends keyof Events & string>(name: Name, event: Events[Name]): void {
    for (const listener of this.#listeners.of(name)) {
      try {
        Promise.resolve(listener(event)).catch((error: unknown) => reportHandler(name, error));
      } catch (error) {
        reportHandler(name, error);
      }
    }
  }
}
