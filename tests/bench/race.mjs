// Timing: two sides in turn, in one process, warmed up, and the medians of many rounds.

/** How long each side runs before anything counts, in milliseconds. */
const WARM_UP = 400;
/** A sample shorter than this would measure the clock, in milliseconds. */
const SHORTEST_SAMPLE = 0.5;

/** Holds the newest result, so that no engine may leave the work out. */
export const sink = { kept: undefined, samples: 0 };

/**
 * Races sides, each `{ run, before?, after?, isAsync? }`, and gives the milliseconds of one run for each
 * round, a list a side. Only `run` is timed. `before` makes what `run` takes and `after` gets what it
 * gave; a side that has either runs once a sample. What an async `run` gives is waited for.
 */
export async function race(sides, { rounds = 61, warmUp = WARM_UP } = {}) {
  const lanes = [];
  for (const side of sides) lanes.push({ side, batch: await warmed(side, warmUp), times: [] });
  for (let round = 0; round < rounds; round += 1) {
    // What the last round left behind is nobody's cost. The collector's callbacks, which give the
    // engine's memory back, wait for a turn of the event loop.
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
    // Whoever goes first in one round goes second in the next.
    const order = round % 2 === 0 ? lanes : [...lanes].reverse();
    for (const lane of order) lane.times.push(await sample(lane.side, lane.batch));
  }
  return lanes.map((lane) => lane.times);
}

/** Runs a side until it is warm; gives how many runs make a sample. */
async function warmed(side, warmUp) {
  const samples = [];
  const end = performance.now() + warmUp;
  while (samples.length < 2 || performance.now() < end) samples.push(await sample(side, 1));
  if (side.before !== undefined || side.after !== undefined) return 1;
  return Math.max(1, Math.ceil(SHORTEST_SAMPLE / quantile(samples, 0.5)));
}

async function sample(side, batch) {
  const input = side.before?.();
  const start = performance.now();
  if (side.isAsync) for (let run = 0; run < batch; run += 1) sink.kept = await side.run(input);
  else for (let run = 0; run < batch; run += 1) sink.kept = side.run(input);
  const time = (performance.now() - start) / batch;
  side.after?.(sink.kept);
  sink.samples += 1;
  return time;
}

/** A quantile of some numbers, between the two nearest of them. */
export function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}

export function median(numbers) {
  return quantile(numbers, 0.5);
}

/** The ratio of the medians, and how far the ratios of single rounds lie apart. */
export function ratio(over, under) {
  return spread(over, under, median);
}

/**
 * The same of the fastest round of each side. Where rounds are few, and others use the machine too, medians tell more
 * of these than of the sides.
 */
export function ratioOfFastest(over, under) {
  return spread(over, under, (times) => Math.min(...times));
}

function spread(over, under, typical) {
  const rounds = over.map((time, round) => time / under[round]);
  return { typical: typical(over) / typical(under), low: quantile(rounds, 0.1), high: quantile(rounds, 0.9) };
}
