import type { Session } from "../index.js";
import type { AdapterOptions } from "./judge.js";

export { begin, finish } from "./judge.js";

interface ToolCall { readonly name: string; readonly callId: string; readonly arguments: string }
type Behavior = { type: "allow" } | { type: "rejectContent"; message: string };
interface Guardrails {
  inputGuardrails: { type: "tool_input"; name: string; run(data: { toolCall: ToolCall }): Promise<{ behavior: Behavior }> }[];
  outputGuardrails: { type: "tool_output"; name: string; run(data: { toolCall: ToolCall; output: unknown }): Promise<{ behavior: Behavior }> }[];
}

/** Returns the options of a tool with a guard: tool(guardTool(session, { name, ..., execute })). */
export function guardTool<Declaration extends { execute: (...parts: any[]) => unknown }>(session: Session, declaration: Declaration, options?: AdapterOptions): Declaration & Guardrails;
