import { compact, countTokens, foldMessages, init, loadTokenizer, Session, validateMessages } from "threadfold";
import { fold } from "../fold.js";

fold({ compact, countTokens, foldMessages, init, loadTokenizer, Session, validateMessages }).then(
  (outcome) => postMessage(outcome),
  (error) => postMessage(String(error)),
);
