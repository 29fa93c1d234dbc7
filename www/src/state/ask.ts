// What the worker answers, as the page takes it.

import type { Answer } from "../contract.js";
import { trouble } from "./trouble.js";

/** The answer; its trouble is shown, and then there is nothing. */
export async function ask<T>(answer: Promise<Answer<T>>): Promise<T | undefined> {
  const told = await answer;
  if (told.ok) return told.value;
  trouble.value = told.trouble;
  return undefined;
}
