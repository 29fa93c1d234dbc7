// What can go wrong when a summariser is asked over the network or in the browser.

/** Faults by what a visitor can do about them. */
export type FaultKind = "address" | "unreachable" | "refused" | "unexpected" | "broken-off" | "unavailable";

/** What the library's rules go by, where there was an answer at all. */
export interface FaultAnswer {
  status?: number;
  headers?: Headers;
}

/** A fault in words that say what happened. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly kind: FaultKind;
  readonly status: number | undefined;
  readonly headers: Headers | undefined;

  constructor(kind: FaultKind, message: string, { status, headers }: FaultAnswer = {}) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.headers = headers;
  }
}

/** What a thrown value says. */
export function wordsOf(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}
