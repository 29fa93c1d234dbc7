// What happened in a run that is played. The newest line is in sight, but for a reader who went back in it.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { PlayEvent } from "../../contract.js";
import { short } from "../../figures.js";
import { log } from "../../state/play.js";

/** Nearer to the end than this, one reads the end. In pixels. */
const NEAR = 40;

export function PlayLog() {
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const events = log.value;
  useLayoutEffect(() => {
    if (box.current !== null && follows.current) box.current.scrollTop = box.current.scrollHeight;
  }, [events]);
  function scrolled(): void {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = box.current ?? {};
    follows.current = scrollHeight - scrollTop - clientHeight < NEAR;
  }
  if (events.length === 0) return null;
  return (
    <section class="stack play-log" aria-labelledby="play-log">
      <h3 id="play-log">What happened</h3>
      <div ref={box} class="log" role="log" aria-labelledby="play-log" tabIndex={0} onScroll={scrolled}>
        {events.map((event) => (
          <Line key={event.number} event={event} />
        ))}
      </div>
    </section>
  );
}

function Line({ event: { turn, type, text, tokens } }: { event: PlayEvent }) {
  return (
    <p class={`log-line ${type === "message" ? "quiet" : "log-deed"}`}>
      <span class="figure quiet">{turn}</span>
      <span class="said log-text">{text}</span>
      <span class="figure">{short(tokens)}</span>
    </p>
  );
}
