// Ours and the packages of npm that count tokens: each as a function that loads an encoding and gives a counter.
// Special tokens in a text count as text with all of them.

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export const OURS = "ours";

/** By name: imports the package, and gives what loads an encoding, which gives what counts a text. */
export const TOKENIZERS = {
  async [OURS]() {
    const { countTokens, loadTokenizer } = await import("threadfold");
    return async (encoding) => {
      await loadTokenizer(encoding);
      return (text) => countTokens(text, encoding);
    };
  },
  // Its code and its vocabularies come together.
  async "gpt-tokenizer"() {
    return async (encoding) => {
      const { countTokens } = await import(`gpt-tokenizer/encoding/${encoding}`);
      const asText = { disallowedSpecial: new Set() };
      return (text) => countTokens(text, asText);
    };
  },
  async "ai-tokenizer"() {
    const { Tokenizer } = await import("ai-tokenizer");
    return async (encoding) => {
      const vocabulary = await import(`ai-tokenizer/encoding/${encoding}`);
      const tokenizer = new Tokenizer({ ...vocabulary, special_tokens: {} });
      return (text) => tokenizer.count(text);
    };
  },
  async tiktoken() {
    const { Tiktoken } = await import("tiktoken/lite");
    return (encoding) => {
      const { bpe_ranks: ranks, pat_str: pattern } = require(`tiktoken/encoders/${encoding}.json`);
      const tokenizer = new Tiktoken(ranks, {}, pattern);
      return (text) => tokenizer.encode_ordinary(text).length;
    };
  },
  async "js-tiktoken"() {
    const { Tiktoken } = await import("js-tiktoken/lite");
    return async (encoding) => {
      const { default: vocabulary } = await import(`js-tiktoken/ranks/${encoding}`);
      const tokenizer = new Tiktoken(vocabulary);
      return (text) => tokenizer.encode(text, [], []).length;
    };
  },
};

/** What counts a text with a package, in an encoding. */
export async function counterOf(name, encoding) {
  const load = await TOKENIZERS[name]();
  return load(encoding);
}
