// Sessions that are made for the tests: a huge one, and one whose texts are hostile. The same each time.

import { createWriteStream } from "node:fs";
import { once } from "node:events";

const WORDS = "berth quay tide draft tug pilot gang slot crane hatch lock gate plan rule board notice vessel cargo lane pier".split(" ");

const START = Date.parse("2026-03-17T08:00:00.000Z");

/** The header of a session file. */
const header = { type: "session", version: 3, id: "5b6f8d3e-6a52-7c11-8a4e-0d7a1f3c9b20", timestamp: new Date(START).toISOString(), cwd: "/home/dev/made" };

/** A message as a line of a session file; `place` is its number from 0, `parent` that of the entry it follows. */
function line(place, parent, message) {
  const time = START + place * 1000;
  const entry = { type: "message", id: idOf(place), parentId: parent < 0 ? null : idOf(parent), timestamp: new Date(time).toISOString(), message: { ...message, timestamp: time } };
  return `${JSON.stringify(entry)}\n`;
}

const idOf = (place) => place.toString(16).padStart(8, "0");

/** The messages of a turn of four: a question, a call of a tool, its long output, an answer. */
function messageAt(place, outputBytes) {
  const turn = Math.floor(place / 4);
  const said = (length) => Array.from({ length }, (_, at) => WORDS[(turn * 7 + at * (1 + (turn % 11))) % WORDS.length]).join(" ");
  const assistant = (content, stopReason) => ({ role: "assistant", content, api: "messages", provider: "made", model: "made-1", stopReason });
  switch (place % 4) {
    case 0:
      return { role: "user", content: `Turn ${turn + 1}: ${said(12 + (turn % 30))}?` };
    case 1:
      return assistant([{ type: "text", text: said(20) }, { type: "toolCall", id: `call_${turn}`, name: "read", arguments: { path: `src/${WORDS[turn % WORDS.length]}/${turn}.ts` } }], "toolUse");
    case 2:
      return { role: "toolResult", toolCallId: `call_${turn}`, toolName: "read", content: [{ type: "text", text: `${said(40)}\n`.repeat(Math.ceil(outputBytes / 230)).slice(0, outputBytes) }], isError: false };
    default:
      return assistant([{ type: "text", text: said(60) }], "stop");
  }
}

/** Writes a session of so many entries and about so many bytes, with a branch that is left every 400 entries. */
export async function writeHuge(path, { entries, bytes }) {
  const file = createWriteStream(path);
  file.write(`${JSON.stringify(header)}\n`);
  // Beside the outputs, a turn of four entries takes about 1 300 bytes.
  const outputBytes = Math.floor((bytes - entries * 330) / (entries / 4));
  let last = -1;
  for (let place = 0; place < entries; place += 1) {
    // A question is asked anew: what followed it the first time is a branch of its own.
    const parent = place % 400 === 0 && place > 0 ? place - 41 : last;
    if (!file.write(line(place, parent, messageAt(place, outputBytes)))) await once(file, "drain");
    last = place;
  }
  file.end();
  await once(file, "close");
}

/** Texts that would do harm, or make a mess, where they were taken for more than text. */
export const HOSTILE = [
  `<script>document.title = "taken"</script><img src="https://other.example/x.png" onerror="document.title = 'taken'">`,
  `"><svg onload="document.title='taken'"><style>body { display: none }</style><iframe srcdoc="<script>parent.document.title='taken'</script>"></iframe>`,
  `javascript:document.title="taken"`,
  "</textarea></title></pre><base href='https://other.example/'><form action='https://other.example/'><input name=q autofocus onfocus=document.title='taken'>",
  "{{constructor.constructor('document.title=1')()}} ${document.title='taken'} <%= document.title %> %3Cscript%3E &lt;b&gt;",
  "\u0000\u0001\u0007\b\u001b[31mred\u001b[0m\u001b]0;taken\u0007\u007f\u0085\r\roverwritten",
  "\u202egnp.elif\u202c \u2066isolated \u202eabc\u2069 \u200b\u200d\ufeff \u2028\u2029 a\u0301\u0301\u0301\u0301",
  `lone ${"\\ud83d"} and ${"\\udc4d"} halves`,
  "W".repeat(200_000),
  "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e\u0349\u035a\u032f\u031e\u0320\u034d".repeat(200),
];

/** A session file that holds each hostile text wherever a session has room for text. */
export function hostileSession() {
  const lines = [JSON.stringify({ ...header, cwd: HOSTILE[0] })];
  let place = 0;
  const add = (message) => lines.push(line(place, place - 1, message).trimEnd()) && (place += 1);
  for (const text of HOSTILE) {
    add({ role: "user", content: text });
    add({ role: "assistant", content: [{ type: "thinking", thinking: text }, { type: "text", text }, { type: "toolCall", id: `call_${place}`, name: text.slice(0, 60), arguments: { [text.slice(0, 60)]: text } }], api: "messages", provider: text.slice(0, 60), model: text.slice(0, 60), stopReason: "toolUse" });
    add({ role: "toolResult", toolCallId: `call_${place - 1}`, toolName: text.slice(0, 60), content: [{ type: "text", text }], isError: true });
    add({ role: "bashExecution", command: text, output: text, exitCode: 1, cancelled: false, truncated: false });
  }
  const after = (fields) => lines.push(JSON.stringify({ id: idOf(place), parentId: idOf(place - 1), timestamp: header.timestamp, ...fields })) && (place += 1);
  after({ type: "label", targetId: idOf(0), label: HOSTILE[0] });
  after({ type: "session_info", name: HOSTILE[1] });
  after({ type: "custom_message", customType: HOSTILE[2], content: HOSTILE[3], display: true });
  // The escapes of lone halves are those of JSON itself.
  return `${lines.join("\n")}\n`.replaceAll("\\\\ud83d", "\\ud83d").replaceAll("\\\\udc4d", "\\udc4d");
}
