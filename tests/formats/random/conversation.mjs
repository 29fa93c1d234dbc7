// A random conversation in no format: what was said, called and answered. Each format tells it its own way.

const WORDS = [
  "fix", "the", "build", "error", "src/lib.rs", "naïve", "日本語", "テスト", "हिन्दी", "Привет", "مرحبا", "🎉", "👩‍👩‍👧",
  "\t", "\n", "\"quoted\"", "back\\slash", "\u0007", "\u2028", "</summary>", "x".repeat(40),
];
const NAMES = ["read", "edit", "bash", "look_up"];

/** Begins what the user and the assistant say to each other, with a number behind it. */
const SPOKEN = "spoken";
/** The beginnings of all that is said in a value: each stands once in a conversation. */
export const spokenIn = (value) => new Set(JSON.stringify(value).match(new RegExp(`${SPOKEN}\\d+`, "g")));

/** Valid, and as small as they come. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAAAAABX3VL4AAAADklEQVR4nGNg+M/wnwEABgAB/4/x/JoAAAAASUVORK5CYII=";
export const PDF = "JVBERi0xLjQKMSAwIG9iajw8L1R5cGUvQ2F0YWxvZy9QYWdlcyAyIDAgUj4+ZW5kb2JqIDIgMCBvYmo8PC9UeXBlL1BhZ2VzL0tpZHNbXS9Db3VudCAwPj5lbmRvYmoKdHJhaWxlcjw8L1Jvb3QgMSAwIFI+PgolJUVPRg==";

/**
 * @typedef {{ kind: "text", text: string } | { kind: "image" | "link" | "file" | "unknown" }} Piece what a user sends
 * @typedef {{ text: string, seal: string, redacted: boolean }} Reasoning with the vendor's signature or encrypted form
 * @typedef {{ kind: "text" | "image" | "error", text: string } | { kind: "json", value: unknown }} Result
 * @typedef {{ approved: boolean, reason: string | undefined }} Approval
 * @typedef {{ id: string, name: string, input: object, result: Result, approval: Approval | undefined }} Call
 * @typedef {{ reasoning: Reasoning | undefined, text: string | undefined, calls: Call[], answered: Call[], served: Call[] }} Step
 *   calls at once, in the order of their results too; `served` are those that the server ran
 * @typedef {{ note: string | undefined, said: Piece[], steps: Step[], answer: { reasoning: Reasoning | undefined, text: string } | undefined }} Turn
 *   what the user said, what was done, and the last word; `note` is a system message before it
 */

/**
 * Turns that make some `messages` messages, of which each begins with the user.
 * @param {ReturnType<typeof import("../../js/random.mjs").random>} random
 * @param {{ messages: number, idsComeAgain?: "in steps" | "in turns" }} options `idsComeAgain`: some conversations number
 *   their calls anew in each
 * @returns {{ system: string | undefined, turns: Turn[], next: () => number }} `next` numbers what needs an id
 */
export function randomConversation({ below, pick, chance, shuffled }, { messages, idsComeAgain }) {
  let number = 0;
  const next = () => (number += 1);
  const again = idsComeAgain !== undefined && chance(0.3);
  let calls = 0;

  /** Some words, the first of which stands nowhere else. */
  const words = (most, mark = "word") => [`${mark}${next()}`, ...Array.from({ length: below(most) }, () => pick(WORDS))].join(" ");
  const value = (depth) =>
    pick([
      () => words(6),
      () => below(1e9) / pick([1, 3, 1e-12, 1e12]),
      () => pick([true, false, null, 0, 1e21, 0.1]),
      () => (depth > 2 ? [] : Array.from({ length: below(3) }, () => value(depth + 1))),
      () => (depth > 2 ? {} : { [words(2)]: value(depth + 1), path: "src/a.ts" }),
    ])();
  const result = () =>
    pick([
      () => ({ kind: "text", text: words(chance(0.1) ? 400 : 30) }),
      () => ({ kind: "json", value: { found: value(1) } }),
      () => ({ kind: "image", text: words(3) }),
      () => ({ kind: "error", text: words(8) }),
    ])();
  const approval = () => (chance(0.2) ? { approved: chance(0.6), reason: chance(0.5) ? words(4) : undefined } : undefined);
  const call = () => ({
    id: `call_${again ? (calls += 1) : next()}`,
    name: pick(NAMES),
    input: chance(0.1) ? {} : { path: words(3), value: value(0) },
    result: result(),
    approval: approval(),
  });
  const reasoning = () => (chance(0.3) ? { text: words(20), seal: pick(["c2VhbA==", "RW5jcnlwdGVk"]), redacted: chance(0.2) } : undefined);
  const step = () => {
    if (idsComeAgain === "in steps") calls = 0;
    const called = Array.from({ length: 1 + below(3) }, call);
    const served = chance(0.15) ? [call()] : [];
    return { reasoning: reasoning(), text: chance(0.5) ? words(20, SPOKEN) : undefined, calls: called, answered: shuffled(called), served };
  };
  const piece = () => pick([() => ({ kind: "text", text: words(20, SPOKEN) }), () => ({ kind: pick(["image", "link", "file", "unknown"]) })])();
  const steps = () => {
    calls = 0;
    return chance(0.6) ? Array.from({ length: 1 + below(3) }, step) : [];
  };
  const turn = () => ({
    note: chance(0.05) ? words(6) : undefined,
    said: [{ kind: "text", text: words(30, SPOKEN) }, ...(chance(0.3) ? Array.from({ length: 1 + below(2) }, piece) : [])],
    steps: steps(),
    answer: chance(0.9) ? { reasoning: reasoning(), text: words(40, SPOKEN) } : undefined,
  });

  const turns = [];
  const length = ({ steps, answer }) => 1 + steps.reduce((sum, { calls }) => sum + 1 + calls.length, 0) + (answer ? 1 : 0);
  for (let left = messages; left > 0; left -= length(turns.at(-1))) turns.push(turn());
  return { system: chance(0.5) ? words(30) : undefined, turns, next };
}

/** What the tool said, as text. */
export const textOf = (result) => (result.kind === "json" ? JSON.stringify(result.value) : result.text);
