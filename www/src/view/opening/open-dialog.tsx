// Everything that opens a session, in one dialog.

import { useEffect, useRef, useState } from "preact/hooks";
import { listKept } from "../../state/kept.js";
import { openFile, openSample, openText } from "../../state/open.js";
import { Dialog } from "../frame/dialog.js";
import { KeptList } from "./kept-list.js";

export function OpenDialog({ close }: { close: () => void }) {
  const [text, setText] = useState("");
  const picker = useRef<HTMLInputElement>(null);
  useEffect(() => void listKept(), []);
  function done(opens: Promise<void>): void {
    void opens;
    close();
  }
  return (
    <Dialog title="Open a session" className="open-dialog" close={close}>
      <p class="quiet">
        A session of Threadfold or pi, a transcript of Claude Code, Codex, ChatGPT or TanStack AI, or an array of messages. It is read in
        this browser: nothing leaves this machine.
      </p>
      <div class="open-ways">
        <button type="button" class="button primary" onClick={() => picker.current?.click()}>
          Choose a file
        </button>
        <button type="button" class="button" onClick={() => done(openSample())}>
          Open the sample
        </button>
        <input
          ref={picker}
          type="file"
          hidden
          aria-label="Session file"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file !== undefined) done(openFile(file));
          }}
        />
      </div>
      <form
        class="open-paste"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "") done(openText(text));
        }}
      >
        <label for="pasted">Or paste messages, as a JSON array or as JSON lines</label>
        <textarea
          id="pasted"
          class="field"
          rows={6}
          spellcheck={false}
          placeholder={'[{"role": "user", "content": "Hello"}]'}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" class="button" disabled={text.trim() === ""}>
          Open what is pasted
        </button>
      </form>
      <KeptList close={close} />
    </Dialog>
  );
}
