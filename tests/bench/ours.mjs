// What is measured of this package: its facade, and the engine below it for what the facade keeps to itself.

import { readFileSync } from "node:fs";
import * as glue from "../../pkg-template/src/glue/threadfold.js";

export { AgentSession, foldMessages, Session } from "threadfold";

// The facade hands prompts out inside a run only. A second instance of the same file gives them alone.
glue.initSync({ module: readFileSync(new URL(import.meta.resolve("threadfold/core.wasm"))) });

const CURRENT_LEAF = -2;

/** The plan at the leaf, as the engine has it: its `prompts()` are those of the summary requests. */
export function enginePlan(bytes) {
  const session = glue.SessionHandle.fromJsonl(bytes, "safe", undefined, 1);
  const plan = session.prepareCompaction(CURRENT_LEAF, undefined, undefined, undefined);
  if (!(plan instanceof glue.PreparationHandle)) throw new Error(`nothing to summarise: ${JSON.stringify(plan)}`);
  return plan;
}
