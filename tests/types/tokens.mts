// Compiled, never run: exact counts as a program uses them.

import { countTokens, foldMessages, loadTokenizer, pruneMessages, Session, tokenizerFor } from "threadfold";
import type { CountingOptions, CountOptions, Encoding, LoadTokenizerOptions, ModelTokenizer, VocabularySource } from "threadfold";

declare const bytes: Uint8Array;
declare const stored: ArrayBuffer;

const encodings: Encoding[] = ["o200k_base", "o200k_harmony", "cl100k_base", "p50k_base", "r50k_base"];
// @ts-expect-error the name of a model, not of an encoding
const wrong: Encoding = "gpt-5";

const sources: VocabularySource[] = ["/o200k_base.vocabulary", new URL("https://example.com/o200k"), new Response(), new Blob(), bytes, stored];
const options: LoadTokenizerOptions[] = [{}, { source: sources[0] }, { source: fetch("/o200k") }, { signal: AbortSignal.timeout(1_000) }];
for (const encoding of encodings) for (const one of options) await loadTokenizer(encoding, one);
const nothing: void = await loadTokenizer("o200k_base");
// @ts-expect-error no such option
await loadTokenizer("o200k_base", { url: "/o200k" });
// @ts-expect-error no source
await loadTokenizer("o200k_base", { source: 7 });

const tokens: number = countTokens("héllo", "o200k_base");
// @ts-expect-error the encoding is named
countTokens("héllo");
// @ts-expect-error text only
countTokens(bytes, "o200k_base");

const known: ModelTokenizer = tokenizerFor("gpt-5-mini");
const { encoding, estimate } = known;
// @ts-expect-error there may be none
countTokens("héllo", encoding);
if (encoding !== undefined) countTokens("héllo", encoding);
if (estimate !== "by-script") countTokens("héllo", estimate);

// What there may be none of can be handed on as it is.
const counting: CountingOptions = { tokenizer: encoding, counting: "at-once" };
const session: Session = Session.fromJsonl(bytes, { ...counting, preset: "safe" });
const sessions: Session[] = [
  Session.create({ tokenizer: encoding }),
  Session.fromEntries([], counting),
  Session.import(bytes, { format: "codex", tokenizer: "cl100k_base" }),
];
// @ts-expect-error a new session has nothing to count
Session.create({ counting: "lazy" });
// @ts-expect-error at once, or lazily
Session.fromJsonl(bytes, { counting: "eager" });

const tokenizer: Encoding | undefined = session.tokenizer;
// @ts-expect-error read-only
session.tokenizer = "o200k_base";
const count: CountOptions = { signal: new AbortController().signal };
await session.count(count);
await session.count();

await foldMessages([{ role: "user", content: "Hi" }], { tokenizer: encoding });
pruneMessages([{ role: "user", content: "Hi" }], { tokenizer: "o200k_base" });

console.log(wrong, nothing, tokens, sessions, tokenizer);
