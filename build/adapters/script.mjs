// The part that the models of the tests share. The model asks for a refund first, which the
// guard refuses; it reads the reason, logs in, logs out, and answers.
import assert from "node:assert/strict";
import { createServer } from "node:http";

export const executed = []; // names of the tools that were run
export const seen = []; // texts of the results that the model received
export const faults = new Set(); // names of the tools that fail

/** The next step of the model after the results so far: a tool, or a text. */
export function step(results) {
  seen.splice(0, seen.length, ...results);
  if (results.length === 0) return { tool: "refund", id: "c1" };
  assert.match(results[0], /"refund" is not allowed here; allowed: "login"/);
  return [undefined, { tool: "login", id: "c2" }, { tool: "logout", id: "c3" }, { text: "Done." }][results.length];
}

/** Runs a tool. */
export function run(name) {
  executed.push(name);
  if (faults.has(name)) throw new Error("no " + name);
  return "did " + name;
}

export const names = ["login", "lookup", "refund", "logout"];
export const parameters = { type: "object", properties: { order: { type: "string" } } };

/** Checks a complete run, and forgets it. */
export function complete() {
  assert.deepEqual(executed.splice(0), ["login", "logout"]);
  assert.deepEqual(seen.splice(0).slice(1).map((text) => /did (\w+)/.exec(text)?.[1]), ["login", "logout"].map((name) => (faults.has(name) ? undefined : name)));
}

const chunks = (message) => [
  { role: "assistant", content: message.content },
  ...(message.tool_calls ?? []).flatMap((call, index) => [
    { tool_calls: [{ index, id: call.id, type: "function", function: { name: call.function.name, arguments: "" } }] },
    ...call.function.arguments.split(/(?=")/).map((part) => ({ tool_calls: [{ index, function: { arguments: part } }] })),
  ]),
];

/** Serves chat completions of the model, and returns the address. The model named "two" makes several calls in one
 * reply; the guard refuses its second login. */
export function serve() {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const { messages, stream, model } = JSON.parse(body || "{}");
    if (messages === undefined) {
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify({ object: "list", data: [{ id: "script", object: "model" }] }));
      return;
    }
    const results = messages.filter((m) => m.role === "tool" || / was refused: /.test(m.content)).map((m) => m.content);
    const call = (id, name) => ({ id, type: "function", function: { name, arguments: '{"order":"A7"}' } });
    const next = model === "two" ? { calls: [call("c1", "login"), call("c2", "lookup"), call("c3", "login"), call("c4", "lookup")] } : step(results);
    const calls = next.calls ?? (next.tool && [call(next.id, next.tool)]);
    const message = { role: "assistant", content: calls ? "I will. " : next.text, ...(calls ? { tool_calls: calls } : {}) };
    const finish_reason = calls ? "tool_calls" : "stop";
    const head = { id: "r", created: 1, model };
    if (!stream) {
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify({ ...head, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }));
      return;
    }
    response.setHeader("Content-Type", "text/event-stream");
    for (const [delta, end] of [...chunks(message).map((d) => [d, null]), [{}, finish_reason]]) {
      response.write(`data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`);
    }
    response.end("data: [DONE]\n\n");
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => {
    server.unref();
    resolve(`http://127.0.0.1:${server.address().port}/v1`);
  }));
}
