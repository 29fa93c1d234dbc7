// The tools of the example, and the folder that they cannot leave.

import assert from "node:assert/strict";
import { mkdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { runTool } from "../../examples/node-agent/tools.mjs";
import { scratch } from "./setting.mjs";

/** A folder to work in, and a caller of tools in it that gives the text and whether it is an error. */
async function workplace(t, longestResult = 1_000) {
  const folder = join(await realpath(await scratch(t)), "work");
  await mkdir(folder);
  const call = async (name, given) => {
    const { content, isError, toolCallId, toolName } = await runTool({ type: "toolCall", id: "c1", name, arguments: given }, { folder, longestResult });
    assert.deepEqual([toolCallId, toolName, content.length], ["c1", name, 1]);
    return isError ? { error: content[0].text } : content[0].text;
  };
  return { folder, call };
}

describe("the tools", () => {
  test("write, read, edit, list and search files", async (t) => {
    const { folder, call } = await workplace(t);
    await call("write", { path: "src/a.txt", content: "one\ntwo\nthree\n" });
    await call("write", { path: "b.txt", content: "two\n" });
    assert.equal(await call("read", { path: "src/a.txt" }), "one\ntwo\nthree\n");
    assert.equal(await call("read", { path: "src/a.txt", line: 2 }), "two\nthree\n");
    await call("edit", { path: "src/a.txt", oldText: "one", newText: "$& and $1" });
    assert.equal(await readFile(join(folder, "src/a.txt"), "utf8"), "$& and $1\ntwo\nthree\n");
    assert.equal(await call("list", { path: "." }), `b.txt\n${join("src", "a.txt")}`);
    assert.equal(await call("search", { path: ".", text: "two" }), `b.txt:1: two\n${join("src", "a.txt")}:2: two`);
  });

  test("edit nothing where the passage is missing, empty or not the only one", async (t) => {
    const { folder, call } = await workplace(t);
    await writeFile(join(folder, "a"), "x x");
    for (const oldText of ["y", "x", ""]) assert.match((await call("edit", { path: "a", oldText, newText: "z" })).error, /not once/);
    assert.equal(await readFile(join(folder, "a"), "utf8"), "x x");
  });

  test("say something where there is nothing, and cut what is long", async (t) => {
    const { folder, call } = await workplace(t, 10);
    assert.equal(await call("list", { path: "." }), "(nothing)");
    await writeFile(join(folder, "a"), "0123456789abc");
    assert.equal(await call("read", { path: "a" }), "0123456789\n(3 characters more)");
  });

  test("give an error that the model can act on", async (t) => {
    const { call } = await workplace(t);
    assert.match((await call("shell", {})).error, /no tool shell; there are read, write, edit, list, search/);
    assert.match((await call("read", {})).error, /read needs the argument path, a string; it got undefined/);
    assert.match((await call("read", { path: "a", line: "2" })).error, /argument line, a number; it got "2"/);
    assert.match((await call("read", { path: "missing" })).error, /ENOENT/);
  });

  test("cannot leave their folder, by name or by link", async (t) => {
    const { folder, call } = await workplace(t);
    const outside = join(folder, "..", "outside");
    await mkdir(outside);
    await writeFile(join(outside, "secret"), "secret");
    await symlink(outside, join(folder, "link"));
    await symlink(join(outside, "new"), join(folder, "broken"));
    for (const path of ["..", "../outside/secret", join(outside, "secret"), "link/secret", "link/new", "broken", "broken/new"]) {
      assert.match((await call("read", { path })).error, /outside of the working folder|broken link/, path);
      assert.match((await call("write", { path, content: "" })).error, /outside of the working folder|broken link/, path);
    }
    assert.equal(await call("search", { path: ".", text: "secret" }), "(nothing)");
    assert.equal(await call("write", { path: "..name", content: "x" }), "wrote 1 characters to ..name");
  });
});
