// What goes on in a run: which request, who is asked, how long it is waited, and what is written already.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Progress } from "../../contract.js";
import { counted, percent } from "../../figures.js";
import { sentence } from "../../sentence.js";
import { abortRun, run, written, type Run } from "../../state/run.js";
import { downloaded } from "../../state/summarizer.js";
import { SummaryText } from "./summary-text.js";

export function RunProgress({ what }: { what: Run["what"] }) {
  const running = run.value;
  if (running === undefined || running.what !== what) return null;
  const { now, said, aborting } = running;
  return (
    <section class="run" aria-label="Progress">
      <div class="run-head">
        <Bar now={now} />
        <button type="button" class="button" disabled={aborting} onClick={() => void abortRun()}>
          {aborting ? "Aborting…" : "Abort"}
        </button>
      </div>
      <p class="run-now">
        <span class="said">{sentence(now?.text ?? "Beginning…")}</span>
        {now?.waitingUntil !== undefined && <Countdown until={now.waitingUntil} />}
      </p>
      {downloaded.value !== undefined && <p class="quiet small">The browser loads its model: {percent(downloaded.value, 1)}</p>}
      {written.value !== "" && <Written />}
      <Said lines={said} />
    </section>
  );
}

function Bar({ now }: { now: Progress | undefined }) {
  const { request, requests } = now ?? {};
  if (request === undefined || requests === undefined) return <progress class="run-bar" aria-label="Requests" />;
  return <progress class="run-bar" aria-label="Requests" max={requests} value={request - 1} aria-valuetext={counter(now)} />;
}

function counter(now: Progress | undefined): string {
  return now?.request === undefined ? "" : `Request ${now.request} of ${now.requests ?? now.request}`;
}

/** The seconds until it is asked again. */
function Countdown({ until }: { until: number }) {
  const left = useSignal(secondsTo(until));
  useEffect(() => {
    left.value = secondsTo(until);
    const timer = setInterval(() => (left.value = secondsTo(until)), 250);
    return () => clearInterval(timer);
  }, [until]);
  if (left.value <= 0) return null;
  return <span> It is asked in {counted(left.value, "second")}.</span>;
}

function secondsTo(time: number): number {
  return Math.max(0, Math.ceil((time - Date.now()) / 1_000));
}

function Written() {
  return (
    <div class="run-written" role="group" aria-label="The summary as it comes" tabIndex={0}>
      <SummaryText text={written.value} />
    </div>
  );
}

/** What was said before; the newest is above already. */
function Said({ lines }: { lines: readonly string[] }) {
  if (lines.length < 2) return null;
  return (
    <details class="run-said">
      <summary>What went on before</summary>
      <ol class="small quiet">
        {lines.slice(0, -1).map((line, place) => (
          <li key={place} class="said">
            {line}
          </li>
        ))}
      </ol>
    </details>
  );
}
