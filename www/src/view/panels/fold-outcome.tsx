// How a fold ended, in words.

import "../../styles/plan.css";
import type { Comparison, Folded } from "../../contract.js";
import { figure, percent, short } from "../../figures.js";
import { compare, comparing, stopComparing } from "../../state/fold.js";
import { openTab } from "../../state/layout.js";
import { sentence } from "../../sentence.js";
import type { Explanation } from "../../summarizers/explain.js";
import { SummaryText } from "./summary-text.js";

interface Props {
  result: Folded;
  fault?: Explanation;
}

export function FoldOutcome({ result, fault }: Props) {
  const { status, nothingToDo } = result;
  switch (status) {
    case "committed":
      return <Committed result={result} />;
    case "nothing-to-do":
      return (
        <section class="outcome" aria-label="Outcome">
          <h2>Nothing was folded</h2>
          <p class="said">{sentence(nothingToDo?.message ?? "there is nothing to summarise")}</p>
          <p class="quiet">A smaller window or a smaller keep budget, on the tab Plan, may change that.</p>
        </section>
      );
    case "cancelled":
      return (
        <section class="outcome" aria-label="Outcome">
          <h2>Aborted</h2>
          <p>The session is as it was.</p>
        </section>
      );
    case "failed":
      return <Failed result={result} fault={fault} />;
  }
}

function Failed({ result: { trouble }, fault }: { result: Folded; fault: Explanation | undefined }) {
  // What the page's own summariser threw is nearer than what the run says of it.
  const { what, advice } = fault ?? { what: sentence(trouble?.message ?? "it was not said why"), advice: trouble?.advice ?? "Try again." };
  return (
    <section class="outcome failed" aria-label="Outcome">
      <h2>The fold failed</h2>
      <p class="said">{what}</p>
      <p>{advice}</p>
      <p class="quiet">The session is as it was.</p>
      <p>
        <button type="button" class="button" onClick={() => openTab("summarizer")}>
          Look at the summariser
        </button>
      </p>
    </section>
  );
}

function Committed({ result: { comparison, summary, shortSummary, summarizer, warnings } }: { result: Folded }) {
  return (
    <section class="outcome" aria-label="Outcome">
      <h2>Folded</h2>
      {comparison !== undefined && <Figures comparison={comparison} summarizer={summarizer} />}
      {warnings.map((warning) => (
        <p key={warning} class="warning">
          {warning === "unstructured" ? "The summary lacks the headings that it was asked for." : warning}
        </p>
      ))}
      {comparison !== undefined && (
        <p>
          <button type="button" class="button" aria-pressed={comparing.value} onClick={() => (comparing.value ? stopComparing() : compare())}>
            Compare before and after
          </button>
        </p>
      )}
      {shortSummary !== undefined && <blockquote class="short-summary said">{shortSummary}</blockquote>}
      {summary !== undefined && (
        <details class="more" open={comparison === undefined}>
          <summary>The summary</summary>
          <SummaryText text={summary} />
        </details>
      )}
    </section>
  );
}

const MAKERS: Record<string, string> = { callback: "the summariser that you chose", local: "the local summariser", remote: "the Threadfold endpoint", hook: "an extension" };

function Figures({ comparison: { tokensBefore, tokensAfter }, summarizer = "" }: { comparison: Comparison; summarizer: string | undefined }) {
  const saved = tokensBefore - tokensAfter;
  return (
    <>
      <p class="plan-saving">
        <strong class="figure">{short(tokensBefore)}</strong>
        <span aria-hidden="true">→</span>
        <span class="spoken">became</span>
        <strong class="figure">{short(tokensAfter)}</strong>
        <span class="quiet small">
          {saved > 0 ? `tokens: ${figure(saved)} saved, ${percent(saved, tokensBefore)}` : "tokens: nothing saved, the summary is as long as what it stands for"}
        </span>
      </p>
      <p class="quiet small">Written by {MAKERS[summarizer] ?? summarizer}. Nothing was removed: the summary is one more entry, and Undo steps back before it.</p>
    </>
  );
}
