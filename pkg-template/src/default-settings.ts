// Made from the Rust types by `THREADFOLD_WRITE=1 cargo test --lib js::data`; do not edit.

import type { Settings } from "./data.js";

/** Every setting with its default. */
export const defaultSettings: Settings = {
  "compaction": {
    "enabled": true,
    "reserveTokens": 16384,
    "keepRecentTokens": 20000,
    "autoContinue": true,
    "shortSummary": true
  },
  "branchSummary": {
    "enabled": false,
    "reserveTokens": 16384
  },
  "prune": {
    "protectTokens": 40000,
    "minimumSavings": 20000,
    "protectedTools": [
      "skill",
      "read"
    ],
    "mode": "rewrite"
  },
  "retry": {
    "enabled": true,
    "maxRetries": 3,
    "baseDelayMs": 2000,
    "maxDelayMs": 30000
  },
  "requestTimeoutMs": 300000,
  "remote": {
    "timeoutMs": 120000,
    "allowedHosts": []
  },
  "fileTools": {
    "read": [
      "read"
    ],
    "modify": [
      "write",
      "edit"
    ],
    "pathArguments": [
      "path"
    ]
  },
  "fallback": "none"
};
