// The few checks that these cases need, in Node and in a page alike.

/** Fails unless two values have the same JSON; what JSON leaves out is named instead. */
export function equal(actual, expected, what = "value") {
  const [found, wanted] = [shown(actual), shown(expected)];
  if (found !== wanted) throw new Error(`${what}: ${found} where ${wanted} was expected`);
}

export function ok(value, what) {
  if (!value) throw new Error(what);
}

export function matches(text, pattern, what = "text") {
  if (!pattern.test(text)) throw new Error(`${what}: ${shown(text)} does not match ${pattern}`);
}

/** Fails unless the promise rejects with an error of the package that has the code. */
export async function rejects(promise, code) {
  const error = await promise.then(
    () => undefined,
    (error) => error,
  );
  ok(error !== undefined, `it was to reject with ${code}, and did not`);
  equal(error.code, code, `the code of "${error.message}"`);
}

/** Waits until everything that is due has run, timers of no delay included. */
export const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

const shown = (value) =>
  JSON.stringify(value, (_, part) => (part === undefined ? "(undefined)" : typeof part === "bigint" ? `${part}n` : part));
