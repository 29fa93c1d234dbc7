/**
 * The wait that a `retry-after` header asks for, in milliseconds: a whole number of seconds, or a
 * date. A date that has passed asks for none; what is neither says nothing. `now` is the time in
 * milliseconds since 1970.
 */
export function retryAfterMs(header: unknown, now: () => number): number | undefined {
  const text = typeof header === "string" ? header.trim() : "";
  if (/^\d+$/.test(text)) {
    const wait = Number(text) * 1000;
    return Number.isSafeInteger(wait) ? wait : undefined;
  }
  // A date of HTTP begins with the name of a day; parsers of dates also take numbers and much else.
  const wait = /^[A-Za-z]/.test(text) ? Date.parse(text) - now() : Number.NaN;
  return Number.isNaN(wait) ? undefined : Math.max(0, Math.ceil(wait));
}
