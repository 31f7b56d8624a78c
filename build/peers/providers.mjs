// Tests each provider's client library, and the AI SDK, against that provider's stand-in on the
// server at STILE_STANDIN: a plain answer, a streamed answer, calls with their results, and a
// refusal. Prints a line for each check and exits with 1 if one fails.
import assert from "node:assert/strict";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import Anthropic from "@anthropic-ai/sdk";
import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from "@aws-sdk/client-bedrock-runtime";
import { GoogleGenAI } from "@google/genai";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { generateText, jsonSchema, streamText, tool } from "ai";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { all, base, check, error, finish, silent } from "./checks.mjs";

globalThis.AI_SDK_LOG_WARNINGS = false;
const answer = "42";
const messages = [{ role: "user", content: "What is six times seven?" }];
const parameters = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const input = { text: "6*7" };
const functions = [{ type: "function", function: { name: "calculate", description: "Calculates.", parameters } }];

/** The text of an answer without its thoughts, wherever the provider has them. */
function spoken(content) {
  const text = Array.isArray(content) ? content.filter((p) => p.type === "text").map((p) => p.text).join("") : (content ?? "");
  return text.replace(/^<think>[\s\S]*<\/think>\s*/u, "");
}

/** The parts of the contents of a stream, joined. */
function joined(parts) {
  const list = parts.filter((p) => p !== undefined && p !== null);
  return list.some(Array.isArray) ? list.map((p) => (Array.isArray(p) ? "" : p)).join("") : list.join("");
}

async function openai(p, url) {
  const headers = p.KeyHeader === "" ? {} : { [p.KeyHeader]: "sk-test" };
  const client = new OpenAI({ baseURL: url + p.Base, apiKey: "sk-test", maxRetries: 0, logger: silent, defaultHeaders: headers });
  const chat = (more) => client.chat.completions.create({ model: p.Model, messages, ...more });
  const at = (name) => `openai, ${p.Name}: ${name}`;
  const expected = p.Calls === 0 ? 2 : p.Calls;
  const refuses = (field) => p.Refuses?.find((r) => r.Field === field);
  if (p.Format === "completions") {
    await check(at("text"), async () => assert.equal((await client.completions.create({ model: p.Model, prompt: "What is six times seven?" })).choices[0].text, answer));
    await check(at("stream"), async () => assert.equal((await all(await client.completions.create({ model: p.Model, prompt: "?", stream: true }))).map((c) => c.choices[0].text).join(""), answer));
    return;
  }
  await check(at("text"), async () => {
    const got = await chat({});
    assert.equal(spoken(got.choices[0].message.content), answer);
    assert.equal(got.usage === undefined, p.Usage === "missing");
  });
  await check(at("stream"), async () => {
    const got = await all(await chat({ stream: true, ...(refuses("stream_options") === undefined ? { stream_options: { include_usage: true } } : {}) }));
    assert.equal(spoken(joined(got.map((c) => c.choices[0]?.delta.content))), answer);
    assert.equal(got.some((c) => c.usage?.completion_tokens > 0), p.Usage !== "missing");
  });
  await check(at("models"), async () => assert.deepEqual((await all(await client.models.list())).map((m) => m.id), [p.Model]));
  for (const { Field: field, Says: says, Only: only } of p.Refuses ?? []) {
    const value = { tools: functions, stop: ["x"], temperature: 0, response_format: { type: "json_schema", json_schema: { name: "a", schema: parameters } }, stream_options: { include_usage: true } }[field] ?? 1;
    await check(at(`refuses ${field} ${only}`), async () => {
      const got = await error(chat({ [field]: value }));
      assert.ok(got instanceof OpenAI.APIError && [400, 422, 500].includes(got.status), String(got));
      assert.ok(got.message.includes(says.replace(/^\d+ /u, "")) || p.ListError, got.message);
    });
  }
  if (refuses("tools") !== undefined) return;
  await check(at("calls and their results"), async () => {
    const first = (await chat({ tools: functions })).choices[0];
    assert.equal(first.finish_reason, "tool_calls");
    assert.deepEqual(first.message.tool_calls.map((c) => [c.type, c.function.name, JSON.parse(c.function.arguments)]), Array(expected).fill(["function", "calculate", input]));
    const results = first.message.tool_calls.map((c) => ({ role: "tool", tool_call_id: c.id, content: answer }));
    const second = await chat({ tools: functions, messages: [...messages, first.message, ...results] });
    assert.equal(spoken(second.choices[0].message.content), answer);
    if (p.Wants !== "") {
      const { role, content, tool_calls } = first.message;
      const bare = { role, content, tool_calls: tool_calls.map(({ id, type, function: f }) => ({ id, type, function: f })) };
      assert.equal((await error(chat({ tools: functions, messages: [...messages, bare, ...results] }))).status, 400);
    }
  });
  await check(at("streamed calls"), async () => {
    const got = await client.chat.completions.stream({ model: p.Model, messages, tools: functions }).finalChatCompletion();
    assert.deepEqual(got.choices[0].message.tool_calls.map((c) => JSON.parse(c.function.arguments)), Array(expected).fill(input));
  });
}

