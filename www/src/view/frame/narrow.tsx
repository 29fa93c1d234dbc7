// The page on a phone: one thing at a time, and tabs at the bottom.

import { onSession, openTab, panel } from "../../state/layout.js";
import { panels } from "../tabs.js";
import { SessionArea } from "./session-area.js";
import { panelId, tabId, Tabs } from "./tabs.js";

const further = panels.filter(({ more }) => more);
const bottom = [{ id: "session", title: "Session" }, ...panels.filter(({ more }) => !more), { id: "more", title: "More" }];

export function NarrowPage() {
  const open = panels.find(({ id }) => id === panel.value);
  const chosen = onSession.value || open === undefined ? "session" : open.more ? "more" : open.id;
  return (
    <main class="page-narrow">
      <div class="page-scroller">
        <div class="page-part" role="tabpanel" id={panelId("bottom", chosen)} aria-labelledby={tabId("bottom", chosen)} tabIndex={0}>
          {chosen === "session" && <SessionArea />}
          {chosen === "more" && open !== undefined && (
            <>
              <Tabs label="More panels" scope="more" className="side-tabs" names={further} chosen={open.id} choose={openTab} />
              <div class="panel" role="tabpanel" id={panelId("more", open.id)} aria-labelledby={tabId("more", open.id)}>
                <open.component />
              </div>
            </>
          )}
          {chosen !== "session" && chosen !== "more" && open !== undefined && (
            <div class="panel">
              <open.component />
            </div>
          )}
        </div>
      </div>
      <Tabs label="Parts of the page" scope="bottom" className="bottom-tabs" names={bottom} chosen={chosen} choose={choose} />
    </main>
  );
}

function choose(id: string): void {
  openTab(id === "more" ? (further[0]?.id ?? "session") : id);
}
