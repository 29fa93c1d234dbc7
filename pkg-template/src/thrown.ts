import { describe } from "./guard.js";

/** What a thrown value says; `unsaid` where it says nothing. It may be anything, also something that throws when it is read. */
export function messageOf(error: unknown, unsaid: string): string {
  try {
    const said = typeof error === "object" && error !== null ? (error as { message?: unknown }).message : undefined;
    if (typeof said === "string" && said !== "") return said;
    const message = error instanceof Error ? "" : typeof error === "string" ? error : describe(error);
    return message === "" ? unsaid : message;
  } catch {
    return unsaid;
  }
}
