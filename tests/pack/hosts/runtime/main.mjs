import { compact, init, Session } from "threadfold";
import { fold } from "../fold.js";

console.log(JSON.stringify(await fold({ compact, init, Session })));
