// Import maps do not hold in workers: the package is named by its address.
import { compact, countTokens, foldMessages, init, loadTokenizer, Session, validateMessages } from "../node_modules/threadfold/dist/browser.mjs";
import { fold } from "../fold.js";

fold({ compact, countTokens, foldMessages, init, loadTokenizer, Session, validateMessages }).then(
  (outcome) => postMessage(outcome),
  (error) => postMessage(String(error)),
);
