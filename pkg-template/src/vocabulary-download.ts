import type { Vocabulary } from "./encoding.js";
import { ThreadfoldError } from "./error.js";
import { vocabularyCache } from "./vocabulary-cache.js";
import { fetchVocabulary } from "./vocabulary-source.js";

/**
 * Hands a file from its address on: as the cache kept it, or else from the network, and then it is kept.
 * `take` rejects with `invalid-vocabulary` what is not that file.
 */
export async function downloadVocabulary(
  address: URL | string,
  vocabulary: Vocabulary,
  take: (bytes: Uint8Array) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const kept = await vocabularyCache.get(vocabulary);
  if (kept !== undefined) {
    const refusal = await refusalOf(take(kept));
    if (refusal === undefined) return;
    await vocabularyCache.drop(vocabulary);
  }
  let bytes = await fetchVocabulary(address, signal);
  const refusal = await refusalOf(take(bytes));
  if (refusal !== undefined) {
    // The browser's ordinary cache may have that of an older version under the same address.
    bytes = await fetchVocabulary(address, signal, "reload").catch(() => {
      throw refusal;
    });
    await take(bytes);
  }
  await vocabularyCache.put(vocabulary, bytes);
}

/** Why a file was refused; undefined where it was taken. Rejects for everything else that went wrong. */
async function refusalOf(taken: Promise<void>): Promise<ThreadfoldError | undefined> {
  try {
    await taken;
    return undefined;
  } catch (error) {
    if (ThreadfoldError.isInstance(error) && error.code === "invalid-vocabulary") return error;
    throw error;
  }
}
