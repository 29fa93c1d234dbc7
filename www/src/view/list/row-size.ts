// How high a row of the list is: every row the same, so that any place of a long list is known at once.

const coarse = matchMedia("(pointer: coarse)");
/** Below this width a row takes two lines, in rem. */
const NARROW = 36;

/** In pixels, for a list of some width; `rem` is the size of the page's text. */
export function rowSize(width: number): { size: number; narrow: boolean; rem: number } {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  const narrow = width < NARROW * rem;
  return { narrow, rem, size: rem * (narrow ? 3.25 : coarse.matches ? 2.75 : 2) };
}
