// The width of an element, as it is laid out now.

import { useSignal, type ReadonlySignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** In pixels; `first` until the element is there. */
export function useWidth(element: RefObject<HTMLElement | null>, first: number): ReadonlySignal<number> {
  const width = useSignal(first);
  useLayoutEffect(() => {
    if (element.current === null) return;
    width.value = element.current.clientWidth || first;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined && entry.contentRect.width > 0) width.value = Math.round(entry.contentRect.width);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return width;
}
