import type { AgentHandle } from "./glue/threadfold.js";
import { checkOptions, giveBack, guard, optionalNumber, refuse } from "./guard.js";
import type { AgentHost } from "./host.js";
import { usableWindow } from "./models.js";
import type { Session } from "./session.js";
import type { SessionState } from "./state.js";
import type { SessionStore } from "./store.js";
import { candidatesOf, checkSummarizing, SUMMARIZING, type CheckedSummarizing, type SummarizingOptions } from "./summarizing-options.js";

/** Options of {@link AgentSession}. */
export interface AgentSessionOptions extends SummarizingOptions {
  /** The session that the agent works on. */
  session: Session;
  /** System prompt and tools, in tokens. Default: what earlier usages taught. */
  fixedTokens?: number | undefined;
  /** The host's agent, which is told what to do. Without it, act on what the calls answer. */
  host?: AgentHost | undefined;
  /** Where every entry of the session is stored. */
  store?: SessionStore | undefined;
}

const KNOWN = ["session", "fixedTokens", "host", "store", ...SUMMARIZING];

/** Checks what the parts do not check themselves. */
export function checkAgentOptions(options: AgentSessionOptions): void {
  checkOptions("AgentSession", options, KNOWN);
  optionalNumber("fixedTokens", options.fixedTokens);
  const { host, store } = options;
  checkMethods("host", host, ["abort", "continue", "prompt", "replaceMessages"], []);
  checkMethods("store", store, [], ["load", "append", "replace"]);
}

/** Checks what an agent works with, and sets it for the runs from now on; nothing has changed where it throws. */
export function configure(handle: AgentHandle, options: AgentSessionOptions): CheckedSummarizing {
  const { model, fixedTokens } = options;
  const contextWindow = usableWindow(model);
  const checked = checkSummarizing(options, contextWindow);
  const [windows, local] = candidatesOf(checked);
  guard(() => handle.configure(contextWindow, fixedTokens, checked.settings, model?.provider, model?.id, windows, local));
  return checked;
}

/** The engine's part of an agent, set for its first run. */
export function open(state: SessionState, options: AgentSessionOptions): [AgentHandle, CheckedSummarizing] {
  const agent = state.call((handle) => handle.agent(options.store !== undefined));
  try {
    return [agent, configure(agent, options)];
  } catch (error) {
    giveBack(agent);
    throw error;
  }
}

function checkMethods(name: string, value: object | undefined, optional: readonly string[], required: readonly string[]): void {
  if (value === undefined) return;
  if (typeof value !== "object" || value === null) refuse(name, value, "an object");
  const methods = value as Record<string, unknown>;
  for (const method of [...optional, ...required]) {
    const given = methods[method];
    const missing = given === undefined && optional.includes(method);
    if (!missing && typeof given !== "function") refuse(`${name}.${method}`, given, "a function");
  }
}
