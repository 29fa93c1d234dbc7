// Where the worker's requests come in: each is asked of the chosen summariser, and can be cancelled by its number.

import type { Model, Summarize, SummaryRequest } from "threadfold";
import type { Listener, Reply } from "../contract.js";
import { wordsOf } from "./fault.js";

/** Takes requests, and answers them with data: nothing is thrown across to the worker. */
export class SummaryDesk implements Pick<Listener, "summarize" | "cancel"> {
  readonly #summarize: Summarize;
  readonly #model: Model | undefined;
  readonly #onFault: (error: unknown) => void;
  readonly #running = new Map<number, AbortController>();

  /** `onFault` is told of everything that was thrown, but for what was cancelled. */
  constructor(summarize: Summarize, model: Model | undefined, onFault: (error: unknown) => void) {
    this.#summarize = summarize;
    this.#model = model;
    this.#onFault = onFault;
  }

  async summarize(id: number, request: SummaryRequest, attempt: number): Promise<Reply> {
    const abort = new AbortController();
    this.#running.set(id, abort);
    try {
      const reply = await this.#summarize(request, { signal: abort.signal, model: this.#model, attempt });
      if (typeof reply === "string") return { ok: true, text: reply };
      const { text, stopReason, errorMessage } = reply;
      return { ok: true, text, ...(stopReason === undefined ? {} : { stopReason }), ...(errorMessage === undefined ? {} : { errorMessage }) };
    } catch (error) {
      if (!abort.signal.aborted) this.#onFault(error);
      return failed(error);
    } finally {
      this.#running.delete(id);
    }
  }

  cancel(id: number): void {
    this.#running.get(id)?.abort();
  }
}

/** What was thrown, with what the library's rules for retries go by. */
function failed(error: unknown): Reply {
  const { name, status, headers } = (typeof error === "object" && error !== null ? error : {}) as { name?: unknown; status?: unknown; headers?: unknown };
  const wait = headers instanceof Headers ? waitIn(headers) : undefined;
  return {
    ok: false,
    name: typeof name === "string" ? name : "Error",
    message: wordsOf(error),
    ...(typeof status === "number" ? { status } : {}),
    ...(wait === undefined ? {} : { retryAfter: wait }),
  };
}

/** The wait that is asked for, as `retry-after` says it: in seconds, or a date. */
function waitIn(headers: Headers): string | undefined {
  const ms = Number(headers.get("retry-after-ms") ?? NaN);
  return ms >= 0 ? String(ms / 1_000) : (headers.get("retry-after") ?? undefined);
}
