// Parts of the facade that the package does not export, from the sources, with an engine of their own.
// Tests of what users can reach import "threadfold" instead.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const sources = fileURLToPath(new URL("../../pkg-template/src/", import.meta.url));
const wasm = new URL("../../node_modules/threadfold/dist/threadfold_bg.wasm", import.meta.url);

let made = 0;

/**
 * What these files of the facade export, and the package with them: a class has one declaration then.
 * Each call gives its own, with nothing loaded but the engine.
 */
export async function internals(...files) {
  const contents = ["index", "engine", ...files].map((file) => `export * from "./${file}.js";`).join("\n");
  const stdin = { contents, resolveDir: sources, loader: "ts" };
  const { outputFiles } = buildSync({ stdin, bundle: true, format: "esm", target: "es2022", write: false, logLevel: "error" });
  // A module is made anew only under another address.
  made += 1;
  const module = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}#${made}`);
  module.core.loadAtOnce(() => readFileSync(wasm));
  return module;
}
