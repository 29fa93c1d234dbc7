// Compiled, never run: the clients that a host has are those that summarizeWith takes.

import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import * as ai from "ai";
import { generateText as generateText5 } from "ai-5";
import OpenAI, { AzureOpenAI } from "openai";
import { foldMessages, summarizeWith } from "threadfold";
import type { Summarize } from "threadfold";

declare const languageModel: Exclude<ai.LanguageModel, string>;
declare const languageModel5: Parameters<typeof generateText5>[0]["model"];
declare const chat: { chat(request: { model: string; stream: true; messages?: { role: string; content: string }[]; options?: { num_ctx?: number } }): Promise<AsyncIterable<{ message: { content: string } }> & { abort(): void }> };
/** As the browser declares it. */
declare const LanguageModel: {
  create(options?: { initialPrompts?: { role: "system" | "user"; content: string }[]; signal?: AbortSignal; topK?: number }): Promise<{
    prompt(input: string | object[], options?: { signal?: AbortSignal }): Promise<string>;
    destroy(): void;
  }>;
};

const callbacks: Summarize[] = [
  summarizeWith.openai(new OpenAI(), { model: "gpt-5-mini" }),
  summarizeWith.openai(new OpenAI(), { model: "gpt-5-mini", api: "responses", parameters: { reasoning: { effort: "low" } } }),
  summarizeWith.openai(new AzureOpenAI()),
  summarizeWith.anthropic(new Anthropic(), { model: (candidate) => candidate?.id ?? "claude-haiku-4-5" }),
  summarizeWith.gemini(new GoogleGenAI({ apiKey: "a-key" }), { model: "gemini-3-flash" }),
  summarizeWith.aiSdk(ai.generateText, { model: languageModel }),
  summarizeWith.aiSdk(ai, { model: "openai/gpt-5-mini" }),
  summarizeWith.aiSdk(generateText5, { model: languageModel5 }),
  summarizeWith.aiSdk(ai.generateText, { model: (candidate) => (candidate === undefined ? languageModel : candidate.id) }),
  summarizeWith.ollama(chat, { model: "llama4" }),
  summarizeWith.promptApi(LanguageModel),
];
for (const summarize of callbacks) await foldMessages([], { format: "pi", summarize });

// @ts-expect-error a client of another provider
summarizeWith.anthropic(new OpenAI());
// @ts-expect-error a model has a name
summarizeWith.openai(new OpenAI(), { model: 7 });
// @ts-expect-error no such option
summarizeWith.gemini(new GoogleGenAI({}), { maxTokens: 7 });
// @ts-expect-error no such interface
summarizeWith.openai(new OpenAI(), { api: "completions" });
// @ts-expect-error the AI SDK has to be told a model
summarizeWith.aiSdk(ai.generateText, {});
// @ts-expect-error not one that generateText takes
summarizeWith.aiSdk(ai.generateText, { model: 7 });
// @ts-expect-error the browser has one model
summarizeWith.promptApi(LanguageModel, { model: "m" });
