import type { Session } from "../index.js";
import type { AdapterOptions } from "./judge.js";

interface ToolCall { readonly name: string; readonly callId: string; readonly arguments: string }
type Behavior = { type: "allow" } | { type: "rejectContent"; message: string };

/** Returns the guardrails of a tool: tool({ ..., ...guardrails(session) }). */
export function guardrails(session: Session, options?: AdapterOptions): {
  inputGuardrails: { type: "tool_input"; name: string; run(data: { toolCall: ToolCall }): Promise<{ behavior: Behavior }> }[];
  outputGuardrails: { type: "tool_output"; name: string; run(data: { toolCall: ToolCall; output: unknown }): Promise<{ behavior: Behavior }> }[];
};
