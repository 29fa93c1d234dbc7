// The edge runtime of Next.js takes a wasm file as a module only under `?module`.
import { startNow } from "../engine.js";
import wasm from "./threadfold_bg.wasm?module";

startNow(() => wasm);

export * from "../index.js";
