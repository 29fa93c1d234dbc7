// The map as a picture of its own: one SVG file, with its colours and texts in it, light.

import tokens from "../../styles/tokens.css?raw";
import type { Plan, Row, Snapshot } from "../../contract.js";
import { readFates } from "../../state/fates.js";
import { fateName, fateWord, speaker } from "../words.js";
import { layOut, TOP, type Layout, type Stop } from "./layout.js";
import { captionsOf, overlay, type Overlay } from "./overlay.js";
import { shapeOf } from "./shapes.js";
import { readTree, type Tree } from "./tree.js";

const WIDTH = 1_200;
/** Room for the title. */
const HEAD = 32;

/** The session tree as an SVG file. Texts of the session stand in it as text. */
export function treePicture(rows: readonly Row[], snapshot: Snapshot, plan: Plan | undefined): string {
  const tree = readTree(rows, snapshot.leaf);
  const layout = layOut(tree, rows, snapshot.leaf, WIDTH);
  const over = overlay(layout, tree, snapshot, plan, readFates(plan, rows.length));
  const height = layout.height + HEAD;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="11">`,
    `<title>${escaped(titleOf(snapshot))}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="${colour("surface")}"/>`,
    text(16, 22, titleOf(snapshot), "text", `font-size="14" font-weight="650"`),
    `<g transform="translate(0 ${HEAD})">`,
    ...bands(over),
    ...lines(layout, tree, over.past),
    ...layout.stops.map((stop) => shape(stop, rows[stop.entry])),
    ...captionsOf(layout, rows).map(({ x, y, text: words, kind }) => text(x, y, words, kind === "leaf" ? "text" : "text-quiet")),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function titleOf({ about, length }: Snapshot): string {
  return `${about.title ?? (about.name === "" ? "Session" : about.name)}, ${length} entries`;
}

function bands(over: Overlay): string[] {
  const drawn = over.bands.flatMap(({ fate, x, width }) => [
    `<rect x="${x}" y="${TOP - 13}" width="${width}" height="26" rx="4" fill="${colour(`fate-${fateName(fate)}`)}"/>`,
    ...(width > 7 * fateWord(fate).length ? [text(x + 5, TOP - 30, fateWord(fate), "text-quiet")] : []),
  ]);
  if (over.pruned !== "") drawn.push(`<path d="${over.pruned}" stroke="${colour("kind-command")}" stroke-width="1.5"/>`);
  if (over.cut !== undefined) {
    drawn.push(`<path d="M${over.cut - 3} ${TOP - 38}V${TOP + 19}" stroke="${colour("accent")}" stroke-width="2" stroke-dasharray="4 3"/>`);
  }
  return drawn;
}

function lines(layout: Layout, tree: Tree, past: number): string[] {
  const drawn = layout.lines.map(({ lane, d }) => {
    const main = lane === tree.main;
    return `<path d="${d}" fill="none" stroke="${colour(main ? "text" : "line-strong")}" stroke-width="${main ? 2 : 1.5}"/>`;
  });
  if (past > layout.place(0)) {
    drawn.push(`<path d="M${layout.place(0)} ${TOP}H${past}" stroke="${colour("surface")}" stroke-width="3" stroke-dasharray="3 4"/>`);
  }
  return drawn;
}

function shape(stop: Stop, row: Row | undefined): string {
  const fill = stop.kind === "leaf" ? "accent" : stop.kind === "fork" ? "surface" : `kind-${row?.kind ?? "note"}`;
  const words = row === undefined ? "" : `#${stop.entry + 1} ${speaker(row)}: ${row.text}`;
  return `<path d="${shapeOf(stop)}" fill="${colour(fill)}" stroke="${colour(stop.kind === "fork" ? "text" : "surface")}" stroke-width="1.5"><title>${escaped(words)}</title></path>`;
}

function text(x: number, y: number, words: string, fill: string, more = ""): string {
  return `<text x="${x}" y="${y}" fill="${colour(fill)}"${more === "" ? "" : ` ${more}`}>${escaped(words)}</text>`;
}

/** The light one of the page's colours. */
function colour(name: string): string {
  return new RegExp(`--${name}: light-dark\\((#[0-9a-f]+),`).exec(tokens)?.[1] ?? "#000000";
}

/** As XML takes it: what it forbids altogether becomes U+FFFD. */
function escaped(words: string): string {
  return words
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\ud800-\udfff]/gu, "\ufffd")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
}
