// The panels, in the order of their tabs. A new one is a line here.

import type { ComponentType } from "preact";
import { CodePanel } from "./panels/code.js";
import { ExportPanel } from "./panels/export.js";
import { FoldPanel } from "./panels/fold.js";
import { PlanPanel } from "./panels/plan.js";
import { PlayPanel } from "./panels/play.js";
import { SummarizerPanel } from "./panels/summarizer.js";

export interface Panel {
  id: string;
  title: string;
  component: ComponentType;
  /** On a narrow page it stands under More. */
  more?: true;
}

export const panels: readonly Panel[] = [
  { id: "plan", title: "Plan", component: PlanPanel },
  { id: "fold", title: "Fold", component: FoldPanel },
  { id: "play", title: "Play", component: PlayPanel },
  { id: "summarizer", title: "Summariser", component: SummarizerPanel, more: true },
  { id: "export", title: "Export", component: ExportPanel, more: true },
  { id: "code", title: "Code", component: CodePanel, more: true },
];
