// The edge runtime of Next.js takes a wasm file as a module only under `?module`. Vocabularies are handed to
// loadTokenizer: named here they would count against the size of every function.
import { core, formats } from "../engine.js";
import formatsWasm from "./formats_bg.wasm?module";
import coreWasm from "./threadfold_bg.wasm?module";

core.startAtOnce(() => coreWasm);
formats.provideAtOnce(() => formatsWasm);

export * from "../index.js";
