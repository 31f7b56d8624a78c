const parts: Readonly<Record<string, string>> = {
  system: "system message", user: "user’s text", text: "model’s text", call: "call", result: "result", final: "model’s last text",
};

/** A part of a conversation in words. */
export function partName(kind: string, tool: string | undefined): string {
  const name = parts[kind] ?? kind;
  return tool === undefined || tool === "" ? name : `${name} of ${tool}`;
}

const formats: Readonly<Record<string, string>> = {
  text: "the text of a run", openai: "messages of OpenAI’s", anthropic: "messages of Anthropic’s", jsonl: "JSON, a line each", otlp: "spans of OpenTelemetry",
};

/** The formats that a trace can be said to have. */
export const formatNames: readonly (readonly [format: string, label: string])[] = Object.entries(formats);

/** What a trace was read as, in words. */
export function formatName(format: string): string {
  return formats[format] ?? format;
}

/** How a verdict is shown, and what it says where it is not that of the agent's states. */
export const verdictTones: Readonly<Record<string, { readonly pill: string; readonly outcome: string; readonly said?: string }>> = {
  valid: { pill: "good", outcome: "tone-good" },
  incomplete: { pill: "", outcome: "" },
  fault: { pill: "bad", outcome: "tone-error", said: "A property could not be judged." },
  unread: { pill: "bad", outcome: "tone-error", said: "Some parts of the trace are not understood." },
  violated: { pill: "bad", outcome: "tone-error", said: "A property does not hold." },
  invalid: { pill: "bad", outcome: "tone-error" },
};
