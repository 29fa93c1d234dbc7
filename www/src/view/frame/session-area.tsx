// The session: its map above its entries; after a fold the comparison in their place.

import { comparing } from "../../state/fold.js";
import { opening } from "../../state/open.js";
import { snapshot } from "../../state/session.js";
import { Comparison } from "../compare/compare.js";
import { EntryList } from "../list/list.js";
import { SessionMap } from "../map/map.js";

export function SessionArea() {
  if (snapshot.value === undefined) return <Nothing />;
  return (
    <div class="session-area" aria-busy={opening.value !== undefined}>
      {comparing.value ? (
        <Comparison />
      ) : (
        <>
          <SessionMap />
          <EntryList />
        </>
      )}
    </div>
  );
}

/** Before the first session: a wait, or an invitation. */
function Nothing() {
  if (opening.value !== undefined) return <div class="session-area wait" aria-busy="true" />;
  return (
    <div class="session-area nothing">
      <h2>No session yet</h2>
      <p>Drop a file on this page, paste an array of messages, or open the sample.</p>
    </div>
  );
}
