// The map as SVG elements: the lines, the bands of the plan, the stops.

import type { Row } from "../../contract.js";
import { fateName, fateWord } from "../words.js";
import { TOP, type Layout } from "./layout.js";
import { captionsOf, type Overlay } from "./overlay.js";
import type { Tree } from "./tree.js";

/** Behind everything: what the plan makes of the path. */
export function Bands({ over }: { over: Overlay }) {
  return (
    <g aria-hidden="true">
      {over.bands.map(({ fate, x, width }) => (
        <g key={fate}>
          <rect class={`band fate-${fateName(fate)}`} x={x} y={TOP - 13} width={width} height={26} rx={4} />
          {width > 7 * fateWord(fate).length && (
            <text class="band-word" x={x + 5} y={TOP - 30}>
              {fateWord(fate)}
            </text>
          )}
        </g>
      ))}
      {over.pruned !== "" && <path class="pruned-ticks" d={over.pruned} />}
      {over.cut !== undefined && <path class="cut" d={`M${over.cut - 3} ${TOP - 38}V${TOP + 19}`} />}
    </g>
  );
}

export function Lines({ layout, tree, past }: { layout: Layout; tree: Tree; past: number }) {
  return (
    <g aria-hidden="true">
      {layout.lines.map(({ lane, d }) => (
        <path key={lane} class={lane === tree.main ? "line main" : "line"} d={d} />
      ))}
      {past > layout.place(0) && <path class="line past" d={`M${layout.place(0)} ${TOP}H${past}`} />}
    </g>
  );
}

export function Captions({ layout, rows }: { layout: Layout; rows: readonly Row[] }) {
  return (
    <g aria-hidden="true">
      {captionsOf(layout, rows).map(({ x, y, text, kind }) => (
        <text key={`${x} ${y}`} class={`caption ${kind}`} x={x} y={y}>
          {text}
        </text>
      ))}
    </g>
  );
}
