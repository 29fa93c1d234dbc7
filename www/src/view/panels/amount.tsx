// An amount of tokens: a slider for trying, a field for the exact figure.

import { useId, useState } from "preact/hooks";
import { figure } from "../../figures.js";
import { figureAt, STEPS, stepOf, type Scale } from "./scale.js";

interface Props {
  title: string;
  /** What it is for, in a sentence. */
  hint: string;
  scale: Scale;
  value: number;
  set: (value: number) => void;
}

export function Amount({ title, hint, scale, value, set }: Props) {
  const id = useId();
  // What is being typed, which is not always a figure yet.
  const [typed, setTyped] = useState<string | undefined>(undefined);
  function type(text: string): void {
    const read = Number(text);
    const fits = text.trim() !== "" && Number.isInteger(read) && read >= scale.least && read <= scale.most;
    setTyped(text);
    if (fits) set(read);
  }
  return (
    <div class="amount">
      <label for={`${id}-slider`}>{title}</label>
      <p id={`${id}-hint`} class="quiet small">
        {hint}
      </p>
      <input
        class="field figure"
        type="number"
        aria-label={`${title}, in tokens`}
        min={scale.least}
        max={scale.most}
        step={1}
        value={typed ?? String(value)}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onBlur={() => setTyped(undefined)}
      />
      <input
        id={`${id}-slider`}
        class="slider"
        type="range"
        min={0}
        max={STEPS}
        step={1}
        value={stepOf(scale, value)}
        aria-valuetext={`${figure(value)} tokens`}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => set(figureAt(scale, Number(currentTarget.value)))}
      />
    </div>
  );
}
