// What the plan comes to: the cut and its reasons, the parts, the cost and the saving; or why there is nothing to do.

import type { NothingToDo } from "threadfold";
import type { FoldPlan, Plan } from "../../contract.js";
import { counted, figure, percent, short } from "../../figures.js";
import { sentence } from "../../sentence.js";
import { plan, planTrouble } from "../../state/plan.js";
import { selectEntry } from "../../state/select.js";

export function PlanFigures() {
  const found = plan.value;
  if (planTrouble.value !== undefined) {
    return (
      <section class="plan-answer" aria-label="Plan">
        <h2>These choices do not work</h2>
        <p class="said">{sentence(planTrouble.value.message)}</p>
        <p class="quiet">{planTrouble.value.advice}</p>
      </section>
    );
  }
  if (found === undefined) {
    return (
      <section class="plan-answer" aria-label="Plan" aria-busy="true">
        <h2>What a fold would do now</h2>
        <p class="quiet">Open a session to see its plan.</p>
      </section>
    );
  }
  return (
    <section class="plan-answer" aria-label="Plan">
      {found.ok ? <FoldFigures found={found} /> : <Nothing found={found} />}
      <PrunedFirst found={found} />
    </section>
  );
}

/** What helps where there is nothing to do. */
const help: Record<NothingToDo["reason"], string> = {
  "already-compacted": "Go on with the session: a fold needs something new.",
  "session-too-small": "Lower Keep, and a fold finds something to summarise.",
  "below-threshold": "A fold by hand is possible all the same.",
  infeasible: "Only a larger window, or fewer tools, would help.",
  "kept-tail-too-large": "Lower Keep, or choose a larger window.",
  "open-tool-call": "A call still waits for its result. A fold can follow it.",
  disabled: "Folding is switched off.",
  "unknown-window": "Set the window.",
};

function Nothing({ found }: { found: NothingToDo }) {
  return (
    <>
      <h2>Nothing to fold now</h2>
      <p class="said">{sentence(found.message)}</p>
      <p class="quiet">{help[found.reason]}</p>
    </>
  );
}

function FoldFigures({ found }: { found: FoldPlan }) {
  const { tokensBefore, leastAfter } = found;
  const saving = Math.max(0, tokensBefore - leastAfter);
  return (
    <>
      <h2>What a fold would do now</h2>
      <p class="plan-saving">
        <strong class="figure">{short(tokensBefore)}</strong>
        <span aria-hidden="true">→</span>
        <span class="spoken">becomes at least</span>
        <strong class="figure">{short(leastAfter)}</strong>
        <span class="quiet small">tokens and the summary: saves up to {percent(saving, tokensBefore)}</span>
      </p>
      <Shares found={found} />
      <p class="plan-why">{found.why}</p>
      <p class="plan-jumps">
        <button type="button" class="button small" onClick={() => selectEntry(found.firstKept)}>
          First kept entry, #{found.firstKept + 1}
        </button>
        {found.turnStart >= 0 && (
          <button type="button" class="button small" onClick={() => selectEntry(found.turnStart)}>
            Split turn, #{found.turnStart + 1}
          </button>
        )}
      </p>
      <dl class="plan-facts">
        <dt>Cost</dt>
        <dd>
          <span class="figure">{figure(found.requestTokens)}</span> tokens in the summary requests
        </dd>
        <dt>Summary before</dt>
        <dd>{found.hasPreviousSummary ? "is updated" : "none"}</dd>
        <dt>Files</dt>
        <dd>{filesOf(found)}</dd>
      </dl>
      <FileList found={found} />
    </>
  );
}

function Shares({ found }: { found: FoldPlan }) {
  const { summarizedTokens, prefixTokens, keptTokens } = found;
  const whole = Math.max(1, summarizedTokens + prefixTokens + keptTokens);
  const shares = [
    { name: "summarized", word: "summarised", entries: found.summarized.length, tokens: summarizedTokens },
    { name: "prefix", word: "turn prefix", entries: found.prefix.length, tokens: prefixTokens },
    { name: "kept", word: "kept", entries: found.kept.length, tokens: keptTokens },
  ].filter(({ entries }) => entries > 0);
  return (
    <>
      <div class="shares" aria-hidden="true">
        {shares.map(({ name, tokens }) => (
          <span key={name} class={`share fate-${name}`} style={{ flexGrow: Math.max(0.01, tokens / whole) }} />
        ))}
      </div>
      <ul class="share-list">
        {shares.map(({ name, word, entries, tokens }) => (
          <li key={name}>
            <span class={`fate-shape fate-${name}`} aria-hidden="true" />
            <span>{word}</span>
            <span class="quiet">{counted(entries, "entry", "entries")}</span>
            <span class="figure">{figure(tokens)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function PrunedFirst({ found: { pruned } }: { found: Plan }) {
  if (pruned.entries.length === 0) return null;
  return (
    <p class="plan-pruned">
      <span class="fate-shape fate-pruned" aria-hidden="true" />
      <span>
        At the threshold {counted(pruned.entries.length, "old tool output")} would be pruned first, which saves{" "}
        <span class="figure">{figure(pruned.tokens)}</span> tokens.
      </span>
    </p>
  );
}

function filesOf({ files: { readFiles, modifiedFiles } }: FoldPlan): string {
  if (readFiles.length + modifiedFiles.length === 0) return "none";
  return `${figure(readFiles.length)} read, ${figure(modifiedFiles.length)} modified`;
}

/** As many names as are read at a glance; the rest is counted. */
const NAMED = 60;

function FileList({ found: { files } }: { found: FoldPlan }) {
  const named = [
    ...files.modifiedFiles.map((path) => ({ path, mark: "modified" })),
    ...files.readFiles.map((path) => ({ path, mark: "read" })),
  ];
  if (named.length === 0) return null;
  return (
    <details class="plan-files">
      <summary>Files that the summary names</summary>
      <ul>
        {named.slice(0, NAMED).map(({ path, mark }) => (
          <li key={`${mark} ${path}`}>
            <bdi class="figure small">{path}</bdi> <span class="quiet small">{mark}</span>
          </li>
        ))}
      </ul>
      {named.length > NAMED && <p class="quiet small">and {figure(named.length - NAMED)} more</p>}
    </details>
  );
}
