// Browsers and their bundlers: the address is spelled out because bundlers look for just this form.
import { provideWasm } from "../engine.js";

provideWasm(() => new URL("./threadfold_bg.wasm", import.meta.url));

export * from "../index.js";
