// Real session files: loaded, folded, saved and loaded again, with nothing missing.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { compact, estimateTokens, Session } from "threadfold";
import { assertLegal } from "./legal-view.mjs";

const folder = new URL("../../../shared/sessions/", import.meta.url);
const files = existsSync(folder) ? readdirSync(folder).filter((name) => /^(pi|ctree|senpi)-.*\.jsonl$/.test(name)) : [];
const skip = files.length > 0 ? false : "the folder ../shared/sessions with session files is absent";

const REASONS = ["already-compacted", "session-too-small", "kept-tail-too-large", "open-tool-call"];

/** A line without what a migration puts into it. */
const unmigrated = (line) =>
  line
    .replace(/"id":"[0-9a-f]{8}","parentId":(?:null|"[0-9a-f]{8}"),/g, "")
    .replace(/^\{"type":"session",(?:"version":\d,)?/, '{"type":"session",')
    .replace(/"firstKeptEntry(?:Id":"[0-9a-f]{8}"|Index":\d+)/, "first kept");

/** The lines of a file, every byte as a character of its own. */
const linesOf = (bytes) => Buffer.from(bytes).toString("latin1").split("\n");

function assertNothingLost(original, saved) {
  const [before, after] = [linesOf(original), linesOf(saved)];
  const current = before[0].includes('"version":3');
  before.forEach((line, number) => {
    if (line === "") return;
    if (current) assert.equal(after[number], line, `line ${number + 1}`);
    else assert.equal(unmigrated(after[number]), unmigrated(line), `line ${number + 1}`);
  });
}

const idsOf = (session) => session.entries().map(({ id }) => id);
/** A torn last line is an ordinary unreadable one once others follow. */
const kindsOf = (session) => session.diagnostics.map(({ kind, line }) => `${line}: ${kind.replace("torn", "malformed")}`);

describe("real session files", { skip }, () => {
  for (const name of files) {
    test(`${name} is folded and saved without loss`, async (t) => {
      const bytes = readFileSync(new URL(name, folder));
      const session = Session.fromJsonl(bytes);
      const ids = idsOf(session);
      assert.equal(new Set(ids).size, ids.length, "ids are unique");
      assertNothingLost(bytes, session.toJsonl());
      if (linesOf(bytes)[0].includes('"version":3')) assert.ok(bytes.equals(session.toJsonl()), "the same bytes");

      const context = session.buildSessionContext();
      assertLegal(context, `${name}, before`);
      const keepRecentTokens = Math.floor(estimateTokens(context.messages) / 10);
      const outcome = await compact(session, { summarize: "local", settings: { compaction: { keepRecentTokens } } });
      t.diagnostic(`${ids.length} entries: ${outcome.status} ${outcome.reason ?? outcome.progress}`);
      if (outcome.status === "nothing-to-do") assert.ok(REASONS.includes(outcome.reason), outcome.reason);
      else assert.equal(outcome.status, "committed", outcome.error?.message);
      const folded = session.buildSessionContext();
      assertLegal(folded, `${name}, after`);

      const saved = session.toJsonl();
      assertNothingLost(bytes, saved);
      const again = Session.fromJsonl(saved);
      assert.deepEqual(idsOf(again), [...ids, ...(outcome.entry ? [outcome.entry.id] : [])]);
      assert.deepEqual(again.entries(), session.entries());
      assert.deepEqual(again.buildSessionContext(), folded);
      assert.deepEqual(kindsOf(again), kindsOf(session));
      assert.ok(Buffer.from(saved).equals(again.toJsonl()), "saving again gives the same bytes");
      const second = await compact(again, { summarize: "local", settings: { compaction: { keepRecentTokens } } });
      assert.equal(second.reason, "already-compacted");
    });
  }

  for (const name of files) {
    test(`every branch of ${name} has a legal view`, () => {
      for (const preset of ["safe", "classic"]) {
        const session = Session.fromJsonl(readFileSync(new URL(name, folder)), { preset });
        const { nodes } = session.tree();
        const leaves = [...nodes].filter(([, { childIds }]) => childIds.length === 0).map(([id]) => id);
        // In the middle of a session calls are open and turns unfinished.
        const within = [...nodes.keys()].filter((_, number) => number % 23 === 0);
        for (const leafId of [...leaves, ...within]) {
          const context = session.buildSessionContext({ leafId });
          if (preset === "safe") assertLegal(context, `${name} at ${leafId}`);
          else assert.deepEqual(context.repairs, []);
        }
      }
    });
  }
});
