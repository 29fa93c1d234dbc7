// What went wrong last, until the visitor has read it.

import { signal } from "@preact/signals";
import type { Trouble } from "../contract.js";

export const trouble = signal<Trouble | undefined>(undefined);
