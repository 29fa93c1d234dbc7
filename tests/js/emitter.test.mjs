// Listeners of events: their order, who joins and leaves meanwhile, and those that fail.

import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { internals } from "./internals.mjs";

const { Emitter } = await internals("emitter");

const emitter = () => new Emitter(["a", "b"]);
const settle = () => new Promise((resolve) => setTimeout(resolve, 1));

/** What is logged while something runs, and until everything that is due has run. */
async function complaints(act) {
  const { mock: log } = mock.method(console, "error", () => {});
  act();
  await settle();
  log.restore();
  return log.calls.map(({ arguments: [said] }) => said);
}

describe("listeners", () => {
  test("hear their event alone, in the order in which they were added", () => {
    const events = emitter();
    const heard = [];
    events.on("a", (event) => heard.push(["first", event]));
    events.on("b", (event) => heard.push(["other", event]));
    events.on("a", (event) => heard.push(["second", event]));
    const event = { is: "the same object" };
    events.emit("a", event);
    assert.deepEqual(heard, [["first", event], ["second", event]]);
    assert.equal(heard[0][1], event);
  });

  test("that are added twice hear twice, and each leaves for itself", () => {
    const events = emitter();
    let heard = 0;
    const listener = () => (heard += 1);
    const leave = events.on("a", listener);
    events.on("a", listener);
    events.emit("a");
    assert.equal(heard, 2);
    leave();
    leave();
    events.emit("a");
    assert.equal(heard, 3);
  });

  test("may leave, make others leave, and join while an event is told", () => {
    const events = emitter();
    const heard = [];
    const leave = events.on("a", () => {
      heard.push("once");
      leave();
      leaveToo();
      events.on("a", () => heard.push("joined"));
    });
    const leaveToo = events.on("a", () => heard.push("never"));
    events.on("a", () => heard.push("always"));
    events.emit("a");
    assert.deepEqual(heard.splice(0), ["once", "always"]);
    events.emit("a");
    assert.deepEqual(heard, ["always", "joined"]);
  });

  test("may tell of another event from within", () => {
    const events = emitter();
    const heard = [];
    events.on("a", () => events.emit("b", 2));
    events.on("a", (event) => heard.push(event));
    events.on("b", (event) => heard.push(event));
    events.emit("a", 1);
    assert.deepEqual(heard, [2, 1]);
  });

  const failing = {
    "throws": () => { throw new Error("no"); },
    "throws nothing": () => { throw undefined; },
    "rejects": () => Promise.reject(new Error("no")),
    "rejects with nothing": async () => { throw undefined; },
    "returns a thenable that rejects": () => ({ then: (_, reject) => reject(new Error("no")) }),
    "returns an object whose `then` throws": () => ({ get then() { throw new Error("no"); } }),
  };
  for (const [how, listener] of Object.entries(failing)) {
    test(`one that ${how} is reported and passed over`, async () => {
      const events = emitter();
      let heard = 0;
      events.on("a", listener);
      events.on("a", () => (heard += 1));
      const said = await complaints(() => events.emit("a"));
      assert.equal(heard, 1);
      assert.equal(said.length, 1);
      assert.match(said[0], /a handler of a failed/);
    });
  }

  test("are known of while they are there", () => {
    const events = emitter();
    const known = () => [events.has("a"), events.has("b")];
    assert.deepEqual(known(), [false, false]);
    const remove = events.on("a", () => {});
    assert.deepEqual(known(), [true, false]);
    remove();
    assert.deepEqual(known(), [false, false]);
  });

  test("for an unknown event, or that are no function, are refused", () => {
    const events = emitter();
    assert.throws(() => events.on("c", () => {}), { code: "invalid-argument", message: /on: the name: "c" .*"a", "b"/ });
    assert.throws(() => events.on("toString", () => {}), { code: "invalid-argument" });
    assert.throws(() => events.on("a", {}), { code: "invalid-argument", message: /handler of a: an object .* a function/ });
  });
});
