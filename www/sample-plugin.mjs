// Puts the sample session beside the page, as `sample.jsonl`. It is generated, so it lies in no folder of ours.

import { readFile } from "node:fs/promises";

const NAME = "sample.jsonl";

/** A plugin for Vite. `path` is the file that `cargo xtask build` generates. */
export function sample(path) {
  const bytes = () =>
    readFile(path).catch((cause) => {
      throw new Error(`the sample session ${path} cannot be read: run \`cargo xtask build\` first`, { cause });
    });
  return {
    name: "threadfold-sample",
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: NAME, source: await bytes() });
    },
    configureServer(server) {
      server.middlewares.use(`/${NAME}`, (_, response, next) => bytes().then((body) => response.end(body), next));
    },
  };
}