/** The AI SDK's client for servers that are compatible with OpenAI. */
async function ai(p, url) {
  if (p.Format !== "openai" || p.Thoughts === "parts") return; // the library reads texts only
  const model = createOpenAICompatible({ name: "standin", baseURL: url + p.Base, apiKey: "sk-test", headers: p.KeyHeader === "" ? {} : { [p.KeyHeader]: "sk-test" }, includeUsage: !p.Refuses?.some((r) => r.Field === "stream_options") })(p.Model);
  const at = (name) => `ai, ${p.Name}: ${name}`;
  const ask = { model, prompt: "What is six times seven?", maxRetries: 0 };
  const thinks = ["reasoning_content", "reasoning", "reasoning_details"].includes(p.Thoughts);
  await check(at("text"), async () => {
    const got = await generateText(ask);
    assert.equal(spoken(got.text), answer);
    assert.equal((got.reasoningText ?? "") !== "", thinks);
  });
  await check(at("stream"), async () => {
    const got = streamText(ask);
    assert.equal(spoken((await all(got.textStream)).join("")), answer);
    assert.equal(((await got.reasoningText) ?? "") !== "", thinks);
  });
  if (p.Refuses?.some((r) => r.Field === "tools")) return;
  await check(at("calls"), async () => {
    const got = await generateText({ ...ask, tools: { calculate: tool({ description: "Calculates.", inputSchema: jsonSchema(parameters) }) } });
    assert.equal(got.finishReason, "tool-calls");
    assert.deepEqual(got.toolCalls.map((c) => [c.toolName, c.input]), Array(p.Calls === 0 ? 2 : p.Calls).fill(["calculate", input]));
  });
}

async function anthropic(p, url) {
  const client = new Anthropic({ baseURL: url, apiKey: "sk-test", maxRetries: 0, logger: silent });
  const ask = { model: p.Model, max_tokens: 4096, messages };
  const at = (name) => `anthropic, ${p.Name}: ${name}`;
  const tools = [{ name: "calculate", description: "Calculates.", input_schema: parameters }];
  const text = (got) => got.content.filter((b) => b.type === "text").map((b) => b.text).join("");
  await check(at("text"), async () => {
    const got = await client.messages.create(ask);
    assert.deepEqual([text(got), got.stop_reason, got.content[0].type], [answer, "end_turn", "thinking"]);
  });
  await check(at("stream"), async () => {
    const got = await client.messages.stream(ask).finalMessage();
    assert.deepEqual([text(got), got.content[0].type], [answer, "thinking"]);
    assert.ok(got.content[0].signature !== "");
  });
  for (const streamed of [false, true]) {
    await check(at(`calls and their results${streamed ? ", streamed" : ""}`), async () => {
      const first = streamed ? await client.messages.stream({ ...ask, tools }).finalMessage() : await client.messages.create({ ...ask, tools });
      const calls = first.content.filter((b) => b.type === "tool_use");
      assert.deepEqual(calls.map((b) => [b.name, b.input]), Array(2).fill(["calculate", input]));
      const results = { role: "user", content: calls.map((b) => ({ type: "tool_result", tool_use_id: b.id, content: answer })) };
      assert.equal(text(await client.messages.create({ ...ask, tools, messages: [...messages, { role: "assistant", content: first.content }, results] })), answer);
      const got = await error(client.messages.create({ ...ask, tools, messages: [...messages, { role: "assistant", content: calls }, results] }));
      assert.ok(got instanceof Anthropic.BadRequestError && got.message.includes("Expected `thinking`"), String(got));
    });
  }
  await check(at("refuses a prefill"), async () => assert.equal((await error(client.messages.create({ ...ask, messages: [...messages, { role: "assistant", content: "It" }] }))).status, 400));
}

