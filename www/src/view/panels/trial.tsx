// A try of the summariser that is set.

import { figure } from "../../figures.js";
import { openTab } from "../../state/layout.js";
import { forgetTrial, summarizer, trial, trySummarizer } from "../../state/summarizer.js";
import { visible } from "../detail/visible.js";

export function Trial() {
  const now = trial.value;
  if (summarizer.value.kind === "local") return <ToFold />;
  return (
    <>
      <div class="buttons">
        <button type="button" class="button" aria-disabled={now?.state === "running"} onClick={() => void (now?.state === "running" || trySummarizer())}>
          Try it
        </button>
        {now?.state === "running" && (
          <button type="button" class="button quiet" onClick={forgetTrial}>
            Stop
          </button>
        )}
        <ToFold />
      </div>
      {now?.state === "running" && (
        <p class="asked">
          <progress class="spinner" aria-label="Asking" /> Asked for one sentence…
        </p>
      )}
      {now?.state === "works" && (
        <section ref={show} class="outcome" aria-label="Outcome of the try">
          <h2>It works</h2>
          <blockquote class="short-summary said">{visible(now.text)}</blockquote>
          <p class="quiet small">Answered in {figure(now.tookMs)} ms.</p>
        </section>
      )}
      {now?.state === "fails" && (
        <section ref={show} class="outcome failed" aria-label="Outcome of the try">
          <h2>It does not work</h2>
          <p class="said">{now.what}</p>
          <p>{now.advice}</p>
        </section>
      )}
    </>
  );
}

/** The panel may be higher than the page: what came of it is brought into sight. */
function show(outcome: HTMLElement | null): void {
  outcome?.scrollIntoView({ block: "nearest" });
}

function ToFold() {
  return (
    <button type="button" class="button quiet" onClick={() => openTab("fold")}>
      To the fold
    </button>
  );
}
