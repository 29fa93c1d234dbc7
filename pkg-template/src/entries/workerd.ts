// workerd compiles no bytes at run time: the file is imported as a module.
import { startNow } from "../engine.js";
import wasm from "./threadfold_bg.wasm";

startNow(() => wasm);

export * from "../index.js";
