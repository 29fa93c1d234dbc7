import { compact, foldMessages, init, Session, validateMessages } from "threadfold";
import { fold } from "../fold.js";

console.log(JSON.stringify(await fold({ compact, foldMessages, init, Session, validateMessages })));
