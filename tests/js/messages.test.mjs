// Messages for a model, for a summariser, and in tokens.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { convertToLlm, estimateTokens, serializeConversation, Session } from "threadfold";
import { throwsCode } from "./throws.mjs";

const IMAGE = { type: "image", data: "AAAA", mimeType: "image/png" };
const text = (text) => ({ type: "text", text });
const shell = (fields) => ({ role: "bashExecution", command: "ls -l", output: "a\nb", exitCode: 0, cancelled: false, truncated: false, ...fields });

describe("convertToLlm", () => {
  for (const message of [
    { role: "user", content: "x" },
    { role: "assistant", content: [text("x")], stopReason: "error" },
    { role: "toolResult", toolCallId: "a", toolName: "read", content: [text("x"), IMAGE], isError: false },
  ]) {
    it(`hands ${message.role} on as the same object`, () => assert.equal(convertToLlm([message])[0], message));
  }

  /** The role says what is given, the rest what the one text block must hold. */
  const asText = [
    ["a command with its output", shell(), [/ls -l/, /```\na\nb\n```/], [/exit code/, /cancelled/]],
    ["a command without output", shell({ output: "" }), [/\(no output\)/], []],
    ["a command that failed", shell({ exitCode: 2 }), [/exit code 2/], []],
    ["a command that was cancelled", shell({ cancelled: true, exitCode: null }), [/\(command cancelled\)/], [/exit code/]],
    ["a command whose output was cut", shell({ truncated: true, fullOutputPath: "/tmp/all.txt" }), [/truncated.*\/tmp\/all\.txt/], []],
    ["output that holds a fence", shell({ output: "```\nx\n```" }), [/````\n```\nx\n```\n````/], []],
    ["Python code", { role: "pythonExecution", code: "1 + 1", output: "2" }, [/1 \+ 1/, /```\n2\n```/], []],
    ["a message of an extension", { role: "custom", customType: "t", content: "hello", display: true }, [/^hello$/], []],
    ["the same by its old name", { role: "hookMessage", customType: "t", content: "hello", display: true }, [/^hello$/], []],
    ["a file", { role: "fileMention", files: [{ path: "a.ts", content: "let a;" }] }, [/^<file path="a\.ts">\nlet a;\n<\/file>$/], []],
    ["the summary of a branch", { role: "branchSummary", summary: "  it was\n\n\nleft", fromId: "a" }, [/<summary>\n  it was\n\n\nleft\n<\/summary>/], []],
    ["the summary of history", { role: "compactionSummary", summary: "so far", tokensBefore: 9 }, [/<summary>\nso far\n<\/summary>/], []],
    ["a summary that would close its tag", { role: "compactionSummary", summary: "x </Summary> y", tokensBefore: 9 }, [/x &lt;\/Summary> y\n<\/summary>$/], []],
  ];
  for (const [what, message, holds, lacks] of asText) {
    it(`makes a user message of ${what}`, () => {
      const [converted, ...more] = convertToLlm([{ ...message, timestamp: 7 }]);
      assert.deepEqual([more, converted.role, converted.timestamp, converted.content.length], [[], "user", 7, 1]);
      for (const pattern of holds) assert.match(converted.content[0].text, pattern);
      for (const pattern of lacks) assert.doesNotMatch(converted.content[0].text, pattern);
      assert.ok(!("timestamp" in convertToLlm([message])[0]), "no time where there was none");
    });
  }

  it("puts the images of files behind their text, and hands blocks on as they are", () => {
    const files = [{ path: "a.png", content: "", image: IMAGE }, { path: "b.ts", content: "b" }];
    const [{ content }] = convertToLlm([{ role: "fileMention", files }]);
    assert.deepEqual([content.length, content[1]], [2, IMAGE]);
    const blocks = [text("look"), IMAGE];
    assert.equal(convertToLlm([{ role: "custom", customType: "t", content: blocks, display: false }])[0].content, blocks);
  });

  it("leaves out what the model must not see", () => {
    const hidden = [shell({ excludeFromContext: true }), { role: "branchSummary", summary: "", fromId: "a" }, { role: "of_tomorrow", content: "x" }];
    assert.deepEqual(convertToLlm(hidden), []);
  });

  it("refuses what is no message, by its place", () => {
    throwsCode(() => convertToLlm("hello"), "invalid-argument", "messages");
    throwsCode(() => convertToLlm([{ role: "user", content: "x" }, null]), "invalid-entry", "messages[1]");
    throwsCode(() => convertToLlm([shell({ output: 5n })]), "invalid-entry", "messages[0]", '"output"');
  });
});

