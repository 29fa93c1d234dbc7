// The parts of an entry, and the line that is stored for it.

import type { EntryText } from "../../contract.js";
import { counted } from "../../figures.js";
import { visible } from "./visible.js";

export function Parts({ text }: { text: EntryText }) {
  return (
    <>
      {text.parts.map(({ title, text: words, cut }, place) => (
        <section key={place} class="detail-part">
          <h3>
            <bdi>{visible(title)}</bdi>
          </h3>
          <pre class="said">{visible(words)}</pre>
          {cut !== undefined && <p class="quiet small">{counted(cut, "character")} more are not shown.</p>}
        </section>
      ))}
      {text.parts.length === 0 && <p class="quiet">The model never sees this entry. It is stored as:</p>}
      <details class="detail-part" open={text.parts.length === 0}>
        <summary>Stored line</summary>
        <pre class="said">{visible(text.json)}</pre>
      </details>
    </>
  );
}
