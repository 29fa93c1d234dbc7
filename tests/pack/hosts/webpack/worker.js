import { compact, foldMessages, init, Session, validateMessages } from "threadfold";
import { fold } from "../fold.js";

fold({ compact, foldMessages, init, Session, validateMessages }).then(
  (outcome) => postMessage(outcome),
  (error) => postMessage(String(error)),
);
