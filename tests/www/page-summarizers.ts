// The page's summarisers and the code that it hands out, as one module: so that a test meets the same classes as the code.

export { chosen } from "../../www/src/summarizers/chosen.js";
export { SummaryDesk } from "../../www/src/summarizers/desk.js";
export { explain } from "../../www/src/summarizers/explain.js";
export { INITIAL_SUMMARIZER, missing, summarizingOf } from "../../www/src/summarizers/settings.js";
export { tryOut } from "../../www/src/summarizers/try-out.js";
export { INITIAL } from "../../www/src/state/choices.js";
export { codeFor } from "../../www/src/state/code.js";
