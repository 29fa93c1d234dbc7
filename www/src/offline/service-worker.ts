// Keeps the built page in this browser, so that it works without a network. One version at a time: all files of the
// page come from one build, by their hashes. What is no file of the page is never touched.

/** A file of the page, as the build lists it. */
interface BuiltFile {
  /** Below the folder of the page. */
  path: string;
  /** Its hash: what a host serves instead, while a new version goes up, is refused. */
  integrity: string;
  /** Kept when it is first fetched, not ahead. */
  later?: true;
}

// Put in by the build.
declare const FILES: readonly BuiltFile[];
declare const VERSION: string;
declare const self: ServiceWorkerGlobalScope;

const scope = self.registration.scope;
/** Pages in other folders of the host have caches of their own, and an address holds no space. */
const PREFIX = `threadfold ${scope} `;
const CACHE = PREFIX + VERSION;
const files = new Map(FILES.map((file) => [addressOf(file), file]));

self.addEventListener("install", (event) => event.waitUntil(keepAhead()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

self.addEventListener("message", (event) => {
  if (event.data === "take-over") event.waitUntil(takeOverIfAlone());
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const address = new URL(event.request.url);
  address.search = address.hash = "";
  const file = files.get(address.href) ?? (address.href === `${scope}index.html` ? files.get(scope) : undefined);
  if (file !== undefined) event.respondWith(give(file, event));
});

/** The page itself goes by its folder: some hosts redirect its name, and a redirect answers no navigation. */
function addressOf({ path }: BuiltFile): string {
  return new URL(path === "index.html" ? "./" : path, scope).href;
}

/** Keeps all or fails, and is tried again with the next load. */
async function keepAhead(): Promise<void> {
  const cache = await caches.open(CACHE);
  const ahead = FILES.filter((file) => file.later === undefined);
  await Promise.all(ahead.map(async (file) => cache.put(addressOf(file), await fetchFile(file))));
}

/** The old version goes, but for what is kept later and is the same in both: its name holds its hash. */
async function takeOver(): Promise<void> {
  const cache = await caches.open(CACHE);
  for (const name of await caches.keys()) {
    if (!name.startsWith(PREFIX) || name === CACHE) continue;
    const old = await caches.open(name);
    for (const file of FILES.filter(({ later }) => later)) {
      const kept = await old.match(addressOf(file));
      if (kept !== undefined) await cache.put(addressOf(file), kept);
    }
    await caches.delete(name);
  }
  await self.clients.claim();
}

/** A page of the old version may still ask for its files, so the new one waits until no other page is open. */
async function takeOverIfAlone(): Promise<void> {
  const windows = await self.clients.matchAll({ includeUncontrolled: true, type: "window" });
  if (windows.filter(({ url }) => url.startsWith(scope)).length <= 1) await self.skipWaiting();
}

async function give(file: BuiltFile, event: FetchEvent): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(addressOf(file));
  if (kept !== undefined) return kept;
  if (file.later === undefined) return fetch(event.request);
  const response = await fetchFile(file);
  // A browser without room for it shows the page all the same.
  event.waitUntil(cache.put(addressOf(file), response.clone()).catch(() => {}));
  return response;
}

async function fetchFile(file: BuiltFile): Promise<Response> {
  const response = await fetch(addressOf(file), { integrity: file.integrity, cache: "no-cache" });
  if (!response.ok) throw new Error(`${file.path}: the server answered with ${response.status}`);
  return response.redirected ? new Response(response.body, response) : response;
}
