// A terminal without a screen: keys go in, and what comes out can be listened to.

import { PassThrough } from "node:stream";
import { listen } from "./listen.mjs";

export const ESCAPE = "\u001b";

export function fakeTty() {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 200, rows: 50 });
  const { until } = listen(output);
  return { input, output, until, press: (keys) => input.write(keys), enter: (line) => input.write(`${line}\r`) };
}
