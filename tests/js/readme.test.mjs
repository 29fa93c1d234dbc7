// The documents tell the truth: their examples run and print what they say, their tables are those
// of the code, what they name is there, and no link leads nowhere.
//
// An example says what it prints: `console.log(x); // prints: text`. Each line of its output is
// held against the next of these.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join, relative } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { defaultSettings, Session } from "threadfold";
import ts from "typescript";
import { throwsCode } from "./throws.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path) => readFileSync(join(root, path), "utf8");

// A project of its own, outside the repository, that finds the packages of this one.
const scratch = mkdtempSync(join(tmpdir(), "threadfold-readme-"));
after(() => rmSync(scratch, { recursive: true, force: true }));
symlinkSync(join(root, "node_modules"), join(scratch, "node_modules"), "junction");

/** Fenced blocks of a document, with the line on which each starts. */
function blocks(path) {
  const found = [];
  let open;
  for (const [index, line] of read(path).split("\n").entries()) {
    const fence = /^```(\w*)\s*$/.exec(line);
    if (open !== undefined && fence !== null) {
      found.push(open);
      open = undefined;
    } else if (open !== undefined) open.text += `${line}\n`;
    else if (fence !== null) open = { language: fence[1], line: index + 1, text: "" };
  }
  assert.equal(open, undefined, `${path}: a block is not closed`);
  return found;
}

const EXTENSIONS = { js: "mjs", mjs: "mjs", cjs: "cjs", ts: "mts" };

for (const path of ["README.md", "AGENT.md", "TOKENS.md", "pkg-template/README.md"]) {
  describe(`the examples of ${path}`, () => {
    const examples = blocks(path).filter(({ language }) => language in EXTENSIONS);
    it("are there", () => assert.ok(examples.length > 0));
    for (const { language, line, text } of examples) {
      it(`line ${line}: run and print what they say`, async () => {
        const file = join(scratch, `${path.replace(/\W/g, "-")}-${line}.${EXTENSIONS[language]}`);
        writeFileSync(file, text);
        if (language === "ts") assertTypes(file);
        const program = language === "ts" ? await withoutTypes(file) : file;
        const printed = execFileSync(process.execPath, [program], { cwd: scratch, encoding: "utf8" }).split("\n");
        const promised = [...text.matchAll(/\/\/ prints: (.*)$/gm)].map(([, words]) => words);
        assert.ok(promised.length > 0, "an example that says nothing proves nothing");
        assert.deepEqual(printed, [...promised, ""]);
      });
      if (!/\b(node:|require\()/.test(text)) {
        it(`line ${line}: bundle for a browser`, () =>
          build({ stdin: { contents: text, loader: language === "ts" ? "ts" : "js", resolveDir: root }, ...BROWSER }));
      }
    }
  });
}

const BROWSER = { bundle: true, write: false, platform: "browser", format: "esm", target: "es2022", logLevel: "error" };

async function withoutTypes(file) {
  const outfile = file.replace(/mts$/, "mjs");
  await build({ entryPoints: [file], outfile, logLevel: "error" });
  return outfile;
}

function assertTypes(file) {
  const options = {
    noEmit: true,
    strict: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.esnext.disposable.d.ts"],
    types: [],
  };
  const faults = ts.getPreEmitDiagnostics(ts.createProgram([file], options));
  assert.deepEqual(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")), []);
}

/** The rows of the table whose first column has that title, as cells. */
function table(path, title) {
  const lines = read(path).split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${title} |`));
  assert.ok(start >= 0, `${path} has no table of ${title}`);
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end).map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

const code = (cell) => /^`(.*)`$/.exec(cell)?.[1];

/** The words of a union of strings in a TypeScript file. */
function union(path, name) {
  const declared = new RegExp(`export type ${name} =([^;]*);`).exec(read(path));
  assert.ok(declared !== null, `${path} declares no ${name}`);
  return [...declared[1].matchAll(/"([^"]+)"/g)].map(([, word]) => word);
}