async function ollama(p, url) {
  const client = new Ollama({ host: url });
  const chat = (more) => client.chat({ model: p.Model, messages, ...more });
  const at = (name) => `ollama, ${p.Name}: ${name}`;
  const tools = functions;
  await check(at("text"), async () => {
    const got = await chat({ think: true });
    assert.equal(got.message.content, answer);
    assert.ok(got.message.thinking.length > 0 && got.eval_count > 0);
  });
  await check(at("stream"), async () => assert.equal((await all(await chat({ stream: true }))).map((c) => c.message.content).join(""), answer));
  await check(at("calls and their results"), async () => {
    const first = await chat({ tools });
    assert.deepEqual(first.message.tool_calls.map((c) => [c.function.name, c.function.arguments]), Array(2).fill(["calculate", input]));
    const second = await chat({ tools, messages: [...messages, first.message, { role: "tool", tool_name: "calculate", content: answer }] });
    assert.equal(second.message.content, answer);
  });
  await check(at("streamed calls"), async () => assert.equal((await all(await chat({ tools, stream: true }))).flatMap((c) => c.message.tool_calls ?? []).length, 2));
}

async function responses(p, url) {
  const client = new OpenAI({ baseURL: url + p.Base, apiKey: "sk-test", maxRetries: 0, logger: silent });
  const ask = { model: p.Model, store: false, include: ["reasoning.encrypted_content"] };
  const at = (name) => `openai, ${p.Name}: ${name}`;
  const tools = [{ type: "function", name: "calculate", description: "Calculates.", parameters, strict: false }];
  await check(at("text"), async () => {
    const got = await client.responses.create({ ...ask, input: messages });
    assert.deepEqual([got.output_text, got.status, got.output[0].type], [answer, "completed", "reasoning"]);
  });
  await check(at("stream"), async () => assert.equal((await client.responses.stream({ ...ask, input: messages }).finalResponse()).output_text, answer));
  await check(at("refuses temperature"), async () => assert.equal((await error(client.responses.create({ ...ask, input: messages, temperature: 0 }))).status, 400));
  for (const streamed of [false, true]) {
    await check(at(`calls and their results${streamed ? ", streamed" : ""}`), async () => {
      const first = await (streamed ? client.responses.stream({ ...ask, tools, input: messages }).finalResponse() : client.responses.create({ ...ask, tools, input: messages }));
      const calls = first.output.filter((o) => o.type === "function_call");
      assert.deepEqual(calls.map((c) => [c.name, JSON.parse(c.arguments)]), Array(2).fill(["calculate", input]));
      const results = calls.map((c) => ({ type: "function_call_output", call_id: c.call_id, output: answer }));
      assert.equal((await client.responses.create({ ...ask, tools, input: [...messages, ...first.output, ...results] })).output_text, answer);
      const got = await error(client.responses.create({ ...ask, tools, input: [...messages, ...calls, ...results] }));
      assert.ok(got.message.includes("without its required 'reasoning' item"), String(got));
    });
  }
}

async function google(p, url) {
  const client = new GoogleGenAI({ apiKey: "sk-test", httpOptions: { baseUrl: url } });
  const contents = messages.map((m) => ({ role: m.role, parts: [{ text: m.content }] }));
  const config = { tools: [{ functionDeclarations: [{ name: "calculate", description: "Calculates.", parametersJsonSchema: parameters }] }], automaticFunctionCalling: { disable: true } };
  const ask = (more) => client.models.generateContent({ model: p.Model, contents, ...more });
  const at = (name) => `@google/genai, ${p.Name}: ${name}`;
  await check(at("text"), async () => {
    const got = await ask({});
    assert.deepEqual([got.text, got.candidates[0].finishReason, got.candidates[0].content.parts[0].thought], [answer, "STOP", true]);
  });
  await check(at("stream"), async () => assert.equal((await all(await client.models.generateContentStream({ model: p.Model, contents }))).map((c) => c.candidates[0].content.parts.filter((q) => !q.thought).map((q) => q.text).join("")).join(""), answer));
  await check(at("calls and their results"), async () => {
    const first = await ask({ config });
    assert.deepEqual(first.functionCalls.map((c) => [c.name, c.args]), Array(2).fill(["calculate", input]));
    const results = { role: "user", parts: first.functionCalls.map((c) => ({ functionResponse: { name: c.name, response: { output: answer } } })) };
    const { content } = first.candidates[0];
    assert.equal((await ask({ config, contents: [...contents, content, results] })).text, answer);
    const bare = { ...content, parts: content.parts.map(({ thoughtSignature: _, ...rest }) => rest) };
    assert.match(String(await error(ask({ config, contents: [...contents, bare, results] }))), /missing a thought_signature/u);
  });
  await check(at("streamed calls"), async () => assert.equal((await all(await client.models.generateContentStream({ model: p.Model, contents, config }))).flatMap((c) => c.functionCalls ?? []).length, 2));
}

