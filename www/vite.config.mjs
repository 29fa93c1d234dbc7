// The page as static files: `vite build www` writes them to the folder that `--outDir` names.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { offline } from "./offline-plugin.mjs";
import { sample } from "./sample-plugin.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  // Relative addresses: the page works from any folder of a host.
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  // The package finds its wasm files beside itself; pre-bundling would part them.
  optimizeDeps: { exclude: ["threadfold"] },
  worker: { format: "es" },
  build: {
    target: "es2022",
    emptyOutDir: true,
    // The policy allows no `data:` script or style, and a wasm file is to be streamed.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: "licenses.md" },
  },
  plugins: [
    sample(process.env.THREADFOLD_SAMPLE ?? here("../target/demo/session.jsonl")),
    offline(here("src/offline/service-worker.ts")),
  ],
});
