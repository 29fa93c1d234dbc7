// The whole page.

import { useEffect } from "preact/hooks";
import "../styles/base.css";
import "../styles/frame.css";
import "../styles/kinds.css";
import { wide } from "../state/layout.js";
import { news } from "../state/news.js";
import { openSample } from "../state/open.js";
import { keepPlanning } from "../state/plan.js";
import { listenForUndo } from "../state/undo.js";
import { ContextBar } from "./bar/context-bar.js";
import { Detail } from "./detail/detail.js";
import { Header } from "./frame/header.js";
import { NarrowPage } from "./frame/narrow.js";
import { TroubleBanner } from "./frame/trouble.js";
import { WidePage } from "./frame/wide.js";
import { held, listenForDrops } from "./opening/drop.js";

export function App() {
  useEffect(() => {
    listenForDrops();
    listenForUndo();
    keepPlanning();
    void openSample();
  }, []);
  return (
    <div class="page">
      <Header />
      <TroubleBanner />
      <ContextBar />
      {wide.value ? <WidePage /> : <NarrowPage />}
      <Detail />
      <DropHere />
      <p class="spoken" role="status">
        {news.value}
      </p>
    </div>
  );
}

function DropHere() {
  if (!held.value) return null;
  return (
    <div class="drop-here" aria-hidden="true">
      <p>
        <strong>Drop it to open it</strong>
        <span>It is read in this browser. Nothing leaves this machine.</span>
      </p>
    </div>
  );
}
