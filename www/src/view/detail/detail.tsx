// An entry in full: at the side of a wide page, over all of a narrow one.

import "../../styles/detail.css";
import { useEffect, useRef } from "preact/hooks";
import { counted, figure, moment } from "../../figures.js";
import { found, lookAt } from "../../state/detail.js";
import { detail, wide } from "../../state/layout.js";
import { rows, shape } from "../../state/session.js";
import { NavigateAction } from "../panels/navigate.js";
import { speaker } from "../words.js";
import { Parts } from "./parts.js";

export function Detail() {
  const index = detail.value;
  if (index < 0 || rows.value[index] === undefined) return null;
  return <Drawer key={wide.value ? "wide" : "narrow"} index={index} />;
}

function Drawer({ index }: { index: number }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const before = useRef(document.activeElement);
  // Beside the list one goes on reading it; over it there is nothing else to reach.
  useEffect(() => {
    if (!wide.value) return dialog.current?.showModal();
    dialog.current?.show();
    // Who pressed a row goes on pressing rows; who came with the keyboard reads what came up.
    const { current } = before;
    if (current instanceof HTMLElement && !current.matches(":focus-visible")) current.focus();
  }, []);
  useEffect(() => void lookAt(index), [index, shape.value]);
  const row = rows.value[index];
  function closed(): void {
    detail.value = -1;
    if (before.current instanceof HTMLElement) before.current.focus();
  }
  if (row === undefined) return null;
  const facts = [
    row.time === undefined ? "" : moment(row.time),
    row.tokens > 0 ? `${figure(row.tokens)} tokens` : "not seen by the model",
    row.images === undefined ? "" : counted(row.images, "image"),
    row.failed ? "failed" : "",
    row.pruned ? "pruned" : "",
    row.label === undefined ? "" : `label ${row.label}`,
  ].filter((fact) => fact !== "");
  return (
    <dialog
      ref={dialog}
      class="detail"
      aria-label={`Entry ${index + 1}, ${speaker(row)}`}
      onClose={closed}
      onKeyDown={(event) => event.key === "Escape" && dialog.current?.close()}
    >
      <div class="detail-head">
        <span class={`mark kind-${row.kind}`} />
        <h2>
          <bdi>{speaker(row)}</bdi> <span class="figure quiet">#{index + 1}</span>
        </h2>
        <button type="button" class="button quiet small" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      <p class="quiet small detail-facts">
        <bdi>{facts.join(" · ")}</bdi>
      </p>
      <div class="detail-actions">
        <NavigateAction index={index} />
      </div>
      <div class="detail-parts" tabIndex={0} role="group" aria-label="Text of the entry">
        {found.value?.index === index ? <Parts text={found.value} /> : <p class="quiet">Reading…</p>}
      </div>
      <p class="quiet small figure detail-id">
        <bdi>{row.id}</bdi>
      </p>
    </dialog>
  );
}
