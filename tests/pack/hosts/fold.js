/** Folds a small session and says how that ended: the same in every host. */
export async function fold({ compact, init, Session }) {
  await init();
  const session = Session.create();
  for (let number = 1; number <= 20; number += 1) {
    session.appendMessage({ role: "user", content: `Question ${number}: ¿qué? 何? ${"Why is the sky blue? ".repeat(50)}` });
    session.appendMessage({ role: "assistant", content: [{ type: "text", text: "It scatters." }], stopReason: "stop" });
  }
  const settings = { compaction: { keepRecentTokens: 1_000 } };
  const { status, summarizer, tokensBefore, tokensAfter, entry } = await compact(session, {
    contextWindow: 32_000,
    settings,
    summarize: "local",
  });
  const roles = session.buildSessionContext().messages.map((message) => message.role);
  return { status, summarizer, tokensBefore, tokensAfter, summary: entry?.summary, roles };
}
