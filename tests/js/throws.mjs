// One way to say which error a call must throw.

import assert from "node:assert/strict";
import { ThreadfoldError } from "threadfold";

/** Fails unless the call throws an error of the package with the code, whose message names every part. */
export function throwsCode(call, code, ...parts) {
  assert.throws(call, (error) => isCode(error, code, parts));
}

/** The same for a promise. */
export const rejectsCode = (promise, code, ...parts) => assert.rejects(promise, (error) => isCode(error, code, parts));

function isCode(error, code, parts) {
  assert.ok(ThreadfoldError.isInstance(error), `not an error of the package: ${error?.stack ?? error}`);
  assert.equal(error.code, code, error.message);
  for (const part of parts) {
    const holds = part instanceof RegExp ? part.test(error.message) : error.message.includes(part);
    assert.ok(holds, `"${error.message}" does not name ${part}`);
  }
  return true;
}
