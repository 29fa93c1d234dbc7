import type { ImageRule } from "./data.js";
import type { Encoding } from "./encoding.js";
import { refuse } from "./guard.js";
import { encodingNearModel, encodingOfModel } from "./model-encodings.js";
import { imageRuleOfModel } from "./model-images.js";

/** How the tokens of a model are counted. */
export interface ModelTokenizer {
  /** The encoding that counts its texts exactly; left out where none is known to be its. */
  encoding?: Encoding;
  /**
   * What comes nearest: that encoding; where it is left out the one that its own vocabulary was made from,
   * or `by-script`, the estimate of {@link estimateTokens} and of sessions without a tokenizer.
   */
  estimate: Encoding | "by-script";
  /** How its provider prices images; `flat` where no rule is known. */
  images: ImageRule;
}

/**
 * The encoding of a model, or that none is known, and what comes nearest then. The name is taken as hosts
 * have it: with a provider in front, with a date, a size or a tag behind, of a fine-tuned model.
 *
 * ```js
 * tokenizerFor("openai/gpt-5-mini"); // { encoding: "o200k_base", estimate: "o200k_base", images: "openai-mini" }
 * tokenizerFor("claude-sonnet-4-5"); // { estimate: "by-script", images: "anthropic" }
 * ```
 */
export function tokenizerFor(model: string): ModelTokenizer {
  if (typeof model !== "string") refuse("model", model, "the name of a model, a string");
  const { name, provider } = partsOf(model);
  const images = imageRuleOfModel(name, provider);
  const encoding = encodingOfModel(name);
  if (encoding !== undefined) return { encoding, estimate: encoding, images };
  return { estimate: encodingNearModel(name, provider) ?? "by-script", images };
}

/** The bare name of a model, and who provides it where that stands in front; in small letters. */
function partsOf(model: string): { name: string; provider: string } {
  const whole = model.trim().toLowerCase();
  // A fine-tuned model is named after its base: `ft:gpt-4o:organisation:name:id`.
  const [, base] = /(?:^|\/)ft:([^:]*)/.exec(whole) ?? [];
  const path = (base ?? whole).split("/");
  const last = path.pop() ?? "";
  // As in `us.anthropic.claude-sonnet-4-5-v1:0` of Bedrock.
  const [, vendor, rest = last] = /^(?:(?:us|eu|apac|jp|au|ca|global|us-gov)\.)?([a-z][a-z0-9]+)\.(?=[a-z])(.*)$/.exec(last) ?? [];
  // Behind it a tag, as in `gpt-oss:20b` of Ollama, or a date, as in `claude-3-5-sonnet@20240620` of Vertex AI.
  const [name = ""] = rest.split(/[:@]/);
  return { name, provider: vendor ?? path.pop() ?? "" };
}
