// A row of a comparison: a message that was folded, or one that stands on both sides.

import type { Compared, Comparison } from "../../contract.js";
import { counted, short } from "../../figures.js";
import { rows } from "../../state/session.js";
import { speaker } from "../words.js";
import type { Side } from "./compare.js";
import type { Place } from "./places.js";

interface Props {
  place: Place;
  found: Comparison;
  /** The only side in sight. */
  one: Side | undefined;
  style: { transform: string; height: string };
}

export function ComparedRow({ place, found, one, style }: Props) {
  switch (place.type) {
    case "space":
      return null;
    case "line":
      return (
        <div class="compare-line" style={style}>
          <span class="fate-shape fate-kept" aria-hidden="true" />
          <strong>Kept word for word</strong>
          <span class="quiet">{counted(found.before.length - found.keptBefore, "message")}</span>
        </div>
      );
    case "folded":
      return (
        <div class="compare-row" style={style}>
          <Cell message={found.before[place.before]} fate="summarized" />
        </div>
      );
    case "kept":
      return (
        <div class="compare-row" style={style}>
          {one !== "after" && <Cell message={found.before[place.before]} fate="kept" />}
          {one !== "before" && <Cell message={found.after[place.after]} fate="kept" />}
        </div>
      );
  }
}

function Cell({ message, fate }: { message: Compared | undefined; fate: "summarized" | "kept" }) {
  if (message === undefined) return <div class="compared" />;
  const row = rows.value[message.entry];
  return (
    <div class={`compared fate-${fate}`}>
      <span class={`mark kind-${message.kind}`} aria-hidden="true" />
      <span class="compared-number figure">{message.entry + 1}</span>
      <span class="compared-who">
        <bdi>{row === undefined ? message.kind : speaker(row)}</bdi>
      </span>
      <bdi class="compared-text">{message.text}</bdi>
      <span class="figure">{short(message.tokens)}</span>
      <span class={`fate-shape fate-${fate}`} aria-hidden="true" />
      <span class="spoken">{fate === "kept" ? "kept" : "folded"}</span>
    </div>
  );
}
