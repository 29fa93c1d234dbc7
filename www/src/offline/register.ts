// Makes the page work without a network from the next load on, where the browser can do that.

import { offlineReady } from "../state/offline.js";
import { scriptAddress } from "../trusted.js";

/** A page that was just closed still counts as open for a moment; after these milliseconds the next load will do. */
const ASKING_MS = 2000;
const PAUSE_MS = 100;

/** Registers the service worker, and moves on to a new version that waits. Never fails: the page works without it. */
export async function registerOffline(): Promise<void> {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  // Insecure addresses have none; while developing it would hide what changes.
  if (serviceWorker === undefined || import.meta.env.DEV) return;
  const isOldVersion = serviceWorker.controller !== null;
  // Only on a page that has just been loaded, with no other one open: nothing is lost.
  if (isOldVersion) serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  try {
    const address = scriptAddress(new URL("./service-worker.js", document.baseURI));
    const registration = await serviceWorker.register(address, { updateViaCache: "none" });
    if (isOldVersion && registration.waiting !== null) askToTakeOver(registration.waiting);
    await serviceWorker.ready;
    offlineReady.value = true;
  } catch {
    // Private windows and full disks refuse; the page then needs the network, as any page does.
  }
}

/** Asks now and again, until the visitor begins to do something. */
function askToTakeOver(waiting: ServiceWorker): void {
  const timer = setInterval(() => waiting.postMessage("take-over"), PAUSE_MS);
  const stop = (): void => clearInterval(timer);
  for (const name of ["pointerdown", "keydown", "dragenter"]) addEventListener(name, stop, { once: true, capture: true });
  setTimeout(stop, ASKING_MS);
}
