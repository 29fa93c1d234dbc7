// Compiled, never run: what the declarations must allow and must refuse.

import { engineVersion, init, ThreadfoldError } from "threadfold";
import type { ErrorCode, InitOptions } from "threadfold";
import { init as initInline } from "threadfold/inline";

const sources: InitOptions[] = [
  {},
  { wasm: "/core.wasm" },
  { wasm: new URL("https://example.com/core.wasm") },
  { wasm: fetch("/core.wasm") },
  { wasm: new Uint8Array(8) },
  { formats: true },
  { wasm: "/core.wasm", formats: false },
  { formats: fetch("/formats.wasm") },
];
for (const source of sources) await init(source);
await initInline();

const version: string = engineVersion();

try {
  await init();
} catch (error) {
  if (ThreadfoldError.isInstance(error)) {
    const code: ErrorCode = error.code;
    console.log(version, code, error.cause);
    // @ts-expect-error no such code
    if (error.code === "no-such-code") console.log();
  }
}

// @ts-expect-error no such option
await init({ file: "/core.wasm" });
