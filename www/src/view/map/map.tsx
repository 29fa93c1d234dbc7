// The session tree as a map. What is pointed at is told above it; a press or Enter selects the entry.

import "../../styles/map.css";
import { useComputed } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { counted } from "../../figures.js";
import { detail } from "../../state/layout.js";
import { fates, plan } from "../../state/plan.js";
import { selectEntry } from "../../state/select.js";
import { onPath, rows, selected, shape, snapshot } from "../../state/session.js";
import { tree } from "../../state/tree.js";
import { useWidth } from "../use-width.js";
import { Bands, Captions, Lines } from "./drawing.js";
import { entryAt, inWords, itemOf, itemsOf, neighbour, startOf } from "./items.js";
import { layOut } from "./layout.js";
import { Chosen, MapItem } from "./map-item.js";
import { overlay } from "./overlay.js";

const KEYS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

export function SessionMap() {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 640);
  const [active, setActive] = useState(-1);
  const [pointed, setPointed] = useState(-1);
  const layout = useComputed(() => {
    void shape.value;
    return layOut(tree.value, rows.peek(), snapshot.peek()?.leaf ?? -1, width.value);
  });
  const items = useComputed(() => itemsOf(layout.value));
  const [session, all, drawn] = [snapshot.value, items.value, layout.value];
  useEffect(() => setActive(itemOf(all, tree.peek(), selected.value)), [selected.value, all]);
  if (session === undefined) return null;
  const over = overlay(drawn, tree.value, session, plan.value, fates.value);
  const told = all[pointed] ?? all[active];

  function move(event: KeyboardEvent): void {
    if (KEYS.has(event.key)) {
      event.preventDefault();
      setActive(neighbour(all, active, event.key));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      const item = all[active];
      if (item !== undefined) show(entryAt(item, tree.peek(), startOf(item)));
    }
  }
  const itemAt = (event: Event): number => Number((event.target as Element).closest("[data-item]")?.getAttribute("data-item") ?? -1);
  function press(event: MouseEvent): void {
    const index = itemAt(event);
    const item = all[index];
    if (item === undefined || box.current === null) return;
    show(entryAt(item, tree.peek(), event.clientX - box.current.getBoundingClientRect().left));
    setActive(index);
  }
  return (
    <section class="map" aria-label="Map of the session">
      <header class="map-head">
        <h2>Map</h2>
        <p class="map-tell quiet small">{told === undefined ? summary() : <bdi>{inWords(told, rows.value, tree.value)}</bdi>}</p>
      </header>
      <div class="map-box" ref={box}>
        <svg
          class="map-picture"
          width={drawn.width}
          height={drawn.height}
          role="listbox"
          aria-label="Branches and marked entries"
          aria-activedescendant={active < 0 ? undefined : `map-item-${active}`}
          tabIndex={0}
          onKeyDown={move}
          onFocus={() => active < 0 && setActive(0)}
          onClick={press}
          onPointerOver={(event) => setPointed(itemAt(event))}
          onPointerLeave={() => setPointed(-1)}
        >
          <Bands over={over} />
          <Lines layout={drawn} tree={tree.value} past={over.past} />
          {all.map((item, index) => (
            <MapItem key={index} item={item} index={index} active={index === active} />
          ))}
          <Captions layout={drawn} rows={rows.value} />
          <Chosen items={all} />
        </svg>
      </div>
    </section>
  );
}

/** Off the path there is one thing to do with an entry: to go there. So it is shown in full at once. */
function show(entry: number): void {
  selectEntry(entry);
  if (!onPath.peek().has(entry)) detail.value = entry;
}

function summary(): string {
  const { lanes, hidden } = tree.value;
  const branches = lanes.length - 1 + hidden;
  const parts = branches <= 0 ? "One branch" : counted(branches + 1, "branch", "branches");
  return hidden === 0 ? parts : `${parts}; the ${counted(hidden, "smallest one", "smallest ones")} are not drawn`;
}
