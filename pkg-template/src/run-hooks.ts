import type { Step } from "./data.js";
import type { CompactionResult, Entry, Message } from "./entry.js";
import { ThreadfoldError } from "./error.js";
import type { RunHandle } from "./glue/threadfold.js";
import type { BeforeTreeEvent } from "./hook-events.js";
import { askBeforeCompact, askBeforeTree, askCompacting, type Asked, type Hooks } from "./hooks.js";
import { lazily } from "./lazily.js";
import { Preparation } from "./preparation.js";
import { CURRENT_LEAF, type SessionState } from "./state.js";

/** What the handlers of hooks are told beside what the run knows. */
export interface HookContext {
  hooks: Hooks;
  /** The id of the session, where its file names one. */
  sessionId: string | undefined;
  /** The settings of the run, as JSON. */
  settings: string | undefined;
  customInstructions: string | undefined;
  /** For a navigation: where to. */
  tree: Omit<BeforeTreeEvent, "signal"> | undefined;
}

type HookStep = Extract<Step, { type: "hook" }>;

/** What the run is told at the time that is given. */
export type Resume = (at: string) => void;

/** Calls the handlers of a hook and gives what the run is told. */
export async function callHook(
  state: SessionState,
  run: RunHandle,
  step: HookStep,
  context: HookContext,
  signal: AbortSignal | undefined,
): Promise<Resume> {
  const { hooks, sessionId, customInstructions, tree } = context;
  const limits = { signal, timeoutMs: step.timeoutMs };
  const pass: Resume = (at) => run.hookPassed(at);
  if (!hooks.has(step.hook)) return pass;
  switch (step.hook) {
    case "session_before_compact": {
      const path = lazily((): Entry[] => Array.from(state.call((handle) => handle.path(CURRENT_LEAF)), (index) => state.entry(index)));
      const event = {
        preparation: preparationOf(state, run, context),
        get pathEntries() {
          return path();
        },
        reason: step.reason ?? "manual",
        willRetry: step.willRetry ?? false,
        customInstructions,
      };
      return told(run, await askBeforeCompact(hooks, event, limits), (answer) => (answer === undefined ? pass : compactionOf(run, answer)));
    }
    case "session.compacting": {
      const preparation = preparationOf(state, run, context);
      const messages = lazily((): Message[] => [...preparation.messagesToSummarize, ...preparation.turnPrefixMessages]);
      const event = {
        sessionId,
        get messages() {
          return messages();
        },
      };
      return told(run, await askCompacting(hooks, event, limits), ({ prompt, context: lines, preserveData }) => {
        return (at) => run.hookAdditions(prompt, lines, jsonOf(preserveData), at);
      });
    }
    case "session_before_tree": {
      if (tree === undefined) return pass;
      return told(run, await askBeforeTree(hooks, tree, limits), (answer) => {
        if (answer === undefined) return pass;
        return (at) => run.hookSummary(answer.summary, jsonOf(answer.details), at);
      });
    }
  }
}

/** What the run is told of how asking ended. */
function told<Answer>(run: RunHandle, asked: Asked<Answer>, answered: (answer: Answer) => Resume): Resume {
  switch (asked.type) {
    case "answered":
      return answered(asked.answer);
    case "cancelled":
      return (at) => run.hookCancelled(at);
    case "aborted":
      return (at) => run.abort(at);
    case "refused":
      return (at) => run.hookRefused(asked.error.message, at);
  }
}

function compactionOf(run: RunHandle, given: CompactionResult): Resume {
  const { summary, shortSummary, firstKeptEntryId, tokensBefore, details, preserveData } = given;
  return (at) => run.hookCompaction(summary, shortSummary, firstKeptEntryId, tokensBefore, jsonOf(details), jsonOf(preserveData), at);
}

function preparationOf(state: SessionState, run: RunHandle, context: HookContext): Preparation {
  const plan = state.call(() => run.preparation());
  if (plan === undefined) throw new ThreadfoldError("internal", "a hook was to be called for a compaction without a plan");
  return new Preparation(state, plan, context.settings);
}

function jsonOf(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
