// For bundlers that lose the wasm file: it travels inside the script, a third larger.
import { provideWasm } from "../engine.js";
import base64 from "../glue/threadfold_bg.base64.js";

provideWasm(() => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));

export * from "../index.js";
