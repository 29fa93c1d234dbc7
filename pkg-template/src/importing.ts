import { COUNTING } from "./counting.js";
import type { Diagnostic } from "./data.js";
import { checkName } from "./format-engine.js";
import { checkOptions, guardFormats } from "./guard.js";
import { bytesOf, loadJsonl, type LoadOptions } from "./loading.js";
import type { transcriptFormats } from "./format-names.js";
import type { SessionState } from "./state.js";

/** What wrote a transcript. */
export type TranscriptFormat = (typeof transcriptFormats)[number];

/** Options of {@link Session.import}. */
export interface ImportOptions extends LoadOptions {
  /** Default: told from the file. */
  format?: TranscriptFormat | undefined;
}

/** What came of an imported transcript. */
export interface ImportReport {
  format: TranscriptFormat;
  /** It was a session already: it is saved as it came, and `session.diagnostics` tells what is damaged in it. */
  unchanged?: true;
  messages: number;
  /** Calls of tools. */
  calls: number;
  /** Messages that are results of calls. */
  results: number;
  /** Places where the conversation went on in more than one way. */
  branches: number;
  /** Compactions of the tool that wrote it. */
  compactions: number;
  /** Images in the messages. */
  images: number;
  /** What has no counterpart and was kept as `custom` entries: how many of each type. */
  custom: Record<string, number>;
  /** What could not be read, or stands otherwise than it should, with what was done. */
  diagnostics: Diagnostic[];
}

/** What a session counts of itself. */
type Six = [number, number, number, number, number, number];

const reports = new WeakMap<SessionState, ImportReport>();

/** A session from a transcript of another tool. */
export function importTranscript(bytes: Uint8Array | string, options: ImportOptions): SessionState {
  checkOptions("Session.import", options, ["format", "preset", "images", ...COUNTING]);
  const { format, ...load } = options;
  checkName("format", format);
  const raw = bytesOf(bytes, "bytes: the transcript");
  const [jsonl, report] = guardFormats((glue) => glue.importTranscript(raw, format)) as [Uint8Array | undefined, string];
  const state = loadJsonl(jsonl ?? raw, load);
  const [messages, calls, results, branches, compactions, images] = state.call((handle) => handle.counts()) as unknown as Six;
  const unchanged = jsonl === undefined ? { unchanged: true as const } : {};
  const counts = { messages, calls, results, branches, compactions, images };
  reports.set(state, { ...counts, ...(JSON.parse(report) as Omit<ImportReport, keyof typeof counts>), ...unchanged });
  return state;
}

/** The report of an import; undefined for a session that was not imported. */
export function importReportOf(state: SessionState): ImportReport | undefined {
  return state.call(() => reports.get(state));
}
