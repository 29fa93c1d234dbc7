// The page's worker as a module of Node: its functions are called directly, without a page.

import { build } from "esbuild";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { bundled } from "../bundled.mjs";

const root = new URL("../../../", import.meta.url);

/** A file of `www/src/engine` as a module. */
export const engineModule = (name) => bundled(`engine/${name}.ts`);

/** A folder with a page whose module is the engine, the package bundled in, for a browser. */
export async function enginePage() {
  const page = new URL(`target/www-tests/page.${process.pid}/`, root);
  await mkdir(page, { recursive: true });
  const files = ["engine", "kept/browser-store", "kept/database"].map((name) => `export * from "./${name}.ts";`).join("\n");
  const stdin = { contents: files, resolveDir: fileURLToPath(new URL("www/src/engine/", root)), loader: "ts" };
  await build({ stdin, outfile: fileURLToPath(new URL("engine.js", page)), bundle: true, format: "esm", platform: "browser", target: "es2022", logLevel: "error" });
  for (const file of ["threadfold_bg.wasm", "formats_bg.wasm"]) await copyFile(new URL(`node_modules/threadfold/dist/${file}`, root), new URL(file, page));
  await writeFile(new URL("index.html", page), '<!doctype html><meta charset="utf-8"><title>engine</title><link rel="icon" href="data:,">');
  return fileURLToPath(page);
}

export const sampleFile = () => readFile(new URL("target/demo/session.jsonl", root));

/** A worker that plays the sample session. */
export async function newWorker() {
  const { Worker } = await engineModule("engine");
  return new Worker(async () => new Uint8Array(await sampleFile()));
}

/** What the page begins with. */
export const CHOICES = { contextWindow: 200_000, reserveTokens: 16_384, keepRecentTokens: 20_000, protectTokens: 40_000, minimumSavings: 20_000, images: "anthropic" };

/** An ear of a page that says nothing but what it is given. */
export const listener = (parts = {}) => ({ progress: () => undefined, cancel: () => undefined, summarize: () => Promise.reject(new Error("nobody summarises")), ...parts });

/** What a call answered, which must be good. */
export function good(answer) {
  if (!answer.ok) throw new Error(`${answer.trouble.code}: ${answer.trouble.message}`);
  return answer.value;
}
