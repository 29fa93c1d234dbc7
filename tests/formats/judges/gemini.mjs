// Google's client sends an array as the contents of a request.

import { GoogleGenAI } from "@google/genai";
import { parsed } from "../../example/server/problems.mjs";
import { complaints, startLoopback } from "./loopback.mjs";
import { checkGemini } from "./wire/gemini.mjs";

const REPLY = { candidates: [{ content: { role: "model", parts: [{ text: "ok" }] } }] };
const baseUrl = await startLoopback((body) => checkGemini(body?.contents), REPLY);
const client = new GoogleGenAI({ apiKey: "any", httpOptions: { baseUrl } });

/** What is wrong with the contents; nothing where the API would take them. */
export const judge = (contents) =>
  complaints(() => client.models.generateContent({ model: "any", contents }), (error) => parsed(error.message)?.error?.problems);
