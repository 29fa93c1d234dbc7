// The sessions that this browser keeps.

import { fileSize, moment } from "../../figures.js";
import { forget, kept, openKept } from "../../state/kept.js";

export function KeptList({ close }: { close: () => void }) {
  if (kept.value.length === 0) return null;
  return (
    <section class="kept">
      <h3 id="kept">Kept in this browser</h3>
      <ul aria-labelledby="kept">
        {kept.value.map((session) => (
          <li key={session.key}>
            <button type="button" class="button quiet kept-name" onClick={() => void openKept(session).then((opened) => opened && close())}>
              <bdi>{session.name}</bdi>
              <span class="quiet small">
                {fileSize(session.bytes)}, {moment(session.savedAt)}
              </span>
            </button>
            <button type="button" class="button quiet small" aria-label={`Forget ${session.name}`} onClick={() => void forget(session)}>
              Forget
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
