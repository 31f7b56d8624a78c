// Runs the providers' own libraries against the stand-in for the providers, whose
// address is in STILE_STANDIN. Prints a line for each check and exits with 1 if one
// fails.
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { all, base, check, error, finish, silent } from "./checks.mjs";

const text = "Grüße 🌍, 漢字 and Ωμέγα.";
const user = (content) => [{ role: "user", content }];
const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const schema = { type: "object", properties: { choice: { type: "string", enum: ["red", "blue"] } }, required: ["choice"], additionalProperties: false };

// Every library reads bodies that arrive in chunks of one byte, in chunks of odd sizes,
// and complete.
for (const [round, cut] of ["cut=0", "cut=1", "cut=7,crlf=on"].entries()) {
  const options = `/~${cut},run=sdk`;

  {
    const client = new OpenAI({ baseURL: `${base}${options}/v1`, apiKey: "sk-test", maxRetries: 0, logger: silent });
    const chat = (model, more) => client.chat.completions.create({ model, messages: user("Hello?"), ...more });
    const at = (name) => `openai ${cut} ${name}`;
    await check(at("text"), async () => {
      const got = await chat("unicode", {});
      assert.equal(got.choices[0].message.content, text);
      assert.equal(got.choices[0].finish_reason, "stop");
      assert.ok(got.usage.prompt_tokens > 0 && got.usage.completion_tokens === 5 && got.usage.total_tokens === got.usage.prompt_tokens + 5);
    });
    await check(at("stream"), async () => {
      const got = await all(await chat("unicode", { stream: true, stream_options: { include_usage: true } }));
      assert.equal(got.map((c) => c.choices[0]?.delta.content ?? "").join(""), text);
      assert.ok(got.length > 5);
      assert.deepEqual(got.map((c) => c.choices[0]?.finish_reason).filter((r) => r), ["stop"]);
      assert.equal(got.at(-1).usage.completion_tokens, 5);
    });
    await check(at("stream helper"), async () => {
      const stream = client.chat.completions.stream({ model: "tools-two", messages: user("Weather in Zürich"), tools: [{ type: "function", function: { name: "weather", parameters } }] });
      const got = await stream.finalChatCompletion();
      assert.equal(got.choices[0].finish_reason, "tool_calls");
      assert.deepEqual(got.choices[0].message.tool_calls.map((c) => JSON.parse(c.function.arguments)), [{ city: "Zürich" }, { city: "Zürich" }]);
    });
    await check(at("stop and length"), async () => {
      assert.equal((await chat("count", { stop: ["5"] })).choices[0].message.content, "1 2 3 4 ");
      const cut = (await chat("count", { max_completion_tokens: 3 })).choices[0];
      assert.equal(cut.message.content, "1 2 3");
      assert.equal(cut.finish_reason, "length");
    });
    await check(at("tools and their results"), async () => {
      const tools = [{ type: "function", function: { name: "weather", description: "The weather.", parameters } }];
      const messages = user("Weather in Zürich");
      const first = (await client.chat.completions.create({ model: "tools", messages, tools })).choices[0];
      assert.equal(first.finish_reason, "tool_calls");
      const [call] = first.message.tool_calls;
      assert.deepEqual([call.type, call.function.name, JSON.parse(call.function.arguments)], ["function", "weather", { city: "Zürich" }]);
      const second = await client.chat.completions.create({ model: "tools", tools, messages: [...messages, first.message, { role: "tool", tool_call_id: call.id, content: "rain" }] });
      assert.equal(second.choices[0].message.content, "The tool says: rain");
    });
    await check(at("logprobs"), async () => {
      const [first] = (await chat("logprobs", { logprobs: true, top_logprobs: 3 })).choices[0].logprobs.content;
      assert.equal(first.token, "yes");
      assert.equal(first.top_logprobs.length, 3);
      const streamed = await all(await chat("logprobs", { logprobs: true, top_logprobs: 2, stream: true }));
      assert.deepEqual(streamed.flatMap((c) => c.choices[0].logprobs?.content ?? []).map((l) => l.token), ["yes", " it", " is"]);
    });
    await check(at("schema"), async () => {
      const got = await chat("rambler", { response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema } } });
      assert.ok(["red", "blue"].includes(JSON.parse(got.choices[0].message.content).choice));
    });
    await check(at("completions"), async () => {
      const got = await client.completions.create({ model: "count", prompt: "Count.\n\n1 2 3", logprobs: 2 });
      assert.equal(got.choices[0].text, " 4 5 6 7 8 9");
      assert.equal(got.choices[0].logprobs.tokens[0], " 4");
      assert.equal(got.usage.completion_tokens, 6);
      const streamed = await all(await client.completions.create({ model: "unicode", prompt: "Hello?", stream: true }));
      assert.equal(streamed.map((c) => c.choices[0].text).join(""), text);
    });
    const respond = (model, more) => client.responses.create({ model, input: "Hello?", store: false, ...more });
    await check(at("responses"), async () => {
      const got = await respond("unicode", { instructions: "Be brief." });
      assert.deepEqual([got.output_text, got.status, got.usage.output_tokens], [text, "completed", 5]);
      const cut = await respond("count", { max_output_tokens: 3 });
      assert.deepEqual([cut.output_text, cut.status, cut.incomplete_details], ["1 2 3", "incomplete", { reason: "max_output_tokens" }]);
    });
    await check(at("responses, stream"), async () => {
      const got = await all(await respond("unicode", { stream: true }));
      assert.equal(got.map((e) => (e.type === "response.output_text.delta" ? e.delta : "")).join(""), text);
      assert.deepEqual(got.map((e) => e.sequence_number), got.map((_, i) => i));
      assert.deepEqual([got[0].type, got.at(-1).type], ["response.created", "response.completed"]);
    });
    await check(at("responses, stream helper"), async () => {
      const got = await client.responses.stream({ model: "think", input: "So?", reasoning: { effort: "low", summary: "auto" } }).finalResponse();
      assert.deepEqual([got.output_text, got.output[0].summary[0].text], ["So it is.", "Is it so? It seems so. "]);
      assert.ok(got.usage.output_tokens_details.reasoning_tokens > 0);
    });
    await check(at("responses, tools and their results"), async () => {
      const tools = [{ type: "function", name: "weather", description: "The weather.", parameters, strict: false }];
      const input = user("Weather in Zürich");
      const first = await client.responses.stream({ model: "tools-two", input, tools, include: ["reasoning.encrypted_content"] }).finalResponse();
      assert.deepEqual(first.output.map((c) => [c.type, c.name, JSON.parse(c.arguments)]), [["function_call", "weather", { city: "Zürich" }], ["function_call", "weather", { city: "Zürich" }]]);
      const results = first.output.map((c) => ({ type: "function_call_output", call_id: c.call_id, output: "rain" }));
      assert.equal((await client.responses.create({ model: "tools-two", tools, store: false, input: [...input, ...first.output, ...results] })).output_text, "The tool says: rain");
    });
    await check(at("responses, schema"), async () => {
      const got = await client.responses.parse({ model: "rambler", input: "Which?", text: { format: { type: "json_schema", name: "answer", strict: true, schema } } });
      assert.ok(["red", "blue"].includes(got.output_parsed.choice));
    });
    await check(at("responses, grammar"), async () => {
      for (const [syntax, definition, want] of [["lark", 'start: "a" b+\nb: " b"', /^a( b)+$/], ["regex", "x{3}", /^x{3}$/]]) {
        const grammar = { tools: [{ type: "custom", name: "answer", format: { type: "grammar", syntax, definition } }], tool_choice: { type: "custom", name: "answer" } };
        for (const got of [await respond("rambler", grammar), await client.responses.stream({ model: "rambler", input: "Which?", ...grammar }).finalResponse()]) {
          assert.deepEqual(got.output.map((i) => [i.type, i.name]), [["custom_tool_call", "answer"]]);
          assert.match(got.output[0].input, want);
        }
      }
    });
    await check(at("responses, log-probabilities"), async () => {
      const got = await respond("logprobs", { include: ["message.output_text.logprobs"], top_logprobs: 2 });
      assert.deepEqual(got.output[0].content[0].logprobs.map((l) => [l.token, l.top_logprobs.length]), [["yes", 2], [" it", 2], [" is", 2]]);
    });
    for (const [model, type] of [["fault-401", OpenAI.AuthenticationError], ["no-such-model", OpenAI.NotFoundError], ["fault-429", OpenAI.RateLimitError], ["fault-context", OpenAI.BadRequestError]]) {
      await check(at(`responses, ${model}`), async () => assert.ok((await error(respond(model, { stream: true }))) instanceof type));
    }
    await check(at("responses, a wrong grammar"), async () => {
      const tools = [{ type: "custom", name: "answer", format: { type: "grammar", syntax: "lark", definition: "start: (" } }];
      assert.match((await error(respond("rambler", { tools }))).message, /invalid grammar/);
    });
    await check(at("responses, error in the stream"), async () => {
      const got = await error(respond("fault-error", { stream: true }).then(all).then((events) => Promise.reject(events.at(-1))));
      assert.ok(got.message.includes("Overloaded"), String(got));
    });
    await check(at("responses, broken stream"), async () => assert.ok(await error(respond("fault-cut", { stream: true }).then(all))));
    await check(at("models"), async () => {
      assert.ok((await all(await client.models.list())).some((m) => m.id === "choice" && m.object === "model"));
    });
    for (const [model, type, code] of [
      ["fault-401", OpenAI.AuthenticationError, "invalid_api_key"], ["fault-403", OpenAI.PermissionDeniedError, "permission_error"],
      ["fault-404", OpenAI.NotFoundError, "not_found_error"], ["no-such-model", OpenAI.NotFoundError, "model_not_found"],
      ["fault-429", OpenAI.RateLimitError, "rate_limit_error"], ["fault-500", OpenAI.InternalServerError, "api_error"], ["fault-context", OpenAI.BadRequestError, "context_length_exceeded"],
    ]) {
      for (const stream of [false, true]) {
        await check(at(`${model}${stream ? " streamed" : ""}`), async () => {
          const got = await error(chat(model, { stream }));
          assert.ok(got instanceof type, got.constructor.name);
          assert.equal(got.code, code);
        });
      }
    }
    await check(at("error in the stream"), async () => {
      const got = await error(chat("fault-error", { stream: true }).then(all));
      assert.ok(got instanceof OpenAI.APIError && got.message.includes("Overloaded"), String(got));
    });
    await check(at("garbage in the stream"), async () => assert.ok(await error(chat("fault-garbage", { stream: true }).then(all)) instanceof SyntaxError));
    await check(at("broken stream"), async () => assert.ok(await error(chat("fault-cut", { stream: true }).then(all))));
    await check(at("repeated after 429"), async () => {
      const patient = new OpenAI({ baseURL: `${base}/~${cut},run=sdk-${round}-openai/v1`, apiKey: "sk-test", maxRetries: 1, logger: silent });
      assert.equal((await patient.chat.completions.create({ model: "fault-429-once", messages: user("Hello?") })).choices[0].message.content, "Here I am again.");
    });
  }

  {
    const client = new Anthropic({ baseURL: `${base}${options}`, apiKey: "sk-test", maxRetries: 0, logger: silent });
    const ask = (model, more) => client.messages.create({ model, max_tokens: 1000, messages: user("Hello?"), ...more });
    const at = (name) => `anthropic ${cut} ${name}`;
    await check(at("text"), async () => {
      const got = await ask("unicode", { system: "Be brief." });
      assert.equal(got.content[0].text, text);
      assert.equal(got.stop_reason, "end_turn");
      assert.equal(got.usage.output_tokens, 5);
    });
    await check(at("stream"), async () => {
      const got = await all(await ask("unicode", { stream: true }));
      assert.equal(got.flatMap((e) => (e.type === "content_block_delta" && e.delta.type === "text_delta" ? [e.delta.text] : [])).join(""), text);
      assert.deepEqual([got[0].type, got.at(-1).type], ["message_start", "message_stop"]);
    });
    await check(at("stream helper"), async () => {
      const got = await client.messages.stream({ model: "think", max_tokens: 1000, messages: user("So?") }).finalMessage();
      assert.deepEqual(got.content.map((b) => [b.type, b.text ?? b.thinking]), [["thinking", "Is it so? It seems so. "], ["text", "So it is."]]);
      assert.ok(got.usage.input_tokens > 0 && got.usage.output_tokens > 3);
    });
    await check(at("stop and length"), async () => {
      const stopped = await ask("count", { stop_sequences: ["5"] });
      assert.deepEqual([stopped.content[0].text, stopped.stop_reason, stopped.stop_sequence], ["1 2 3 4 ", "stop_sequence", "5"]);
      const cut = await ask("count", { max_tokens: 3 });
      assert.deepEqual([cut.content[0].text, cut.stop_reason], ["1 2 3", "max_tokens"]);
    });
    await check(at("tools and their results"), async () => {
      const tools = [{ name: "weather", description: "The weather.", input_schema: parameters }];
      const messages = user("Weather in Zürich");
      const first = await client.messages.stream({ model: "tools-two", max_tokens: 1000, messages, tools }).finalMessage();
      assert.equal(first.stop_reason, "tool_use");
      assert.deepEqual(first.content.map((b) => [b.type, b.name, b.input]), [["tool_use", "weather", { city: "Zürich" }], ["tool_use", "weather", { city: "Zürich" }]]);
      const results = first.content.map((b) => ({ type: "tool_result", tool_use_id: b.id, content: "rain" }));
      const second = await ask("tools-two", { tools, messages: [...messages, { role: "assistant", content: first.content }, { role: "user", content: results }] });
      assert.equal(second.content[0].text, "The tool says: rain");
    });
    await check(at("schema"), async () => {
      const got = await ask("rambler", { output_config: { format: { type: "json_schema", schema } } });
      assert.ok(["red", "blue"].includes(JSON.parse(got.content[0].text).choice));
    });
    await check(at("models"), async () => assert.ok((await all(await client.models.list())).some((m) => m.id === "choice" && m.type === "model")));
    for (const [model, type, kind] of [
      ["fault-401", Anthropic.AuthenticationError, "authentication_error"], ["fault-403", Anthropic.PermissionDeniedError, "permission_error"],
      ["fault-404", Anthropic.NotFoundError, "not_found_error"], ["no-such-model", Anthropic.NotFoundError, "not_found_error"],
      ["fault-429", Anthropic.RateLimitError, "rate_limit_error"], ["fault-500", Anthropic.InternalServerError, "api_error"],
      ["fault-529-once", Anthropic.InternalServerError, "overloaded_error"], ["fault-context", Anthropic.BadRequestError, "invalid_request_error"],
    ]) {
      await check(at(model), async () => {
        // A one-time fault occurs once per run.
        const fresh = new Anthropic({ baseURL: `${base}/~${cut},run=sdk-${round}-${model}`, apiKey: "sk-test", maxRetries: 0, logger: silent });
        const got = await error(fresh.messages.create({ model, max_tokens: 10, messages: user("Hello?") }));
        assert.ok(got instanceof type, got.constructor.name);
        assert.equal(got.error.error.type, kind);
      });
    }
    await check(at("max_tokens is wanted"), async () => assert.ok(await error(ask("echo", { max_tokens: 0 })) instanceof Anthropic.BadRequestError));
    await check(at("error in the stream"), async () => {
      const got = await error(ask("fault-error", { stream: true }).then(all));
      assert.ok(got instanceof Anthropic.APIError && got.message.includes("Overloaded"), String(got));
    });
    await check(at("garbage in the stream"), async () => assert.ok(await error(ask("fault-garbage", { stream: true }).then(all)) instanceof SyntaxError));
    await check(at("broken stream"), async () => assert.ok(await error(client.messages.stream({ model: "fault-cut", max_tokens: 9, messages: user("Hello?") }).finalMessage())));
  }

  {
    const client = new Ollama({ host: `${base}${options}` });
    const chat = (model, more) => client.chat({ model, messages: user("Hello?"), ...more });
    const at = (name) => `ollama ${cut} ${name}`;
    await check(at("text"), async () => {
      const got = await chat("unicode", {});
      assert.deepEqual([got.message.content, got.done, got.done_reason, got.eval_count], [text, true, "stop", 5]);
    });
    await check(at("stream"), async () => {
      const got = await all(await chat("unicode", { stream: true }));
      assert.equal(got.map((c) => c.message.content).join(""), text);
      assert.ok(got.length > 5 && got.at(-1).done && got.at(-1).prompt_eval_count > 0);
    });
    await check(at("generate"), async () => {
      const got = await client.generate({ model: "count", prompt: "Count.\n\n1 2 3", raw: true });
      assert.equal(got.response, " 4 5 6 7 8 9");
      assert.equal((await all(await client.generate({ model: "unicode", prompt: "Hello?", stream: true }))).map((c) => c.response).join(""), text);
    });
    await check(at("stop and length"), async () => {
      assert.equal((await chat("count", { options: { stop: ["5"] } })).message.content, "1 2 3 4 ");
      const cut = await chat("count", { options: { num_predict: 3 } });
      assert.deepEqual([cut.message.content, cut.done_reason], ["1 2 3", "length"]);
    });
    await check(at("tools and their results"), async () => {
      const tools = [{ type: "function", function: { name: "weather", description: "The weather.", parameters } }];
      const messages = user("Weather in Zürich");
      const first = await client.chat({ model: "tools", messages, tools });
      assert.deepEqual(first.message.tool_calls.map((c) => [c.function.name, c.function.arguments]), [["weather", { city: "Zürich" }]]);
      const second = await client.chat({ model: "tools", tools, messages: [...messages, first.message, { role: "tool", tool_name: "weather", content: "rain" }] });
      assert.equal(second.message.content, "The tool says: rain");
    });
    await check(at("logprobs"), async () => {
      const got = await chat("logprobs", { logprobs: true, top_logprobs: 2 });
      assert.deepEqual(got.logprobs.map((l) => [l.token, l.top_logprobs.length]), [["yes", 2], [" it", 2], [" is", 2]]);
    });
    await check(at("schema"), async () => assert.ok(["red", "blue"].includes(JSON.parse((await chat("rambler", { format: schema })).message.content).choice)));
    await check(at("thoughts"), async () => assert.equal((await chat("think", { think: true })).message.thinking, "Is it so? It seems so. "));
    await check(at("models"), async () => assert.ok((await client.list()).models.some((m) => m.name === "choice")));
    for (const [model, status] of [["fault-401", 401], ["fault-404", 404], ["no-such-model", 404], ["fault-429", 429], ["fault-500", 500]]) {
      await check(at(model), async () => {
        const got = await error(chat(model, { stream: status === 429 }));
        assert.deepEqual([got.name, got.status_code], ["ResponseError", status]);
      });
    }
    await check(at("error in the stream"), async () => assert.equal((await error(chat("fault-error", { stream: true }).then(all))).message, "Overloaded"));
    await check(at("broken stream"), async () => assert.ok(await error(chat("fault-cut", { stream: true }).then(all))));
    await check(at("stream without an end"), async () => assert.match((await error(chat("fault-cut-clean", { stream: true }).then(all))).message, /did not receive done/i));
  }
}

await check("requests are remembered", async () => {
  const list = await (await fetch(`${base}/requests?run=sdk`)).json();
  assert.ok(list.length > 100);
  assert.ok(list.every((r) => r.path.startsWith("/v1/") || r.path.startsWith("/api/")));
  assert.ok(list.every((r) => r.path === "/api/chat" || r.path === "/api/generate" || r.path === "/api/tags" || r.headers.authorization === "Bearer sk-test"));
  assert.ok(list.every((r) => r.path !== "/v1/messages" || r.headers["anthropic-version"] !== undefined));
});
finish();
