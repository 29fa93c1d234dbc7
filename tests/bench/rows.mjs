// The rows: what each side does, and what is asked of the ratio.

import * as langchain from "./langchain.mjs";
import * as ours from "./ours.mjs";
import * as pi from "./pi.mjs";
import { median, race, ratio } from "./race.mjs";
import { chatOf, message, pathOf, realSession } from "./sessions.mjs";

const real = realSession();
const LONG = 100_000;
const SHORT = 1_000;
/** How far back the long path was compacted last. */
const COMPACTION_BACK = 2_000;
/** What takes pi a second is not repeated as often. */
const FEW = { rounds: 9 };

let longPath;
const long = () => (longPath ??= pathOf(LONG, { compactionBack: COMPACTION_BACK }));

export const ROWS = [
  { name: "load the session, from bytes", target: 1.5, measure: () => loading(real.bytes) },
  { name: "prepare a compaction", target: 3, measure: () => preparing(real.bytes) },
  { name: "prepare a compaction, 100 000 entries", target: 100, measure: () => preparing(long(), FEW) },
  { name: "build the context again", target: 1, measure: () => building(real.bytes) },
  { name: "build the context again, 100 000 entries", target: 10, measure: () => building(long(), FEW) },
  { name: "the text of the summary requests", target: 1, measure: () => prompting(real.bytes) },
  { name: "fold an array of 2 MB; the peer trims it", target: 1, measure: folding },
  { name: "append and ask for the size, at 100 000 / at 1 000", target: 1.5, atMost: true, measure: appending },
  { name: "a turn end with nothing to do, at 100 000 / at 1 000", target: 1.5, atMost: true, measure: checking },
];

async function sideBySide(theirs, own, options) {
  const [piTimes, ourTimes] = await race([theirs, own], options);
  return { ratio: ratio(piTimes, ourTimes), detail: [["pi", median(piTimes)], ["ours", median(ourTimes)]] };
}

/** From bytes to a counted, migrated session. Giving memory back is timed on neither side. */
async function loading(bytes) {
  const theirs = { run: () => pi.load(bytes) };
  const own = { run: () => ours.Session.fromJsonl(bytes, { preset: "safe" }), after: (session) => session.free() };
  return { ...(await sideBySide(theirs, own, { warmUp: 1_500 })), note: real.name };
}

/** What is summarised, kept and touched: ours as ids, pi's as the messages that it hands on. */
async function preparing(bytes, options) {
  const { path } = pi.hold(bytes);
  const theirs = { run: () => pi.prepareCompaction(path) };
  const session = ours.Session.fromJsonl(bytes, { preset: "safe" });
  const own = { run: () => readPlan(session.prepareCompaction()) };
  const result = await sideBySide(theirs, own, options);
  const [{ messagesToSummarize, turnPrefixMessages }, plan] = [theirs.run(), own.run()];
  session.free();
  const note =
    `summarised: pi ${messagesToSummarize.length}+${turnPrefixMessages.length} messages, ` +
    `ours ${plan.toSummarize.length}+${plan.turnPrefix.length}; ` +
    `ours on a session just loaded: ${(await firstPlan(bytes)).toFixed(3)} ms`;
  return { ...result, note };
}

/** Reads what a host needs of a plan: if it was not made before, it is made now. */
function readPlan(answer) {
  if (!answer.ok) throw new Error(`nothing to prepare: ${answer.message}`);
  const { firstKeptEntryId, entryIdsToSummarize, turnPrefixEntryIds, previousSummary, fileOps, tokensBefore } = answer.preparation;
  return { firstKeptEntryId, toSummarize: entryIdsToSummarize, turnPrefix: turnPrefixEntryIds, previousSummary, fileOps, tokensBefore };
}

/** The milliseconds of the first plan of a session, for which nothing was looked up before. */
async function firstPlan(bytes) {
  const own = {
    before: () => ours.Session.fromJsonl(bytes, { preset: "safe" }),
    run: (session) => ({ session, plan: readPlan(session.prepareCompaction()) }),
    after: ({ session }) => session.free(),
  };
  const [times] = await race([own], { rounds: 9 });
  return median(times);
}

