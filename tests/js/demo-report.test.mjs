// The demo's formatting, without the package: widths, harmless text, sections of the report.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { foldedPath, parseArguments, UsageError } from "../../demo/arguments.mjs";
import { bar, shares } from "../../demo/bars.mjs";
import { images, messageOf, roleName, snippet, withoutImages } from "../../demo/messages.mjs";
import { palette, wantsColour } from "../../demo/paint.mjs";
import { eventText, Progress } from "../../demo/progress.mjs";
import * as report from "../../demo/report.mjs";
import { fillOf, surveyContext, surveyCut, surveyTree } from "../../demo/survey.mjs";
import { clip, grouped, harmless, oneLine, padded, percent, short, size, width, wrap } from "../../demo/text.mjs";

const plain = { paint: palette(false), columns: 90 };

describe("text of a session is made harmless", () => {
  const cases = [
    ["\x1b[31mred\x1b[0m", "red"],
    ["\x1b]0;owned\x07title", "title"],
    ["\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\", "link"],
    ["\x1b]52;c;never ended", ""],
    ["\x1bPq sixel\x1b\\after", "after"],
    ["\x9b2Jcleared", "cleared"],
    ["\x1bc reset", " reset"],
    ["bell \x07 back \b", "bell ␇ back ␈"],
    ["lone \x1b", "lone ␛"],
    ["over\rwritten", "over\nwritten"],
    ["\u202egnp.exe", "gnp.exe"],
    ["zero\u200bwidth \u2066isolate\u2069", "zerowidth isolate"],
    ["half \ud83d", "half \ufffd"],
    ["tab\tstop", "tab  stop"],
    ["さくら丸 👩‍👩‍👧", "さくら丸 👩‍👩‍👧"],
  ];
  for (const [text, expected] of cases) {
    it(JSON.stringify(text), () => assert.equal(harmless(text), expected));
  }

  it("leaves no control character whatever comes in", () => {
    const everything = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).join("");
    assert.doesNotMatch(harmless(everything), /[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  });

  it("is done in every section that shows session text", () => {
    const evil = "\x1b[2J\x1b]0;x\x07evil\u202e";
    const cut = cutOf({ firstKept: { role: "user", text: oneLine(evil) }, firstKeptEntryId: evil });
    const entry = { summary: evil, shortSummary: evil };
    const lines = [
      ...report.titleLines({ file: evil, bytes: 1, name: evil, cwd: evil, window: 9 }, plain),
      ...report.cutLines(cut, plain),
      ...report.summaryLines(entry, plain),
      ...report.fileLines({ modifiedFiles: [evil], readFiles: [evil] }, plain),
      ...report.nothingLines({ reason: evil, message: evil }, plain),
      ...report.contextLines([{ role: roleName({ role: evil }), tokens: 1, text: snippet({ role: "user", content: evil }) }], plain),
    ];
    assert.doesNotMatch(lines.join("\n"), /[\x1b\x07\u202e]/);
  });
});

describe("widths", () => {
  const cases = [
    ["plain", 5],
    ["さくら丸", 8],
    ["한글", 4],
    ["Чайка", 5],
    ["ｱｲ", 2],
    ["Ａ", 2],
    ["👩‍👩‍👧", 2],
    ["⚠️", 2],
    ["⚠", 1],
    ["🇩🇰", 2],
    ["e\u0301", 1],
    ["क्षि", 1],
    ["الحاوية", 7],
    ["", 0],
  ];
  for (const [text, columns] of cases) it(`${text} takes ${columns}`, () => assert.equal(width(text), columns));

  it("clips on a cluster, never beyond the columns", () => {
    assert.equal(clip("さくら丸", 8), "さくら丸");
    assert.equal(clip("さくら丸", 7), "さくら…");
    assert.equal(clip("さくら丸", 6), "さく…");
    assert.equal(clip("a👩‍👩‍👧b", 3), "a…");
    assert.equal(clip("text", 0), "");
    assert.equal(width(padded("横浜", 9)), 9);
    assert.equal(width(padded("a long name indeed", 9)), 9);
  });

  it("wraps at spaces, and inside what has none", () => {
    assert.deepEqual(wrap("one two three", 8), ["one two", "three"]);
    assert.deepEqual(wrap("- one two three", 8, "  "), ["- one", "  two", "  three"]);
    assert.deepEqual(wrap("横浜の代理店", 6), ["横浜の", "代理店"]);
    assert.deepEqual(wrap("a\n\nb", 8), ["a", "", "b"]);
    const text = "x".repeat(50) + " 横浜".repeat(40) + " y".repeat(300);
    for (const columns of [7, 20, 81]) {
      for (const line of wrap(text, columns, "  ")) assert.ok(width(line) <= columns, `${columns}: ${line}`);
    }
  });

  it("numbers read like numbers", () => {
    assert.deepEqual([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    assert.deepEqual([7, 999, 1000, 61_234, 99_949, 99_950, 1_200_000].map(short), ["7", "999", "1.0k", "61.2k", "99.9k", "100k", "1200k"]);
    assert.deepEqual([1, 950, 4_000, 2_600_000].map(size), ["1 byte", "950 bytes", "4 kB", "2.6 MB"]);
    assert.deepEqual([percent(1, 2), percent(1, 1000), percent(0, 5), percent(1, 0)], ["50 %", "<1 %", "0 %", "0 %"]);
  });
});

describe("bars", () => {
  it("a bar shows its part, and a sliver of anything", () => {
    assert.equal(bar(50, 100, 10), "█████");
    assert.equal(bar(1, 10_000, 10), "▏");
    assert.equal(bar(200, 100, 4), "████");
    assert.deepEqual([bar(0, 100, 10), bar(1, 0, 10), bar(Number.NaN, 1, 10)], ["", "", ""]);
  });

  it("shares fill the strip exactly", () => {
    for (const parts of [[1, 1, 1], [1_000_000, 1, 1], [5], [0, 3], [3, 0, 997]]) {
      const widths = shares(parts, 80);
      assert.equal(widths.reduce((sum, w) => sum + w, 0), 80);
      parts.forEach((part, index) => assert.equal(widths[index] > 0, part > 0));
    }
    assert.deepEqual(shares([0, 0], 80), [0, 0]);
  });
});

describe("colour", () => {
  it("needs a terminal and nobody who objects", () => {
    assert.equal(wantsColour({ isTTY: true }, {}), true);
    assert.equal(wantsColour({ isTTY: true }, { NO_COLOR: "1" }), false);
    assert.equal(wantsColour({ isTTY: true }, { TERM: "dumb" }), false);
    assert.equal(wantsColour({}, {}), false);
  });

  it("is the text itself when off", () => {
    assert.equal(palette(false).red("x"), "x");
    assert.equal(palette(true).red("x"), "\x1b[31mx\x1b[39m");
    assert.equal(palette(true).red(""), "");
  });
});

describe("arguments", () => {
  const parse = (line, env = {}) => parseArguments(line.split(" ").filter(Boolean), env);

  it("have defaults", () => {
    assert.deepEqual(parse("work/a.jsonl"), { help: false, session: "work/a.jsonl", out: foldedPath("work/a.jsonl"), window: 200_000, keep: undefined });
    assert.equal(foldedPath("a.jsonl"), "a.folded.jsonl");
    assert.equal(foldedPath("session"), "session.folded.jsonl");
  });

  it("may come in several spellings", () => {
    const options = parse("a.jsonl b.jsonl --window=100k --keep 20_000", { THREADFOLD_WINDOW: "32000" });
    assert.deepEqual([options.out, options.window, options.keep], ["b.jsonl", 100_000, 20_000]);
    assert.equal(parse("a", { THREADFOLD_WINDOW: "32000" }).window, 32_000);
    assert.equal(parse("--help").help, true);
  });

  for (const line of ["", "a b c", "a --window", "a --window 0", "a --window 1.5", "a --keep -3", "a --keep x", "a --wide"]) {
    it(`refuses "${line}"`, () => assert.throws(() => parse(line), UsageError));
  }
});

describe("messages", () => {
  it("are told in a line", () => {
    const cases = [
      [{ role: "user", content: "  hello\n\nthere " }, "hello there"],
      [{ role: "user", content: [{ type: "text", text: "look" }, { type: "image", data: "AA" }] }, "look · [image]"],
      [{ role: "assistant", content: [{ type: "thinking", thinking: "hm" }] }, "(thinking) hm"],
      [{ role: "assistant", content: [{ type: "toolCall", name: "read", arguments: { path: "a.ts" } }, { type: "toolCall", name: "go", arguments: {} }] }, "read(a.ts) · go(…)"],
      [{ role: "assistant", content: [], stopReason: "error" }, "(error)"],
      [{ role: "toolResult", toolName: "bash", content: [{ type: "text", text: "ok\n" }] }, "bash: ok"],
      [{ role: "bashExecution", command: "ls", output: "x" }, "$ ls"],
      [{ role: "fileMention", files: [{ path: "a" }, { path: "b" }] }, "a, b"],
      [{ role: "compactionSummary", summary: "## Goal\nDo it" }, "Goal Do it"],
      [{ role: "user", content: null }, "(empty)"],
      [{ role: "assistant", content: [null, 3, { type: "text" }] }, "(empty)"],
    ];
    for (const [message, expected] of cases) assert.equal(snippet(message), expected);
    assert.equal(roleName({ role: "toolResult" }), "tool result");
    assert.equal(roleName({ role: "constructor" }), "constructor");
  });

  it("know their images", () => {
    const image = { type: "image", data: "AA", mimeType: "image/png" };
    const message = { role: "user", content: [{ type: "text", text: "x" }, image], files: [{ path: "p", image }] };
    assert.equal(images(message).length, 2);
    assert.deepEqual(withoutImages(message), { role: "user", content: [{ type: "text", text: "x" }], files: [{ path: "p" }] });
  });

  it("come from entries", () => {
    assert.equal(messageOf({ type: "label" }), undefined);
    assert.equal(messageOf({ type: "branch_summary", summary: "s" }).role, "branchSummary");
  });
});

describe("progress", () => {
  const stream = (isTTY) => ({ isTTY, text: "", write(text) { this.text += text; } });

  it("is silent about quick steps where nobody watches", async () => {
    const out = stream(false);
    const [value] = await new Progress(out).step("loading", () => 7);
    assert.deepEqual([value, out.text], [7, ""]);
  });

  it("cleans its line up, also after a failure", async () => {
    const out = stream(true);
    await assert.rejects(new Progress(out).step("loading", () => Promise.reject(new Error("no"))));
    assert.match(out.text, /… loading/);
    assert.ok(out.text.endsWith("\r\x1b[2K"));
  });

  it("tells a run's events", () => {
    assert.equal(eventText({ type: "compaction_progress", phase: "history", request: 1, requests: 3 }), "history, request 1 of 3");
    assert.equal(eventText({ type: "compaction_end" }), undefined);
  });
});

describe("the report", () => {
  it("fits its columns at every width", () => {
    for (const terminal of [undefined, 40, 80, 97, 300]) {
      const columns = report.reportColumns(terminal);
      assert.ok(columns >= 60 && columns <= 100);
      const style = { paint: palette(false), columns };
      const rows = Array.from({ length: 40 }, (_, index) => ({ role: "tool result", tool: "bash", tokens: index * 1000, images: 0, imageTokens: 0, text: "横浜の代理店から連絡がありました。".repeat(9) }));
      const lines = [
        ...report.titleLines({ file: "x".repeat(200), bytes: 5_000_000, name: "n".repeat(200), cwd: "/home/dev", window: 200_000 }, style),
        ...report.beforeLines({ tree: { entries: 1, branches: 3, onPath: 1, messages: 1, compactions: 2, diagnostics: [{ line: 3, kind: "malformed-line", message: "m".repeat(300) }] }, usage: { tokens: 1, low: 0, high: 2, percent: 1, source: "estimate", limit: 9 }, fill: fillOf(rows) }, style),
        ...report.cutLines(cutOf({ firstKept: rows[0], turnStart: rows[1] }), style),
        ...report.summaryLines({ summary: "word ".repeat(400), shortSummary: "s ".repeat(300) }, style),
        ...report.contextLines(rows, style),
      ];
      for (const line of lines) assert.ok(width(line) <= columns, `${columns}: ${width(line)} ${line}`);
    }
  });

  it("says where the measure comes from", () => {
    assert.equal(report.usageText({ tokens: 1234, low: 1100, high: 1400, percent: 12.3, source: "estimate" }), "1,234 (12 % of the window); estimated from the text; the next request between 1,100 and 1,400");
    assert.match(report.usageText({ tokens: 20, low: 20, high: 20, limit: 10, source: "usage+estimate" }), /^20; as the provider counted, what follows estimated; over the 10 at which to fold$/);
    assert.match(report.usageText({ tokens: 5, low: 5, high: 5, reason: "unknown-window" }), /window of the model is not known/);
  });

  it("explains the cut", () => {
    const reasons = (change) => Object.fromEntries(report.cutReasons(cutOf(change)));
    assert.match(reasons({ asked: 20_000, budget: 16_000 })["keep budget"], /20,000 by the setting.*1\.25 times/);
    assert.equal(reasons({ asked: 20_000, budget: 20_000 })["keep budget"], "20,000 tokens of the newest conversation");
    assert.match(reasons({ kept: { entries: 3, tokens: 21_000 } }).kept, /reached at the assistant below$/);
    assert.match(reasons({ kept: { entries: 3, tokens: 90_000 } }).kept, /more than asked for/);
    assert.match(reasons({ kept: { entries: 3, tokens: 12_000 } }).kept, /never parted from its results/);
  });

  it("shows a split turn and a whole one", () => {
    const split = report.cutLines(cutOf({ isSplitTurn: true, turnStart: { role: "user", text: "make it so" } }), plain).join("\n");
    assert.match(split, /yes: the cut lies inside a turn/);
    assert.match(split, /user: make it so/);
    const whole = report.cutLines(cutOf({ isSplitTurn: false, prefix: { entries: 0, tokens: 0 } }), plain).join("\n");
    assert.match(whole, /no, whole turns are kept/);
    assert.doesNotMatch(whole, /turn prefix/);
  });

  it("takes the file tags out of the summary and lists the files", () => {
    const summary = "## Goal\nx\n\n<read-files>\na\n</read-files>\n<modified-files>\nb\n</modified-files>";
    assert.equal(report.summaryText(summary), "## Goal\nx");
    const lines = report.fileLines({ readFiles: ["a"], modifiedFiles: Array.from({ length: 20 }, (_, n) => `f${n}`) }, plain);
    assert.equal(lines.at(-1).trim(), "a");
    assert.ok(lines.some((line) => line.includes("… and 8 more")));
    assert.deepEqual(report.fileLines(undefined, plain), []);
  });

  it("leaves the middle of a long context out", () => {
    const rows = Array.from({ length: 30 }, (_, n) => ({ role: "user", tokens: 10, text: `message ${n + 1}.` }));
    const text = report.contextLines(rows, plain).join("\n");
    assert.match(text, /message 5\.[\s\S]*17 more messages, 170 tokens[\s\S]*message 23\./);
    assert.doesNotMatch(text, /message 6\.|message 22\./);
    assert.doesNotMatch(report.contextLines(rows.slice(0, 14), plain).join("\n"), /more/);
  });

  it("tells the ratio honestly", () => {
    assert.equal(report.ratioText(100, 20), "5.0 times smaller (20 % of before)");
    assert.equal(report.ratioText(100, 120), "not smaller (120 % of before)");
    const little = report.afterLines({ before: 100, after: 96, window: 90, saved: 4, outPath: "a", outBytes: 9, repairs: 2, progress: "insufficient" }, plain).join("\n");
    assert.match(little, /too little to go on with[\s\S]*2 messages of the view put right/);
    const text = report.afterLines({ before: 190_000, after: 30_000, window: 200_000, saved: 160_000, outPath: "a.folded.jsonl", outBytes: 9_000, loadedAgain: 12, repairs: 0, times: [["folding", 0.4]] }, plain).join("\n").replace(/\s+/g, " ");
    for (const part of ["160,000 tokens", "6.3 times smaller (16 % of before)", "room for 170,000 more", "a.folded.jsonl", "12 entries", "folding <1 ms"]) assert.ok(text.includes(part), part);
  });

  it("gives every typed reason in plain words, with the figures", () => {
    for (const reason of ["already-compacted", "session-too-small", "below-threshold", "infeasible", "kept-tail-too-large", "open-tool-call", "disabled", "unknown-window"]) {
      assert.doesNotMatch(report.reasonText(reason), /the engine answered/);
    }
    assert.equal(report.reasonText("brand-new"), "the engine answered brand-new");
    const text = report.nothingLines({ reason: "infeasible", message: "system prompt and tools take 30000 tokens" }, plain).join(" ").replace(/\s+/g, " ");
    assert.match(text, /folding cannot help .*take 30000 tokens/);
    assert.match(report.nothingLines({ reason: "already-compacted" }, plain).join("\n"), /nothing new lies behind the latest compaction/);
  });
});

describe("the survey", () => {
  const message = (id, parentId, message) => ({ type: "message", id, parentId, message });
  const path = [
    message("a", null, { role: "user", content: "start" }),
    message("b", "a", { role: "assistant", content: [{ type: "text", text: "working" }] }),
    { type: "label", id: "l", parentId: "b" },
    message("c", "l", { role: "assistant", content: [{ type: "text", text: "done" }] }),
    { type: "session_info", id: "i", parentId: "c", name: "a day" },
  ];
  const other = message("x", "a", { role: "assistant", content: [] });
  const all = [...path, other];
  const session = {
    header: { cwd: "/home/dev" },
    diagnostics: [{ line: 2, kind: "torn-line", message: "kept", entryId: null }],
    entries: () => all,
    path: () => path,
    entry: (id) => all.find((entry) => entry.id === id),
    tree: () => ({ roots: ["a"], nodes: new Map(all.map((entry) => [entry.id, { parentId: entry.parentId, childIds: all.filter((child) => child.parentId === entry.id).map((child) => child.id) }])) }),
    buildSessionContext: () => ({ messages: [path[0].message, path[1].message, path[3].message], entryIds: ["a", "b", "c"], repairs: [] }),
  };

  it("counts entries and branches", () => {
    const { entries, branches, onPath, messages, name, diagnostics } = surveyTree(session);
    assert.deepEqual([entries, branches, onPath, messages, name], [6, 2, 5, 4, "a day"]);
    assert.deepEqual(diagnostics, [{ line: 2, kind: "torn-line", message: "kept" }]);
  });

  it("weighs kinds and parts of the cut", () => {
    const { rows } = surveyContext(session, () => 10);
    assert.deepEqual(fillOf(rows).kinds, [
      { name: "assistant", tokens: 20, number: 2 },
      { name: "user", tokens: 10, number: 1 },
    ]);
    const preparation = { firstKeptEntryId: "l", entryIdsToSummarize: [], turnPrefixEntryIds: ["a", "b"], isSplitTurn: true, keptTokens: 10, keepRecentTokens: 9, requestTokens: 5 };
    const cut = surveyCut(session, preparation, rows, 12);
    assert.deepEqual([cut.position, cut.firstKept.text, cut.before.text, cut.turnStart.text], [3, "done", "working", "start"]);
    assert.deepEqual([cut.prefix, cut.kept, cut.history], [{ entries: 2, tokens: 20 }, { entries: 3, tokens: 10 }, { entries: 0, tokens: 0 }]);
  });

  it("counts images apart", () => {
    const withImage = { ...session, buildSessionContext: () => ({ messages: [{ role: "user", content: [{ type: "text", text: "x" }, { type: "image", data: "AA" }] }], entryIds: ["a"] }) };
    const { rows } = surveyContext(withImage, (m) => (images(m).length > 0 ? 1_210 : 10));
    assert.deepEqual(fillOf(rows).kinds, [
      { name: "images", tokens: 1_200, number: 1 },
      { name: "user", tokens: 10, number: 1 },
    ]);
  });
});

describe("bad input", () => {
  const script = fileURLToPath(new URL("../../demo/fold.mjs", import.meta.url));
  const cases = [
    [[], /no session was named/],
    [["no-such-\x1b[2Jfile.jsonl"], /^threadfold demo: no-such-file\.jsonl: no such file$/],
    [[fileURLToPath(new URL(".", import.meta.url))], /is a folder/],
    [["a.jsonl", "./a.jsonl"], /overwrite its source/],
    [["a.jsonl", "--window", "many"], /--window wants a whole number of tokens above 0, not "many"/],
  ];
  for (const [args, expected] of cases) {
    it(`is answered in one line: ${JSON.stringify(args.slice(-1))}`, () => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: "utf8" });
      assert.deepEqual([status, stdout], [1, ""]);
      assert.match(stderr.trimEnd(), expected);
      assert.equal(stderr.trimEnd().split("\n").length, 1);
    });
  }
});

function cutOf(change) {
  return {
    firstKeptEntryId: "c04c77bb",
    position: 5,
    onPath: 9,
    firstKept: { role: "assistant", text: "edit(docs/berth.md)" },
    before: { role: "tool result", text: "bash: ok" },
    turnStart: undefined,
    isSplitTurn: false,
    asked: 20_000,
    budget: 20_000,
    history: { entries: 4, tokens: 150_000 },
    prefix: { entries: 2, tokens: 9_000 },
    kept: { entries: 3, tokens: 20_400 },
    ...change,
  };
}
