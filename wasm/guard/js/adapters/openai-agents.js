// Adapter for the OpenAI Agents SDK (@openai/agents): guardrails of a tool.

import { judge, settle } from "./judge.js";

/** Returns the guardrails of a tool: tool({ ..., ...guardrails(session) }). */
export function guardrails(session, options = {}) {
  const name = "stile";
  return {
    inputGuardrails: [{
      type: "tool_input", name,
      run: async ({ toolCall }) => {
        const reason = await judge(session, { name: toolCall.name, id: toolCall.callId, arguments: toolCall.arguments }, options);
        return { behavior: reason === "" ? { type: "allow" } : { type: "rejectContent", message: reason } };
      },
    }],
    outputGuardrails: [{
      type: "tool_output", name,
      run: async ({ toolCall, output }) => {
        settle(session, { name: toolCall.name, id: toolCall.callId }, output);
        return { behavior: { type: "allow" } };
      },
    }],
  };
}
