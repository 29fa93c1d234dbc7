// The plan: what is set, where the cut would lie and why, what it costs and saves. Nothing changes.

import "../../styles/plan.css";
import { choices, choose, largestReserve } from "../../state/choices.js";
import { Amount } from "./amount.js";
import { Counting } from "./counting.js";
import { PlanFigures } from "./plan-figures.js";

export function PlanPanel() {
  const { contextWindow, reserveTokens, keepRecentTokens, protectTokens, minimumSavings, fixedTokens } = choices.value;
  return (
    <div class="plan">
      <section class="plan-choices" aria-label="Choices">
        <Amount
          title="Window"
          hint="what the model can read"
          scale={{ least: 4_000, most: 2_000_000 }}
          value={contextWindow}
          set={(value) => choose({ contextWindow: value })}
        />
        <Amount
          title="Reserve"
          hint="left free for the answer"
          scale={{ least: 0, most: largestReserve(contextWindow) }}
          value={reserveTokens}
          set={(value) => choose({ reserveTokens: value })}
        />
        <Amount
          title="Keep"
          hint="stays word for word"
          scale={{ least: 0, most: contextWindow }}
          value={keepRecentTokens}
          set={(value) => choose({ keepRecentTokens: value })}
        />
        <details class="plan-more">
          <summary>More: counting, pruning, fixed part</summary>
          <div class="plan-further">
            <Counting />
            <Amount
              title="Protect"
              hint="newest tool outputs that stay"
              scale={{ least: 0, most: 1_000_000 }}
              value={protectTokens}
              set={(value) => choose({ protectTokens: value })}
            />
            <Amount
              title="Least saving"
              hint="a smaller prune is left"
              scale={{ least: 0, most: 1_000_000 }}
              value={minimumSavings}
              set={(value) => choose({ minimumSavings: value })}
            />
            <Amount
              title="Fixed"
              hint="system and tools; 0: as counted"
              scale={{ least: 0, most: contextWindow }}
              value={fixedTokens ?? 0}
              set={setFixed}
            />
          </div>
        </details>
      </section>
      <PlanFigures />
    </div>
  );
}

function setFixed(value: number): void {
  const { fixedTokens: _, ...others } = choices.peek();
  choices.value = value === 0 ? others : { ...others, fixedTokens: value };
}
