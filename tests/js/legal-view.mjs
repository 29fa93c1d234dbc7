// What a provider asks of a row of messages, checked without any help of the engine's.

import assert from "node:assert/strict";

const calls = ({ role, content }) => (role === "assistant" ? content.filter(({ type }) => type === "toolCall").map(({ id }) => id) : []);

/**
 * Fails unless every result stands right behind the message that called for it, once, and every call
 * has one; `pendingToolCalls` are the calls that may go without.
 */
export function assertLegal({ messages, pendingToolCalls }, what = "the view") {
  const pending = new Set(pendingToolCalls.map(({ toolCallId }) => toolCallId));
  let open = [];
  messages.forEach((message, position) => {
    const place = `${what}, message ${position} (${message.role})`;
    if (message.role === "toolResult") {
      assert.ok(open.includes(message.toolCallId), `${place}: a result without its call before it`);
      // An id may have been given to several calls of one message.
      open.splice(open.indexOf(message.toolCallId), 1);
      return;
    }
    assert.deepEqual(open, [], `${place}: calls before it have no result`);
    assert.ok(!["error", "aborted"].includes(message.stopReason), `${place}: a turn that failed`);
    if (message.role === "assistant") assert.ok(message.content.length > 0, `${place}: no content`);
    open = calls(message);
  });
  assert.deepEqual(open.filter((id) => !pending.has(id)), [], `${what}: calls at the end have no result, and are not pending`);
  assert.deepEqual([...pending].filter((id) => !open.includes(id)), [], `${what}: pending calls that are not open`);
}
