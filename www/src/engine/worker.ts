// The worker: the engine behind the page.

import { expose } from "comlink";
import { Worker } from "./engine.js";

/** The sample lies beside the page, and the worker's script in a folder below it. */
const SAMPLE = new URL(import.meta.env.DEV ? "/sample.jsonl" : "../sample.jsonl", self.location.href);

async function sample(): Promise<Uint8Array> {
  const response = await fetch(SAMPLE);
  if (!response.ok) throw new Error(`the sample session could not be fetched: the server answered with ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

expose(new Worker(sample));
