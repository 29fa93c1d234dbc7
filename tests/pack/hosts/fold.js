const settings = { compaction: { keepRecentTokens: 1_000 } };
const options = { contextWindow: 32_000, settings, summarize: "local" };

/** What is asked and answered in both conversations. */
const turns = Array.from({ length: 20 }, (_, at) => ({
  question: `Question ${at + 1}: ¿qué? 何? ${"Why is the sky blue? ".repeat(50)}`,
  answer: "It scatters.",
}));

/** Folds a small session and a small array of messages, counts a text, and says how that ended: the same in every host. */
export async function fold({ compact, countTokens, foldMessages, init, loadTokenizer, Session, validateMessages }) {
  await init();
  const session = Session.create();
  for (const { question, answer } of turns) {
    session.appendMessage({ role: "user", content: question });
    session.appendMessage({ role: "assistant", content: [{ type: "text", text: answer }], stopReason: "stop" });
  }
  const { status, summarizer, tokensBefore, tokensAfter, entry } = await compact(session, options);
  const roles = session.buildSessionContext().messages.map((message) => message.role);
  const array = await foldArray(foldMessages, validateMessages);
  await loadTokenizer("o200k_base");
  const hello = countTokens("héllo", "o200k_base");
  return { status, summarizer, tokensBefore, tokensAfter, summary: entry?.summary, roles, array, hello };
}

/** The same with a chat, for which the part for formats is loaded. */
async function foldArray(foldMessages, validateMessages) {
  const chat = turns.flatMap(({ question, answer }) => [
    { role: "user", content: question },
    { role: "assistant", content: answer },
  ]);
  const { messages, outcome, format } = await foldMessages(chat, { ...options, format: "openai-chat", force: true });
  const { valid } = validateMessages(messages, format);
  return { status: outcome.status, roles: messages.map((message) => message.role), valid };
}
