// The context window as a bar: what fills it, the reserve, the threshold, where it stands now.

import "../../styles/bar.css";
import type { ContextUsage } from "threadfold";
import type { Snapshot } from "../../contract.js";
import { figure, percent, short } from "../../figures.js";
import { choices } from "../../state/choices.js";
import { wide } from "../../state/layout.js";
import { snapshot } from "../../state/session.js";
import { partName } from "../words.js";
import { layBar, partsOf, type BarGeometry } from "./geometry.js";

const sources: Record<ContextUsage["source"], string> = {
  usage: "counted by the provider",
  "usage+estimate": "the provider's count and an estimate of what came after",
  "usage+count": "the provider's count and an exact one of what came after",
  estimate: "estimated",
  count: "counted exactly",
};

export function ContextBar() {
  const session = snapshot.value;
  if (session === undefined) return <div class="bar bar-empty" />;
  const { contextWindow } = choices.value;
  const bar = layBar(session, contextWindow);
  const legend = <Legend session={session} />;
  return (
    <section class="bar" aria-label="Context window">
      <Head usage={session.usage} contextWindow={contextWindow} />
      <Strip bar={bar} words={inWords(session, contextWindow)} />
      {wide.value ? (
        legend
      ) : (
        <details class="bar-more">
          <summary>What fills it</summary>
          {legend}
        </details>
      )}
    </section>
  );
}

function Head({ usage, contextWindow }: { usage: ContextUsage; contextWindow: number }) {
  const over = usage.tokens > contextWindow;
  return (
    <p class="bar-head">
      <span>
        <strong class="figure bar-now">{figure(usage.tokens)}</strong> of {figure(contextWindow)} tokens
        <span class="quiet"> ({percent(usage.tokens, contextWindow)})</span>
      </span>
      <span class={over || passed(usage) ? "bar-state due" : "bar-state"}>{state(usage, contextWindow)}</span>
      <span class="bar-source quiet small">
        {sources[usage.source]}; in 9 of 10 cases {figure(usage.low)} to {figure(usage.high)}
      </span>
    </p>
  );
}

const passed = ({ tokens, limit }: ContextUsage): boolean => limit !== undefined && tokens > limit;

function state(usage: ContextUsage, contextWindow: number): string {
  if (usage.tokens > contextWindow) return `${short(usage.tokens - contextWindow)} over the window`;
  if (usage.limit === undefined) return "no threshold";
  const room = usage.limit - usage.tokens;
  return room < 0 ? `${short(-room)} over the threshold` : `${short(room)} below the threshold`;
}

const at = (part: number): string => `${100 * part}%`;

function Strip({ bar, words }: { bar: BarGeometry; words: string }) {
  return (
    <div class="bar-strip" role="img" aria-label={words}>
      <div class="bar-track">
        {bar.parts.map(({ kind, start, width }) => (
          <div key={kind} class={`bar-part kind-${kind}`} style={{ left: at(start), width: at(width) }} />
        ))}
        {bar.limit !== undefined && <div class="bar-reserve" style={{ left: at(bar.limit), width: at(Math.max(0, bar.window - bar.limit)) }} />}
        {bar.window < 1 && <div class="bar-over" style={{ left: at(bar.window), width: at(Math.max(0, bar.now - bar.window)) }} />}
      </div>
      <div class="bar-interval" style={{ left: at(bar.low), width: at(bar.high - bar.low) }} />
      <div class="bar-marker" style={{ left: at(bar.now) }} />
      {bar.limit !== undefined && <div class="bar-tick" style={{ left: at(bar.limit) }} />}
      {bar.window < 1 && <div class="bar-tick bar-end" style={{ left: at(bar.window) }} />}
    </div>
  );
}

function Legend({ session }: { session: Snapshot }) {
  const reserve = session.usage.limit === undefined ? 0 : choices.value.contextWindow - session.usage.limit;
  return (
    <ul class="legend">
      {partsOf(session.fill).map(({ kind, tokens, count }) => (
        <li key={kind} title={kind === "fixed" ? "System prompt, tools, and what else a provider counts" : `${figure(count)} of them`}>
          <span class={`mark kind-${kind}`} />
          {partName(kind)} <span class="figure">{short(tokens)}</span>
        </li>
      ))}
      {reserve > 0 && (
        <li title="Left free for the answer; where it begins, a fold is due">
          <span class="mark bar-reserve" />
          Reserve <span class="figure">{short(reserve)}</span>
        </li>
      )}
    </ul>
  );
}

function inWords({ usage, fill }: Snapshot, contextWindow: number): string {
  const parts = partsOf(fill).map(({ kind, tokens }) => `${partName(kind)} ${figure(tokens)}`);
  return [
    `${figure(usage.tokens)} of ${figure(contextWindow)} tokens, ${state(usage, contextWindow)}.`,
    usage.limit === undefined ? "" : `A fold is due above ${figure(usage.limit)}.`,
    parts.length > 0 ? `${parts.join(", ")}.` : "",
  ].join(" ").trim();
}
