// Browsers and their bundlers: the addresses are spelled out because bundlers look for just this form.
import { core, formats } from "../engine.js";

core.provide(() => new URL("./threadfold_bg.wasm", import.meta.url));
formats.provide(() => new URL("./formats_bg.wasm", import.meta.url));

export * from "../index.js";
