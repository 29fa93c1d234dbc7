// The top of the page: what is open, and what opens something else.

import { useState } from "preact/hooks";
import { counted, fileSize } from "../../figures.js";
import { keepSession } from "../../state/kept.js";
import { offlineReady } from "../../state/offline.js";
import { opening } from "../../state/open.js";
import { snapshot } from "../../state/session.js";
import { OpenDialog } from "../opening/open-dialog.js";
import { Remarks } from "../opening/remarks.js";

export function Header() {
  const [choosing, setChoosing] = useState(false);
  return (
    <header class="header">
      <h1 class="brand">
        <img src="./icon.svg" alt="" width={24} height={24} />
        <span>Threadfold</span>
      </h1>
      <WhatIsOpen />
      <p class="pledge" title="Files are read in this browser. Only a summariser that you choose is ever sent anything.">
        <span>Nothing leaves this machine{offlineReady.value && ", works offline"}</span>
      </p>
      <div class="header-actions">
        <button type="button" class="button" onClick={() => setChoosing(true)}>
          Open
        </button>
        <KeepButton />
      </div>
      {choosing && <OpenDialog close={() => setChoosing(false)} />}
    </header>
  );
}

function WhatIsOpen() {
  const wanted = opening.value;
  if (wanted !== undefined) {
    return (
      <div class="open-now">
        <progress class="spinner" aria-label="Opening" />
        <p class="open-name">
          Opening <bdi>{wanted.name}</bdi>
          {wanted.bytes > 0 && `, ${fileSize(wanted.bytes)}`}
        </p>
      </div>
    );
  }
  const session = snapshot.value;
  if (session === undefined) return <div class="open-now" />;
  const { about, length } = session;
  const name = about.title ?? (about.name === "" ? "Pasted messages" : about.name);
  // A run that is played comes from no file.
  const size = about.bytes > 0 ? [fileSize(about.bytes)] : [];
  const facts = [about.format, counted(length, "entry", "entries"), ...size].join(" · ");
  return (
    <div class="open-now">
      <p class="open-name" title={about.name}>
        <bdi>{name}</bdi>
      </p>
      <p class="open-facts quiet small">{facts}</p>
      <Remarks about={about} />
    </div>
  );
}

function KeepButton() {
  const [keptSession, setKept] = useState(-1);
  const session = snapshot.value;
  if (session === undefined || session.about.kind === "play") return null;
  const done = keptSession === session.session || session.about.kind === "kept";
  return (
    <button
      type="button"
      class="button quiet"
      disabled={done}
      title="Stores the session in this browser, and every change from now on"
      onClick={() => void keepSession().then((went) => went && setKept(session.session))}
    >
      {done ? "Kept" : "Keep"}
    </button>
  );
}
