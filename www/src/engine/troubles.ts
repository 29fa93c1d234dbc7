// What went wrong, in words: what happened, and what to do.

import { ThreadfoldError, type ErrorCode } from "threadfold";
import { oneLine } from "../../../demo/text.mjs";
import type { Answer, Trouble } from "../contract.js";

/** So many characters of a message are shown. */
const SHOWN = 600;

const UNHARMED = "The session on the screen is as it was.";

const ADVICE: Record<ErrorCode, string> = {
  "not-initialized": "Load the page again.",
  "wasm-load-failed": "The engine's file could not be loaded. Check the connection and load the page again; a host must serve .wasm files.",
  "invalid-argument": "Check what was set.",
  "invalid-window": "Set the window to a whole number of tokens above 0.",
  "invalid-settings": "Set a smaller reserve, or a larger window.",
  "invalid-entry": "A message of this session cannot be stored; the message names it.",
  "not-a-session": "Open a session file (.jsonl), a transcript, or an array of messages as JSON.",
  "too-large": "Open a smaller file, or choose a larger window.",
  "unknown-entry": "The session has moved on. Try again.",
  "message-not-appended": "The session has moved on. Try again.",
  busy: "Wait until it has ended, or abort it.",
  stale: "The session moved on while the summary was made. Fold again.",
  "summary-refused": "The summariser gave no summary that can be used, twice. Try again, or choose another summariser or a larger model.",
  "summarizer-failed": "Check the summariser's address, model and key, and try again; or choose the local summariser, which needs neither.",
  "remote-failed": "Check the endpoint's address and headers. It must allow this page by CORS and answer with JSON that holds a `summary`.",
  "storage-failed": "This browser refused to store it: it may be out of space, or storage may be switched off. Export the session instead.",
  conflict: "The kept session was changed in another tab. Open it again from the list of kept sessions.",
  "unsupported-format": "Open a session file (.jsonl), a transcript, or an array of messages of a format that is named here.",
  "ambiguous-format": "Choose which of the formats it is.",
  "unsupported-encoding": "Choose another encoding, or estimates.",
  "vocabulary-load-failed": "The vocabulary could not be loaded. Check the connection, or count by estimates.",
  "invalid-vocabulary": "The vocabulary that was loaded is damaged. Load the page again, or count by estimates.",
  internal: "Load the page again and open the file anew. A report with the file's kind and size helps to mend it.",
};

/** `stand` says how the session stands after it. */
export function troubleOf(error: unknown, stand = UNHARMED): Trouble {
  if (ThreadfoldError.isInstance(error)) {
    const { code, message } = error;
    const formats = error.formats === undefined ? {} : { formats: [...error.formats] };
    return { code, message: shown(message), advice: `${ADVICE[code]} ${stand}`, ...formats };
  }
  const message = shown(error instanceof Error ? error.message : error);
  return { code: "page", message, advice: `This is a fault of the page. ${stand}` };
}

function shown(message: unknown): string {
  const line = oneLine(message, SHOWN);
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN)}…`;
}

/** What is asked at the wrong time. */
export function refusal(code: ErrorCode, message: string): ThreadfoldError {
  return new ThreadfoldError(code, message);
}

/** Answers with what the work gives, or with what went wrong. */
export async function answer<T>(work: () => Promise<T> | T): Promise<Answer<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, trouble: troubleOf(error) };
  }
}
