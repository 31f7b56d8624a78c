// Written by `go run ./build gen` from core/llm; change the list there.

/** The path endings of request addresses, which people copy; the base address lacks them. */
export const copiedEndings: readonly string[] = ["/chat/completions", "/completions", "/responses", "/messages", "/api/chat", "/api/generate", "/api", "/models/*:generateContent", "/models/*:streamGenerateContent", "/model/*/converse", "/model/*/converse-stream"];
