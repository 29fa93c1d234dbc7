// For bundlers that lose the wasm files: they travel inside the script, a third larger. Vocabularies, which
// would make it several times as large, are handed to loadTokenizer.
import { core, formats } from "../engine.js";
import formatsBase64 from "../glue/formats_bg.base64.js";
import coreBase64 from "../glue/threadfold_bg.base64.js";

core.provide(() => decoded(coreBase64));
formats.provide(() => decoded(formatsBase64));

function decoded(base64: string): BufferSource {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

export * from "../index.js";
