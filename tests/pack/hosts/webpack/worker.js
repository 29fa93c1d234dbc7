import { compact, init, Session } from "threadfold";
import { fold } from "../fold.js";

fold({ compact, init, Session }).then(
  (outcome) => postMessage(outcome),
  (error) => postMessage(String(error)),
);
