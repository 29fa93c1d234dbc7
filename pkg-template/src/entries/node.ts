// Node, Deno and Bun: bundled as CommonJS, which both `import` and `require` then share.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startNow } from "../engine.js";

startNow(() => readFileSync(join(__dirname, "threadfold_bg.wasm")));

export { FileStore } from "../file-store.js";
export * from "../index.js";
