// The same in an application: a few lines, with the settings and the summariser as set.

import "../../styles/panels.css";
import type { MessageFormat } from "threadfold";
import { useEffect } from "preact/hooks";
import { choices } from "../../state/choices.js";
import { codeFor, codeKind, type CodeKind } from "../../state/code.js";
import { learnFormats, messageFormats } from "../../state/formats.js";
import { copy } from "../../state/saving.js";
import { snapshot } from "../../state/session.js";
import { summarizer } from "../../state/summarizer.js";
import { panelId, tabId, Tabs } from "../frame/tabs.js";

const KINDS: readonly { id: CodeKind; title: string; hint: string }[] = [
  { id: "session", title: "Session", hint: "A session of your own is folded once." },
  { id: "messages", title: "Array of messages", hint: "Any chat: called before each request, it folds when the threshold is passed." },
  { id: "agent", title: "Agent", hint: "A companion that prunes and folds by itself, and rescues what overflowed." },
];

export function CodePanel() {
  useEffect(() => void learnFormats(), []);
  const kind = codeKind.value;
  const code = codeFor(kind, choices.value, summarizer.value, formatOf(snapshot.value?.about.format));
  return (
    <div class="stack">
      <h2>The same in your application</h2>
      <Tabs label="Kinds of code" scope="code" className="code-tabs" names={KINDS} chosen={kind} choose={(id) => (codeKind.value = id as CodeKind)} />
      <div class="stack" role="tabpanel" id={panelId("code", kind)} aria-labelledby={tabId("code", kind)}>
        <p class="quiet">{KINDS.find(({ id }) => id === kind)?.hint}</p>
        <pre class="code" tabIndex={0} role="group" aria-label="Code">
          <code>{code}</code>
        </pre>
        <div class="buttons">
          <button type="button" class="button primary" onClick={() => void copy(code)}>
            Copy the code
          </button>
        </div>
        <p class="quiet small">It holds the settings and the summariser as set on this page; what is at its default is left out, and keys are read from the environment.</p>
      </div>
    </div>
  );
}

/** The format of the array that the session came from, where it came from one. */
function formatOf(name: string | undefined): MessageFormat | undefined {
  return messageFormats.value.find((format) => format === name);
}
