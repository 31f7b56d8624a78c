// Adapter for the Claude Agent SDK (@anthropic-ai/claude-agent-sdk): hooks of a query.

import { sentence, settle } from "./judge.js";

export { finish } from "./judge.js";

/**
 * Returns the hooks of a query: query({ prompt, options: { hooks: guardHooks(session) } }). options.prefix is removed
 * from the names of tools, for example mcp__shop__, which the spec omits. The hook returns no decision for an
 * allowed call, so that the permissions of the query still apply. For the verdict ask, canUseTool decides.
 */
export function guardHooks(session, options = {}) {
  const { prefix = "" } = options, asked = new Set();
  const callOf = (input) => ({
    name: input.tool_name.startsWith(prefix) ? input.tool_name.slice(prefix.length) : input.tool_name,
    id: input.tool_use_id, arguments: input.tool_input, agent: input.agent_id ?? "",
  });
  const refuse = (permissionDecision, permissionDecisionReason) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason } });
  const before = async (input) => {
    try {
      const call = callOf(input), decision = session.allow(call);
      if (decision.verdict === "allow") return {};
      if (decision.verdict === "ask") asked.add(call.id);
      return refuse(decision.verdict === "ask" ? "ask" : "deny", sentence(decision));
    } catch (error) { // the call would be made
      return refuse("deny", "the guard failed: " + String(error));
    }
  };
  const after = async (input) => {
    const call = callOf(input), failed = input.hook_event_name === "PostToolUseFailure";
    let decision = session.record({ ...call, kind: "call", approved: asked.delete(call.id) });
    if (decision.verdict === "allow") decision = settle(session, call, failed ? input.error : input.tool_response, failed);
    return decision.verdict === "allow" ? {} : { decision: "block", reason: sentence(decision) };
  };
  // A prompt is judged on a copy, so that the person can write another one instead of a refused one. A conversation may have
  // more prompts than the run that a spec describes, which ignores them. The verdict ask does not block, because a person wrote
  // the prompt. After a violation, the person can ask what happened; calls remain refused.
  const prompted = async (input) => {
    try {
      const message = { kind: "message", name: "user", content: input.prompt, optional: true }, decision = session.copy().record(message);
      if (decision.code === "session.violated") return {};
      if (decision.verdict !== "allow" && decision.verdict !== "ask") return { decision: "block", reason: sentence(decision) };
      session.record(message);
      return {};
    } catch (error) { // the model would receive it
      return { decision: "block", reason: "the guard failed: " + String(error) };
    }
  };
  // The answer is judged on a copy, because the next prompt continues the run.
  const stop = async (input) => {
    const { next } = session.next(), trial = session.copy(), answer = input.last_assistant_message ?? "";
    if (input.stop_hook_active || next.length === 0) return {};
    let decision = answer === "" ? trial.end() : trial.record({ kind: "message", name: "assistant", content: answer, final: true });
    if (answer !== "" && decision.verdict === "allow") decision = trial.end();
    return decision.verdict === "allow" ? {} : { decision: "block", reason: sentence({ ...decision, next }) };
  };
  const denied = async (input) => {
    session.cancel(input.tool_use_id);
    return {};
  };
  const hook = (run) => [{ hooks: [run] }];
  return {
    UserPromptSubmit: hook(prompted), PreToolUse: hook(before), PostToolUse: hook(after), PostToolUseFailure: hook(after),
    PermissionDenied: hook(denied), Stop: hook(stop),
  };
}
