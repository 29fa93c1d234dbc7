// That an array which was handed in stays as it was.

import assert from "node:assert/strict";
import { copied } from "./random/damage.mjs";

/** Freezes an array and all in it but bytes and other objects of the platform, which cannot be. */
export function frozen(value) {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || value instanceof URL) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

/** Runs something on an array that cannot be written to, and fails if it was changed all the same. */
export async function leavingAlone(messages, run) {
  const before = copied(messages);
  const result = await run(frozen(messages));
  assert.deepEqual(messages, before, "the array that came in was changed");
  return result;
}

/** What JSON makes of it, with bytes as base64. */
export const projected = (value) => {
  if (ArrayBuffer.isView(value)) return Buffer.from(value).toString("base64");
  if (value instanceof URL) return value.href;
  if (Array.isArray(value)) return value.map(projected);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined).map(([key, inner]) => [key, projected(inner)]));
};
