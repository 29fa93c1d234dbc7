// Small projects that have the package installed, each in a folder of its own.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

export const installed = fileURLToPath(new URL("../../node_modules/threadfold/", import.meta.url));

const scratch = mkdtempSync(join(tmpdir(), "threadfold-pack-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** The folder of a project. */
export function project(name) {
  const folder = join(scratch, name);
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  cpSync(installed, join(folder, "node_modules/threadfold"), { recursive: true });
  return folder;
}

/** Runs a program in Node, and gives what it printed. */
export const run = (file) => execFileSync(process.execPath, [file], { encoding: "utf8" }).trim();

/** For esbuild: what workerd and the edge runtimes do with the import of a wasm file, and of a file of data. */
export const modulesOfFiles = {
  name: "modules-of-files",
  setup({ onLoad }) {
    const as = (made) => ({ path }) => ({
      contents: `import { readFileSync } from "node:fs"; const file = readFileSync(${JSON.stringify(path)}); export default ${made};`,
    });
    onLoad({ filter: /\.wasm$/ }, as("new WebAssembly.Module(file)"));
    onLoad({ filter: /\.vocabulary$/ }, as("Uint8Array.from(file).buffer"));
  },
};
