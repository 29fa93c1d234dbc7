// Every format with what the tests have of it: arrays made by hand, a generator of random ones, and a judge.

import { readFileSync } from "node:fs";

const NAMES = ["openai-chat", "openai-responses", "anthropic", "gemini", "ai-sdk-model", "ai-sdk-ui", "pi"];

/**
 * @typedef {object} Fixture
 * @property {string} name
 * @property {boolean} legal whether a provider would take the messages
 * @property {object[]} [problems] what `validateMessages` must list of those that are not legal, as far as given
 * @property {"accepts" | "refuses"} [judge] what the vendor's own package does, where it differs from `legal`
 * @property {object[]} messages
 *
 * @typedef {ReturnType<typeof import("../js/random.mjs").random>} Random
 *
 * @typedef {object} Format
 * @property {string} name
 * @property {Fixture[]} fixtures
 * @property {(messages: object[]) => Promise<string[]>} judge the vendor's complaints; none where it would take the array
 * @property {(random: Random, options: { messages: number }) => object[]} randomArray a legal array
 * @property {(random: Random, messages: object[]) => object[]} damage a damaged copy, which may still be legal
 */

/** @type {Format[]} */
export const formats = await Promise.all(
  NAMES.map(async (name) => {
    const { judge } = await import(`./judges/${name}.mjs`);
    const { randomArray, damage } = await import(`./random/${name}.mjs`);
    const fixtures = JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), "utf8"));
    return { name, fixtures, judge, randomArray, damage };
  }),
);
