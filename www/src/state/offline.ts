// Whether the page is kept in this browser.

import { signal } from "@preact/signals";

/** True once the next load needs no network. */
export const offlineReady = signal(false);
