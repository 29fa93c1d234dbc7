import { refuse } from "./guard.js";

/** A model, as the host names it. */
export interface Model {
  provider: string;
  id: string;
  /** In tokens. */
  contextWindow?: number;
  /** In tokens. */
  maxOutputTokens?: number;
}

/** The models that the callback is asked with, the current one first, each once; one that is not named where there are none. */
export function modelsInOrder(model: Model | undefined, models: readonly Model[] = []): (Model | undefined)[] {
  if (!Array.isArray(models)) refuse("models", models, "a list of models");
  const named: (readonly [string, unknown])[] = Array.from(models, (one: unknown, place) => [`models[${place}]`, one]);
  if (model !== undefined) named.unshift(["model", model]);
  const list: Model[] = [];
  for (const [name, value] of named) {
    const one = checkModel(name, value);
    if (!list.some((known) => known.provider === one.provider && known.id === one.id)) list.push(one);
  }
  return list.length === 0 ? [undefined] : list;
}

function checkModel(name: string, value: unknown): Model {
  if (typeof value !== "object" || value === null) refuse(name, value, "an object { provider, id, contextWindow? }");
  for (const key of ["provider", "id"] as const) {
    const part = (value as Partial<Model>)[key];
    if (typeof part !== "string") refuse(`${name}.${key}`, part, "a string");
  }
  return value as Model;
}

/** A model's window that means nothing is an unknown one; only an explicit `contextWindow` is refused. */
export function usableWindow(model: Model | undefined): number | undefined {
  const window = model?.contextWindow;
  return typeof window === "number" && Number.isSafeInteger(window) && window > 0 ? window : undefined;
}
