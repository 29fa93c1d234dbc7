// Going to an entry: what is left, whether a summary of it comes along, and what was carried over.

import "../../styles/panels.css";
import { useState } from "preact/hooks";
import { onPath, rows, selected, snapshot } from "../../state/session.js";
import { play } from "../../state/play.js";
import { arrived } from "../../state/navigation.js";
import { abortRun, run } from "../../state/run.js";
import { detail } from "../../state/layout.js";
import { Dialog } from "../frame/dialog.js";
import { speaker } from "../words.js";
import { Arrived } from "./arrived.js";
import { Departure } from "./departure.js";

export function NavigateAction({ index }: { index: number }) {
  const [open, setOpen] = useState(false);
  const isLeaf = snapshot.value?.leaf === index;
  const played = play.value !== undefined;
  if (rows.value[index] === undefined) return null;
  return (
    <>
      <button type="button" class={`button ${onPath.value.has(index) ? "" : "primary"}`} disabled={isLeaf || played} title={played ? "A run is being played" : undefined} onClick={() => setOpen(true)}>
        {isLeaf ? "This is where the session stands" : "Go to this entry"}
      </button>
      {open && <Way index={index} close={() => setOpen(false)} />}
    </>
  );
}

function Way({ index, close }: { index: number; close: () => void }) {
  const row = rows.value[index];
  const there = arrived.value?.to === index ? arrived.value.result : undefined;
  function closed(): void {
    void abortRun();
    close();
    arrived.value = undefined;
    if (there === undefined || there.cancelled || there.trouble !== undefined) return;
    detail.value = -1;
    selected.value = snapshot.peek()?.leaf ?? -1;
  }
  return (
    // Escape closes this dialog, not the drawer that it was opened from.
    <div onKeyDown={(event) => event.key === "Escape" && event.stopPropagation()}>
      <Dialog title={`Go to entry ${index + 1}`} close={closed}>
        {row !== undefined && (
          <p class="way-target">
            <span class={`mark kind-${row.kind}`} aria-hidden="true" />
            <strong>
              <bdi>{speaker(row)}</bdi>
            </strong>
            <bdi class="way-text">{row.text}</bdi>
          </p>
        )}
        {arrived.value?.to === index && run.value === undefined ? <Arrived {...arrived.value} /> : <Departure index={index} />}
      </Dialog>
    </div>
  );
}