/** The view at the leaf, with messages that were handed out before. */
async function building(bytes, options) {
  const { path, leafId, byId } = pi.hold(bytes);
  const theirs = { run: () => pi.buildSessionContext(path, leafId, byId) };
  const session = ours.Session.fromJsonl(bytes, { preset: "safe" });
  const own = { run: () => session.buildSessionContext() };
  const handedOut = own.run().messages;
  const result = await sideBySide(theirs, own, options);
  const again = own.run().messages;
  if (again.some((message, place) => message !== handedOut[place])) throw new Error("a message is another object now");
  session.free();
  return { ...result, note: `messages: pi ${theirs.run().messages.length}, ours ${again.length}` };
}

/** The prompts for history and turn prefix. */
async function prompting(bytes) {
  const theirPlan = pi.prepareCompaction(pi.hold(bytes).path);
  const ourPlan = ours.enginePlan(bytes);
  const theirs = { run: () => inOnePiece(pi.prompts(theirPlan)) };
  const own = { run: () => inOnePiece(ourPlan.prompts()) };
  const result = await sideBySide(theirs, own);
  const length = (prompts) => prompts.map((prompt) => prompt.length).join("+");
  return { ...result, note: `characters: pi ${length(theirs.run())}, ours ${length(own.run())}` };
}

/** Strings whose parts were only tied together so far are put into one piece when they are read. */
function inOnePiece(prompts) {
  for (const prompt of prompts) prompt.charCodeAt(prompt.length - 1);
  return prompts;
}

/** How large the array is, in characters of its JSON; what the model takes, and what is kept, in tokens. */
const ARRAY = 2_000_000;
const WINDOW = 400_000;
const KEPT = 20_000;

/**
 * An array of Chat Completions messages is folded: the format is told, the messages are read, counted and cut,
 * the earlier part is written for a summariser that answers at once, and the new array is put together. The peer
 * drops the earlier part, and gets its own kind of messages and their lengths ready-made.
 */
async function folding() {
  const messages = chatOf(ARRAY);
  const held = langchain.hold(messages);
  const theirs = { run: () => langchain.trim(held, KEPT), isAsync: true };
  const options = { contextWindow: WINDOW, summarize: () => "## Goal\n\nThe work so far.", settings: { compaction: { keepRecentTokens: KEPT, shortSummary: false } } };
  const own = { run: () => ours.foldMessages(messages, options), isAsync: true };
  const result = await sideBySide(theirs, own, FEW);
  const [trimmed, folded] = [await theirs.run(), await own.run()];
  if (folded.outcome.status !== "committed") throw new Error(`the array was not folded: ${folded.outcome.reason}`);
  const { ratio, detail } = result;
  const [[, peer], mine] = detail;
  return { ratio, detail: [["trimMessages", peer], mine], note: `${messages.length} messages: kept by the peer ${trimmed.length}, by us ${folded.messages.length}` };
}

/** How many entries are appended in a sample. */
const APPENDED = 100;

/** One more entry, and the context size after it. */
async function appending() {
  const load = (bytes) => ours.Session.fromJsonl(bytes, { preset: "safe" });
  const append = (session) => {
    let tokens = 0;
    for (let count = 0; count < APPENDED; count += 1) {
      session.appendMessage(message(session.length));
      tokens += session.contextUsage({ contextWindow: 200_000 }).tokens;
    }
    return { session, tokens };
  };
  const [longBytes, shortBytes] = [pathOf(LONG), pathOf(SHORT)];
  const session = load(longBytes);
  // The long session hardly grows while it is measured; the short one would, and is loaded anew.
  const atLong = { before: () => session, run: append };
  const atShort = { before: () => load(shortBytes), run: append, after: ({ session }) => session.free() };
  const sides = await race([atLong, atShort]);
  const [long, short] = sides.map((times) => times.map((time) => time / APPENDED));
  return { ratio: ratio(long, short), detail: [["at 100 000", median(long)], ["at 1 000", median(short)]], note: "ours alone" };
}

/** The check at the end of a turn that finds nothing to do. */
async function checking() {
  const side = (bytes) => {
    const session = ours.Session.fromJsonl(bytes, { preset: "safe" });
    const model = { provider: "acme", id: "large", contextWindow: 1_000_000_000 };
    const agent = new ours.AgentSession({ session, model, summarize: "local" });
    const run = async () => {
      const { action } = await agent.handleTurnEnd();
      if (action !== "none") throw new Error(`the check did something: ${action}`);
    };
    return { run, isAsync: true };
  };
  const [long, short] = await race([side(pathOf(LONG)), side(pathOf(SHORT))]);
  return { ratio: ratio(long, short), detail: [["at 100 000", median(long)], ["at 1 000", median(short)]], note: "ours alone" };
}
