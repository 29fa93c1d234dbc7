// Who summarises: the choice, what each of them needs, and a try.

import "../../styles/panels.css";
import { browserModel } from "../../summarizers/browser-model.js";
import type { SummarizerKind } from "../../summarizers/settings.js";
import { chooseSummarizer, summarizer } from "../../state/summarizer.js";
import { SummarizerFields } from "./summarizer-fields.js";
import { Trial } from "./trial.js";

interface Choice {
  kind: SummarizerKind;
  title: string;
  hint: string;
}

const CHOICES: readonly Choice[] = [
  { kind: "local", title: "Local summariser", hint: "Part of Threadfold. No model, no network; picks from the messages." },
  { kind: "openai", title: "OpenAI-compatible endpoint", hint: "A model over chat completions, with your own key." },
  { kind: "ollama", title: "Ollama", hint: "A model on your machine." },
  { kind: "browser", title: "The browser's model", hint: "Built into this browser; it is loaded once." },
  { kind: "remote", title: "Threadfold endpoint", hint: "A server that answers with summaries." },
];

export function SummarizerPanel() {
  const { kind } = summarizer.value;
  const offered = CHOICES.filter((choice) => choice.kind !== "browser" || browserModel() !== undefined);
  return (
    <form class="stack" autocomplete="off" onSubmit={(event) => event.preventDefault()}>
      <fieldset class="choices">
        <legend>Who writes the summaries</legend>
        {offered.map((choice) => (
          <label key={choice.kind} class="choice">
            <input type="radio" name="summarizer" checked={choice.kind === kind} onChange={() => chooseSummarizer(choice.kind)} />
            <span>
              {choice.title}
              <span class="quiet small">{choice.hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <SummarizerFields kind={kind} />
      <Trial />
    </form>
  );
}
