import { compact, countTokens, foldMessages, init, loadTokenizer, Session, validateMessages } from "threadfold";
import { fold } from "../fold.js";

globalThis.inPage = fold({ compact, countTokens, foldMessages, init, loadTokenizer, Session, validateMessages });
globalThis.inWorker = new Promise((resolve, reject) => {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
});
