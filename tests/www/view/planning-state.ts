// The state that a plan is made of, as one module: so that a test meets the same signals as the code does.

export { choices, choose, defaultsFor, largestReserve } from "../../../www/src/state/choices.js";
export { keepPlanning, plan, planTrouble } from "../../../www/src/state/plan.js";
export { applySnapshot, rows, shape, snapshot } from "../../../www/src/state/session.js";
