// The page where there is room: the session at the left, the panels as tabs at the right.

import { openTab, panel } from "../../state/layout.js";
import { panels } from "../tabs.js";
import { SessionArea } from "./session-area.js";
import { panelId, tabId, Tabs } from "./tabs.js";

export function WidePage() {
  const open = panels.find(({ id }) => id === panel.value) ?? panels[0];
  if (open === undefined) return null;
  return (
    <main class="page-wide">
      <SessionArea />
      <div class="side">
        <Tabs label="Panels" scope="side" className="side-tabs" names={panels} chosen={open.id} choose={openTab} />
        <div class="panel" role="tabpanel" id={panelId("side", open.id)} aria-labelledby={tabId("side", open.id)} tabIndex={0}>
          <open.component />
        </div>
      </div>
    </main>
  );
}
