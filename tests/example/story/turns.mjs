// A coding session of 200 turns: what the user says, and what a model would call for it.

export const TURNS = 200;

/** Said once, in turn 3, by the user, and asked for at the very end. */
export const CODE_WORD = "heron-4471";

const file = (turn) => `src/part-${turn}.mjs`;

/** What the user says in a turn, from 1. */
export function promptOf(turn) {
  const head = `Turn ${turn}: `;
  if (turn === 3) return `${head}Remember this for the end of the session: the code word of the release is ${CODE_WORD}. Nothing to do now.`;
  if (turn === TURNS) return `${head}What is the code word of the release?`;
  switch (turn % 4) {
    case 1:
      return `${head}Write ${file(turn)}, the part of the importer that reads the records of table ${turn}.`;
    case 2:
      return `${head}Look at ${file(turn - 1)} and rename its first value so that the name says what it holds.`;
    case 3:
      return `${head}Where is the second value of part ${turn - 2} used? Search for it before you answer.`;
    default:
      return `${head}Read ${file(turn - 3)} once more and write down in notes/${turn}.md what it does.`;
  }
}

/** The steps of a turn, 0 being any that is not of this story: the calls that a model makes at once, step after step. */
export function stepsOf(turn) {
  if (turn === 0 || turn === 3 || turn === TURNS) return [];
  switch (turn % 4) {
    case 1:
      return [[call("write", { path: file(turn), content: sourceOf(turn) })]];
    case 2: {
      const path = file(turn - 1);
      const edit = { path, oldText: `value${turn - 1}_1 `, newText: `table${turn - 1}Width ` };
      return [[call("list", { path: "src" }), call("read", { path })], [call("edit", edit)]];
    }
    case 3:
      return [[call("search", { path: "src", text: `value${turn - 2}_2` })]];
    default:
      return [[call("read", { path: file(turn - 3) })], [call("write", { path: `notes/${turn}.md`, content: notesOf(turn) })]];
  }
}

const call = (name, given) => ({ name, arguments: given });

function sourceOf(turn) {
  const lines = [`// Reads the records of table ${turn}.`];
  for (let value = 1; value <= 24; value += 1) lines.push(`export const value${turn}_${value} = column(${turn}, ${value}, "field of table ${turn}");`);
  return `${lines.join("\n")}\n`;
}

const notesOf = (turn) => `# Part ${turn - 3}\n\n${`It reads each record of table ${turn - 3} and hands it on. `.repeat(12)}\n`;
