// A summary to be read: its headings stand out, everything else is text as it is.

import { visible } from "../detail/visible.js";

/** A summary longer than this is cut for the eye, in characters. */
const SHOWN = 100_000;

export function SummaryText({ text }: { text: string }) {
  const shown = visible(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
  return (
    <div class="summary-text said">
      {sections(shown).map(({ heading, body }, place) => (
        <section key={place}>
          {heading !== "" && <h3>{heading}</h3>}
          {body !== "" && <p>{body}</p>}
        </section>
      ))}
    </div>
  );
}

interface Section {
  heading: string;
  body: string;
}

/** Parts a text at its headings, which begin with `#`. */
function sections(text: string): Section[] {
  const found: Section[] = [];
  let heading = "";
  let lines: string[] = [];
  const close = () => {
    const body = lines.join("\n").trim();
    if (heading !== "" || body !== "") found.push({ heading, body });
  };
  for (const line of text.split("\n")) {
    const title = /^#{1,6} +(.*)$/.exec(line)?.[1];
    if (title === undefined) {
      lines.push(line);
      continue;
    }
    close();
    heading = title;
    lines = [];
  }
  close();
  return found;
}
