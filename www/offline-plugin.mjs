// Writes the service worker into the root of the built page, with the list of all files and their hashes.

import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { build } from "esbuild";

/** Its address is the scope of what it serves, so it lies at the root, under one name for ever. */
const NAME = "service-worker.js";

/** Large, and only for who asks for exact counts: kept when they are first fetched. */
const isKeptLater = (path) => path.endsWith(".vocabulary");

/** A plugin for Vite. `entry` is the source of the service worker. */
export function offline(entry) {
  return {
    name: "threadfold-offline",
    apply: "build",
    writeBundle: {
      // When all has been written, by other plugins too.
      order: "post",
      sequential: true,
      handler: ({ dir }) => writeServiceWorker(entry, dir),
    },
  };
}

/** Writes the service worker for what a folder holds. */
export async function writeServiceWorker(entry, folder) {
  const files = await listFiles(folder);
  await build({
    entryPoints: [entry],
    outfile: join(folder, NAME),
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    logLevel: "warning",
    define: { FILES: JSON.stringify(files), VERSION: JSON.stringify(digest(JSON.stringify(files))) },
  });
}

/** Every file of a folder as a `BuiltFile` of the service worker. */
async function listFiles(folder) {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((file) => file.isFile()).map((file) => relative(folder, join(file.parentPath ?? file.path, file.name)));
  return Promise.all(
    paths.filter((path) => path !== NAME).sort().map(async (path) => ({
      path: path.split(sep).join("/"),
      integrity: `sha256-${digest(await readFile(join(folder, path)))}`,
      ...(isKeptLater(path) ? { later: true } : {}),
    })),
  );
}

function digest(content) {
  return createHash("sha256").update(content).digest("base64");
}
