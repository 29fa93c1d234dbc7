// The entries of the path, or of the whole file: only those in sight are in the page.

import "../../styles/list.css";
import { useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { counted, figure } from "../../figures.js";
import { detail, scope } from "../../state/layout.js";
import { plan } from "../../state/plan.js";
import { selected, snapshot } from "../../state/session.js";
import { useWidth } from "../use-width.js";
import { CutLine } from "./cut-line.js";
import { EntryRow } from "./entry-row.js";
import { listing } from "./items.js";
import { rowSize } from "./row-size.js";
import { useWindow } from "./use-window.js";

/** More rows than are ever in sight at once. */
const RECYCLED = 256;

export function EntryList() {
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller, 800);
  const listed = useComputed(() => {
    const firstKept = plan.value?.ok === true ? plan.value.firstKept : -1;
    const session = snapshot.value;
    return listing(scope.value === "path" ? session?.path : undefined, session?.length ?? 0, firstKept);
  });
  const { size, narrow } = rowSize(width.value);
  const items = listed.value;
  const list = useWindow(scroller, items.length, size);
  useEffect(() => {
    const place = items.placeOf(selected.value);
    if (place >= 0) list.scrollToIndex(place, { align: "auto" });
  }, [selected.value, scope.value]);
  // A session is first seen where it would be cut; until that is known, and without a cut, at its end.
  const shownFor = useRef(-1);
  useEffect(() => {
    if (items.length === 0 || shownFor.current === snapshot.value?.session) return;
    if (plan.value !== undefined) shownFor.current = snapshot.value?.session ?? -1;
    list.scrollToIndex(items.cut < 0 ? items.length - 1 : items.cut, { align: items.cut < 0 ? "end" : "center" });
  }, [snapshot.value?.session, plan.value === undefined]);

  // A run that is played is followed.
  const played = snapshot.value?.about.kind === "play";
  useEffect(() => {
    if (played && items.length > 0) list.scrollToIndex(items.length - 1, { align: "end" });
  }, [played, items.length]);

  function press(event: MouseEvent): void {
    const index = (event.target as Element).closest("[data-entry]")?.getAttribute("data-entry");
    if (index === undefined || index === null) return;
    selected.value = Number(index);
    detail.value = Number(index);
  }
  function move(event: KeyboardEvent): void {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (selected.value >= 0) detail.value = selected.value;
      return;
    }
    if (event.key === "Escape") detail.value = -1;
    const now = items.placeOf(selected.value);
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? size) / size) - 1);
    const target = targetOf(event.key, now, items.length, page);
    if (target === undefined) return;
    event.preventDefault();
    // The line of the cut is no entry: it is passed over in the direction of the move.
    const entry = items.at(target) >= 0 ? items.at(target) : items.at(target > now ? target + 1 : target - 1);
    if (entry < 0) return;
    selected.value = entry;
    if (detail.value >= 0) detail.value = entry;
  }
  const active = items.placeOf(selected.value) >= 0 ? `entry-${selected.value}` : undefined;
  return (
    <section class={narrow ? "list narrow" : "list"} aria-label="Entries">
      <ListHead count={items.entries} />
      <div
        class="list-scroller"
        ref={scroller}
        role="listbox"
        aria-label={scope.value === "path" ? "Entries of the path" : "Entries of the file"}
        aria-activedescendant={active}
        tabIndex={0}
        onClick={press}
        onKeyDown={move}
      >
        <div class="list-all" role="presentation" style={{ height: `${list.getTotalSize()}px` }}>
          {list.getVirtualItems().map(({ index: place, start }) => {
            const entry = items.at(place);
            // Rows that leave one end of the window come in again at the other.
            const key = place % RECYCLED;
            if (entry < 0) return <CutLine key={key} top={start} size={size} />;
            return <EntryRow key={key} entry={entry} rank={items.rank(place)} of={items.entries} top={start} size={size} />;
          })}
        </div>
      </div>
    </section>
  );
}

function targetOf(key: string, now: number, count: number, page: number): number | undefined {
  const within = (place: number): number => Math.min(count - 1, Math.max(0, place));
  if (key === "ArrowDown") return within(now + 1);
  if (key === "ArrowUp") return within(now < 0 ? count - 1 : now - 1);
  if (key === "PageDown") return within(now + page);
  if (key === "PageUp") return within(now < 0 ? count - 1 : now - page);
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}

function ListHead({ count }: { count: number }) {
  const all = snapshot.value?.length ?? 0;
  return (
    <header class="list-head">
      <h2>Entries</h2>
      <span class="quiet small">{scope.value === "path" ? `${counted(count, "entry", "entries")} on the path` : `${counted(count, "entry", "entries")} in the file`}</span>
      <button type="button" class="button quiet small" onClick={() => (scope.value = scope.value === "path" ? "all" : "path")}>
        {scope.value === "path" ? `Show all ${figure(all)}` : "Show the path alone"}
      </button>
    </header>
  );
}
