// An entry as a row: who, the first words, how large, what becomes of it.

import type { Row } from "../../contract.js";
import { counted, short } from "../../figures.js";
import { Fate } from "../../state/fates.js";
import { fateName, fateWord, speaker } from "../words.js";

export interface RowLook {
  fate: Fate;
  pruned: boolean;
  /** Whether the model sees it now. */
  seen: boolean;
  onPath: boolean;
  leaf: boolean;
  firstKept: boolean;
  /** How many entries follow it directly. */
  children: number;
  /** The largest size in the session: how long the bars are. */
  largest: number;
}

interface Props {
  row: Row;
  index: number;
  look: RowLook;
}

/** The class of a row's tint. */
export function tint({ fate, pruned }: RowLook): string {
  return fate === Fate.None && pruned ? "fate-pruned" : `fate-${fateName(fate)}`;
}

export function RowBody({ row, index, look }: Props) {
  // The root of the share: a row of 50 tokens beside one of 50 000 is still seen.
  const share = Math.sqrt(row.tokens / Math.max(1, look.largest));
  return (
    <>
      <span class={`mark kind-${row.kind}`} aria-hidden="true" />
      <span class="row-number figure">{index + 1}</span>
      <span class="row-who">
        <bdi>{speaker(row)}</bdi>
      </span>
      <span class="row-text">
        {row.failed && <span class="pill bad">failed</span>}
        <bdi>{row.text}</bdi>
      </span>
      <span class="row-pills">
        {look.leaf && <span class="pill leaf">leaf</span>}
        {row.label !== undefined && (
          <span class="pill label">
            <bdi>{row.label}</bdi>
          </span>
        )}
        {look.children > 1 && <span class="pill">{counted(look.children, "branch", "branches")}</span>}
        {row.images !== undefined && row.images > 0 && <span class="pill">{counted(row.images, "image")}</span>}
      </span>
      <span class="row-size figure">
        {row.tokens > 0 && (
          <>
            <span class="row-bar" aria-hidden="true">
              <span class={`kind-${row.kind}`} style={{ width: `${100 * share}%` }} />
            </span>
            {short(row.tokens)}
            <span class="spoken">tokens</span>
          </>
        )}
      </span>
      <span class="row-fate">
        <span class={`fate-shape ${tint(look)}`} aria-hidden="true" />
        {fateText(row, look)}
        {look.firstKept && <span class="spoken">, first kept entry</span>}
      </span>
    </>
  );
}

/** What becomes of it, or why nothing does. */
function fateText(row: Row, { fate, pruned, onPath, seen }: RowLook): string {
  if (row.pruned) return "pruned";
  if (pruned) return fate === Fate.None ? "to be pruned" : `${fateWord(fate)}, pruned`;
  if (fate !== Fate.None) return fateWord(fate);
  if (!onPath) return "other branch";
  return seen || row.tokens === 0 ? "" : "folded before";
}
