// The example as a program: its command line, its session file, and a real terminal.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { readOptions, UsageError } from "../../examples/node-agent/options.mjs";
import { ESCAPE } from "./fake-tty.mjs";
import { listen } from "./listen.mjs";
import { provide, scratch } from "./setting.mjs";
import { promptOf } from "./story/turns.mjs";

const main = fileURLToPath(new URL("../../examples/node-agent/main.mjs", import.meta.url));
const env = { ...process.env, OPENAI_API_KEY: "a-key", ANTHROPIC_API_KEY: "a-key" };

const REQUIRED = ["--provider", "anthropic", "--model", "m", "--window", "16000"];

const optionsFor = (provider, folder) => [
  ...[...REQUIRED, "--max-output", "2000"],
  ...["--base-url", provider.baseURL.anthropic, "--folder", join(folder, "work"), "--session", join(folder, "session.jsonl")],
];

describe("the program", () => {
  for (const [name, args, complaint, without = {}] of [
    ["no arguments", [], /--provider wants anthropic or openai, not nothing/],
    ["no model", ["--provider", "openai"], /--model is missing/],
    ["a window that is none", ["--provider", "openai", "--model", "m", "--window", "big"], /--window wants a whole number of tokens, not big/],
    ["no key", ["--provider", "openai", "--model", "m"], /OPENAI_API_KEY is not set/, { OPENAI_API_KEY: "" }],
    ["settings that are not there", [...REQUIRED, "--settings", "no-such-file"], /--settings no-such-file: ENOENT/],
    ["an unknown option", ["--colour"], /Unknown option '--colour'/],
  ]) {
    test(`refuses to be called with ${name}`, () => {
      assert.throws(() => readOptions(args, { ...env, ...without }), (error) => error instanceof UsageError && complaint.test(error.message));
    });
  }

  test("explains itself when it is called wrongly", () => {
    const { status, stderr } = spawnSync(process.execPath, [...process.execArgv, main, "--colour"], { encoding: "utf8", env });
    assert.equal(status, 1);
    assert.match(stderr, /^Unknown option '--colour'[^\n]*\n\nusage: node main\.mjs/);
  });

  test("says what is wrong with a setting or a session file, without a stack", async (t) => {
    const folder = await scratch(t);
    const [settings, session] = ["settings.json", "session.jsonl"].map((name) => join(folder, name));
    writeFileSync(settings, JSON.stringify({ compaction: { reserve: 1 } }));
    writeFileSync(session, "a shopping list\n");
    for (const [args, complaint] of [
      [["--settings", settings, "--session", join(folder, "new.jsonl")], /^[^\n]*compaction\.reserve[^\n]*\n$/],
      [["--session", session], /^[^\n]*session[^\n]*\n$/],
    ]) {
      const { status, stderr } = spawnSync(process.execPath, [...process.execArgv, main, ...REQUIRED, ...args], { cwd: folder, encoding: "utf8", env });
      assert.equal(status, 1);
      assert.match(stderr, complaint);
    }
  });

  test("answers what is piped in, ends with its input, and goes on with its session the next time", async (t) => {
    // Waits for real once, as long as the backoff says.
    const provider = await provide(t, { faults: [{ fault: "overloaded" }] });
    const folder = await scratch(t);
    for (const turn of [1, 2]) {
      const child = spawn(process.execPath, [...process.execArgv, main, ...optionsFor(provider, folder)], { env });
      const ended = once(child, "exit");
      const said = listen(child.stdout);
      child.stdin.end(`${promptOf(turn)}\n`);
      assert.deepEqual(await ended, [0, null]);
      assert.match(said.text, turn === 1 ? /^A new session\./ : /^The session goes on, with 4 messages in its context\./);
      assert.match(said.text, new RegExp(`Turn ${turn} is done`));
    }
    assert.match(readFileSync(join(folder, "work/src/part-1.mjs"), "utf8"), /table1Width/);
    assert.equal(readFileSync(join(folder, "session.jsonl"), "utf8").match(/"role":"user"/g).length, 2);
    assert.deepEqual(provider.violations, []);
  });

  test("needs the versions of the vendors' packages that it is tested with", () => {
    const { dependencies } = JSON.parse(readFileSync(join(main, "../package.json"), "utf8"));
    const { devDependencies } = JSON.parse(readFileSync(join(main, "../../../package.json"), "utf8"));
    assert.deepEqual(Object.keys(dependencies), ["@anthropic-ai/sdk", "openai", "threadfold"]);
    for (const name of ["@anthropic-ai/sdk", "openai"]) assert.equal(dependencies[name], devDependencies[name]);
  });

  test("can be tried on the local provider, which says how", async (t) => {
    const server = spawn(process.execPath, [...process.execArgv, fileURLToPath(new URL("serve.mjs", import.meta.url))]);
    t.after(() => server.kill());
    const [, call] = await listen(server.stdout).until(/ANTHROPIC_API_KEY=none node main\.mjs (.*)\n/);
    const { stdout } = spawnSync(process.execPath, [...process.execArgv, main, ...call.split(" ")], { cwd: await scratch(t), encoding: "utf8", env, input: "Turn 1: go\n" });
    assert.match(stdout, /Turn 1 is done/);
  });

  const { stdout = "" } = spawnSync("script", ["--version"], { encoding: "utf8" });
  const skip = stdout.includes("util-linux") ? false : "the `script` of util-linux, which gives a program a terminal, is absent";
  test("hears Escape in a real terminal", { skip }, async (t) => {
    let hold = false;
    const provider = await provide(t, { onRequest: (_, closed) => (hold ? closed : undefined) });
    const folder = await scratch(t);
    const settings = join(folder, "settings.json");
    writeFileSync(settings, JSON.stringify({ compaction: { keepRecentTokens: 100 } }));
    const command = [process.execPath, ...process.execArgv, main, ...optionsFor(provider, folder), "--settings", settings];
    const child = spawn("script", ["-qec", command.join(" "), "/dev/null"], { env });
    t.after(() => child.kill("SIGKILL"));
    const ended = once(child, "exit");
    const said = listen(child.stdout);
    await said.until(/> $/);
    for (const turn of [1, 2]) {
      child.stdin.write(`${promptOf(turn)}\r`);
      await said.until(new RegExp(`Turn ${turn} is done.*> $`, "s"));
    }
    hold = true;
    child.stdin.write("/compact\r");
    await said.until(/Compacting; Escape stops it/);
    while (!provider.requests.some(({ kind }) => kind === "summary")) await new Promise((resolve) => setTimeout(resolve, 5));
    child.stdin.write(ESCAPE);
    await said.until(/Stopped\. The session is as it was\..*> $/s);
    child.stdin.write("/quit\r");
    assert.deepEqual(await ended, [0, null]);
  });
});
