// Who summarises, as the library takes it.

import type { CompactOptions, Summarize } from "threadfold";
import type { Choices, Listener, Reply, Summarizing } from "../contract.js";
import { planOptions } from "./settings.js";

export type SummarizedWith = Pick<CompactOptions, "settings" | "summarize" | "models" | "remote">;

export function summarizedWith(choices: Choices, summarizing: Summarizing, listener: Listener): SummarizedWith {
  const { settings } = planOptions(choices);
  switch (summarizing.kind) {
    case "local":
      return { settings, summarize: "local" };
    case "page": {
      const { model } = summarizing;
      return { settings, summarize: askPage(listener), ...(model === undefined ? {} : { models: [model] }) };
    }
    case "remote": {
      const { endpoint, headers, allowedHosts } = summarizing;
      const compaction = { ...settings.compaction, remoteEndpoint: endpoint };
      return { settings: { ...settings, compaction, remote: { allowedHosts } }, remote: { headers } };
    }
  }
}

let requests = 0;

/** A summariser that asks the page's, and ends that with its signal. */
function askPage(listener: Listener): Summarize {
  return async (request, { signal, attempt }) => {
    const id = (requests += 1);
    const cancel = () => void listener.cancel(id);
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const reply = await listener.summarize(id, request, attempt);
      if (!reply.ok) throw thrownBy(reply);
      const { ok, ...said } = reply;
      return said;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  };
}

/** The error as it was thrown on the page, so far as the library goes by it: its name, status and headers. */
function thrownBy({ name, message, status, retryAfter }: Extract<Reply, { ok: false }>): Error {
  const error = new Error(message);
  error.name = name;
  return Object.assign(error, status === undefined ? {} : { status }, retryAfter === undefined ? {} : { headers: { "retry-after": retryAfter } });
}
