// The summary beside the messages that it stands for. It stays in sight while they are scrolled through.

import type { Compared } from "../../contract.js";
import { counted, figure } from "../../figures.js";
import { SummaryText } from "../panels/summary-text.js";

interface Props {
  /** What stands in front of the kept messages now. */
  messages: readonly Compared[];
  summary: string | undefined;
  /** How many messages it stands for. */
  stands: number;
}

export function SummaryCard({ messages, summary, stands }: Props) {
  const tokens = messages.reduce((sum, message) => sum + message.tokens, 0);
  return (
    <article class="summary-card" aria-label="The summary">
      <header>
        <span class="mark kind-compaction" aria-hidden="true" />
        <h3>Summary</h3>
        <span class="quiet small">in place of {counted(stands, "message")}</span>
        <span class="figure small">{figure(tokens)} tokens</span>
      </header>
      <div class="summary-card-text" tabIndex={0} role="group" aria-label="Text of the summary">
        <SummaryText text={summary ?? messages.map(({ text }) => text).join("\n\n")} />
      </div>
    </article>
  );
}