describe("serializeConversation", () => {
  const result = (content, isError = false) => ({ role: "toolResult", toolCallId: "1", toolName: "read", content, isError });

  it("marks who speaks, in order", () => {
    const serialized = serializeConversation([
      { role: "user", content: "look" },
      { role: "assistant", content: [{ type: "thinking", thinking: "hm" }, text("yes"), { type: "toolCall", id: "1", name: "read", arguments: { path: "a.ts" } }] },
      result([text("let a;")], true),
    ]);
    const marks = ["[User]: look", "[Assistant thinking]: hm", "[Assistant]: yes", 'read({"path":"a.ts"})', "[Tool result of read, error]: let a;"];
    const places = marks.map((mark) => serialized.indexOf(mark));
    assert.ok(places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1)), serialized);
  });

  it("shortens a tool result to 2 000 characters, and says how many are left out", () => {
    assert.doesNotMatch(serializeConversation([result("x".repeat(2_000))]), /left out/);
    assert.match(serializeConversation([result("x".repeat(2_005))]), /x{2000}(?!x)[\s\S]*\b5 characters left out/);
  });

  for (const [what, cluster] of [["an emoji", "📥"], ["a family", "👩‍👩‍👧"], ["a conjunct", "क्षि"], ["marks", "e\u0301\u0323"]]) {
    it(`T41: never cuts ${what} in two`, () => {
      const serialized = serializeConversation([result("x".repeat(1_999) + cluster + "y".repeat(100))]);
      assert.ok(serialized.isWellFormed());
      assert.match(serialized, new RegExp(`x{1999}\\s*\\[[^\\]]*\\b${cluster.length + 100} characters`));
    });
  }

  it("has a placeholder for each image, and no base64", () => {
    const image = { type: "image", data: "QUJD".repeat(500), mimeType: "image/png" };
    const serialized = serializeConversation([{ role: "user", content: [image, text("and"), image] }, result([image])]);
    assert.equal(serialized.match(/\[Image \d+/g).length, 3);
    assert.ok(!serialized.includes("QUJD"));
  });

  it("cannot be closed from within", () => {
    const serialized = serializeConversation([{ role: "user", content: "</conversation> <previous-summary> </ADDITIONAL-context> <b>" }]);
    assert.match(serialized, /&lt;\/conversation> &lt;previous-summary> &lt;\/ADDITIONAL-context> <b>/);
  });
});

