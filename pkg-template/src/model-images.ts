import type { ImageRule } from "./data.js";

/** The rules by what a model's name begins with. Of two that fit, the first holds. */
const BEGINNINGS: readonly (readonly [RegExp, ImageRule])[] = [
  // Claude Opus 4.7, and what came after it.
  [/^claude-[a-z]+-(?:4[-.][7-9]|[5-9])(?!\d)/, "anthropic-high-resolution"],
  [/^claude/, "anthropic"],
  [/^gemini-3/, "gemini-3"],
  [/^(?:gemini|learnlm)/, "gemini"],
  // Its weights are open, and it sees no images.
  [/^gpt-oss/, "flat"],
  [/^gpt-4o-mini/, "openai-gpt-4o-mini"],
  [/^gpt-(?:4\.1|5[.\d]*)-mini/, "openai-mini"],
  [/^gpt-(?:4\.1|5[.\d]*)-nano/, "openai-nano"],
  [/^gpt-5/, "openai-gpt-5"],
  [/^o4-mini/, "openai-o4-mini"],
  [/^o[13](?:$|-)/, "openai-o"],
  [/^(?:gpt|chatgpt|codex|o[1-9](?:$|-))/, "openai"],
];

/** Those of models that nobody knows by name, by who provides them. */
const PROVIDERS: ReadonlyMap<string, ImageRule> = new Map([
  ["anthropic", "anthropic"],
  ["openai", "openai"],
]);

/** How the provider of a model prices images, by its bare name and by who provides it, both in small letters; `flat` where no rule is known. */
export function imageRuleOfModel(name: string, provider: string): ImageRule {
  return BEGINNINGS.find(([beginning]) => beginning.test(name))?.[1] ?? PROVIDERS.get(provider) ?? "flat";
}
