/** How a library or a provider writes the messages of a conversation. */
export type MessageFormat = "openai-chat" | "openai-responses" | "anthropic" | "gemini" | "ai-sdk-model" | "ai-sdk-ui" | "pi";
