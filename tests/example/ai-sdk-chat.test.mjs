// The example chat with the AI SDK, in a window that its conversation outgrows many times.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { validateMessages } from "threadfold";
import { openFile } from "../../examples/ai-sdk-chat/chat-file.mjs";
import { Chat } from "../../examples/ai-sdk-chat/chat.mjs";
import { openModel } from "../../examples/ai-sdk-chat/model.mjs";
import { readOptions, UsageError } from "../../examples/ai-sdk-chat/options.mjs";
import { listen } from "./listen.mjs";
import { provideTalk } from "./provide-talk.mjs";
import { scratch } from "./setting.mjs";
import { ASKS_FOR_FACT, FACT, NOTE, NOTE_TURN, said } from "./small-talk.mjs";

const WINDOW = 6_000;
const TURNS = 60;
/**
 * Leaves the model's answers their room, and the summariser's; and what the local provider counts more than the
 * estimate: four characters a token, where the talk's are five.
 */
const SETTINGS = { compaction: { keepRecentTokens: 1_500, reserveTokens: 2_000, shortSummary: false } };

const provide = (t, options) => provideTalk(t, { window: WINDOW, ...options });

/** Opens a chat on a file, as the program does. */
async function openChat(provider, path, more = {}) {
  const folds = [];
  const chat = new Chat({
    file: await openFile(path),
    model: openModel({ baseURL: provider.baseURL.openai, model: "m" }),
    contextWindow: WINDOW,
    settings: SETTINGS,
    onText() {},
    onFold: (outcome) => folds.push(outcome),
    approve: async () => true,
    ...more,
  });
  return { chat, folds };
}

const textOf = ({ parts }) => parts.filter(({ type }) => type === "text").map(({ text }) => text).join("\n");
const fileOf = async (t) => join(await scratch(t), "chat.json");
const kept = (path) => JSON.parse(readFileSync(path, "utf8"));

describe("the chat with the AI SDK", () => {
  test(`goes on for ${TURNS} turns, with a restart in the middle`, async (t) => {
    const provider = await provide(t);
    const path = await fileOf(t);
    let { chat, folds } = await openChat(provider, path);
    let all = [];
    const talkTo = async (turn) => {
      const before = chat.messages;
      await chat.send(said(turn));
      for (const [at, message] of before.entries()) assert.equal(chat.messages[at], message, `message ${at} in turn ${turn}`);
      assert.equal(chat.messages.length, before.length + 2);
    };
    for (let turn = 1; turn <= TURNS / 2; turn += 1) await talkTo(turn);
    all = folds;
    const before = provider.asked.length;
    ({ chat, folds } = await openChat(provider, path));
    for (let turn = TURNS / 2 + 1; turn <= TURNS; turn += 1) await talkTo(turn);
    all = [...all, ...folds];

    assert.deepEqual(provider.violations, []);
    assert.ok(provider.requests.every(({ outcome, tokens }) => outcome === "answered" && tokens < WINDOW));
    assert.ok(all.length >= 4 && folds.length >= 2, `${all.length} folds`);

    // Only the first summary is made from nothing; the others go on from the one before, also after the restart.
    // The beginning of a turn that is cut in two has a request of its own.
    const summaries = provider.asked.filter(({ kind }) => kind === "summary").map(({ request }) => request.messages[0].parts[0].text);
    const goOn = summaries.filter((text) => text.includes("\n## Goal\n")).map((text) => text.includes("<previous-summary>"));
    assert.deepEqual(goOn, all.map((_, at) => at > 0));
    for (const { request } of provider.asked.slice(before).filter(({ kind }) => kind === "summary")) {
      assert.ok(!JSON.stringify(request).includes("Question 2:"), "what was folded is told again");
    }

    // A summary stands for the beginning, and the rest is what was said.
    const last = provider.last.messages.map(({ parts }) => parts.map(({ text = "" }) => text).join());
    assert.ok(last[0].includes("<summary>") && last[0].includes(FACT));
    assert.ok(last.length < TURNS && last.some((text) => text.startsWith(`Question ${TURNS}:`)));
    assert.equal(textOf(await chat.send(ASKS_FOR_FACT)), `You said that ${FACT}.`);

    // The chat itself is whole, legal and stored with what the next fold goes on from.
    assert.equal(chat.messages.length, 2 * (TURNS + 1));
    assert.deepEqual(validateMessages(chat.messages, "ai-sdk-ui").problems, []);
    const { messages, foldState, notes } = kept(path);
    assert.deepEqual([messages.length, foldState.version, notes], [chat.messages.length, 1, [NOTE]]);
  });

  for (const agrees of [true, false]) {
    test(`a note is written only where the user agrees: ${agrees ? "yes" : "no"}`, async (t) => {
      const provider = await provide(t);
      const path = await fileOf(t);
      const questions = [];
      const { chat } = await openChat(provider, path, { approve: async ({ text }) => (questions.push(text), agrees) });
      const answer = await chat.send(said(NOTE_TURN));
      assert.deepEqual(questions, [NOTE]);
      assert.deepEqual(kept(path).notes, agrees ? [NOTE] : []);
      assert.equal(answer.parts.find(({ type }) => type === "tool-writeNote").state, agrees ? "output-available" : "output-denied");
      assert.match(textOf(answer), /^The tools say: /);
      const notes = textOf(await chat.send("Question 10: what do the notes say?"));
      assert.equal(notes.includes(NOTE), agrees);
      assert.deepEqual(provider.violations, []);
    });
  }

  for (const kind of ["chat", "summary"]) {
    test(`a turn that is stopped in a request for ${kind === "chat" ? "an answer" : "a summary"} leaves everything as it was`, async (t) => {
      let abort;
      const provider = await provide(t, {
        async onRequest(record, closed) {
          if (record.kind !== kind || (kind === "chat" && record.turn < 3)) return;
          abort.abort();
          await closed;
        },
      });
      const path = await fileOf(t);
      const { chat, folds } = await openChat(provider, path);
      for (let turn = 1; turn < 30; turn += 1) {
        abort = new AbortController();
        const [messages, stored] = [chat.messages, existsSync(path) && readFileSync(path, "utf8")];
        const failure = await chat.send(said(turn), abort.signal).then(() => undefined, (error) => error);
        if (failure === undefined) continue;
        assert.deepEqual([failure.name, abort.signal.aborted, chat.isBusy], ["AbortError", true, false]);
        assert.equal(chat.messages, messages);
        assert.equal(readFileSync(path, "utf8"), stored);
        assert.deepEqual([folds, provider.violations], [[], []]);
        return;
      }
      assert.fail("nothing was stopped");
    });
  }

  for (const of of ["chat", "summary"]) {
    test(`a wrong key in a request for ${of === "chat" ? "an answer" : "a summary"} is told, and leaves everything as it was`, async (t) => {
      const provider = await provide(t, { faults: [{ fault: "wrong-key", of, turn: of === "chat" ? 3 : 0 }] });
      const path = await fileOf(t);
      const { chat } = await openChat(provider, path);
      let failed;
      let turn = 1;
      for (; failed === undefined && turn < 30; turn += 1) {
        const before = chat.messages;
        failed = await chat.send(said(turn)).then(() => undefined, (error) => error);
        if (failed !== undefined) assert.equal(chat.messages, before);
      }
      assert.match(failed.message, /Incorrect API key/);
      await chat.send(said(turn));
      assert.equal(existsSync(path), true);
    });
  }
});

