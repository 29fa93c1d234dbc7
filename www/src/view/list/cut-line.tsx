// The line before the first kept entry, with the reason why it lies there.

import { plan } from "../../state/plan.js";

export function CutLine({ top, size }: { top: number; size: number }) {
  const found = plan.value;
  if (found?.ok !== true) return null;
  return (
    <div class="cut-line" role="presentation" style={{ transform: `translateY(${top}px)`, height: `${size}px` }} title={found.why}>
      <strong>Cut</strong>
      <span>
        <bdi>{found.why}</bdi>
      </span>
    </div>
  );
}
