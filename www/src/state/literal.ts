// Values as people write them in JavaScript.

/** A line of code is no longer than this where it can be helped, in characters: it is read in a narrow panel. */
const WIDTH = 64;

/** Code that stands for itself: a variable, an expression. */
export class Raw {
  constructor(readonly code: string) {}
}

export type Value = string | number | boolean | Raw | readonly Value[] | { readonly [key: string]: Value };

/** A call with a value: `start` and its end stand around it. What is too long for one line has a line for each part. */
export function withValue(start: string, value: Value, end = ""): string {
  return `${start}${code(value, "", start.length + end.length)}${end}`;
}

/** The code of a value, on one line. */
export function literal(value: Value): string {
  return code(value, "", -Infinity);
}

/** `around`: how many characters stand beside the value on its line. */
function code(value: Value, indent: string, around: number): string {
  const inline = onOneLine(value);
  if (indent.length + around + inline.length <= WIDTH || !hasParts(value)) return inline;
  const parts = partsOf(value, (part) => code(part, `${indent}  `, 0));
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join("")}${indent}${close}`;
}

function onOneLine(value: Value): string {
  if (value instanceof Raw) return value.code;
  if (typeof value === "number") return withSeparators(value);
  if (!hasParts(value)) return JSON.stringify(value);
  const parts = partsOf(value, onOneLine).join(", ");
  if (Array.isArray(value)) return `[${parts}]`;
  return parts === "" ? "{}" : `{ ${parts} }`;
}

function hasParts(value: Value): value is readonly Value[] | { readonly [key: string]: Value } {
  return typeof value === "object" && !(value instanceof Raw);
}

function partsOf(value: readonly Value[] | { readonly [key: string]: Value }, write: (part: Value) => string): string[] {
  if (Array.isArray(value)) return (value as readonly Value[]).map(write);
  return Object.entries(value as { readonly [key: string]: Value }).map(([key, part]) => {
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
    return part instanceof Raw && part.code === key ? key : `${name}: ${write(part)}`;
  });
}

/** `200_000` */
function withSeparators(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, "_");
}
