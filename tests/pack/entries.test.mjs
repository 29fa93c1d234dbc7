// The packed package, as each kind of host meets it.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { installed, project, run, modulesOfFiles } from "./project.mjs";

const require = createRequire(import.meta.url);
const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));

/** A call that the part for formats answers with `gemini`. */
const DETECT = `detectFormat([{ role: "user", parts: [{ text: "Hi" }] }])`;
/** What a program prints that was answered by both parts. */
const ANSWERS = `${manifest.version} gemini`;

test("import and require share one instance", async () => {
  const cjs = require("threadfold");
  const esm = await import("threadfold");
  assert.deepEqual(Object.keys(esm).sort(), Object.keys(cjs).sort());
  for (const name of Object.keys(cjs)) assert.equal(esm[name], cjs[name], name);
});

test("the entry for Node has an address of its own, for compilers that do not look for that condition", async () => {
  const [main, node] = [await import("threadfold"), await import("threadfold/node")];
  assert.equal(node, main);
  assert.equal(require("threadfold/node"), require("threadfold"));
});

test("no other entry reaches for a module of Node", () => {
  for (const file of readdirSync(join(installed, "dist")).filter((name) => name.endsWith(".mjs") && name !== "node.mjs")) {
    assert.ok(!/["']node:/.test(readFileSync(join(installed, "dist", file), "utf8")), file);
  }
});

test("in Node the engine is there at import", async () => {
  const { engineVersion, init } = await import("threadfold");
  assert.equal(engineVersion(), manifest.version);
  await init();
});

test("in Node the file for formats is read at the first call that needs it, and once", () => {
  const entry = join(project("late"), "entry.cjs");
  writeFileSync(
    entry,
    `const fs = require("node:fs"), { basename } = require("node:path");
    const read = [], { readFileSync } = fs;
    fs.readFileSync = (path, ...more) => (String(path).endsWith(".wasm") && read.push(basename(path)), readFileSync(path, ...more));
    const { compact, detectFormat, Session } = require("threadfold");
    compact(Session.create(), { summarize: "local" }).then(() => {
      const before = read.join();
      ${DETECT}, ${DETECT};
      console.log(before, read.join());
    });`,
  );
  assert.equal(run(entry), "threadfold_bg.wasm threadfold_bg.wasm,formats_bg.wasm");
});

/** What a program may import as a value. */
const NAMES = [
  ...["AgentSession", "MemoryStore", "Session", "StoreConflictError", "ThreadfoldError", "classifyError", "compact", "convertToLlm", "countTokens"],
  ...["defaultSettings", "detectFormat", "engineVersion", "estimateTokens", "foldMessages", "fromSessionMessages"],
  ...["generateBranchSummary", "init", "isContextOverflow", "linesBehind", "loadTokenizer", "messageFormats", "pruneMessages", "repairMessages"],
  ...["serializeConversation", "summarizationSystemPrompt", "summarizeWith", "toSessionMessages", "tokenizerFor", "transcriptFormats"],
  ...["validateMessages", "withChangedLines"],
];

test("every entry exports the same names, and that for Node a store in a file", async () => {
  const { FileStore, ...others } = await import("threadfold");
  assert.equal(typeof FileStore, "function");
  const expected = Object.keys(others).sort();
  assert.deepEqual(expected, NAMES);
  for (const entry of ["browser", "inline", "workerd", "edge-light"]) {
    const text = readFileSync(join(installed, `dist/${entry}.mjs`), "utf8");
    const list = text.slice(text.lastIndexOf("export {") + "export {".length, text.lastIndexOf("}"));
    assert.deepEqual(list.split(",").map((name) => name.trim()).filter(Boolean).sort(), expected, entry);
  }
});

test("the conditions stand in the order in which they must be tried, types first", () => {
  const main = manifest.exports["."];
  assert.deepEqual(Object.keys(main), ["workerd", "edge-light", "node", "import", "require"]);
  const branches = [main.workerd, main["edge-light"], main.node.import, main.node.require, main.import, main.require];
  for (const branch of [...branches, manifest.exports["./inline"]]) {
    assert.deepEqual(Object.keys(branch), ["types", "default"]);
    for (const file of Object.values(branch)) readFileSync(join(installed, file));
  }
});

test("the package has no runtime dependencies and carries its licences", () => {
  for (const kind of ["dependencies", "peerDependencies", "optionalDependencies", "scripts"]) {
    assert.equal(manifest[kind], undefined, kind);
  }
  const files = readdirSync(installed);
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY-LICENSES.txt"]) assert.ok(files.includes(name), name);
  const thirdParty = readFileSync(join(installed, "THIRD-PARTY-LICENSES.txt"), "utf8");
  assert.match(thirdParty, /^serde \S+ \(/m);
  assert.match(thirdParty, /^The classes of characters, .*\(Unicode-3\.0\)\n.*\n\nUNICODE LICENSE V3$/m);
});

test("the inline entry loads from a single bundled file", async () => {
  const folder = project("inline");
  const entry = join(folder, "entry.mjs");
  writeFileSync(
    entry,
    `import { detectFormat, engineVersion, init } from "threadfold/inline";
    await init({ formats: true });
    console.log(engineVersion(), ${DETECT});`,
  );
  const outfile = join(folder, "out/bundle.mjs");
  await build({ entryPoints: [entry], bundle: true, format: "esm", outfile, logLevel: "error" });
  assert.deepEqual(readdirSync(join(folder, "out")), ["bundle.mjs"]);
  assert.equal(run(outfile), ANSWERS);
});

test("esbuild for the browser keeps the addresses of the files, which must be copied beside the bundle", async () => {
  const folder = project("web");
  const entry = join(folder, "entry.mjs");
  writeFileSync(entry, `import { init } from "threadfold"; await init();`);
  const outfile = join(folder, "out/bundle.mjs");
  await build({ entryPoints: [entry], bundle: true, format: "esm", outfile, logLevel: "error" });
  for (const name of ["threadfold", "formats"]) {
    assert.ok(readFileSync(outfile, "utf8").includes(`new URL("./${name}_bg.wasm", import.meta.url)`), name);
  }
});

test("workerd gets the module entry, which starts from compiled modules", async () => {
  const folder = project("workerd");
  const entry = join(folder, "entry.mjs");
  writeFileSync(entry, `import { detectFormat, engineVersion } from "threadfold"; console.log(engineVersion(), ${DETECT});`);
  const outfile = join(folder, "out/bundle.mjs");
  for (const condition of ["workerd", "edge-light"]) {
    await build({
      entryPoints: [entry],
      bundle: true,
      format: "esm",
      outfile,
      conditions: [condition],
      external: ["node:fs"],
      plugins: [modulesOfFiles],
      logLevel: "error",
    });
    assert.equal(run(outfile), ANSWERS, condition);
  }
});

test("a Node bundle that lost the files says so at the first call, and can be given them", async () => {
  const folder = project("lost");
  const entry = join(folder, "entry.cjs");
  writeFileSync(
    entry,
    `const { detectFormat, engineVersion, init, ThreadfoldError } = require("threadfold");
    const file = (name) => require("node:fs").readFileSync(require("node:path").join(${JSON.stringify(join(installed, "dist"))}, name));
    const fileIn = (text) => /threadfold\\/(\\w+)\\.wasm/.exec(text)?.[1] ?? "none";
    const codeOf = (error) => ThreadfoldError.isInstance(error) && fileIn(error.message) + " " + error.code;
    const attempt = (call) => { try { return call(); } catch (error) { return codeOf(error); } };
    const said = [attempt(engineVersion), attempt(() => ${DETECT})];
    (async () => {
      said.push(await init().then(() => "loaded", codeOf));
      await init({ wasm: file("threadfold_bg.wasm") });
      said.push(await init({ formats: true }).then(() => "loaded", codeOf));
      const loading = init({ formats: file("formats_bg.wasm") });
      said.push(attempt(() => ${DETECT}));
      await loading;
      said.push(engineVersion(), ${DETECT});
      console.log(said.join("\\n"));
    })();`,
  );
  const outfile = join(folder, "out/bundle.cjs");
  await build({ entryPoints: [entry], bundle: true, format: "cjs", platform: "node", outfile, logLevel: "error" });
  assert.deepEqual(run(outfile).split("\n"), [
    ...["core wasm-load-failed", "formats wasm-load-failed", "core wasm-load-failed", "formats wasm-load-failed"],
    "none not-initialized",
    ...ANSWERS.split(" "),
  ]);
});

test("the wasm files are there under their own names", () => {
  for (const [name, file] of Object.entries({ core: "threadfold_bg", formats: "formats_bg" })) {
    const path = require.resolve(`threadfold/${name}.wasm`);
    assert.ok(WebAssembly.validate(readFileSync(path)));
    assert.ok(pathToFileURL(path).pathname.endsWith(`/dist/${file}.wasm`));
  }
});
