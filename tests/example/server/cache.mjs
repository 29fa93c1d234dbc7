// What a provider's prompt cache would serve: the beginning that a request shares with the one before.

/** Less is not worth keeping, in tokens. */
const LEAST = 1_024;

export function cacheOf() {
  let before = "";
  return {
    /** How many of the request's tokens the cache serves; the request is kept for the next. */
    hit({ caches, system, tools, messages }, input) {
      const text = JSON.stringify([system, tools, messages]);
      const shared = Math.min(sharedLength(text, before), text.length - 1);
      before = caches ? text : "";
      const tokens = Math.floor((input * shared) / text.length);
      return tokens < LEAST ? 0 : tokens;
    },
  };
}

/** How many characters two texts have in common at their start. */
function sharedLength(one, other) {
  let [least, most] = [0, Math.min(one.length, other.length)];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (one.slice(least, middle) === other.slice(least, middle)) least = middle;
    else most = middle - 1;
  }
  return least;
}