describe("the program of the chat with the AI SDK", () => {
  const main = fileURLToPath(new URL("../../examples/ai-sdk-chat/main.mjs", import.meta.url));
  const REQUIRED = ["--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--window", "6000"];

  test("takes its options from the command line or the environment", () => {
    const expected = { baseURL: "http://127.0.0.1:9/v1", model: "m", window: 6_000, apiKey: undefined, chat: "chat.json" };
    assert.deepEqual(readOptions(REQUIRED, {}), expected);
    assert.deepEqual(readOptions(["--chat", "c"], { BASE_URL: expected.baseURL, MODEL: "m", CONTEXT_WINDOW: "6000", API_KEY: "k" }), { ...expected, apiKey: "k", chat: "c" });
    for (const [args, complaint] of [
      [[], /--base-url is missing, and BASE_URL is not set/],
      [[...REQUIRED, "--window", "big"], /--window wants a whole number of tokens/],
      [["--colour"], /Unknown option '--colour'/],
    ]) {
      assert.throws(() => readOptions(args, {}), (error) => error instanceof UsageError && complaint.test(error.message));
    }
    const { status, stderr } = spawnSync(process.execPath, [...process.execArgv, main], { encoding: "utf8", env: {} });
    assert.equal(status, 1);
    assert.match(stderr, /^--base-url is missing[^\n]*\n\nusage: node main\.mjs/);
  });

  test("asks about a note, answers, and goes on with its file the next time", async (t) => {
    const provider = await provide(t);
    const path = await fileOf(t);
    const args = [main, "--base-url", provider.baseURL.openai, "--model", "m", "--window", String(WINDOW), "--chat", path];
    for (const [line, hello] of [[said(NOTE_TURN), /^A new chat\./], ["Question 10: what do the notes say?", /^The chat goes on, with 2 messages\./]]) {
      const child = spawn(process.execPath, [...process.execArgv, ...args]);
      t.after(() => child.kill());
      const ended = once(child, "exit");
      const stdout = listen(child.stdout);
      child.stdin.write(`${line}\n`);
      if (line === said(NOTE_TURN)) {
        await stdout.until(/Write the note "[^"]*"\? \(y\/n\) $/);
        child.stdin.write("y\n");
      }
      await stdout.until(/The tools say: [^]*> $/);
      child.stdin.end();
      assert.deepEqual(await ended, [0, null]);
      assert.match(stdout.text, hello);
    }
    assert.deepEqual(kept(path).notes, [NOTE]);
    assert.deepEqual(provider.violations, []);
  });

  test("needs the versions of the packages that it is tested with", () => {
    const { dependencies } = JSON.parse(readFileSync(join(main, "../package.json"), "utf8"));
    const { devDependencies } = JSON.parse(readFileSync(join(main, "../../../package.json"), "utf8"));
    const { threadfold, ...others } = dependencies;
    assert.equal(threadfold, "*");
    for (const [name, version] of Object.entries(others)) assert.equal(version, devDependencies[name], name);
  });
});
