// What a provider's prompt cache would serve: the beginning that a request shares with the one before.

/** Less is not worth keeping, in tokens. */
const LEAST = 1_024;

export function cacheOf() {
  let before = "";
  return {
    /** How many of the request's tokens the cache serves; the request is kept for the next. */
    hit({ caches, system, tools, messages }, input) {
      const text = JSON.stringify([system, tools, messages]);
      let shared = 0;
      while (shared < Math.min(text.length - 1, before.length) && text[shared] === before[shared]) shared += 1;
      before = caches ? text : "";
      const tokens = Math.floor((input * shared) / text.length);
      return tokens < LEAST ? 0 : tokens;
    },
  };
}
