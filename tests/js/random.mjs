// Chance that a seed fixes, for tests that make things up.

/** A generator of random numbers that a seed fixes (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit) => Math.floor(next() * limit);
  const pick = (list) => list[below(list.length)];
  const chance = (part) => next() < part;
  const shuffled = (list) => list.map((item) => [next(), item]).sort((a, b) => a[0] - b[0]).map(([, item]) => item);
  return { below, pick, chance, shuffled };
}
