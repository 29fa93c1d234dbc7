// The page: what is typed goes to the chat, and what comes of it is shown. Texts of the user and of the model
// become text of the page and nothing else.

import { Chat } from "./chat.mjs";

/** @template {HTMLElement} Kind @param {string} id @param {new () => Kind} kind @returns {Kind} */
function element(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}

const talk = element("talk", HTMLOListElement);
const connection = element("connection", HTMLDetailsElement);
const settings = element("settings", HTMLFormElement);
const composer = element("composer", HTMLFormElement);
const prompt = element("prompt", HTMLTextAreaElement);
const stop = element("stop", HTMLButtonElement);
const status = element("status", HTMLParagraphElement);
const context = element("context", HTMLLabelElement);
const send = /** @type {HTMLButtonElement} */ (composer.querySelector("[type=submit]"));

const chat = new Chat();
/** The items of messages, in their order; system messages are not shown. @type {HTMLLIElement[]} */
const items = [];
/** Stands in front of the first message that is kept. @type {HTMLLIElement | undefined} */
let fold;
/** @type {AbortController | undefined} */
let running;

composer.addEventListener("submit", (event) => {
  event.preventDefault();
  void answer();
});
prompt.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  composer.requestSubmit();
});
stop.addEventListener("click", () => running?.abort());

async function answer() {
  if (running !== undefined) return;
  if (!settings.checkValidity()) {
    connection.open = true;
    settings.reportValidity();
    return;
  }
  const text = prompt.value;
  const asked = addMessage("user", "You", text);
  const answered = addMessage("assistant", "Model", "");
  const abort = (running = new AbortController());
  prompt.value = "";
  connection.open = false;
  show("The model is asked", false);
  try {
    await chat.send(text, connectionOf(), { onText: (piece) => addText(answered, piece), onFold: showContext }, abort.signal);
    items.push(asked, answered);
    showFold();
    show("", false);
  } catch (error) {
    // Nothing was said: the message is in the line again.
    asked.remove();
    answered.remove();
    showFold();
    prompt.value = text;
    show(abort.signal.aborted ? "Stopped" : `That failed: ${/** @type {Error} */ (error).message}`, !abort.signal.aborted);
  } finally {
    running = undefined;
    showBusy();
    prompt.focus();
  }
}

function connectionOf() {
  const given = new FormData(settings);
  const text = (/** @type {string} */ name) => String(given.get(name) ?? "").trim();
  return { baseURL: text("baseURL"), model: text("model"), apiKey: text("apiKey"), contextWindow: Number(text("contextWindow")) };
}

/** @param {string} words @param {boolean} failed */
function show(words, failed) {
  status.textContent = words;
  status.classList.toggle("failed", failed);
  showBusy();
}

function showBusy() {
  const isBusy = running !== undefined;
  send.hidden = isBusy;
  stop.hidden = !isBusy;
  talk.setAttribute("aria-busy", String(isBusy));
}

/** @param {string} kind @param {string} speaker @param {string} text */
function addMessage(kind, speaker, text) {
  const item = document.createElement("li");
  item.className = kind;
  item.append(withText("h2", speaker), withText("p", text));
  talk.append(item);
  item.scrollIntoView({ block: "nearest" });
  return item;
}

/** @param {HTMLLIElement} item @param {string} piece */
function addText(item, piece) {
  item.lastElementChild?.append(piece);
  item.scrollIntoView({ block: "end" });
}

/** @param {string} name @param {string} text */
function withText(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** Shows how full the window is, and that a part was folded. @param {import("threadfold").CompactionOutcome} outcome */
function showContext({ status: ended, tokensBefore, tokensAfter = tokensBefore }) {
  const { contextWindow } = connectionOf();
  const meter = /** @type {HTMLMeterElement} */ (context.querySelector("meter"));
  meter.max = contextWindow;
  meter.value = tokensAfter;
  element("size", HTMLSpanElement).textContent = `${inWords(tokensAfter)} of ${inWords(contextWindow)} tokens`;
  context.hidden = false;
  if (ended !== "committed") return;
  fold?.remove();
  fold = document.createElement("li");
  fold.className = "fold";
  const summary = document.createElement("details");
  summary.append(withText("summary", "What the model reads in its place"), withText("p", chat.summary ?? ""));
  const figures = `${inWords(tokensBefore)} tokens became ${inWords(tokensAfter)}. What follows is kept word for word.`;
  fold.append(withText("h2", "Everything above is a summary to the model"), withText("p", figures), summary);
  showFold();
}

/** Marks what is folded, and puts the notice behind it. */
function showFold() {
  if (fold === undefined) return;
  for (const [index, item] of items.entries()) item.classList.toggle("folded", index < chat.folded);
  const shown = [...talk.children].filter((item) => item !== fold);
  talk.insertBefore(fold, shown[chat.folded] ?? null);
}

/** @param {number} tokens */
const inWords = (tokens) => tokens.toLocaleString("en");
