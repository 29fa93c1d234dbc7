// Modules of the page for tests in Node: bundled by esbuild, as Vite bundles them.

import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** `import text from "./file?raw"` gives the file's text. */
const raw = {
  name: "raw",
  setup(host) {
    host.onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({ path: join(resolveDir, path.slice(0, -4)), namespace: "raw" }));
    host.onLoad({ filter: /.*/, namespace: "raw" }, async ({ path }) => ({ contents: await readFile(path, "utf8"), loader: "text" }));
  },
};

/** Instead of the worker, an engine that the test puts in `globalThis.testEngine`. */
const engine = {
  name: "engine",
  setup(host) {
    host.onResolve({ filter: /\/engine\.js$/ }, () => ({ path: "engine", namespace: "engine" }));
    host.onLoad({ filter: /.*/, namespace: "engine" }, () => ({ contents: "export const engine = globalThis.testEngine;" }));
  },
};

/** What a module of `www/src` exports; `fresh` for a copy of its own, with signals of its own. */
export async function bundled(path, { fresh = false } = {}) {
  // By process: two test files may bundle the same module at the same time.
  const outfile = join(root, "target/www-tests", `${path.replace(/^[./]+/, "").replace(/\.tsx?$/, "")}.${process.pid}.mjs`);
  await mkdir(dirname(outfile), { recursive: true });
  await build({
    entryPoints: [join(root, "www/src", path)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["threadfold"],
    plugins: [raw, engine],
    logLevel: "warning",
  });
  return import(`${pathToFileURL(outfile)}${fresh ? `?${(copies += 1)}` : ""}`);
}

let copies = 0;

/** A row of a session; what is not said is nothing special. */
export const row = (parent, more = {}) => ({ id: "", parent, kind: "user", name: "", text: "", tokens: 10, ...more });

/** A random tree: mostly long chains, some forks, some roots, now and then a label or a compaction. */
export function randomRows({ below, chance }, count) {
  return Array.from({ length: count }, (_, index) => {
    const parent = index === 0 || chance(0.02) ? -1 : chance(0.08) ? below(index) : index - 1;
    return row(parent, chance(0.05) ? { label: `mark ${index}` } : chance(0.03) ? { kind: "compaction" } : {});
  });
}
