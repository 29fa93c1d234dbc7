// Before and after a fold, entry by entry: what the model saw, and what it sees now.

import "../../styles/compare.css";
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Comparison as Compared } from "../../contract.js";
import { comparison, folded, stopComparing } from "../../state/fold.js";
import { counted, figure } from "../../figures.js";
import { rowSize } from "../list/row-size.js";
import { useWindow } from "../list/use-window.js";
import { useWidth } from "../use-width.js";
import { ComparedRow } from "./compared-row.js";
import { placesOf } from "./places.js";
import { SummaryCard } from "./summary-card.js";

/** Which sides are in sight: on a phone one of them. */
export type Side = "before" | "after";

export function Comparison() {
  const found = comparison.value;
  return found === undefined ? null : <SideBySide found={found} summary={folded.value?.result.summary} />;
}

/** Beside each other, the sides need this much, in rem. */
const BOTH = 44;
/** The least height of the summary, in rem. */
const SUMMARY = 20;

function SideBySide({ found, summary }: { found: Compared; summary: string | undefined }) {
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller, 800);
  const side = useSignal<Side>("after");
  const { rem } = rowSize(width.value);
  const one = width.value < BOTH * rem ? side.value : undefined;
  const { size, narrow } = rowSize(one === undefined ? width.value / 2 : width.value);
  const places = placesOf(found, one === "before" ? 0 : Math.ceil((SUMMARY * rem) / size), one !== "after");
  const list = useWindow(scroller, places.length, size);
  return (
    <section class={`compare ${one === undefined ? "both" : "only"}${narrow ? " narrow" : ""}`} aria-label="Before and after">
      <header class="compare-head">
        <h2 class={one === undefined ? "" : "spoken"}>Before and after</h2>
        {one !== undefined && <Switch side={one} choose={(chosen) => (side.value = chosen)} />}
        <button type="button" class="button small" onClick={stopComparing}>
          Back to the entries
        </button>
      </header>
      <div class="compare-sides">
        {one !== "after" && <SideHead title="What the model saw" tokens={found.tokensBefore} messages={found.before.length} />}
        {one !== "before" && <SideHead title="What it sees now" tokens={found.tokensAfter} messages={found.after.length} />}
      </div>
      <div ref={scroller} class="compare-scroller" tabIndex={0} role="group" aria-label="Messages before and after">
        <div class="compare-all" style={{ height: `${list.getTotalSize()}px` }}>
          {one !== "before" && (
            <div class="compare-summary" style={{ height: `${places.folded * size}px` }}>
              <SummaryCard messages={found.after.slice(0, found.keptAfter)} summary={summary} stands={found.keptBefore} />
            </div>
          )}
          {list.getVirtualItems().map(({ index, start }) => (
            <ComparedRow key={index} place={places.at(index)} found={found} one={one} style={{ transform: `translateY(${start}px)`, height: `${size}px` }} />
          ))}
        </div>
      </div>
    </section>
  );
}

function SideHead({ title, tokens, messages }: { title: string; tokens: number; messages: number }) {
  return (
    <h3>
      {title} <span class="figure">{figure(tokens)} tokens</span> <span class="quiet">{counted(messages, "message")}</span>
    </h3>
  );
}

function Switch({ side, choose }: { side: Side; choose: (side: Side) => void }) {
  return (
    <div class="switch" role="group" aria-label="Side">
      {(["before", "after"] as const).map((one) => (
        <button key={one} type="button" class="button small" aria-pressed={one === side} onClick={() => choose(one)}>
          {one === "before" ? "Before" : "After"}
        </button>
      ))}
    </div>
  );
}
