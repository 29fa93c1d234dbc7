// A text that appears piece by piece.

import type { Message } from "threadfold";
import { spoken } from "../../../../demo/messages.mjs";
import { harmless } from "../../../../demo/text.mjs";
import type { PlayState } from "../../contract.js";
import { kindOfMessage } from "../kinds.js";
import type { Pace } from "./pace.js";

/** A message that is typed faster than this appears at once, in milliseconds. */
const FASTEST_MS = 80;
/** A piece takes so long at least, in milliseconds. */
const PIECE_MS = 40;
/** So many characters of a text are typed. */
const SHOWN = 1_200;

/** Types what a user or the model says, and takes the share of its turn for it; other messages only take it. */
export async function typed(message: Message, pace: Pace, share: number, show: (typing: NonNullable<PlayState["typing"]>) => void): Promise<void> {
  const ms = pace.msOf(share);
  const isSaid = message.role === "user" || message.role === "assistant";
  if (!isSaid || ms < FASTEST_MS) return pace.wait(share);
  const characters = [...harmless(spoken(message)).slice(0, SHOWN)];
  const pieces = Math.max(1, Math.min(characters.length, Math.floor(ms / PIECE_MS)));
  for (let piece = 1; piece <= pieces; piece += 1) {
    const text = characters.slice(0, Math.ceil((characters.length * piece) / pieces)).join("");
    show({ kind: kindOfMessage(message), text });
    await pace.wait(share / pieces);
  }
}
