import { compact, countTokens, foldMessages, init, loadTokenizer, Session, validateMessages } from "threadfold";
import { fold } from "../fold.js";

console.log(JSON.stringify(await fold({ compact, countTokens, foldMessages, init, loadTokenizer, Session, validateMessages })));
