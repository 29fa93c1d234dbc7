import { VOCABULARIES } from "./glue/vocabularies.js";

/** How a text becomes tokens, by the name that its publisher gave it. */
export type Encoding = "o200k_base" | "o200k_harmony" | "cl100k_base" | "p50k_base" | "r50k_base";

/** The file of the package that an encoding is counted by. */
export interface Vocabulary {
  /** Its name. Encodings may share one. */
  file: string;
  /** The XXH64 of its content, which it states of itself, in 16 hexadecimal digits. */
  hash: string;
  /** How long it is. */
  bytes: number;
}

/** Of every encoding. The build writes them. */
export const vocabularies: Readonly<Record<Encoding, Vocabulary>> = VOCABULARIES;
