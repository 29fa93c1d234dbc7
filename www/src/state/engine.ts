// The worker, as the page sees it.

import { wrap, type Remote } from "comlink";
import type { Engine } from "../contract.js";
import { scriptAddress } from "../trusted.js";
import workerAddress from "../engine/worker.ts?worker&url";

export const engine: Remote<Engine> = wrap<Engine>(new Worker(scriptAddress(workerAddress), { type: "module", name: "threadfold" }));
