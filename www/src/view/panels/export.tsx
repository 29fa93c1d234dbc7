// What can be taken along, and what this browser keeps.

import "../../styles/panels.css";
import { useEffect, useState } from "preact/hooks";
import type { MessageFormat } from "threadfold";
import { ask } from "../../state/ask.js";
import { engine } from "../../state/engine.js";
import { learnFormats, messageFormats } from "../../state/formats.js";
import { keepSession, listKept } from "../../state/kept.js";
import { baseName, copy, save } from "../../state/saving.js";
import { rows, snapshot } from "../../state/session.js";
import { plan } from "../../state/plan.js";
import { KeptList } from "../opening/kept-list.js";
import { treePicture } from "../map/picture.js";

export function ExportPanel() {
  useEffect(() => {
    void learnFormats();
    void listKept();
  }, []);
  if (snapshot.value === undefined) return <p class="quiet">Open a session to export it.</p>;
  return (
    <div class="stack sections">
      <section class="stack" aria-labelledby="export-session">
        <h2 id="export-session">Session</h2>
        <p class="quiet">All of it, with every branch, as JSON lines: the file that Threadfold and pi read.</p>
        <div class="buttons">
          <button type="button" class="button primary" onClick={() => void saveSession()}>
            Save as JSONL
          </button>
        </div>
      </section>
      <Messages />
      <section class="stack" aria-labelledby="export-picture">
        <h2 id="export-picture">Picture of the tree</h2>
        <p class="quiet">The map with what becomes of each entry, as a drawing that scales.</p>
        <div class="buttons">
          <button type="button" class="button" onClick={savePicture}>
            Save as SVG
          </button>
        </div>
      </section>
      <Keeping />
    </div>
  );
}

async function saveSession(): Promise<void> {
  const bytes = await ask(engine.exportSession());
  if (bytes !== undefined) save(`${baseName()}.jsonl`, "application/x-ndjson", bytes as BlobPart);
}

function savePicture(): void {
  const session = snapshot.peek();
  if (session !== undefined) save(`${baseName()}.svg`, "image/svg+xml", treePicture(rows.peek(), session, plan.peek()));
}

/** What the model sees now, in a format of choice. */
function Messages() {
  const [format, setFormat] = useState<MessageFormat>("openai-chat");
  async function take(use: (json: string) => unknown): Promise<void> {
    const json = await ask(engine.exportMessages(format));
    if (json !== undefined) use(json);
  }
  return (
    <section class="stack" aria-labelledby="export-messages">
      <h2 id="export-messages">Context as messages</h2>
      <p class="quiet">What the model sees now, the summary included, as an array for its API.</p>
      <label class="labelled">
        <span>Format</span>
        <select class="field" value={format} onChange={({ currentTarget }) => setFormat(currentTarget.value as MessageFormat)}>
          {messageFormats.value.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <div class="buttons">
        <button type="button" class="button" onClick={() => void take(copy)}>
          Copy
        </button>
        <button type="button" class="button" onClick={() => void take((json) => save(`${baseName()}.${format}.json`, "application/json", json))}>
          Save as JSON
        </button>
      </div>
    </section>
  );
}

/** What this browser keeps, and where. */
function Keeping() {
  const about = snapshot.value?.about;
  return (
    <section class="stack" aria-labelledby="export-keep">
      <h2 id="export-keep">Keep in this browser</h2>
      <p class="quiet">
        Stores the whole session, and every change from then on, in this browser's own database (IndexedDB) on this machine. It is sent nowhere. Keys are never stored.
        “Forget” deletes it.
      </p>
      <div class="buttons">
        <button type="button" class="button" disabled={about?.kind === "play" || about?.kind === "kept"} onClick={() => void keepSession()}>
          {about?.kind === "kept" ? "This session is kept" : "Keep this session"}
        </button>
      </div>
      <KeptList close={() => undefined} />
    </section>
  );
}
