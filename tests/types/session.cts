// Compiled, never run: the API from CommonJS.

import threadfold = require("threadfold");

const session: threadfold.Session = threadfold.Session.create();
const summarize: threadfold.Summarize = ({ prompt }) => prompt.slice(0, 10);

const models: threadfold.Model[] = [{ provider: "p", id: "m" }];
const platform: threadfold.CompactOptions = { fetch: globalThis.fetch, remote: { headers: new Headers() } };
void threadfold.compact(session, { ...platform, summarize, models, sleep: (waitMs, signal) => void [waitMs, signal] });

void threadfold.compact(session, { summarize }).then((outcome: threadfold.CompactionOutcome) => {
  const { messages }: threadfold.SessionContext = session.buildSessionContext();
  console.log(outcome.status, messages.length);
  // @ts-expect-error no such option
  return threadfold.compact(session, { sumarize: summarize });
});
