// Adapter for agents of LangChain and LangGraph (langchain): middleware of createAgent.

import { createMiddleware, ToolMessage } from "langchain";
import { judge, settle } from "./judge.js";

export { begin, finish } from "./judge.js";

/** Returns middleware that judges each tool call: createAgent({ ..., middleware: [guardMiddleware(session)] }). */
export function guardMiddleware(session, options = {}) {
  return createMiddleware({
    name: "StileGuard",
    wrapToolCall: async (request, handler) => {
      const { name, id, args } = request.toolCall;
      const call = { name, id, arguments: args };
      const reason = await judge(session, call, options);
      if (reason !== "") return new ToolMessage({ content: reason, name, tool_call_id: id ?? "", status: "error" });
      try {
        const result = await handler(request);
        settle(session, call, result?.content ?? result, result?.status === "error");
        return result;
      } catch (error) {
        settle(session, call, String(error), true);
        throw error;
      }
    },
  });
}
