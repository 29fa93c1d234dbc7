import { vocabularies, type Vocabulary } from "./encoding.js";

/** Every version of the package keeps its vocabularies here. */
const NAME = "threadfold-vocabularies";

/** A place for vocabularies that outlives the page. It never fails: where it cannot be used, nothing is kept. */
export interface VocabularyCache {
  /** The bytes, as they were put there; undefined where there are none. */
  get(vocabulary: Vocabulary): Promise<Uint8Array | undefined>;
  put(vocabulary: Vocabulary, bytes: Uint8Array): Promise<void>;
  drop(vocabulary: Vocabulary): Promise<void>;
}

/**
 * The browser's Cache API. It is missing where a page is not served securely, refuses where storage is
 * blocked or the origin is opaque, and has no room in some private windows: all of these are passed over.
 */
export const vocabularyCache: VocabularyCache = {
  async get(vocabulary) {
    return ask(async (cache) => {
      const kept = await cache.match(keyOf(vocabulary));
      return kept === undefined ? undefined : new Uint8Array(await kept.arrayBuffer());
    });
  },
  async put(vocabulary, bytes) {
    await ask((cache) => cache.put(keyOf(vocabulary), new Response(bytes as Uint8Array<ArrayBuffer>)));
    await ask(dropOld);
  },
  async drop(vocabulary) {
    await ask((cache) => cache.delete(keyOf(vocabulary)));
  },
};

/** Under the hash, so that no version of the package finds the file of another. The address is a name and never fetched. */
function keyOf({ file, hash }: Vocabulary): string {
  return `https://threadfold.invalid/${hash}/${file}`;
}

/** Takes away what other versions of the package left. */
async function dropOld(cache: Cache): Promise<void> {
  const known = new Set(Object.values(vocabularies).map(keyOf));
  for (const { url } of await cache.keys()) {
    if (!known.has(url)) await cache.delete(url);
  }
}

async function ask<T>(use: (cache: Cache) => Promise<T>): Promise<T | undefined> {
  try {
    return typeof caches === "undefined" ? undefined : await use(await caches.open(NAME));
  } catch {
    return undefined;
  }
}
