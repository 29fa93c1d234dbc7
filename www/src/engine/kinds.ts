// Who or what an entry is.

import type { Entry, Message } from "threadfold";
import type { Kind } from "../contract.js";

const ROLES: Record<string, Kind> = {
  user: "user",
  assistant: "assistant",
  toolResult: "tool",
  bashExecution: "command",
  pythonExecution: "command",
  fileMention: "files",
  custom: "extension",
  hookMessage: "extension",
  branchSummary: "branch",
  compactionSummary: "compaction",
};

/** The kind of a message; of one with an unknown role, that of what only stands in the file. */
export function kindOfMessage(message: Message | undefined): Kind {
  const role = String(message?.role);
  return Object.hasOwn(ROLES, role) ? (ROLES[role] as Kind) : "note";
}

export function kindOfEntry(entry: Entry): Kind {
  switch (entry.type) {
    case "message":
      return kindOfMessage(entry.message);
    case "compaction":
      return "compaction";
    case "branch_summary":
      return "branch";
    case "custom_message":
      return "extension";
    default:
      return "note";
  }
}
