// The state behind the panels as one module: so that a test meets the same signals as the code does.

export { placesOf } from "../../www/src/view/compare/places.js";
export { sentence } from "../../www/src/sentence.js";
export { choices } from "../../www/src/state/choices.js";
export { compare, comparing, comparison, fold, folded, stopComparing } from "../../www/src/state/fold.js";
export { openTab, panel } from "../../www/src/state/layout.js";
export { arrived, leftBehind, navigate } from "../../www/src/state/navigation.js";
export { news } from "../../www/src/state/news.js";
export { endPlay, log, play, startPlay } from "../../www/src/state/play.js";
export { abortRun, run, written } from "../../www/src/state/run.js";
export { baseName } from "../../www/src/state/saving.js";
export { applySnapshot, selected } from "../../www/src/state/session.js";
export { setSummarizer, chooseSummarizer, trial, trySummarizer } from "../../www/src/state/summarizer.js";
export { trouble } from "../../www/src/state/trouble.js";
export { listenForUndo, redo, undo } from "../../www/src/state/undo.js";
