// A slider over a wide range of tokens: each step is the same part more, and lands on a round figure.

export interface Scale {
  least: number;
  most: number;
}

/** How many steps a slider has. */
export const STEPS = 240;

/** The figure at a step, from 0 to {@link STEPS}. */
export function figureAt(scale: Scale, step: number): number {
  const { least, most } = scale;
  if (step <= 0) return least;
  if (step >= STEPS) return most;
  const start = startOf(scale);
  return Math.min(most, Math.max(least, rounded(start * (most / start) ** (step / STEPS))));
}

/** The step nearest to a figure. */
export function stepOf(scale: Scale, figure: number): number {
  const { least, most } = scale;
  const start = startOf(scale);
  if (figure <= least || most <= start) return 0;
  const step = Math.round((STEPS * Math.log(Math.max(1, figure) / start)) / Math.log(most / start));
  return Math.min(STEPS, Math.max(1, step));
}

/** Where the even growth begins: nothing grows from 0, and a thousandth of the most is as good as it. */
function startOf({ least, most }: Scale): number {
  return Math.max(1, least, most / 1_000);
}

/** To two digits and a half: 9 600, 12 500, 205 000. */
function rounded(value: number): number {
  const unit = Math.max(1, 10 ** (Math.floor(Math.log10(value)) - 1) / 2);
  return Math.round(value / unit) * unit;
}
