// Browsers and their bundlers: the addresses are spelled out because bundlers look for just this form.
import { core, formats } from "../engine.js";
import { tokenizerOf } from "../tokenizers.js";

core.provide(() => new URL("./threadfold_bg.wasm", import.meta.url));
formats.provide(() => new URL("./formats_bg.wasm", import.meta.url));
tokenizerOf("o200k_base").provide(() => new URL("./o200k_base.vocabulary", import.meta.url));
tokenizerOf("cl100k_base").provide(() => new URL("./cl100k_base.vocabulary", import.meta.url));
tokenizerOf("p50k_base").provide(() => new URL("./p50k_base.vocabulary", import.meta.url));
tokenizerOf("r50k_base").provide(() => new URL("./r50k_base.vocabulary", import.meta.url));

export * from "../index.js";