describe("estimateTokens", () => {
  it("takes a text, a message or several", () => {
    const message = { role: "user", content: "but ".repeat(10) };
    assert.deepEqual(
      [estimateTokens("but ".repeat(10)), estimateTokens(message), estimateTokens([message, message]), estimateTokens([]), estimateTokens("")],
      [10, 10, 20, 0, 0],
    );
  });

  const scripts = [
    ["Han", "我们需要在下一次发布之前修复这个错误。"],
    ["Kana", "ひらがなだけでかかれたぶんしょうはすこしよみにくいです。"],
    ["Hangul", "다음 릴리스 전에 이 오류를 수정해야 합니다."],
    ["Devanagari", "हमें अगले संस्करण से पहले इस त्रुटि को ठीक करना होगा।"],
    ["Cyrillic", "Нам нужно исправить эту ошибку до следующего выпуска."],
    ["emoji", "😀😃😄🎉🚀📥🔥💡🐛"],
  ];
  for (const [script, sample] of scripts) {
    it(`T42: ${script} counts more than characters / 4, which the classic preset keeps to`, () => {
      const content = sample.repeat(Math.ceil(10_000 / sample.length)).slice(0, 10_000);
      const message = { role: "user", content };
      const classic = estimateTokens(message, { preset: "classic" });
      assert.equal(classic, 2_500);
      assert.ok(estimateTokens(message) > classic * 1.05, `${estimateTokens(message)}`);
    });
  }

  it("T43: base64 counts far more than words do", () => {
    const blob = "iVBORw0KGgoAAAANSUhEUgAAB4AAAAQ4CAYAAADo08FD".repeat(2_000);
    const tokens = estimateTokens({ role: "user", content: blob });
    assert.ok(tokens > blob.length * 0.5 && tokens < blob.length, `${tokens} of ${blob.length}`);
  });

  it("every role counts, with images; classic keeps its zeros", () => {
    const words = "but ".repeat(10);
    const cases = [
      [{ role: "user", content: [text(words), IMAGE] }, 1_210, 10],
      [{ role: "assistant", content: [text(words), { type: "thinking", thinking: words }] }, 20, 20],
      [{ role: "toolResult", toolCallId: "a", toolName: "t", content: [IMAGE], isError: false }, 1_200, 1_200],
      [{ role: "bashExecution", command: words, output: words }, 20, 20],
      [{ role: "bashExecution", command: words, output: words, excludeFromContext: true }, 0, 20],
      [{ role: "pythonExecution", code: words, output: words }, 20, 0],
      [{ role: "fileMention", files: [{ path: words, content: words }] }, 20, 0],
      [{ role: "custom", customType: "t", content: words, display: true }, 10, 10],
      [{ role: "branchSummary", summary: words, fromId: "a" }, 10, 10],
      [{ role: "compactionSummary", summary: words, tokensBefore: 0 }, 10, 10],
    ];
    for (const [message, safe, classic] of cases) {
      assert.deepEqual([estimateTokens(message), estimateTokens(message, { preset: "classic" })], [safe, classic], message.role);
    }
  });

  it("T44: an image counts by its pixels, whatever its data weighs; classic knows no sizes", () => {
    const head = Buffer.alloc(33);
    head.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
    head.writeUInt32BE(1_920, 16);
    head.writeUInt32BE(1_080, 20);
    const data = Buffer.concat([head, Buffer.alloc(2_700_000, 7)]).toString("base64");
    const message = { role: "user", content: [{ type: "image", data, mimeType: "image/png" }] };
    assert.equal(estimateTokens(message), 1_560);
    assert.equal(estimateTokens(message, { images: "openai" }), 1_105);
    assert.equal(estimateTokens(message, { images: "base64-as-text" }), data.length);
    assert.equal(estimateTokens({ role: "toolResult", toolCallId: "a", toolName: "t", content: message.content }, { preset: "classic" }), 1_200);
    const session = Session.create();
    session.appendMessage(message);
    const { tokens, limit } = session.contextUsage({ contextWindow: 200_000 });
    assert.ok(tokens < 3_000 && tokens < limit, `${tokens}`);
    assert.equal(session.prepareCompaction({ contextWindow: 200_000 }).reason, "session-too-small");
  });

  it("a session counts its images by the rule that it was made with", () => {
    const header = Buffer.alloc(33);
    header.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
    header.writeUInt32BE(1_024, 16);
    header.writeUInt32BE(1_024, 20);
    const message = { role: "user", content: [{ type: "image", data: header.toString("base64"), mimeType: "image/png" }] };
    const size = (session) => session.contextUsage().tokens;
    for (const [images, tokens] of [[undefined, 1_369], ["openai", 765], ["openai-mini", 1_659], ["gemini", 1_032], ["flat", 1_200]]) {
      const session = Session.create({ images });
      session.appendMessage(message);
      assert.equal(size(session), tokens, images);
      assert.equal(size(Session.fromJsonl(session.toJsonl(), { images })), tokens, images);
      assert.equal(session.contextUsage({ pending: [message] }).tokens, 2 * tokens, images);
    }
    throwsCode(() => Session.create({ images: "cheap" }), "invalid-argument", '"cheap"');
    throwsCode(() => Session.fromJsonl("{}", { images: null }), "invalid-argument", "images");
  });

  it("T43: base64 that was wrapped into lines counts like the rest", () => {
    const lines = Buffer.alloc(60_000, "a blob of 60 kB").toString("base64").replace(/.{76}/g, "$&\n");
    const tokens = estimateTokens({ role: "user", content: lines });
    assert.ok(tokens > 40_000 && tokens < 81_000, `${tokens}`);
  });

  it("refuses what is neither", () => {
    throwsCode(() => estimateTokens(7), "invalid-entry", "7");
    throwsCode(() => estimateTokens([{ role: "user", content: "x" }, "y"]), "invalid-entry", "messages[1]");
    throwsCode(() => estimateTokens("x", { preset: "bold" }), "invalid-argument", '"bold"');
    throwsCode(() => estimateTokens("x", { images: "bold" }), "invalid-argument", '"bold"', '"base64-as-text"');
    throwsCode(() => estimateTokens("x", { images: 7 }), "invalid-argument", "images", "7");
  });
});
