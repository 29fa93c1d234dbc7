// What fills the context, by kind.

import { estimateTokens, type ImageRule, type Message, type SessionContext } from "threadfold";
import { images, withoutImages } from "../../../demo/messages.mjs";
import type { Fill } from "../contract.js";
import type { Held } from "./held.js";
import { kindOfMessage } from "./kinds.js";

/** The parts, the largest first. Together they are `total`: what the provider counts beyond is `fixed`. */
export function fillOf(held: Held, { messages, entryIds }: SessionContext, total: number): Fill[] {
  const parts = new Map<Fill["kind"], Fill>();
  const add = (kind: Fill["kind"], tokens: number, count: number) => {
    const part = parts.get(kind) ?? { kind, tokens: 0, count: 0 };
    part.tokens += tokens;
    part.count += count;
    parts.set(kind, part);
  };
  const seen = new Set<string>();
  messages.forEach((message, at) => {
    const id = entryIds[at] as string;
    // A result that was made up for a call stands behind the entry of its call.
    const tokens = seen.has(id) ? estimateTokens(message) : held.tokensOf([held.numberOf(id)]);
    seen.add(id);
    const pictures = images(message);
    const pictureTokens = pictures.length === 0 ? 0 : Math.min(tokens, tokensOfImages(message, held));
    add(kindOfMessage(message), tokens - pictureTokens, 1);
    if (pictures.length > 0) add("images", pictureTokens, pictures.length);
  });
  return shared([...parts.values()], total);
}

/** What the images of a message take, which never changes: megabytes are not looked at again for every snapshot. */
const known = new WeakMap<Message, Map<ImageRule, number>>();

function tokensOfImages(message: Message, { choices }: Held): number {
  const options = { images: choices.images };
  const byRule = known.get(message) ?? new Map<ImageRule, number>();
  known.set(message, byRule);
  const tokens = byRule.get(choices.images) ?? Math.max(0, estimateTokens(message, options) - estimateTokens(withoutImages(message), options));
  byRule.set(choices.images, tokens);
  return tokens;
}

/** What is counted beyond the parts is `fixed`; where the parts come to more, they share what is counted. */
function shared(parts: Fill[], total: number): Fill[] {
  const sum = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  if (sum > total) for (const part of parts) part.tokens = Math.round((part.tokens * total) / sum);
  else if (sum < total) parts.push({ kind: "fixed", tokens: total - sum, count: 0 });
  return parts.sort((a, b) => b.tokens - a.tokens);
}
