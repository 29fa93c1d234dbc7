import { optionalNumber } from "./guard.js";
import type { PartialSettings } from "./settings.js";

/** What a context size, a preparation or a prune is asked with. */
export interface PlanOptions {
  /** The model's context window, in tokens. */
  contextWindow?: number | undefined;
  /** System prompt and tools, in tokens. Default: what earlier usages taught. */
  fixedTokens?: number | undefined;
  settings?: PartialSettings | undefined;
}

/** The numbers among them, checked as far as the engine does not. */
export function planNumbers(options: PlanOptions): { window: number | undefined; fixed: number | undefined } {
  return {
    window: optionalNumber("contextWindow", options.contextWindow),
    fixed: optionalNumber("fixedTokens", options.fixedTokens),
  };
}
