// What was found amiss in a file, and what became of it: behind a small button that counts.

import { useState } from "preact/hooks";
import type { Diagnostic } from "threadfold";
import type { About } from "../../contract.js";
import { counted } from "../../figures.js";
import { Dialog } from "../frame/dialog.js";
import { sentence } from "../../sentence.js";

/** A file with a fault on every line has many remarks; these are shown, and the rest is counted. */
const SHOWN = 200;

export function Remarks({ about }: { about: About }) {
  const [open, setOpen] = useState(false);
  const faults = [...about.diagnostics, ...(about.importReport?.diagnostics ?? [])];
  const count = faults.length + (about.importReport === undefined ? 0 : 1);
  if (count === 0) return null;
  return (
    <>
      <button type="button" class="button quiet small remarks" onClick={() => setOpen(true)}>
        {counted(count, "remark")}
      </button>
      {open && (
        <Dialog title="Remarks on this file" close={() => setOpen(false)}>
          <Imported about={about} />
          <ul class="remark-list">
            {faults.slice(0, SHOWN).map((fault, index) => (
              <Fault key={index} fault={fault} />
            ))}
          </ul>
          {faults.length > SHOWN && <p class="quiet">And {counted(faults.length - SHOWN, "more remark")} of these kinds.</p>}
        </Dialog>
      )}
    </>
  );
}

function Fault({ fault }: { fault: Diagnostic }) {
  const { line, kind, message } = fault;
  return (
    <li>
      <span class="figure small quiet">{line === undefined ? kind : `line ${line}, ${kind}`}</span>
      <p class="said">{sentence(message)}</p>
    </li>
  );
}

function Imported({ about }: { about: About }) {
  const report = about.importReport;
  if (report === undefined) return null;
  const parts = [
    counted(report.messages, "message"),
    counted(report.calls, "call"),
    counted(report.results, "result"),
    counted(report.branches, "branching place"),
    counted(report.compactions, "compaction"),
    counted(report.images, "image"),
  ];
  const custom = Object.entries(report.custom);
  return (
    <>
      <p>
        Imported as <span class="figure">{report.format}</span>: {parts.join(", ")}.
      </p>
      {custom.length > 0 && (
        <p>
          Kept as they are, unseen by the model: {custom.map(([type, count]) => `${type} (${count})`).join(", ")}.
        </p>
      )}
    </>
  );
}
