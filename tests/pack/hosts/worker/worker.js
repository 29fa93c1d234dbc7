// Import maps do not hold in workers: the package is named by its address.
import { compact, init, Session } from "../node_modules/threadfold/dist/browser.mjs";
import { fold } from "../fold.js";

fold({ compact, init, Session }).then(
  (outcome) => postMessage(outcome),
  (error) => postMessage(String(error)),
);
