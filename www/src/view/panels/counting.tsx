// How tokens are counted: estimates or an exact encoding, and what an image takes.

import type { Encoding, ImageRule } from "threadfold";
import { choices, choose } from "../../state/choices.js";
import { recounting } from "../../state/plan.js";

const encodings: Record<Encoding, string> = {
  o200k_base: "o200k_base (GPT-4o, GPT-5)",
  o200k_harmony: "o200k_harmony (gpt-oss)",
  cl100k_base: "cl100k_base (GPT-4, GPT-3.5)",
  p50k_base: "p50k_base",
  r50k_base: "r50k_base (GPT-2)",
};

const rules: Record<ImageRule, string> = {
  anthropic: "Claude",
  "anthropic-high-resolution": "Claude, high resolution",
  openai: "OpenAI",
  "openai-gpt-5": "OpenAI GPT-5",
  "openai-o": "OpenAI o-series",
  "openai-gpt-4o-mini": "OpenAI GPT-4o mini",
  "openai-mini": "OpenAI mini",
  "openai-nano": "OpenAI nano",
  "openai-o4-mini": "OpenAI o4-mini",
  gemini: "Gemini",
  "gemini-3": "Gemini 3",
  flat: "1,200 each",
  "base64-as-text": "as the text of their base64",
};

export function Counting() {
  const { tokenizer, images } = choices.value;
  return (
    <div class="counting" aria-busy={recounting.value}>
      <label>
        <span>Counting</span>
        <select class="field" value={tokenizer ?? ""} onChange={({ currentTarget }) => countBy(currentTarget.value)}>
          <option value="">Estimates</option>
          {Object.entries(encodings).map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>Images</span>
        <select class="field" value={images} onChange={({ currentTarget }) => choose({ images: currentTarget.value as ImageRule })}>
          {Object.entries(rules).map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {recounting.value && (
        <p class="quiet small counting-busy">
          <progress class="spinner" aria-label="Counting anew" /> Counting anew…
        </p>
      )}
    </div>
  );
}

function countBy(name: string): void {
  const { tokenizer: _, ...others } = choices.peek();
  choices.value = name === "" ? others : { ...others, tokenizer: name as Encoding };
}