async function bedrock(p, url) {
  // The client's own handler needs HTTP/2, which a gateway on plain http has not.
  const client = new BedrockRuntimeClient({ endpoint: url, region: "us-east-1", credentials: { accessKeyId: "a", secretAccessKey: "s" }, maxAttempts: 1, requestHandler: new NodeHttpHandler() });
  const turn = { role: "user", content: [{ text: messages[0].content }] };
  const tools = { tools: [{ toolSpec: { name: "calculate", description: "Calculates.", inputSchema: { json: parameters } } }] };
  const ask = (more) => client.send(new ConverseCommand({ modelId: p.Model, messages: [turn], ...more }));
  const at = (name) => `@aws-sdk/client-bedrock-runtime, ${p.Name}: ${name}`;
  const text = (got) => got.output.message.content.map((c) => c.text ?? "").join("");
  await check(at("text"), async () => {
    const got = await ask({});
    assert.deepEqual([text(got), got.stopReason], [answer, "end_turn"]);
    assert.ok(got.usage.outputTokens > 0 && got.output.message.content[0].reasoningContent.reasoningText.signature !== "");
  });
  const streamed = async (more) => all((await client.send(new ConverseStreamCommand({ modelId: p.Model, messages: [turn], ...more }))).stream);
  await check(at("stream"), async () => {
    const events = await streamed({});
    const deltas = events.flatMap((e) => (e.contentBlockDelta === undefined ? [] : [e.contentBlockDelta.delta]));
    assert.deepEqual([deltas.map((d) => d.text ?? "").join(""), events.find((e) => e.messageStop)?.messageStop.stopReason], [answer, "end_turn"]);
    assert.ok(deltas.some((d) => d.reasoningContent?.text !== undefined) && events.some((e) => e.metadata?.usage.outputTokens > 0));
  });
  await check(at("streamed calls"), async () => {
    const events = await streamed({ toolConfig: tools });
    const inputs = new Map();
    for (const { contentBlockDelta: d } of events) {
      if (d?.delta.toolUse !== undefined) inputs.set(d.contentBlockIndex, (inputs.get(d.contentBlockIndex) ?? "") + d.delta.toolUse.input);
    }
    assert.deepEqual(events.flatMap((e) => e.contentBlockStart?.start.toolUse.name ?? []), ["calculate", "calculate"]);
    assert.deepEqual([...inputs.values()].map((text) => JSON.parse(text)), [input, input]);
    assert.equal(events.find((e) => e.messageStop)?.messageStop.stopReason, "tool_use");
  });
  await check(at("calls and their results"), async () => {
    const first = await ask({ toolConfig: tools });
    const { message } = first.output;
    const calls = message.content.filter((c) => c.toolUse !== undefined);
    assert.deepEqual([first.stopReason, ...calls.map((c) => [c.toolUse.name, c.toolUse.input])], ["tool_use", ...Array(2).fill(["calculate", input])]);
    const results = { role: "user", content: calls.map((c) => ({ toolResult: { toolUseId: c.toolUse.toolUseId, content: [{ text: answer }] } })) };
    assert.equal(text(await ask({ toolConfig: tools, messages: [turn, message, results] })), answer);
    const got = await error(ask({ toolConfig: tools, messages: [turn, { ...message, content: calls }, results] }));
    assert.equal(got.$metadata?.httpStatusCode, 400, String(got));
  });
}

const libraries = { openai: [openai, ai], completions: [openai], anthropic: [anthropic], ollama: [ollama], responses: [responses], gemini: [google], bedrock: [bedrock] };
for (const p of await (await fetch(`${base}/providers`)).json()) {
  const url = `${base}/~provider=${p.ID},run=providers`;
  for (const library of libraries[p.Format]) await library(p, url);
}
finish();
