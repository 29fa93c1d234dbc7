// Made from the Rust types by `THREADFOLD_WRITE=1 cargo test --lib js::data`; do not edit.

/** The formats of messages. */
export const messageFormats = Object.freeze(["openai-chat", "openai-responses", "anthropic", "gemini", "ai-sdk-model", "ai-sdk-ui", "pi"] as const);

/** The formats that can be imported. */
export const transcriptFormats = Object.freeze(["claude-code", "codex", "chatgpt", "tanstack-ui", "openai-chat", "openai-responses", "anthropic", "gemini", "ai-sdk-model", "ai-sdk-ui", "pi"] as const);
