// Runs the client library of OpenAI with stile proxy before the server of the model.
import assert from "node:assert/strict";
import OpenAI from "openai";
import { start } from "./mcp.mjs";
import { complete, run, serve } from "./script.mjs";

/** Calls a function with a client of the proxy. */
async function proxied(body) {
  const proxy = await start(process.env.STILE, ["proxy", "-upstream", await serve(), "shop.guard"]);
  try {
    await body(new OpenAI({ baseURL: proxy.address, apiKey: "test", maxRetries: 0 }));
  } finally {
    proxy.child.kill();
  }
}

const user = { role: "user", content: "Refund order A7." };

/** A completion as a value, or as the value of a stream. */
const create = (client, stream, model, messages) => (stream
  ? client.chat.completions.stream({ model, messages }).finalChatCompletion()
  : client.chat.completions.create({ model, messages }));

const checks = {};
for (const stream of [false, true]) {
  const kind = stream ? "streams" : "values";
  checks[`chat completions as ${kind}`] = () => proxied(async (client) => {
    const messages = [user];
    for (let i = 0; i < 6; i++) {
      const { message } = (await create(client, stream, "script", messages)).choices[0];
      messages.push(message);
      for (const call of message.tool_calls ?? []) messages.push({ role: "tool", tool_call_id: call.id, content: run(call.function.name) });
      if (message.content === "Done.") break;
      if (!message.tool_calls?.length) messages.push({ role: "user", content: "Continue." });
    }
    complete();
  });
  checks[`calls after a refused one as ${kind}`] = () => proxied(async (client) => {
    const { message, finish_reason } = (await create(client, stream, "two", [user])).choices[0];
    assert.deepEqual([finish_reason, message.tool_calls.map((call) => [call.function.name, call.function.arguments])], ["tool_calls", [["login", '{"order":"A7"}'], ["lookup", '{"order":"A7"}']]]);
    assert.match(message.content, /I will\.\s*The call of "login" was refused: "login" is not allowed here; allowed: "lookup", "refund", "logout"\.$/);
  });
}
checks["models of the proxy"] = () => proxied(async (client) => assert.equal((await client.models.list()).data[0].id, "script"));
checks["other requests of the proxy"] = () => proxied(async (client) => assert.rejects(client.responses.create({ model: "script", input: "Hello?" }), OpenAI.NotFoundError));
export default checks;
