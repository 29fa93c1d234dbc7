// Starts the local provider with the model that knows the harbour, for chats in Node and in a page.

import { startProvider } from "./server/start.mjs";
import { aboutTalk, talk } from "./small-talk.mjs";

/** The provider, which ends with the test, with each request that it got, whole. */
export async function provideTalk(t, options) {
  const asked = [];
  const provider = await startProvider({
    model: talk,
    about: aboutTalk,
    ...options,
    onRequest: (record, closed, request) => (asked.push({ ...record, request }), options.onRequest?.(record, closed)),
  });
  t.after(() => provider.stop());
  return Object.assign(provider, { asked });
}
