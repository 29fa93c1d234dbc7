// Compiled, never run: the same types reach CommonJS, and are the very same as in ESM.

import threadfold = require("threadfold");

const version: string = threadfold.engineVersion();
const code: threadfold.ErrorCode = "busy";

async function mixed(): Promise<void> {
  const esm = await import("threadfold");
  const error: threadfold.ThreadfoldError = new esm.ThreadfoldError("busy", "a run is under way");
  console.log(version, code, error);
}

void mixed();
