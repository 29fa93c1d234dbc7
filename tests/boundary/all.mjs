// Every case, by the group it belongs to. Each is `{ name, run(), complaints? }`: `complaints` is how
// many errors it is meant to log.

import { cases as aborts } from "./aborts.mjs";
import { cases as agentAborts } from "./agent-aborts.mjs";
import { cases as agentMeanwhile } from "./agent-meanwhile.mjs";
import { cases as agentObjects } from "./agent-objects.mjs";
import { cases as agentRules } from "./agent-rules.mjs";
import { cases as agentStores } from "./agent-stores.mjs";
import { cases as agentTrees } from "./agent-trees.mjs";
import { cases as agentTrouble } from "./agent-trouble.mjs";
import { cases as candidates } from "./candidates.mjs";
import { cases as events } from "./events.mjs";
import { cases as failures } from "./failures.mjs";
import { cases as meanwhile } from "./meanwhile.mjs";
import { cases as misuse } from "./misuse.mjs";
import { cases as random } from "./random.mjs";
import { cases as replies } from "./replies.mjs";
import { cases as retries } from "./retries.mjs";
import { cases as signals } from "./signals.mjs";
import { cases as stores } from "./stores.mjs";
import { cases as waits } from "./waits.mjs";

export const groups = {
  ...{ aborts, failures, replies, meanwhile, events, signals, candidates, retries, stores, waits, random, misuse },
  "an agent: rules": agentRules,
  "an agent: objects": agentObjects,
  "an agent: trees": agentTrees,
  "an agent: stores": agentStores,
  "an agent: aborts": agentAborts,
  "an agent: trouble": agentTrouble,
  "an agent: meanwhile": agentMeanwhile,
};
