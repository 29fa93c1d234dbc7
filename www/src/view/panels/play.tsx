// Play: a whole run of an agent is typed before one's eyes, with its prunes, folds and rescues.

import "../../styles/panels.css";
import "../../styles/play.css";
import { short } from "../../figures.js";
import { playChoices } from "../../engine/play/choices.js";
import { choices } from "../../state/choices.js";
import { endPlay, pausePlay, play, resumePlay, setSpeed, speed, SPEEDS, startPlay, stepPlay } from "../../state/play.js";
import { snapshot } from "../../state/session.js";
import type { PlayState } from "../../contract.js";
import { PlayLog } from "./play-log.js";

export function PlayPanel() {
  const now = play.value;
  return (
    <div class="stack">
      <h2>Play a whole run</h2>
      {now === undefined ? <Invitation /> : <Playing now={now} />}
      <Speed />
      <PlayLog />
    </div>
  );
}

function Invitation() {
  return (
    <>
      <p>
        A scripted agent works through a long day, turn by turn, in a window of <span class="figure">{short(playChoices(choices.value).contextWindow)}</span> tokens. Old tool
        outputs are pruned, the session folds at the threshold, and where the provider refuses a prompt that is too long, a fold rescues the turn.
      </p>
      <p class="quiet">Your session waits meanwhile.</p>
      <p>
        <button type="button" class="button primary" onClick={() => void startPlay()}>
          Play
        </button>
      </p>
    </>
  );
}

function Playing({ now }: { now: PlayState }) {
  const { status, turn, turns, typing, prunes, folds, rescues } = now;
  const usage = snapshot.value?.usage;
  return (
    <>
      <div class="play-head">
        <progress class="run-bar" aria-label="Turns" max={turns} value={turn} aria-valuetext={`Turn ${turn} of ${turns}`} />
        <span class="figure small">
          Turn {turn} of {turns}
        </span>
      </div>
      <p class="play-typing">
        {typing === undefined || status === "ended" ? (
          <span class="quiet">{status === "ended" ? "The run has ended." : "…"}</span>
        ) : (
          <>
            <span class={`mark kind-${typing.kind}`} aria-hidden="true" />
            <bdi class="play-text">{typing.text}</bdi>
          </>
        )}
      </p>
      <dl class="counters">
        <Counter name="Prunes" value={String(prunes)} />
        <Counter name="Folds" value={String(folds)} />
        <Counter name="Rescues" value={String(rescues)} />
        <Counter name="Context" value={usage === undefined ? "" : short(usage.tokens)} />
      </dl>
      <Buttons status={status} />
    </>
  );
}

function Buttons({ status }: Pick<PlayState, "status">) {
  return (
    <>
      {status !== "ended" && (
        <div class="buttons">
          <button type="button" class="button primary" onClick={() => void (status === "playing" ? pausePlay() : resumePlay())}>
            {status === "playing" ? "Pause" : "Go on"}
          </button>
          <button type="button" class="button" aria-disabled={status === "playing"} onClick={() => void (status === "paused" && stepPlay())}>
            Step
          </button>
        </div>
      )}
      <div class="buttons">
        <button type="button" class="button" onClick={() => void endPlay(false)}>
          Back to your session
        </button>
        <button type="button" class="button" onClick={() => void endPlay(true)}>
          Keep it
        </button>
      </div>
    </>
  );
}

function Counter({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="figure">{value}</dd>
    </div>
  );
}

/** The slider goes by factors: from one turn in ten seconds to ten in one. */
const STEPS = 100;

function Speed() {
  const { least, most } = SPEEDS;
  const position = Math.round((STEPS * Math.log(speed.value / least)) / Math.log(most / least));
  const turns = `${speed.value} turns a minute`;
  return (
    <label class="speed">
      <span>Speed</span>
      <span class="figure quiet">{turns}</span>
      <input
        class="slider"
        type="range"
        min={0}
        max={STEPS}
        value={position}
        aria-valuetext={turns}
        onInput={({ currentTarget }) => void setSpeed(Math.round(least * (most / least) ** (Number(currentTarget.value) / STEPS)))}
      />
    </label>
  );
}
