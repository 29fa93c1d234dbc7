// A dialog of the page: modal, closed with Escape or a press beside it.

import "../../styles/dialog.css";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface Props {
  title: string;
  close: () => void;
  className?: string;
  children: ComponentChildren;
}

export function Dialog({ title, close, className = "", children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${className}`}
      aria-label={title}
      onClose={close}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class="dialog-inside">
        <div class="dialog-head">
          <h2>{title}</h2>
          <button type="button" class="button quiet small" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
