/** The characters of each end of a text about a failure that cross into the engine, which reads less than that. */
const LONGEST_END = 65_536;

/** A text about a failure, or both its ends where it is long. */
export function endsOf(text: string): string {
  return text.length > 2 * LONGEST_END ? `${text.slice(0, LONGEST_END)} ${text.slice(-LONGEST_END)}` : text;
}
