// After the way: what was carried over, and what is to be written anew.

import type { Navigated } from "../../contract.js";
import { copy } from "../../state/saving.js";
import { sentence } from "../../sentence.js";
import type { Explanation } from "../../summarizers/explain.js";
import { visible } from "../detail/visible.js";
import { SummaryText } from "./summary-text.js";

interface Props {
  result: Navigated;
  fault?: Explanation;
}

export function Arrived({ result, fault }: Props) {
  const { cancelled, trouble, summary, summarySkipped, editorText } = result;
  if (trouble !== undefined) return <Failed what={fault?.what ?? sentence(trouble.message)} advice={fault?.advice ?? trouble.advice} />;
  if (cancelled) {
    return (
      <section class="outcome" aria-label="Outcome">
        <h3>Aborted</h3>
        <p>The session stands where it stood.</p>
      </section>
    );
  }
  return (
    <section class="outcome" aria-label="Outcome">
      <h3>You are there</h3>
      {summary !== undefined && (
        <>
          <p>This was carried over from the branch that was left:</p>
          <div class="carried" tabIndex={0} role="group" aria-label="Branch summary">
            <SummaryText text={summary} />
          </div>
        </>
      )}
      {summarySkipped !== undefined && <p class="quiet">{SKIPPED[summarySkipped] ?? `Without a summary: ${summarySkipped}.`}</p>}
      {editorText !== undefined && <Again text={editorText} />}
      <p class="quiet small">Undo takes you back.</p>
    </section>
  );
}

const SKIPPED: Record<string, string> = {
  "no-messages": "Without a summary: the branch holds nothing that could be summarised.",
  "nothing-fits": "Without a summary: not even the newest message of the branch fits into the window beside the reserve.",
};

function Failed({ what, advice }: Explanation) {
  return (
    <section class="outcome failed" aria-label="Outcome">
      <h3>It did not work</h3>
      <p class="said">{what}</p>
      <p>{advice}</p>
      <p class="quiet">The session stands where it stood.</p>
    </section>
  );
}

/** The message that is to be written anew. */
function Again({ text }: { text: string }) {
  return (
    <>
      <label class="labelled">
        <span>The message to write anew</span>
        <textarea class="field" rows={5} readOnly value={visible(text)} />
      </label>
      <p>
        <button type="button" class="button small" onClick={() => void copy(text)}>
          Copy
        </button>
      </p>
    </>
  );
}
