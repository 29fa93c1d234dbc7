// What goes wrong, and when.

/**
 * @typedef {object} Fault
 * @property {"rate-limit" | "overloaded" | "wrong-key" | "too-long" | "drop" | "malformed"} fault
 *   the last two spoil a stream that has begun
 * @property {"chat" | "summary"} [of] which requests; default: chat
 * @property {number} [turn] not before this turn of the user
 * @property {number} [number] not before the request of that number among its kind, from 1
 * @property {number} [above] only a request of more tokens than this; `too-long` names it as the window,
 *   as if the request had been routed to a smaller model
 * @property {number} [times] default: 1
 * @property {number} [retryAfter] what `rate-limit` asks for, in seconds; default: 1
 */

/**
 * A list of faults, each of which happens as often as it says and then never again.
 *
 * @param {Fault[]} list
 */
export function schedule(list) {
  const open = list.map((fault) => ({ of: "chat", turn: 0, number: 1, above: 0, retryAfter: 1, times: 1, ...fault }));
  return {
    /** The fault that meets this request. */
    next({ kind, turn, number, tokens }) {
      const found = open.find((fault) => fault.of === kind && turn >= fault.turn && number >= fault.number && tokens > fault.above && fault.times > 0);
      if (found !== undefined) found.times -= 1;
      return found;
    },
    /** Those that have not happened yet. */
    get left() {
      return open.filter(({ times }) => times > 0);
    },
  };
}
