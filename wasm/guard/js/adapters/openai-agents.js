// Adapter for the OpenAI Agents SDK (@openai/agents): guardrails of a tool.

import { judge, settle } from "./judge.js";

export { begin, finish } from "./judge.js";

/**
 * Returns the options of a tool with a guard: tool(guardTool(session, { name, ..., execute })). A call that failed is entered
 * as an error: execute threw one, its arguments or output do not match their schema, or it was too late.
 */
export function guardTool(session, declaration, options = {}) {
  const open = new Map(), returned = new Set(), name = "stile";
  const enter = (id, value, failed) => {
    const call = open.get(id);
    if (open.delete(id)) settle(session, call, value, failed);
  };
  const input = {
    type: "tool_input", name,
    run: async ({ toolCall }) => {
      const call = { name: toolCall.name, id: toolCall.callId, arguments: toolCall.arguments };
      const reason = await judge(session, call, options);
      if (reason === "") open.set(call.id, call);
      return { behavior: reason === "" ? { type: "allow" } : { type: "rejectContent", message: reason } };
    },
  };
  const output = {
    type: "tool_output", name,
    run: async ({ toolCall, output: value }) => {
      enter(toolCall.callId, value, !returned.delete(toolCall.callId));
      return { behavior: { type: "allow" } };
    },
  };
  const { errorFunction } = declaration;
  return {
    ...declaration,
    inputGuardrails: [...declaration.inputGuardrails ?? [], input],
    outputGuardrails: [output, ...declaration.outputGuardrails ?? []], // others may end the list
    execute: async (parsed, context, details) => {
      const id = details?.toolCall?.callId;
      try {
        const value = await declaration.execute(parsed, context, details);
        if (open.has(id)) returned.add(id);
        return value;
      } catch (error) {
        enter(id, String(error), true);
        throw error;
      }
    },
    ...(typeof errorFunction === "function" && {
      errorFunction: (context, error, details) => {
        enter(details?.toolCall?.callId, String(error), true);
        return errorFunction(context, error, details);
      },
    }),
  };
}
