// The protocol of Claude Code over the standard streams, with the model of script.mjs: hooks are
// asked before and after each call of a tool of the only server.
import { createInterface } from "node:readline";
import { step } from "../script.mjs";

const waiting = new Map();
let hooks = {}, server = "", last = 0;
const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");
const ask = (request) => new Promise((resolve, reject) => {
  const request_id = `r${++last}`;
  waiting.set(request_id, ({ subtype, response, error }) => (subtype === "success" ? resolve(response) : reject(new Error(error))));
  send({ type: "control_request", request_id, request });
});
const rpc = async (method, params) => (await ask({ subtype: "mcp_message", server_name: server, message: { jsonrpc: "2.0", id: ++last, method, params } })).mcp_response.result;
const common = { session_id: "s1", transcript_path: "/dev/null", cwd: process.cwd() };

/** Asks the hooks of an event, and returns their answers as one. */
async function hook(hook_event_name, input, tool_use_id) {
  const answers = [];
  for (const { hookCallbackIds } of hooks[hook_event_name] ?? []) {
    for (const callback_id of hookCallbackIds) answers.push(await ask({ subtype: "hook_callback", callback_id, input: { ...common, hook_event_name, ...input }, tool_use_id }));
  }
  return Object.assign({}, ...answers);
}

async function converse(prompt) {
  send({ type: "system", subtype: "init", ...common, uuid: "u0", tools: [], mcp_servers: [], model: "script", permissionMode: "default", slash_commands: [], apiKeySource: "none", output_style: "default" });
  await rpc("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "script", version: "1" } });
  await hook("UserPromptSubmit", { prompt });
  const results = [];
  let next, reminders = 0;
  for (next = step(results); ; next = step(results)) {
    if (next.text) {
      const stop = await hook("Stop", { stop_hook_active: reminders > 0, last_assistant_message: next.text });
      if (stop.decision !== "block") break;
      reminders++;
      continue;
    }
    const use = { tool_name: `mcp__${server}__${next.tool}`, tool_input: { order: "A7" }, tool_use_id: next.id };
    const before = (await hook("PreToolUse", use, next.id)).hookSpecificOutput;
    if (before?.permissionDecision === "deny") {
      results.push(before.permissionDecisionReason);
      continue;
    }
    const { content, isError = false } = await rpc("tools/call", { name: next.tool, arguments: use.tool_input });
    if (isError) await hook("PostToolUseFailure", { ...use, error: content[0].text }, next.id);
    else await hook("PostToolUse", { ...use, tool_response: content }, next.id);
    results.push(content[0].text);
  }
  send({ type: "assistant", session_id: "s1", uuid: "u1", parent_tool_use_id: null, message: { id: "m1", type: "message", role: "assistant", model: "script", content: [{ type: "text", text: next.text }], stop_reason: "end_turn", usage: {} } });
  send({ type: "result", subtype: "success", is_error: false, session_id: "s1", uuid: "u2", result: next.text, num_turns: results.length + 1, duration_ms: 1, duration_api_ms: 1, total_cost_usd: 0, usage: {}, modelUsage: {}, permission_denials: [] });
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "control_response") waiting.get(message.response.request_id)?.(message.response);
  if (message.type === "control_request") {
    if (message.request.subtype === "initialize") ({ hooks = {}, sdkMcpServers: [server] } = message.request);
    send({ type: "control_response", response: { subtype: "success", request_id: message.request_id, response: { commands: [], models: [], account: {}, output_style: "default", available_output_styles: [] } } });
  }
  if (message.type === "user") converse(message.message.content).catch((error) => { console.error(error); process.exit(1); });
}
process.exit(0);
