// Simulates the servers of the models: the messages of Anthropic, and the responses of OpenAI, both as
// streams. Its part is that of ../adapters/script.mjs: the model asks for a refund first, which the guard refuses.
import { createServer } from "node:http";
import { step } from "../adapters/script.mjs";

const event = (response, value) => response.write(`event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`);

/** The text of a part of a message, or of a list of parts. */
function text(content) {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => part.text ?? "").join("\n") : JSON.stringify(content);
}

/** The next step of the model, and whether the request is one for a title or a summary, which has no tools. */
function next(tools, results) {
  const tool = (name) => tools.find((t) => t === name || t.endsWith(`__${name}`));
  const step_ = tool("refund") === undefined ? { text: "Shop." } : step(results);
  return step_.tool ? { ...step_, tool: tool(step_.tool) } : step_;
}

function messages(response, { messages: list, tools = [], model }) {
  const results = list.flatMap((m) => (Array.isArray(m.content) ? m.content : [])).filter((part) => part.type === "tool_result").map((part) => text(part.content));
  const now = next(tools.map((t) => t.name), results);
  const message = { id: "m1", type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } };
  event(response, { type: "message_start", message });
  if (now.tool) {
    event(response, { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: `toolu_${now.id}`, name: now.tool, input: {} } });
    event(response, { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"order":"A7"}' } });
  } else {
    event(response, { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
    event(response, { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: now.text } });
  }
  event(response, { type: "content_block_stop", index: 0 });
  event(response, { type: "message_delta", delta: { stop_reason: now.tool ? "tool_use" : "end_turn", stop_sequence: null }, usage: { output_tokens: 1 } });
  event(response, { type: "message_stop" });
  response.end();
}

function responses(response, { input, tools = [], model }) {
  const results = input.filter((item) => item.type === "function_call_output").map((item) => text(item.output));
  const names = tools.flatMap((t) => (t.type === "namespace" ? t.tools.map((inner) => inner.name) : [t.name]));
  const now = next(names.filter(Boolean), results);
  const space = tools.find((t) => t.type === "namespace" && t.tools.some((inner) => inner.name === now.tool));
  const item = now.tool
    ? { type: "function_call", id: `fc_${now.id}`, call_id: now.id, name: now.tool, ...(space ? { namespace: space.name } : {}), arguments: '{"order":"A7"}', status: "completed" }
    : { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [{ type: "output_text", text: now.text, annotations: [] }] };
  const whole = { id: "resp_1", object: "response", created_at: 1, model, status: "completed", output: [item], usage: { input_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens: 1, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2 } };
  event(response, { type: "response.created", response: { ...whole, status: "in_progress", output: [] } });
  event(response, { type: "response.output_item.done", output_index: 0, item });
  event(response, { type: "response.completed", response: whole });
  response.end();
}

/** Serves both, and resolves to the address with the list of the paths that were requested. */
export function serve() {
  const paths = [];
  const server = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const { pathname } = new URL(request.url, "http://localhost");
    paths.push(`${request.method} ${pathname}`);
    const answer = { "/v1/messages": messages, "/v1/responses": responses }[pathname];
    try {
      if (request.method !== "POST" || answer === undefined) {
        response.writeHead(404, { "Content-Type": "application/json" });
        response.end('{"error":{"type":"not_found_error","message":"not found"}}');
        return;
      }
      const body = JSON.parse(Buffer.concat(pieces).toString());
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      answer(response, body);
    } catch (error) {
      console.error(`${pathname}: ${error.stack}`);
      response.destroy(error);
    }
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => {
    server.unref();
    resolve({ address: `http://127.0.0.1:${server.address().port}`, paths });
  }));
}
