/**
 * The wait that a `retry-after` header asks for, in milliseconds: a number of seconds, or a date. A
 * date that has passed asks for none; what is neither says nothing. `now` is in milliseconds since 1970.
 */
export function retryAfterMs(header: unknown, now: () => number): number | undefined {
  const text = typeof header === "string" ? header.trim() : "";
  const seconds = amount(text, 1_000);
  // A date of HTTP begins with the name of a day; parsers of dates also take numbers and much else.
  const wait = seconds ?? (/^[A-Za-z]/.test(text) ? Date.parse(text) - now() : Number.NaN);
  return Number.isNaN(wait) ? undefined : Math.max(0, Math.ceil(wait));
}

/** A number as headers write it, in a smaller unit of which `unit` make one; nothing where it is no number. */
export function amount(text: string | undefined, unit: number): number | undefined {
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text)) return undefined;
  return Math.min(Math.ceil(Number(text) * unit), Number.MAX_SAFE_INTEGER);
}
