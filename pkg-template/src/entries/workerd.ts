// workerd compiles no bytes at run time: the files are imported as modules. Vocabularies are handed to
// loadTokenizer: as modules they would be part of every worker, needed or not, and need a rule of their own.
import { core, formats } from "../engine.js";
import formatsWasm from "./formats_bg.wasm";
import coreWasm from "./threadfold_bg.wasm";

core.startAtOnce(() => coreWasm);
formats.provideAtOnce(() => formatsWasm);

export * from "../index.js";
