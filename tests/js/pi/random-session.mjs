// Random sessions as a coding agent writes them: turns with parallel calls whose results come behind
// them in any order, messages of every role, metadata, branches, compactions.

import { random } from "../random.mjs";

const WORDS = [
  "fix", "the", "build", "error", "src/lib.rs", "naïve", "日本語", "テスト", "한국어", "हिन्दी", "Привет", "مرحبا",
  "🎉", "👩‍👩‍👧", "\t", "\n", "\"quoted\"", "back\\slash", "\u0007", "\u2028", "</summary>", "x".repeat(40),
];
const IMAGE = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };

/** The entries of a session, header left out. */
export function randomSession(seed) {
  const { below, pick, chance, shuffled } = random(seed);
  const entries = [];
  // Where no call is open, so that a branch may begin there.
  const ends = [];
  let leaf = null;
  let calls = 0;

  const words = (most) => Array.from({ length: below(most) }, () => pick(WORDS)).join(" ");
  const text = (most) => ({ type: "text", text: words(most) });
  const add = (entry) => {
    const id = (entries.length + 0x10000000 + seed * 4096).toString(16).slice(-8);
    const timestamp = new Date(1_750_000_000_000 + entries.length * 1000).toISOString();
    entries.push({ ...entry, id, parentId: leaf, timestamp });
    leaf = id;
  };
  const say = (message) => add({ type: "message", message: { ...message, timestamp: 1_750_000_000_000 + entries.length } });
  const ended = () => ends.push(leaf);

  const blocks = (most) => (chance(0.4) ? words(most) : [text(most), ...(chance(0.3) ? [IMAGE] : []), ...(chance(0.2) ? [text(5)] : [])]);
  const usage = () => ({ input: below(9_000), output: below(900), cacheRead: below(9_000), cacheWrite: 0, totalTokens: below(20_000) });
  const argument = (depth) =>
    pick([
      () => words(6),
      () => below(1e9) / pick([1, 3, 1e-12, 1e12]),
      () => pick([true, false, null, -0, 1e21, 0.1]),
      () => (depth > 2 ? [] : Array.from({ length: below(3) }, () => argument(depth + 1))),
      () => (depth > 2 ? {} : { [words(2)]: argument(depth + 1), path: "src/a.ts" }),
    ])();
  const toolCall = () => ({ type: "toolCall", id: `call-${(calls += 1)}`, name: pick(["read", "edit", "bash"]), arguments: { path: words(3), value: argument(0) } });

  const assistant = (stopReason, content) =>
    say({ role: "assistant", content, api: "a", provider: pick(["p", "q"]), model: pick(["m", "n"]), stopReason, ...(chance(0.8) ? { usage: usage() } : {}) });
  const step = () => {
    const called = Array.from({ length: 1 + below(3) }, toolCall);
    const thinking = chance(0.3) ? [{ type: "thinking", thinking: words(20), thinkingSignature: "s" }] : [];
    assistant("toolUse", [...thinking, ...(chance(0.5) ? [text(20)] : []), ...called]);
    for (const { id, name } of shuffled(called)) {
      if (chance(0.03)) messageLike();
      const content = [text(chance(0.1) ? 400 : 30), ...(chance(0.1) ? [IMAGE] : [])];
      say({ role: "toolResult", toolCallId: id, toolName: name, content, isError: chance(0.1) });
    }
  };
  const turn = () => {
    say({ role: "user", content: blocks(30) });
    for (let steps = below(4); steps > 0; steps -= 1) {
      step();
      if (chance(0.2)) metadata();
    }
    if (chance(0.9)) assistant(pick(["stop", "stop", "stop", "length", "error", "aborted"]), [text(40)]);
  };
  const metadata = () =>
    add(
      pick([
        () => ({ type: "model_change", provider: "p", modelId: "m" }),
        () => ({ type: "thinking_level_change", thinkingLevel: pick(["off", "high"]) }),
        () => ({ type: "custom", customType: "state", data: { n: below(9) } }),
        () => ({ type: "session_info", name: words(3) }),
        () => ({ type: "label", targetId: pick(entries).id, label: words(2) }),
        () => ({ type: "something_new", any: [1, 2] }),
      ])(),
    );
  const messageLike = () =>
    pick([
      () => add({ type: "custom_message", customType: "note", content: blocks(20), display: chance(0.5), ...(chance(0.3) ? { details: { a: 1 } } : {}) }),
      () => add({ type: "branch_summary", fromId: "root", summary: `left ${words(30)}`, ...(chance(0.3) ? { fromHook: true } : {}) }),
      () => say({ role: "bashExecution", command: words(4), output: words(30), exitCode: pick([0, 1]), cancelled: false, truncated: false, ...(chance(0.2) ? { excludeFromContext: true } : {}) }),
      () => say({ role: "custom", customType: "hook", content: blocks(20), display: true }),
      () => say({ role: pick(["branchSummary", "compactionSummary"]), summary: words(20), fromId: "root", tokensBefore: 7 }),
    ])();
  const compaction = () => {
    const path = pathTo(entries, leaf).filter(({ message }) => message?.role !== "toolResult");
    add({ type: "compaction", summary: `so far: ${words(40)}`, firstKeptEntryId: pick(path.slice(-20)).id, tokensBefore: below(9_000) });
  };

  turn();
  ended();
  for (let parts = 3 + below(24); parts > 0; parts -= 1) {
    if (chance(0.08)) leaf = pick(ends);
    const kind = below(100);
    if (kind < 55) turn();
    else if (kind < 75) metadata();
    else if (kind < 93) messageLike();
    else compaction();
    ended();
  }
  return entries;
}

/** The entries from the root to one. */
export function pathTo(entries, leafId) {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const path = [];
  for (let entry = byId.get(leafId); entry !== undefined; entry = byId.get(entry.parentId)) path.push(entry);
  return path.reverse();
}
