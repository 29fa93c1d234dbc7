// A scripted run with an agent's companion beside it. What is pruned, folded and rescued, the library does.

import { AgentSession, type AssistantMessage, type Message, type TurnResult } from "threadfold";
import { grouped, count } from "../../../../demo/text.mjs";
import type { PlayEvent, PlayListener, PlayState } from "../../contract.js";
import type { Held } from "../held.js";
import { wordsOf } from "../progress.js";
import { textOfMessage } from "../rows.js";
import { planOptions } from "../settings.js";
import { snapshotOf } from "../snapshot.js";
import { troubleOf } from "../troubles.js";
import { Ended, type Pace } from "./pace.js";
import { Provider } from "./provider.js";
import type { Script } from "./script.js";
import { typed } from "./typing.js";

/** A snapshot is sent so often at most, in milliseconds; what changes the context by itself is sent at once. */
const EVERY_MS = 80;
const HEARD = ["auto_compaction_start", "session_compact", "compaction_end", "auto_compaction_end"] as const;

export class PlayedRun {
  readonly #agent: AgentSession;
  readonly #provider: Provider;
  readonly #state: PlayState;
  /** What the companion told during a check. */
  readonly #told: Omit<PlayEvent, "turn" | "tokens">[] = [];
  #shownAt = 0;

  constructor(
    readonly held: Held,
    readonly script: Script,
    readonly pace: Pace,
    readonly listener: PlayListener,
  ) {
    const { contextWindow, images } = held.choices;
    const { settings } = planOptions(held.choices);
    this.#provider = new Provider(contextWindow, images);
    this.#agent = new AgentSession({
      session: held.session,
      model: this.#provider.model,
      // The script goes on by itself.
      settings: { ...settings, compaction: { ...settings.compaction, autoContinue: false } },
      summarize: "local",
    });
    for (const type of HEARD) this.#agent.on(type, (event) => this.#told.push({ type, text: wordsOf(event) }));
    this.#state = { status: "playing", turn: 0, turns: script.turns.length, prunes: 0, folds: 0, rescues: 0 };
  }

  /** Plays to the end of the script, or until the pace ends it. */
  async play(): Promise<void> {
    try {
      for (const messages of this.script.turns) {
        this.#state.turn += 1;
        await this.#turn(messages);
      }
    } catch (error) {
      if (!(error instanceof Ended)) this.#event("error", troubleOf(error).message);
    } finally {
      this.#state.status = "ended";
      this.#show(true);
      this.#tell();
      this.#agent.dispose();
    }
  }

  /** Tells how far it is, with what is being typed. */
  tell(): void {
    this.#tell();
  }

  async #turn(messages: readonly Message[]): Promise<void> {
    for (const message of messages) {
      await this.pace.next();
      await typed(message, this.pace, 1 / messages.length, (typing) => this.#tell(typing));
      if (message.role === "user") await this.#check(await this.#agent.beforePrompt(message));
      const isSaid = message.role === "assistant" ? await this.#answer(message) : await this.#append(message);
      // Without the answer, what follows it in the script is about nothing.
      if (!isSaid) return;
    }
    await this.#check(await this.#agent.handleTurnEnd());
  }

  /** Asks the provider; where it refuses, the companion makes room, and it is asked again. */
  async #answer(scripted: AssistantMessage): Promise<boolean> {
    for (;;) {
      const answer = this.#provider.answer(this.held.session, scripted);
      if (answer.stopReason !== "error") return this.#append(answer);
      await this.#agent.append(answer);
      this.#event("overflow", `The provider refused: ${answer.errorMessage}`);
      const result = await this.#agent.handleTurnEnd();
      const goesOn = result.next.type === "continue";
      if (goesOn) this.#state.rescues += 1;
      await this.#check(result);
      if (!goesOn) return false;
    }
  }

  async #append(message: Message): Promise<boolean> {
    await this.#agent.append(message);
    this.#event("message", textOfMessage(message));
    this.#show(false);
    this.#tell();
    return true;
  }

  /** Tells what a check did: first what was pruned, which comes before a fold. */
  async #check({ pruned }: TurnResult): Promise<void> {
    const told = this.#told.splice(0);
    if (pruned === undefined && told.length === 0) return;
    if (pruned !== undefined) {
      this.#state.prunes += 1;
      this.#event("prune", `${count(pruned.prunedCount, "old tool output")} gave way to a notice: ${grouped(pruned.tokensSaved)} tokens fewer`);
    }
    for (const { type, text } of told) {
      if (type === "session_compact") this.#state.folds += 1;
      this.#event(type, text);
    }
    this.#show(true);
    this.#tell();
  }

  #event(type: string, text: string): void {
    this.listener.event({ turn: this.#state.turn, type, text, tokens: this.#agent.contextUsage().tokens });
  }

  #tell(typing?: NonNullable<PlayState["typing"]>): void {
    const status = this.#state.status === "playing" && this.pace.isPaused ? "paused" : this.#state.status;
    this.listener.state({ ...this.#state, status, ...(typing === undefined ? {} : { typing }) });
  }

  #show(atOnce: boolean): void {
    const now = performance.now();
    if (!atOnce && now - this.#shownAt < EVERY_MS) return;
    this.#shownAt = now;
    this.listener.snapshot(snapshotOf(this.held));
  }
}
