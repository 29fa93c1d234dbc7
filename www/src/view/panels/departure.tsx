// Before the way: what is left behind, and whether a summary of it is carried over.

import { useState } from "preact/hooks";
import { counted, figure } from "../../figures.js";
import { leftBehind, navigate } from "../../state/navigation.js";
import { run } from "../../state/run.js";
import { rows } from "../../state/session.js";
import { summarizer } from "../../state/summarizer.js";
import { SUMMARIZER_NAMES } from "../../summarizers/settings.js";
import { RunProgress } from "./run-progress.js";

export function Departure({ index }: { index: number }) {
  const [summarize, setSummarize] = useState(true);
  const [instructions, setInstructions] = useState("");
  const left = leftBehind(index);
  const busy = run.value !== undefined;
  const carries = summarize && left.length > 0;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void navigate(index, carries, instructions);
      }}
    >
      <Left entries={left} />
      {rows.value[index]?.kind === "user" && <p class="quiet">This is a user's message: the session will stand before it, and you get its text to write it anew.</p>}
      {left.length > 0 && (
        <label class="check">
          <input type="checkbox" checked={summarize} disabled={busy} onChange={({ currentTarget }) => setSummarize(currentTarget.checked)} />
          <span>
            Carry over a summary of what is left
            <span class="quiet small">Written by {SUMMARIZER_NAMES[summarizer.value.kind]}</span>
          </span>
        </label>
      )}
      {carries && (
        <label class="labelled">
          <span>Instructions for the summary, optional</span>
          <textarea class="field" rows={2} value={instructions} disabled={busy} onInput={({ currentTarget }) => setInstructions(currentTarget.value)} />
        </label>
      )}
      {!busy && (
        <p>
          <button type="submit" class="button primary">
            {carries ? "Summarise and go" : "Go"}
          </button>
        </p>
      )}
      <RunProgress what="navigate" />
    </form>
  );
}

function Left({ entries }: { entries: Uint32Array }) {
  if (entries.length === 0) return <p>It lies below where the session stands: nothing is left behind.</p>;
  let tokens = 0;
  for (const entry of entries) tokens += rows.value[entry]?.tokens ?? 0;
  return (
    <p>
      {counted(entries.length, "entry", "entries")} of the branch that you are on <span class="quiet">({figure(tokens)} tokens)</span> will no longer be seen by the
      model. They stay in the session, and you can come back.
    </p>
  );
}
