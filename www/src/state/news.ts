// What just happened, said once to screen readers.

import { signal } from "@preact/signals";

export const news = signal("");

/** Says it. The same words twice are said twice. */
export function tell(text: string): void {
  news.value = news.value === text ? `${text}\u00a0` : text;
}
