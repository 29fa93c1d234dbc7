// Node, Deno and Bun: bundled as CommonJS, which both `import` and `require` then share. Each path is
// spelled out, for tools that gather the files which a program reads.
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { core, formats } from "../engine.js";
import { tokenizerOf } from "../tokenizers.js";
import { provideFileReader } from "../vocabulary-source.js";

core.startAtOnce(() => readFileSync(join(__dirname, "threadfold_bg.wasm")));
formats.provideAtOnce(() => readFileSync(join(__dirname, "formats_bg.wasm")));
tokenizerOf("o200k_base").provideAtOnce(() => readFileSync(join(__dirname, "o200k_base.vocabulary")));
tokenizerOf("cl100k_base").provideAtOnce(() => readFileSync(join(__dirname, "cl100k_base.vocabulary")));
tokenizerOf("p50k_base").provideAtOnce(() => readFileSync(join(__dirname, "p50k_base.vocabulary")));
tokenizerOf("r50k_base").provideAtOnce(() => readFileSync(join(__dirname, "r50k_base.vocabulary")));
provideFileReader(readFile);

export { FileStore } from "../file-store.js";
export * from "../index.js";
