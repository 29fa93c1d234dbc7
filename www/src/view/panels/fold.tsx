// Fold: what is about to happen, the button, what goes on, what came of it.

import "../../styles/panels.css";
import { useEffect, useRef } from "preact/hooks";
import { counted, short } from "../../figures.js";
import { fold, folded, instructions } from "../../state/fold.js";
import { openTab } from "../../state/layout.js";
import { play } from "../../state/play.js";
import { plan } from "../../state/plan.js";
import { run } from "../../state/run.js";
import { snapshot } from "../../state/session.js";
import { summarizer } from "../../state/summarizer.js";
import { redo, undo } from "../../state/undo.js";
import { sentence } from "../../sentence.js";
import { SUMMARIZER_NAMES } from "../../summarizers/settings.js";
import { FoldOutcome } from "./fold-outcome.js";
import { RunProgress } from "./run-progress.js";

export function FoldPanel() {
  const outcome = useRef<HTMLDivElement>(null);
  const busy = run.value !== undefined;
  const played = play.value !== undefined;
  const wasBusy = useRef(busy);
  // What was focused is gone with the run: one goes on where its outcome stands.
  useEffect(() => {
    if (wasBusy.current && !busy && document.activeElement === document.body) outcome.current?.focus();
    wasBusy.current = busy;
  }, [busy]);
  if (snapshot.value === undefined) return <p class="quiet">Open a session to fold it.</p>;
  return (
    <div class="stack">
      <section class="stack" aria-label="Fold">
        <h2>Fold this session</h2>
        <About />
        {played && <p class="quiet">A run is being played. Keep it, or go back to your session, to fold by hand.</p>}
        <details class="more">
          <summary>Instructions for the summary</summary>
          <label class="labelled">
            <span class="quiet small">What it should look at above all. Optional.</span>
            <textarea
              class="field"
              rows={3}
              value={instructions.value}
              placeholder="Keep every figure of the budget."
              onInput={({ currentTarget }) => (instructions.value = currentTarget.value)}
            />
          </label>
        </details>
        <div class="buttons">
          <button type="button" class="button primary" aria-disabled={busy || played} onClick={() => void (busy || played || fold())}>
            Fold
          </button>
          <Steps />
        </div>
      </section>
      <RunProgress what="fold" />
      <div ref={outcome} tabIndex={-1} class="outcome-place">
        {!busy && folded.value !== undefined && <FoldOutcome {...folded.value} />}
      </div>
    </div>
  );
}

/** What is about to happen, and who does it. */
function About() {
  const found = plan.value;
  return (
    <>
      {found?.ok === true && (
        <p>
          {counted(found.summarized.length + found.prefix.length, "entry", "entries")} become a summary, {found.kept.length} stay word for word:{" "}
          <span class="figure">{short(found.tokensBefore)}</span> tokens become at least <span class="figure">{short(found.leastAfter)}</span>.
        </p>
      )}
      {found?.ok === false && <p class="said">{sentence(found.message)}</p>}
      <p class="asked">
        <span>
          Summarised by <strong>{SUMMARIZER_NAMES[summarizer.value.kind]}</strong>
        </span>
        <button type="button" class="button quiet small" onClick={() => openTab("summarizer")}>
          Change
        </button>
      </p>
    </>
  );
}

/** Undo and Redo, each with what it would do. */
function Steps() {
  const { undo: back, redo: forward } = snapshot.value ?? {};
  const busy = run.value !== undefined;
  return (
    <>
      <button
        type="button"
        class="button"
        aria-disabled={busy || back === undefined}
        title={back === undefined ? "Nothing to take back" : `Takes back: ${back}`}
        aria-keyshortcuts="Control+Z"
        onClick={() => void undo()}
      >
        Undo
      </button>
      <button
        type="button"
        class="button"
        aria-disabled={busy || forward === undefined}
        title={forward === undefined ? "Nothing to do again" : `Does again: ${forward}`}
        aria-keyshortcuts="Control+Shift+Z"
        onClick={() => void redo()}
      >
        Redo
      </button>
    </>
  );
}
