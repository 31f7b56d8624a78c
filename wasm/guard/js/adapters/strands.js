// Adapter for the Strands Agents SDK (@strands-agents/sdk): hooks of an agent.

import { AfterToolCallEvent, BeforeToolCallEvent, HookOrder } from "@strands-agents/sdk";
import { judge, settle } from "./judge.js";

export { begin, finish } from "./judge.js";

/**
 * Judges each tool call of an agent. The hook before a call runs after all other hooks, because they may change
 * the call; the hook after a call runs after all other hooks, because they may repeat the call.
 */
export function guardAgent(session, agent, options = {}) {
  const attempts = new Map(), open = new Map();
  agent.addHook(BeforeToolCallEvent, async (event) => {
    const { name, toolUseId, input } = event.toolUse, attempt = attempts.get(toolUseId) ?? 1;
    const call = { name: event.selectedTool?.name ?? name, id: attempt > 1 ? toolUseId + "#" + attempt : toolUseId, arguments: input };
    if (event.cancel) return;
    const reason = await judge(session, call, options);
    if (reason === "") open.set(toolUseId, call);
    else event.cancel = reason;
  }, { order: HookOrder.SDK_LAST + 1 });
  agent.addHook(AfterToolCallEvent, (event) => {
    const id = event.toolUse.toolUseId, call = open.get(id), { result } = event;
    if (call === undefined) return; // refused
    open.delete(id);
    settle(session, call, result.content.every((part) => part.type === "textBlock") ? result.content.map((part) => part.text).join("\n") : result.content, result.status === "error");
    if (event.retry) attempts.set(id, (attempts.get(id) ?? 1) + 1);
  }, { order: HookOrder.SDK_LAST + 1 });
  return agent;
}
