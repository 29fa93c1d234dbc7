// The example's callback for summaries, in real compactions.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compact } from "threadfold";
import { openProvider } from "../../examples/node-agent/provider.mjs";
import { summarizeWith } from "../../examples/node-agent/summarize.mjs";
import { PROTOCOLS, provide, WINDOW } from "./setting.mjs";
import { longSession } from "./story/long-session.mjs";
import { CODE_WORD } from "./story/turns.mjs";

for (const protocol of PROTOCOLS) {
  describe(`a summary by ${protocol}`, () => {
    const fold = async (provider, session) => {
      const model = { provider: protocol, id: "m", contextWindow: WINDOW, maxOutputTokens: 2_000 };
      const summarize = summarizeWith(openProvider(protocol, { baseURL: provider.baseURL[protocol], apiKey: "a-key" }), model);
      return compact(session, { model, summarize, sleep: async () => {} });
    };

    test("holds the facts and has the headings that were asked for", async (t) => {
      const provider = await provide(t);
      const session = longSession();
      const outcome = await fold(provider, session);
      assert.deepEqual([outcome.status, outcome.summarizer, outcome.warnings ?? []], ["committed", "callback", []]);
      assert.ok(outcome.entry.summary.includes(CODE_WORD));
      assert.ok(outcome.entry.shortSummary.length > 0);
      assert.deepEqual(provider.violations, []);
      assert.ok(provider.requests.every(({ kind }) => kind === "summary"));
    });

    for (const fault of ["rate-limit", "overloaded", "drop", "malformed"]) {
      test(`survives the fault ${fault}`, async (t) => {
        const provider = await provide(t, { faults: [{ of: "summary", fault }] });
        assert.equal((await fold(provider, longSession())).status, "committed");
        assert.deepEqual(provider.faults.left, []);
      });
    }
  });
}