describe("the tables of README.md", () => {
  for (const [title, path, name] of [
    ["code", "pkg-template/src/error.ts", "ErrorCode"],
    ["reason", "pkg-template/src/data.ts", "NothingToDoReason"],
    ["status", "pkg-template/src/data.ts", "Status"],
    ["kind", "pkg-template/src/data.ts", "DiagnosticKind"],
  ]) {
    it(`${title}: is the list ${name} of ${path}`, () => {
      const listed = table("README.md", title).map(([cell]) => code(cell));
      assert.deepEqual(listed.sort(), union(path, name).sort());
    });
  }

  it("setting: has every setting with its default, and no other", () => {
    const rows = table("README.md", "setting");
    const listed = rows.map(([name, value]) => [code(name), value === "none" ? undefined : JSON.parse(code(value))]);
    const flat = Object.entries(defaultSettings).flatMap(([part, value]) =>
      typeof value === "object" ? Object.entries(value).map(([key, value]) => [`${part}.${key}`, value]) : [[part, value]],
    );
    // The one setting without a default.
    flat.push(["compaction.remoteEndpoint", undefined]);
    assert.deepEqual(new Map(listed), new Map(flat));
    assert.equal(listed.length, flat.length, "a setting stands there twice");
  });

  it("field: has every field of a context size", () => {
    const fields = table("README.md", "field").flatMap(([cell]) => cell.split(", ").map(code));
    const declared = /export type ContextUsage = \{([^}]*)\}/.exec(read("pkg-template/src/data.ts"))[1];
    assert.deepEqual(fields.sort(), [...declared.matchAll(/^(\w+)\??:/gm)].map(([, name]) => name).sort());
  });
});

/** Every file below a folder, but for what is built or installed. */
function files(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((file) => {
    const path = join(folder, file.name);
    if (!file.isDirectory()) return [path];
    const ours = !file.name.startsWith(".") && !["node_modules", "target", "pkg", "glue"].includes(file.name);
    return ours ? files(path) : [];
  });
}

const all = files(".");
const markdown = all.filter((path) => extname(path) === ".md");
/** Prompts name what a model is to write, not what is here. */
const documents = markdown.filter((path) => !path.startsWith("prompts"));

/** The text without fenced blocks. */
const prose = (path) => read(path).replace(/^```[^]*?^```/gm, "");

/** A heading as the address that a link names. */
const anchor = (heading) => heading.trim().toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replace(/ /g, "-");

const anchors = (path) => [...prose(path).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchor(heading));

describe("links", () => {
  for (const path of markdown) {
    it(`of ${path} lead somewhere`, () => {
      for (const [, target] of prose(path).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const [file, fragment] = target.split("#");
        const found = file === "" ? path : join(dirname(path), file);
        assert.ok(existsSync(join(root, found)), `${target}: no such file`);
        if (fragment !== undefined) assert.ok(anchors(found).includes(fragment), `${target}: no such heading`);
      }
    });
  }

  it("of what goes into the package need nothing that does not", () => {
    for (const path of ["pkg-template/README.md", "CHANGELOG.md"]) {
      assert.deepEqual([...prose(path).matchAll(/\]\((?![a-z]+:)[^)]*\)/g)].map(([link]) => link), [], path);
    }
  });
});

describe("what the documents name", () => {
  const rust = all.filter((path) => extname(path) === ".rs").map(read).join("\n");
  const scripts = all.filter((path) => path.startsWith("tests") && extname(path) === ".mjs").map(read).join("\n");
  const tests = new Set([...rust.matchAll(/fn (\w+)\(/g)].map(([, name]) => name));

  for (const path of documents) {
    const spans = [...prose(path).matchAll(/`([^`\n]+)`/g)].map(([, span]) => span);

    it(`${path}: files and folders are there`, () => {
      const made = /^(target|pkg|node_modules)\b/;
      const named = spans.filter((span) => /^[\w.-]+(\/[\w.*-]*)+$/.test(span) && !made.test(span));
      const tops = new Set(all.map((path) => path.split(/[\\/]/)[0]));
      for (const span of named.filter((span) => tops.has(span.split("/")[0]) && !span.includes("*"))) {
        assert.ok(existsSync(join(root, span)), `${span} is not there`);
      }
    });

    it(`${path}: Rust tests are there`, () => {
      const words = read("pkg-template/src/data.ts"); // Such as the classes of errors.
      const named = spans.filter((span) => /^[a-z0-9]+(_[a-z0-9]+){2,}$/.test(span) && !words.includes(`"${span}"`));
      for (const span of named) assert.ok(tests.has(span), `no function is named ${span}`);
    });

    it(`${path}: JavaScript tests are there`, () => {
      for (const [, name] of prose(path).matchAll(/“([^”]+)”/g)) {
        assert.ok(scripts.includes(name), `no test says “${name}”`);
      }
    });

    it(`${path}: names no folder of one machine`, () => {
      assert.doesNotMatch(read(path).replaceAll("/home/me/project", ""), /(^|[\s`"'(])\/(home|root|work|Users|tmp)\//m);
    });
  }
});
