// One thing on the map that can be reached, and the ring around what is selected.

import { rows, selected } from "../../state/session.js";
import { tree } from "../../state/tree.js";
import { inWords, itemOf, laneOf, placeOf, type Item } from "./items.js";
import { shapeOf } from "./shapes.js";

export function MapItem({ item, index, active }: { item: Item; index: number; active: boolean }) {
  const { stop, run } = item;
  const row = stop === undefined ? undefined : rows.value[stop.entry];
  const kind = row === undefined ? "" : ` kind-${row.kind}`;
  const aside = laneOf(item) === tree.value.main ? "" : " aside";
  return (
    <g
      id={`map-item-${index}`}
      data-item={index}
      role="option"
      aria-selected={active}
      aria-label={inWords(item, rows.value, tree.value)}
      class={`map-item${kind}${aside}`}
    >
      {run !== undefined && <rect class="reach" x={run.from} y={run.y - 9} width={Math.max(1, run.to - run.from)} height={18} />}
      {stop !== undefined && <circle class="reach" cx={stop.x} cy={stop.y} r={11} />}
      {stop !== undefined && <path class={`stop ${stop.kind}`} d={shapeOf(stop)} />}
    </g>
  );
}

export function Chosen({ items }: { items: readonly Item[] }) {
  const item = items[itemOf(items, tree.value, selected.value)];
  if (item === undefined) return null;
  return <circle class="chosen" aria-hidden="true" cx={placeOf(item, tree.value, selected.value)} cy={(item.stop ?? item.run).y} r={10} />;
}
