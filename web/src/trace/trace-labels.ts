const parts: Readonly<Record<string, string>> = {
  system: "system message",
  user: "user’s text",
  text: "model’s text",
  call: "call",
  result: "result",
  final: "model’s last text",
};

/** Returns the name of a part of a conversation. */
export function partName(kind: string, tool: string | undefined): string {
  const name = parts[kind] ?? kind;
  return tool === undefined || tool === "" ? name : `${name} of ${tool}`;
}

const formats: Readonly<Record<string, string>> = {
  text: "the text of a run",
  openai: "OpenAI messages",
  anthropic: "Anthropic messages",
  gemini: "Gemini contents",
  bedrock: "Bedrock messages",
  jsonl: "JSON lines",
  otlp: "OpenTelemetry spans",
};

/** The formats of traces. */
export const formatNames: readonly (readonly [format: string, label: string])[] = Object.entries(formats);

/** Returns the name of a trace's format. */
export function formatName(format: string): string {
  return formats[format] ?? format;
}

/** The classes of each verdict, and its sentence, `said`, if the verdict is not about the agent's states. */
export const verdictTones: Readonly<
  Record<string, { readonly pill: string; readonly outcome: string; readonly said?: string }>
> = {
  valid: { pill: "good", outcome: "tone-good" },
  incomplete: { pill: "", outcome: "" },
  fault: { pill: "bad", outcome: "tone-error", said: "A property could not be judged." },
  unread: { pill: "bad", outcome: "tone-error", said: "Some parts of the trace are not recognised." },
  violated: { pill: "bad", outcome: "tone-error", said: "A property does not hold." },
  invalid: { pill: "bad", outcome: "tone-error" },
};
