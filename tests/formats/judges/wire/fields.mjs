// What checks of a wire format share: kinds of values, and parts that are told apart by their type.

import { isObject } from "../../../example/server/problems.mjs";

export const isText = (value) => typeof value === "string";
export const isName = (value) => isText(value) && value !== "";
export const isFlag = (value) => typeof value === "boolean";
export const isList = (value) => Array.isArray(value);
export const isAnything = (value) => value !== undefined;
export const optional = (holds) => (value) => value === undefined || value === null || holds(value);
export const oneOf = (...allowed) => (value) => allowed.includes(value);
export { isObject };

/** Notes each field that is not as `fields` demands: a key's name to what must hold of its value. */
export function demand(value, fields, problems, place) {
  for (const [key, holds] of Object.entries(fields)) problems.unless(holds(value[key]), `${place}.${key}`, `is ${shown(value[key])}`);
}

/**
 * Checks a list of parts, each with a `type`. `allowed` says which types may stand here, and what each must
 * have; a type of `known` that is not among them is refused. A type nobody knows may be newer than this check.
 */
export function checkParts(parts, { allowed, known }, problems, place) {
  for (const [index, part] of parts.entries()) {
    const here = `${place}[${index}]`;
    if (!problems.unless(isObject(part) && isName(part.type), here, "is no object with a type")) continue;
    if (Object.hasOwn(allowed, part.type)) demand(part, allowed[part.type], problems, here);
    else problems.unless(!known.has(part.type), here, `has the type ${part.type}, which may not stand here`);
  }
}

const shown = (value) => (value === undefined ? "missing" : JSON.stringify(value).slice(0, 80));
