import type { Encoding } from "./encoding.js";

/** The models of each encoding whose names are told whole. */
const WHOLE: Readonly<Record<Exclude<Encoding, "o200k_harmony">, string>> = {
  o200k_base: "o1 o3 o4-mini gpt-4.1 gpt-4o",
  cl100k_base:
    "gpt-4 gpt-3.5 gpt-3.5-turbo gpt-35-turbo davinci-002 babbage-002 " +
    "text-embedding-ada-002 text-embedding-3-small text-embedding-3-large",
  // What an edit model has beyond p50k_base are special tokens, which count as text.
  p50k_base:
    "text-davinci-003 text-davinci-002 code-davinci-002 code-davinci-001 code-cushman-002 code-cushman-001 " +
    "davinci-codex cushman-codex text-davinci-edit-001 code-davinci-edit-001",
  // GPT-2 has the vocabulary of r50k_base.
  r50k_base:
    "text-davinci-001 text-curie-001 text-babbage-001 text-ada-001 davinci curie babbage ada " +
    "text-similarity-davinci-001 text-similarity-curie-001 text-similarity-babbage-001 text-similarity-ada-001 " +
    "text-search-davinci-doc-001 text-search-curie-doc-001 text-search-babbage-doc-001 text-search-ada-doc-001 " +
    "code-search-babbage-code-001 code-search-ada-code-001 gpt2 gpt-2",
};

/** The encodings of models by what their names begin with. Of two that fit, the first holds. */
const BEGINNINGS: readonly (readonly [string, Encoding])[] = [
  ["o1-", "o200k_base"],
  ["o3-", "o200k_base"],
  ["o4-mini-", "o200k_base"],
  ["gpt-5", "o200k_base"],
  ["gpt-4.5-", "o200k_base"],
  ["gpt-4.1-", "o200k_base"],
  ["chatgpt-4o-", "o200k_base"],
  ["gpt-4o-", "o200k_base"],
  ["codex-mini", "o200k_base"],
  ["gpt-4-", "cl100k_base"],
  ["gpt-3.5-turbo-", "cl100k_base"],
  // The names of Azure have no full stop.
  ["gpt-35-turbo-", "cl100k_base"],
  ["gpt-oss", "o200k_harmony"],
];

/** The encoding of a model of OpenAI, by its bare name in small letters; undefined where none is known to be its. */
export function encodingOfModel(name: string): Encoding | undefined {
  for (const [encoding, names] of Object.entries(WHOLE)) {
    if (names.split(" ").includes(name)) return encoding as Encoding;
  }
  return BEGINNINGS.find(([beginning]) => name.startsWith(beginning))?.[1];
}

/** The encoding from which a model's own vocabulary was made, by its bare name and by who provides it, both in small letters. */
export function encodingNearModel(name: string, provider: string): Encoding | undefined {
  // https://arxiv.org/abs/2407.21783, section 3.2: 128 000 tokens, of which 100 000 are tiktoken's.
  const isLlama3 = /^(?:meta-)?llama-?(?:v3|3|4|guard-[34])/.test(name);
  // https://arxiv.org/abs/2309.16609, section 2.2: cl100k_base, with more for Chinese, and each digit a token.
  const isQwen = provider === "qwen" || /^(?:qwen|qwq|qvq)/.test(name);
  return isLlama3 || isQwen ? "cl100k_base" : undefined;
}
