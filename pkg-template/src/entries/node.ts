// Node, Deno and Bun: bundled as CommonJS, which both `import` and `require` then share. Each path is
// spelled out, for tools that gather the files which a program reads.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { core, formats } from "../engine.js";

core.startAtOnce(() => readFileSync(join(__dirname, "threadfold_bg.wasm")));
formats.provideAtOnce(() => readFileSync(join(__dirname, "formats_bg.wasm")));

export { FileStore } from "../file-store.js";
export * from "../index.js";
