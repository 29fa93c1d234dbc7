import { describe } from "./guard.js";

/** What is read of a response. A mock may leave out nearly all of it. */
export interface ResponseLike {
  readonly status?: number | undefined;
  /** Serves where there is no status. */
  readonly ok?: boolean | undefined;
  /** Tells a redirect that a browser hides from what has no status at all. */
  readonly type?: string | undefined;
  readonly headers?: { get(name: string): string | null } | Readonly<Record<string, string>> | undefined;
  /** Read piece by piece where that is possible, so that a body without an end does no harm. */
  readonly body?: unknown;
  /** Read where there is no stream. */
  text?(): PromiseLike<string> | string;
}

/** The status of a response: 0 where a browser hides a redirect. */
export function statusOf(response: unknown): number {
  const { status, ok, type } = (typeof response === "object" && response !== null ? response : {}) as ResponseLike;
  if (typeof status === "number" && Number.isInteger(status) && status > 0 && status < 1000) return status;
  if (type === "opaqueredirect") return 0;
  if (ok === true) return 200;
  throw new TypeError(`fetch answered with ${describe(response)}, which is no response`);
}

/** A header of a response. */
export function headerOf(response: unknown, name: string): unknown {
  const { headers } = response as ResponseLike;
  return typeof headers?.get === "function" ? headers.get(name) : (headers as Record<string, string> | undefined)?.[name];
}

/** A body as text, and whether there was more of it than was to be read. */
export interface Body {
  text: string;
  truncated: boolean;
}

/** Reads a body of at most `limit` bytes. It stops at the signal, also where the response does not. */
export async function bodyOf(response: unknown, limit: number, signal: AbortSignal): Promise<Body> {
  const { body } = response as { body?: { getReader?: unknown } | null };
  if (typeof body?.getReader === "function") return readPieces((body as ReadableStream<unknown>).getReader(), limit, signal);
  const given = response as ResponseLike;
  const text: unknown = await given.text?.();
  if (typeof text !== "string") throw new TypeError(`the body of the response is ${describe(text)}; allowed is text`);
  // A character takes a byte or more, so only a text in between has to be measured.
  const truncated = text.length > limit || (text.length * 3 > limit && new TextEncoder().encode(text).length > limit);
  return { text: truncated ? text.slice(0, limit) : text, truncated };
}

async function readPieces(reader: ReadableStreamDefaultReader<unknown>, limit: number, signal: AbortSignal): Promise<Body> {
  // How the cancelling ends does not matter, but somebody must listen.
  const cancel = () => void new Promise((resolve) => resolve(reader.cancel())).catch(() => undefined);
  signal.addEventListener("abort", cancel, { once: true });
  try {
    if (signal.aborted) cancel();
    const decoder = new TextDecoder();
    let text = "";
    for (let room = limit; ; ) {
      const { done, value } = await reader.read();
      if (done) return { text: text + decoder.decode(), truncated: false };
      if (!ArrayBuffer.isView(value)) throw new TypeError(`a piece of the body is ${describe(value)}; allowed are bytes`);
      const fits = value.byteLength <= room;
      const bytes = new Uint8Array(value.buffer, value.byteOffset, fits ? value.byteLength : room);
      text += decoder.decode(bytes, { stream: true });
      room -= bytes.length;
      if (fits) continue;
      cancel();
      return { text, truncated: true };
    }
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
