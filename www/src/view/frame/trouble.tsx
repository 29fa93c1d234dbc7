// What went wrong, what to do, and, where a file may be of several formats, the choice.

import { sentence } from "../../sentence.js";
import { openAs } from "../../state/open.js";
import { trouble } from "../../state/trouble.js";

export function TroubleBanner() {
  const found = trouble.value;
  if (found === undefined) return null;
  const { formats = [] } = found;
  return (
    <section class="trouble" role="alert" aria-label="What went wrong">
      <div class="trouble-words">
        <p class="trouble-message said">{formats.length > 0 ? "What you opened fits several formats." : sentence(found.message)}</p>
        <p>{found.advice}</p>
        {formats.length > 0 && (
          <p class="trouble-formats">
            <span>Open it as</span>
            {formats.map((format) => (
              <button key={format} type="button" class="button small" onClick={() => void openAs(format)}>
                {format}
              </button>
            ))}
          </p>
        )}
      </div>
      <button type="button" class="button quiet small" onClick={() => (trouble.value = undefined)}>
        Dismiss
      </button>
    </section>
  );
}
