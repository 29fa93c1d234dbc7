// Moves through the tree of the session on the screen.

import { AgentSession, type Model } from "threadfold";
import type { Navigated } from "../contract.js";
import type { Held } from "./held.js";
import { progressOf } from "./progress.js";
import { customInstructions, settle, type Asked } from "./running.js";
import { snapshotOf } from "./snapshot.js";
import { summarizedWith } from "./summarizing.js";
import { refusal, troubleOf } from "./troubles.js";

/** The events that tell how a navigation goes on. */
const TOLD = ["compaction_progress", "session_tree"] as const;

export async function navigate(held: Held, index: number, summarize: boolean, asked: Asked): Promise<Navigated> {
  const { choices, summarizing, listener, signal } = asked;
  const target = held.entries[index];
  if (target === undefined) throw refusal("unknown-entry", `entry ${index}: the session has ${held.entries.length}`);
  held.adopt(choices);
  const before = held.session.leafId;
  const summarized = summarizedWith(choices, summarizing, listener);
  const agent = new AgentSession({ session: held.session, fixedTokens: choices.fixedTokens, ...summarized, ...modelsOf(summarized, choices.contextWindow) });
  for (const type of TOLD) agent.on(type, (event) => void listener.progress(progressOf(event)));
  const result = await agent.navigateTree(target.id, { summarize, ...customInstructions(asked), signal }).finally(() => agent.dispose());
  const unsaved = await settle(held, `the move to #${index + 1}`, before);
  const trouble = result.failed === undefined ? unsaved : troubleOf(result.failed);
  const { editorText, summaryEntry, summarySkipped } = result;
  return {
    cancelled: result.cancelled,
    ...(trouble === undefined ? {} : { trouble }),
    ...(editorText === undefined ? {} : { editorText }),
    ...(summaryEntry?.type === "branch_summary" ? { summary: summaryEntry.summary } : {}),
    ...(summarySkipped === undefined ? {} : { summarySkipped: String(summarySkipped) }),
    snapshot: snapshotOf(held),
  };
}

/** A branch is summarised in one request: of two windows the smaller one says how much of it goes in. */
function modelsOf({ models = [] }: { models?: readonly Model[] | undefined }, contextWindow: number): { model: Model; models: [] } {
  const [model = { provider: "page", id: "model" }] = models;
  return { model: { ...model, contextWindow: Math.min(contextWindow, model.contextWindow ?? contextWindow) }, models: [] };
}
