// The facade's side of a remote endpoint, which the package does not export: bundled from its
// sources, over the engine that the package holds.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildSync } from "esbuild";

const entry = `
  export { askRemote } from "./remote.js";
  export { checkRemote } from "./remote-headers.js";
  export { retryAfterMs } from "./retry-after.js";
  export { core } from "./engine.js";
`;
const folder = mkdtempSync(join(tmpdir(), "threadfold-"));
const outfile = join(folder, "seam.mjs");
buildSync({
  stdin: { contents: entry, resolveDir: fileURLToPath(new URL("../../pkg-template/src", import.meta.url)), loader: "ts" },
  bundle: true,
  format: "esm",
  target: "es2022",
  outfile,
  logLevel: "warning",
});
const { core, ...pieces } = await import(pathToFileURL(outfile));
rmSync(folder, { recursive: true });
core.loadAtOnce(() => readFileSync(fileURLToPath(import.meta.resolve("threadfold/core.wasm"))));

export const { askRemote, checkRemote, retryAfterMs } = pieces;
