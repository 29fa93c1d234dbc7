// The vocabularies in the packed package, as each kind of host meets them.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { installed, project, run, modulesOfFiles } from "./project.mjs";

const require = createRequire(import.meta.url);
const NAMES = ["o200k_base", "cl100k_base", "p50k_base", "r50k_base"];

/** Bundles a program, and gives the file. */
async function bundled(folder, text, options) {
  const entry = join(folder, "entry.mjs");
  writeFileSync(entry, text);
  const outfile = join(folder, `out/bundle.${options.format === "cjs" ? "cjs" : "mjs"}`);
  await build({ entryPoints: [entry], bundle: true, format: "esm", outfile, logLevel: "error", ...options });
  return outfile;
}

test("the vocabularies are there under their own names, for both kinds of modules", () => {
  for (const name of NAMES) {
    const path = join(installed, `dist/${name}.vocabulary`);
    assert.equal(require.resolve(`threadfold/${name}.vocabulary`), path);
    assert.equal(fileURLToPath(import.meta.resolve(`threadfold/${name}.vocabulary`)), path);
  }
});

test("the vocabularies weigh what TOKENS.md says", async () => {
  const document = readFileSync(new URL("../../TOKENS.md", import.meta.url), "utf8");
  const packed = NAMES.map(async (name) => {
    const file = readFileSync(join(installed, `dist/${name}.vocabulary`));
    const brotli = await promisify(brotliCompress)(file);
    const [, ...said] = new RegExp(`^\\| \`${name}\`.* \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|$`, "m").exec(document) ?? [];
    const weighs = [file, gzipSync(file, { level: 9 }), brotli].map(({ length }) => length / 1_000);
    // Packers of one name differ by some hundredths: `gzip` itself packs less than Node.
    for (const [at, kilobytes] of weighs.entries()) assert.ok(Math.abs(kilobytes - said[at]) <= 1 + kilobytes / 25, `${name}: ${weighs} is not ${said}`);
  });
  await Promise.all(packed);
});

test("in Node a vocabulary is read at the first call that needs it, and once", () => {
  const entry = join(project("late-vocabulary"), "entry.cjs");
  writeFileSync(
    entry,
    `const fs = require("node:fs"), { basename } = require("node:path");
    const read = [], { readFileSync } = fs;
    fs.readFileSync = (path, ...more) => (String(path).endsWith(".vocabulary") && read.push(basename(path)), readFileSync(path, ...more));
    const { countTokens, loadTokenizer, Session } = require("threadfold");
    (async () => {
      Session.create();
      console.log(read.join());
      Session.create({ tokenizer: "r50k_base" });
      countTokens("a", "r50k_base");
      countTokens("a", "o200k_harmony");
      countTokens("a", "o200k_base");
      await Promise.all([loadTokenizer("o200k_base"), loadTokenizer("cl100k_base"), loadTokenizer("cl100k_base")]);
      console.log(read.join());
    })();`,
  );
  assert.equal(run(entry), "r50k_base.vocabulary,o200k_base.vocabulary,cl100k_base.vocabulary");
});

test("a Node bundle that lost the vocabularies says so at the first call, and can be given them", async () => {
  const text = `import { countTokens, init, loadTokenizer, Session, ThreadfoldError } from "threadfold";
    import { readFileSync } from "node:fs";
    import { pathToFileURL } from "node:url";
    const folder = ${JSON.stringify(join(installed, "dist/"))};
    const fileIn = (text) => /threadfold\\/(\\w+)\\.vocabulary/.exec(text)?.[1] ?? "none";
    const codeOf = (error) => ThreadfoldError.isInstance(error) && fileIn(error.message) + " " + error.code;
    const attempt = (call) => { try { return call(); } catch (error) { return codeOf(error); } };
    (async () => {
      await init({ wasm: readFileSync(folder + "threadfold_bg.wasm") });
      console.log(attempt(() => countTokens("a", "o200k_base")));
      console.log(attempt(() => Session.create({ tokenizer: "cl100k_base" })));
      console.log(await loadTokenizer("p50k_base").catch(codeOf));
      await loadTokenizer("o200k_base", { source: readFileSync(folder + "o200k_base.vocabulary") });
      await loadTokenizer("cl100k_base", { source: pathToFileURL(folder + "cl100k_base.vocabulary") });
      await loadTokenizer("p50k_base", { source: pathToFileURL(folder + "p50k_base.vocabulary").href });
      console.log(["o200k_base", "cl100k_base", "p50k_base"].map((encoding) => countTokens("héllo", encoding)).join());
    })();`;
  const outfile = await bundled(project("lost-vocabulary"), text, { format: "cjs", platform: "node" });
  assert.deepEqual(run(outfile).split("\n"), [
    ...["o200k_base", "cl100k_base", "p50k_base"].map((name) => `${name} vocabulary-load-failed`),
    "2,3,3",
  ]);
});

test("esbuild for the browser keeps the addresses of the vocabularies, which must be copied beside the bundle", async () => {
  const outfile = await bundled(project("web-vocabulary"), `import { loadTokenizer } from "threadfold"; await loadTokenizer("o200k_base");`, {});
  const text = readFileSync(outfile, "utf8");
  for (const name of NAMES) assert.ok(text.includes(`new URL("./${name}.vocabulary", import.meta.url)`), name);
});

const others = [
  ["workerd", "threadfold", ["workerd"]],
  ["the edge runtime", "threadfold", ["edge-light"]],
  ["the inline entry", "threadfold/inline", []],
];
for (const [host, entry, conditions] of others) {
  test(`${host} carries no vocabulary, and takes one as a data module`, async () => {
    const text = (imports, source) => `import { countTokens, init, loadTokenizer } from ${JSON.stringify(entry)};
      ${imports}
      await init();
      const failure = await loadTokenizer("cl100k_base").catch(({ code, message }) => code + " " + message.includes("{ source }"));
      await loadTokenizer("cl100k_base"${source});
      console.log(failure, countTokens("héllo", "cl100k_base"));`;
    const options = { conditions, external: ["node:fs"], plugins: [modulesOfFiles] };
    const folder = project(`data-module-${conditions}`);
    const without = readFileSync(await bundled(folder, text("", ""), options), "utf8");
    assert.ok(!without.includes("./cl100k_base.vocabulary"));
    const outfile = await bundled(folder, text('import source from "threadfold/cl100k_base.vocabulary";', ", { source }"), options);
    assert.equal(run(outfile), "vocabulary-load-failed true 3");
  });
}
