import type { Settings } from "./data.js";

/** Settings of which every part is optional; what is left out keeps its default. */
export type PartialSettings = { [Part in keyof Settings]?: Settings[Part] extends object ? Partial<Settings[Part]> : Settings[Part] };
