import { clean as looksClean } from "./axe.js";
import type { Page } from "@playwright/test";
import {
  add,
  addHeader,
  close,
  endpoints,
  event,
  expect,
  fill,
  fulfil,
  open as openly,
  preflight,
  remembered,
  run,
  stream,
  test,
} from "./endpoint-fixtures.js";
import { open, ready, tab } from "./fixtures.js";
import { Silence } from "../src/core/silence.js";
import { onlyLong, sampled } from "./sample.js";

const testLong = onlyLong(test);

const presets: readonly (readonly [id: string, label: string, url: string, format: string, server: string])[] = [
  ["ollama", "Ollama", "http://localhost:11434", "ollama", "ollama"],
  ["lmstudio", "LM Studio", "http://localhost:1234/v1", "openai", "lmstudio"],
  ["llamacpp", "llama.cpp", "http://localhost:8080/v1", "openai", "llamacpp"],
  ["vllm", "vLLM", "http://localhost:8000/v1", "openai", "vllm"],
  ["openai", "OpenAI", "https://api.openai.com/v1", "openai", "openai"],
  ["openai-responses", "OpenAI responses", "https://api.openai.com/v1", "responses", "openai"],
  ["anthropic", "Anthropic", "https://api.anthropic.com", "anthropic", "anthropic"],
  ["gemini-native", "Google Gemini", "https://generativelanguage.googleapis.com/v1beta", "gemini", "gemini"],
  ["gemini", "Gemini, OpenAI format", "https://generativelanguage.googleapis.com/v1beta/openai", "openai", "gemini"],
  ["mistral", "Mistral", "https://api.mistral.ai/v1", "openai", "mistral"],
  ["groq", "Groq", "https://api.groq.com/openai/v1", "openai", "groq"],
  ["openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "openai", "openrouter"],
  ["together", "Together", "https://api.together.ai/v1", "openai", "together"],
  ["deepseek", "DeepSeek", "https://api.deepseek.com/v1", "openai", "deepseek"],
  ["xai", "xAI", "https://api.x.ai/v1", "openai", "xai"],
  ["huggingface", "Hugging Face", "https://router.huggingface.co/v1", "openai", "huggingface"],
  ["fireworks", "Fireworks", "https://api.fireworks.ai/inference/v1", "openai", "fireworks"],
  ["cerebras", "Cerebras", "https://api.cerebras.ai/v1", "openai", "cerebras"],
  ["bedrock", "Amazon Bedrock", "https://bedrock-runtime.us-east-1.amazonaws.com", "bedrock", ""],
  ["other", "My endpoint", "", "openai", ""],
];

testLong("every preset creates an endpoint of its format", async ({ quiet: page }) => {
  await open(page);
  await endpoints(page);
  for (const [id, label, url, format, server] of presets) {
    if (id !== "ollama") await page.getByRole("button", { name: "Add an endpoint" }).click();
    await page.locator(`[data-preset=${id}]`).click();
    await expect(page.locator(".endpoint-title")).toHaveText(label);
    await expect(page.locator(".endpoint-title")).toBeFocused();
    await expect(page.getByLabel("Address")).toHaveValue(url);
    await expect(page.locator("[data-field=format]")).toHaveValue(format);
    await expect(page.locator("[data-field=server]")).toHaveValue(server);
  }
  await expect(page.locator(".endpoint-item")).toHaveCount(presets.length);
  await close(page);
  await expect(page.getByLabel("Model", { exact: true }).locator("optgroup[label=Endpoints] option")).toHaveCount(
    presets.length,
  );
});

test("endpoints are edited, copied, removed and restored, and survive a reload", async ({ quiet: page }) => {
  await open(page);
  await endpoints(page);
  await add(page, { label: "First", url: "https://one.example/v1", model: "m1" });
  await page.getByRole("button", { name: "Duplicate" }).click();
  await expect(page.locator(".endpoint-title")).toHaveText("First 2");
  await fill(page, "Model", "m2");
  await page.getByText("Price", { exact: false }).first().click();
  await page.getByLabel("Dollars per million input tokens").fill("0.5");
  await page.getByLabel("Dollars per million output tokens").fill("2");
  await page.getByLabel("Dollars per million output tokens").blur();
  await expect(page.locator("stile-endpoint-price summary")).toHaveText("Price: $0.5 read, $2 written");
  await page.locator("[data-endpoint=other]").click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.locator(".endpoint-item")).toHaveCount(1);
  await expect(page.locator(".endpoint-item")).toBeFocused();
  await page.locator(".removal").getByRole("button", { name: "Undo" }).click();
  await expect(page.locator(".endpoint-title")).toHaveText("First");
  // A test reloads faster than any person: wait until the restored endpoint is stored.
  await expect.poll(() => remembered(page)).toEqual(["other-2", "other"]);
  await page.reload();
  await ready(page);
  await endpoints(page);
  await expect(page.locator(".endpoint-item strong")).toHaveText(["First 2", "First"]);
  await page.locator("[data-endpoint=other-2]").click();
  await expect(page.getByLabel("Address")).toHaveValue("https://one.example/v1");
  await expect(page.locator("stile-endpoint-editor").getByLabel("Model", { exact: true })).toHaveValue("m2");
  await expect(page.locator("stile-endpoint-price summary")).toHaveText("Price: $0.5 read, $2 written");
});

test("an endpoint that cannot be stored is reported, and works until the page is left", async ({ page }) => {
  await page.addInitScript(() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (value: unknown, key?: IDBValidKey) {
      if (key === "endpoints") throw new DOMException("full", "QuotaExceededError");
      return put.call(this, value, key);
    };
  });
  await open(page);
  await endpoints(page);
  await add(page, { label: "First", url: "https://one.example/v1", model: "m1" });
  await expect(page.locator(".toast.bad").first()).toContainText("could not be saved: storage is full or blocked");
  await close(page);
  await expect(page.getByLabel("Model", { exact: true }).locator("optgroup[label=Endpoints] option")).toHaveCount(1);
});

test("an invalid address is explained at once", async ({ quiet: page }) => {
  await open(page);
  await endpoints(page);
  await add(page, {});
  const fault = page.locator("#endpoint-url-fault");
  await expect(fault).toHaveText("The endpoint has no address yet.");
  for (const [url, why] of [
    ["models.example/v1", "must begin with https:// or http://"],
    ["https://me:secret@models.example/v1", "user name or password"],
    ["https://models.example/v1?key=secret", "The parameter “key” gives access"],
    ["https://models.example/v1?api-version=preview&api%2Dkey=secret", "enter it as the key or as a header"],
    ["https://models.example/v1?sig=secret", "The parameter “sig” gives access"],
    ["https://models.example/v1?access_token=secret", "The parameter “access_token” gives access"],
    ["https://models.example/v1#part", "ends before “#”"],
  ] as const) {
    await fill(page, "Address", url);
    await expect(fault).toContainText(why);
    await expect(page.getByRole("button", { name: "Test connection" })).toBeDisabled();
  }
  for (const url of ["https://models.example/v1", "https://models.example/v1?api-version=2024-10-21"]) {
    await fill(page, "Address", url);
    await expect(fault).toBeEmpty();
    await expect(page.getByRole("button", { name: "Test connection" })).toBeEnabled();
  }
});

test("a connection is tested at an address with a version of its API", async ({ quiet: page }) => {
  const asked: string[] = [];
  await page.route("https://name.openai.azure.com/**", async (route) => {
    asked.push(route.request().url());
    await fulfil(route, "ready");
  });
  await open(page);
  await endpoints(page);
  const deployment = "https://name.openai.azure.com/openai/deployments/small";
  await add(page, { preset: "azure", url: `${deployment}?api-version=2024-10-21`, key: "the-key-of-azure" });
  await expect(page.locator("#endpoint-url-fault")).toBeEmpty();
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.locator("stile-endpoint-test .pill")).toHaveText("The connection works");
  expect(new Set(asked)).toEqual(new Set([`${deployment}/chat/completions?api-version=2024-10-21`]));
});

test("each run uses the endpoint that was chosen for it, with that endpoint's key", async ({ quiet: page }) => {
  const seen: string[] = [];
  await page.route(/https:\/\/(one|two)\.example\//, async (route) => {
    const request = route.request();
    seen.push(
      `${new URL(request.url()).host} ${request.headers()["authorization"]} ${(request.postDataJSON() as { model: string }).model}`,
    );
    await fulfil(route);
  });
  await open(page);
  await endpoints(page);
  await add(page, { label: "One", url: "https://one.example/v1", model: "m1", key: "key-of-the-first" });
  await add(page, { label: "Two", url: "https://two.example/v1", model: "m2", key: "key-of-the-second" });
  await run(page);
  await expect(page.locator("[data-form=word]")).not.toBeEmpty();
  expect(new Set(seen.splice(0))).toEqual(new Set(["two.example Bearer key-of-the-second m2"]));
  await page.getByLabel("Model", { exact: true }).selectOption({ label: "One: m1" });
  await run(page);
  await expect(page.locator(".run-state .pill")).toHaveText("Done");
  expect(new Set(seen.splice(0))).toEqual(new Set(["one.example Bearer key-of-the-first m1"]));
  await page.getByLabel("Model", { exact: true }).selectOption("uniform");
  await run(page);
  await expect(page.locator(".run-state .pill")).toHaveText("Done");
  expect(seen).toEqual([]);
});

const gemini = "https://generativelanguage.googleapis.com/v1beta/models";

for (const [preset, header, copied, sent] of [
  ["anthropic", "x-api-key", "https://api.anthropic.com/v1/messages", "https://api.anthropic.com/v1/messages"],
  [
    "gemini-native",
    "x-goog-api-key",
    `${gemini}/gemini-2.5-flash:generateContent`,
    `${gemini}/small:streamGenerateContent?alt=sse`,
  ],
  [
    "azure",
    "api-key",
    "https://name.openai.azure.com/openai/deployments/small/chat/completions?api-version=2024-10-21",
    "https://name.openai.azure.com/openai/deployments/small/chat/completions?api-version=2024-10-21",
  ],
] as const)
  test(`the key of ${preset} is sent in its own header, without a prefix, below a copied address`, async ({ page }) => {
    let headers: Record<string, string> = {};
    let url = "";
    await page.route(`${new URL(copied).origin}/**`, async (route) => {
      headers = route.request().headers();
      url = route.request().url();
      await route.fulfill({
        status: 401,
        headers: { "access-control-allow-origin": "*" },
        json: { error: { message: "no" } },
      });
    });
    await open(page);
    await endpoints(page);
    await add(page, { preset, url: copied, key: "sk-ant-0123456789" });
    await run(page);
    await expect(page.locator("stile-run .fault")).toContainText("refused the key");
    expect(url).toBe(sent);
    expect(headers[header]).toBe("sk-ant-0123456789");
    expect(headers["authorization"]).toBeUndefined();
  });

testLong("thinking, an extra body and extra headers are sent with each request", async ({ quiet: page }) => {
  const seen: { readonly body: unknown; readonly headers: Record<string, string> }[] = [];
  await page.route("https://models.example/**", async (route) => {
    const request = route.request();
    if (request.method() === "POST") seen.push({ body: request.postDataJSON(), headers: request.headers() });
    await fulfil(route);
  });
  await open(page);
  await endpoints(page);
  await add(page, { url: "https://models.example/v1" });
  const extras = page.locator("stile-endpoint-extras");
  await addHeader(page, "Cookie", "not-allowed");
  await expect(extras.locator("#header-fault")).toContainText("Pages cannot set “cookie”");
  await addHeader(page, "api-key", "the-value-of-a-header");
  await expect(extras.locator(".extra-headers")).toContainText("api-key");
  await extras.getByLabel("Thinking effort").selectOption("low");
  await fill(page, "Thinking tokens", "3000");
  for (const [text, fault] of [
    ['{"seed": 7,}', /JSON.*line 1 column 12/],
    ["[1]", /expected an object/],
    ['{"seed": 7,\n "model": "other"}', /Line 2, column 2: the run sets “model” itself/],
  ] as const) {
    await fill(page, "Extra body", text);
    await expect(extras.locator("#endpoint-body-fault")).toContainText(fault);
  }
  await fill(page, "Extra body", '{"seed": 7}');
  await expect(extras.locator("#endpoint-body-fault")).toBeEmpty();
  await expect(extras.locator("summary")).toHaveText("Thinking, extra body and headers: effort, tokens, body, headers");
  await looksClean(page);
  // By keyboard: the fields follow each other, and a removal leaves the focus in the group.
  await extras.locator("summary").focus();
  const focused = page.locator(":focus");
  for (const name of ["Thinking effort", "Thinking tokens", "Extra body", "Remove the header api-key"]) {
    await page.keyboard.press("Tab");
    await expect(focused).toHaveAccessibleName(name);
  }
  await page.keyboard.press("Enter");
  await expect(focused).toHaveAccessibleName(/^Name of a header/);
  await page.keyboard.type("api-key");
  await page.keyboard.press("Tab");
  await page.keyboard.type("the-value-of-a-header");
  await page.keyboard.press("Tab");
  await expect(focused).toHaveAccessibleName("Add");
  await page.keyboard.press("Space");
  await expect(extras.locator(".extra-headers")).toContainText("api-key");
  await run(page);
  await expect(page.locator(".run-state .pill")).toHaveText("Done");
  expect(seen[0]?.body).toMatchObject({ model: "small", seed: 7, reasoning_effort: "low" });
  expect((seen[0]?.body as { max_tokens: number }).max_tokens).toBeGreaterThan(3000);
  expect(seen[0]?.headers["api-key"]).toBe("the-value-of-a-header");
  // The settings survive a reload; the header does not, unless the person keeps it.
  await page.reload();
  await ready(page);
  await endpoints(page);
  await expect(extras.locator("summary")).toHaveText("Thinking, extra body and headers: effort, tokens, body");
});

// The connection test.

async function tested(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.locator("stile-endpoint-test .pill")).toBeVisible();
}

test("a connection test lists the models and the server's features, and offers them", async ({ quiet: page }) => {
  await page.route("https://models.example/**", (route) => fulfil(route, "ready"));
  await open(page);
  await endpoints(page);
  await add(page, { url: "https://models.example/v1" });
  await tested(page);
  await expect(page.locator("stile-endpoint-test .pill")).toHaveText("The connection works");
  await expect(page.locator("[data-step=models]")).toContainText("2 models");
  await expect(page.locator("[data-step=chat]")).toContainText("ready");
  await expect(page.locator("#endpoint-models option")).toHaveCount(2);
  await expect(page.getByRole("list", { name: "Capabilities" })).toContainText("stop texts");
  await expect(page.locator("stile-endpoint-test")).toContainText("Not supported: log-probabilities, tools");
  // Without a model there is a list of models and no error.
  await fill(page, "Model", "");
  await tested(page);
  await expect(page.locator("stile-endpoint-test .pill")).toContainText("choose a model");
});

for (const [name, status, body, step, words, fix] of sampled(
  "tests of endpoints",
  [
    [
      "a key that is refused",
      401,
      { error: { message: "no such key" } },
      "models",
      /refused the key.*no such key/,
      /check that the key/i,
    ],
    [
      "a wrong path",
      404,
      "nothing here",
      "chat",
      /no model API found at this address/i,
      /request went to https:\/\/models\.example\/v1\/chat\/completions/,
    ],
    [
      "a model that is not there",
      404,
      { error: { message: "the model `small` does not exist", code: "model_not_found" } },
      "chat",
      /Unknown model/,
      /./,
    ],
    [
      "a limit that is reached",
      429,
      { error: { message: "slow down" } },
      "chat",
      /too many requests.*slow down/,
      /wait/i,
    ],
    ["a server that fails", 500, { error: { message: "oh" } }, "chat", /status 500/, /try again/i],
  ] as const,
  2,
)) {
  test(`a connection test explains ${name}`, async ({ page }) => {
    await page.route("https://models.example/**", (route) =>
      route.fulfill({
        status,
        headers: { "access-control-allow-origin": "*", "content-type": "application/json" },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    );
    await open(page);
    await endpoints(page);
    await add(page, { url: "https://models.example/v1", key: "sk-0123456789abc" });
    await tested(page);
    await expect(page.locator("stile-endpoint-test .pill")).toContainText("does not work");
    await expect(page.locator(`[data-step=${step}] p`)).toContainText(words);
    await expect(page.locator(`[data-step=${step}] .fix`)).toContainText(fix);
  });
}

test("a connection test explains a missing CORS header, with the setting that allows it", async ({ page, serve }) => {
  const server = await serve((_, response) => response.writeHead(403).end("no pages"));
  await open(page);
  await endpoints(page);
  await add(page, { preset: "ollama", url: server.url, key: "sk-0123456789abc" });
  await tested(page);
  const step = page.locator("[data-step=models]");
  await expect(step).toContainText("CORS");
  await expect(step.locator(".command")).toContainText(`OLLAMA_ORIGINS=${new URL(page.url()).origin}`);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await step.getByRole("button", { name: /Copy/ }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain("OLLAMA_ORIGINS=");
  // The probe for a reachable server sent no key and no body.
  const blind = server.requests.filter((r) => r.method === "GET");
  expect(blind.length).toBeGreaterThan(0);
  for (const r of server.requests) expect(r.headers["authorization"]).toBeUndefined();
});

test("a connection test explains an unreachable server", async ({ page, serve }) => {
  const server = await serve((request) => request.socket.destroy());
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url });
  await tested(page);
  await expect(page.locator("[data-step=models]")).toContainText("no server is listening there");
  await page.route("https://models.example/**", (route) => route.abort("namenotresolved"));
  await fill(page, "Address", "https://models.example/v1");
  await tested(page);
  await expect(page.locator("[data-step=models]")).toContainText("models.example does not respond");
});

test("a connection test explains a device without a network", async ({ page }) => {
  await open(page);
  await endpoints(page);
  await add(page, { url: "https://models.example/v1" });
  // Load once with a network, so that the full core is cached when it is gone.
  await tested(page);
  await expect(page.locator("[data-step=models]")).toContainText("does not respond");
  await page.context().setOffline(true);
  await tested(page);
  await expect(page.locator("[data-step=models]")).toContainText("this device is offline");
});

test("a hanging connection test can be cancelled", async ({ quiet: page, serve }) => {
  const server = await serve(() => {});
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url });
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect.poll(() => server.requests.length).toBeGreaterThan(0);
  await page.locator("stile-endpoint-test").getByRole("button", { name: "Cancel" }).click();
  await expect(page.locator("stile-endpoint-test .pill")).toHaveText("Cancelled");
  await expect(page.getByRole("button", { name: "Test connection" })).toBeEnabled();
});

// Against the mock of the providers, which uses their wire formats.

const standin = process.env["STILE_STANDIN"];

for (const [preset, format, path] of sampled(
  "formats of endpoints",
  [
    ["openai", "openai", "/v1"],
    ["other", "completions", "/v1"],
    ["openai-responses", "responses", "/v1"],
    ["anthropic", "anthropic", ""],
    ["ollama", "ollama", ""],
    ["ollama", "ollama-generate", ""],
    ["gemini-native", "gemini", "/v1beta"],
  ] as const,
  2,
)) {
  test(`a ${format} endpoint is tested and called, and its failures are distinguished`, async ({ page }) => {
    test.skip(standin === undefined, "the build starts the mock of the providers");
    const at = (options: string): string => `${standin}/~${options}${path}`;
    const failed = page.locator("[data-state=failed]").first();
    await open(page);
    await endpoints(page);
    await add(page, { preset, url: at("key=sk-0123456789abc"), model: "helpful", key: "sk-of-somebody-else" });
    await page.locator("stile-endpoint-editor summary", { hasText: "Wire format" }).click();
    await page.locator("[data-field=format]").selectOption(format);
    await tested(page);
    await expect(failed).toContainText("refused the key");
    await page.getByRole("button", { name: "Remove the key" }).click();
    await page.locator("stile-endpoint-key input[type=password]").fill("sk-0123456789abc");
    await tested(page);
    await expect(page.locator("stile-endpoint-test .pill")).toHaveText("The connection works");
    await expect(page.locator("[data-step=chat]")).toContainText("ready");
    await expect.poll(() => page.locator("#endpoint-models option").count()).toBeGreaterThan(1);
    await fill(page, "Model", "fault-model");
    await tested(page);
    await expect(failed).toContainText("Unknown model");
    await fill(page, "Model", "helpful");
    await fill(page, "Address", at("cors=off"));
    await tested(page);
    await expect(failed).toContainText("CORS");
    await fill(page, "Address", at("cors=errors,key=sk-of-somebody-else"));
    await tested(page);
    await expect(failed).toContainText("CORS");
    await fill(page, "Address", at("run=page"));
    await fill(page, "Model", "choice");
    await run(page);
    await expect(page.locator(".run-state .pill")).toHaveText("Done");
    await expect(page.locator("stile-plan-result .pill.good")).toHaveText("valid");
  });
}

// Failures during runs.

testLong("a run over plain http from a page loaded over https reports the reason", async ({ page, baseURL }) => {
  await page.route("https://stile.example/**", async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: new URL(pathname, baseURL).href }) });
  });
  await open(page, "https://stile.example/");
  await endpoints(page);
  await add(page, { url: "http://models.example/v1" });
  const hint = page.locator("#endpoint-url-hint");
  await expect(hint).toContainText("loaded over https");
  await expect(page.locator("#endpoint-url-fault")).toBeEmpty();
  await fill(page, "Address", "http://gpu-box:9700/v1");
  const wayOut = "open a tunnel (ssh -L 9700:localhost:9700 gpu-box) and use http://localhost:9700/v1";
  await expect(hint).toContainText(
    `serve Stile on this device (“go run ./build serve”), use an address that begins with https://, or ${wayOut}`,
  );
  // The test is not disabled, and names the same way out.
  await tested(page);
  await expect(page.locator("[data-step=models]")).toContainText(wayOut);
  await fill(page, "Address", "http://models.example/v1");
  await run(page);
  await expect(page.locator("stile-run .fault")).toContainText("plain http");
});

testLong(
  "the browser's own permission to reach this device is distinguished from an unreachable server",
  async ({ page, baseURL, serve }) => {
    const server = await serve((request, response) => {
      if (!preflight(request, response))
        response.writeHead(200, { ...openly, "content-type": "text/event-stream" }).end(stream("1"));
    });
    await page.route("https://stile.example/**", async (route) => {
      const { pathname } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: new URL(pathname, baseURL).href }) });
    });
    const cdp = await page.context().newCDPSession(page);
    const { targetInfo } = await cdp.send("Target.getTargetInfo");
    const permit = async (setting: "granted" | "denied" | "prompt"): Promise<void> => {
      for (const name of ["loopback-network", "local-network"]) {
        await cdp.send("Browser.setPermission", {
          permission: { name },
          setting,
          origin: "https://stile.example",
          browserContextId: targetInfo.browserContextId ?? "",
        });
      }
    };
    await permit("denied");
    await open(page, "https://stile.example/?example=openagi");
    await page.locator('stile-files [data-file="openagi.cfg"]').waitFor({ state: "attached" });
    await endpoints(page);
    await add(page, { url: server.url });
    await tested(page);
    await expect(page.locator("[data-step=models]")).toContainText(
      "the browser blocks https://stile.example from this device's own servers",
    );
    await permit("prompt");
    await tested(page);
    await expect(page.locator("[data-step=models]")).toContainText("has no permission to reach it");
    expect(server.requests).toEqual([]);
    await permit("granted");
    await run(page);
    await expect(page.locator(".run-state .pill")).toHaveText("Done");
  },
);

test("plain http elsewhere is refused by this page's own policy, and the page says so", async ({ page }) => {
  await open(page);
  await endpoints(page);
  await add(page, { url: "http://models.example/v1" });
  await tested(page);
  await expect(page.locator("[data-step=models]")).toContainText("plain http");
});

test("a locally served page calls servers in its network, and sends keys only there", async ({ page }) => {
  const asked: string[] = [];
  await page.route(/^http:\/\/(gpu-box:9700|192\.168\.7\.7|models\.example)\//, async (route) => {
    asked.push(`${route.request().url()} ${route.request().headers()["authorization"] ?? ""}`.trim());
    await fulfil(route);
  });
  await open(page, `${process.env["STILE_LOCAL_URL"] ?? ""}/?example=openagi`);
  await page.locator('stile-files [data-file="openagi.cfg"]').waitFor({ state: "attached" });
  await endpoints(page);
  await add(page, { url: "http://gpu-box:9700/v1", key: "sk-local" });
  await tested(page);
  await expect(page.locator("stile-endpoint-test")).toContainText("The connection works");
  expect(asked[0]).toBe("http://gpu-box:9700/v1/models Bearer sk-local");
  await fill(page, "Address", "http://models.example/v1");
  asked.length = 0;
  await page.locator("stile-endpoint-key input[type=password]").fill("sk-public");
  await page.getByRole("button", { name: "Set the key" }).click();
  await tested(page);
  await expect(page.locator("[data-step=models]")).toContainText("could read the key; it is not sent");
  await expect(page.locator("[data-step=models] .fix")).toContainText("ssh -L 80:localhost:80 models.example");
  expect(asked).toEqual([]);
  await fill(page, "Address", "http://192.168.7.7/v1");
  await run(page);
  await expect(page.locator(".run-state .pill")).toHaveText("Done");
});

test("a truncated answer keeps the received part and reports the interruption", async ({ page, serve }) => {
  const server = await serve((request, response) => {
    if (preflight(request, response)) return;
    response.writeHead(200, { ...openly, "content-type": "text/event-stream" });
    response.write(event("The answer "), () => response.destroy());
  });
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url });
  await run(page);
  await expect(page.locator("stile-run .fault")).toContainText(/closed\s+the\s+connection/);
});

testLong("silence ends a run after the endpoint's timeout", async ({ page, serve }) => {
  const server = await serve((request, response) => {
    if (!preflight(request, response))
      response.writeHead(200, { ...openly, "content-type": "text/event-stream" }).flushHeaders();
  });
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url });
  await impatient(page, 200);
  await run(page);
  await expect(page.locator("stile-run .fault")).toContainText("sent nothing for 0.2 s");
});

test("keep-alives without data are bounded by five minutes, or by a longer idle time", () => {
  let now = 0;
  let due = Infinity;
  let abort = (): void => {};
  const clock = {
    now: () => now,
    set: (f: () => void, ms: number) => {
      [abort, due] = [f, now + ms];
      return 0;
    },
    clear: () => {
      due = Infinity;
    },
  };
  for (const [idle, every, parts, after, reason] of [
    [60_000, 10_000, [": keep-alive\n\n"], 300_000, "sent only keep-alives for 300 s"],
    [120_000, 7_000, ['event: ping\ndata: {"type": ', '"ping"}\n\n'], 300_000, "sent only keep-alives"],
    [60_000, 30_000, [": wait\n\n", "data: {}\n\n", "\n"], 360_000, "sent only keep-alives"],
    [600_000, 60_000, ["\r\n"], 600_000, "sent only keep-alives for 600 s"],
    [60_000, 61_000, ["data: {}\n\n"], 60_000, "sent nothing for 60 s"],
    [0, 61_000, ["\n"], Infinity, ""],
  ] as const) {
    [now, due] = [0, Infinity];
    const silence = new Silence(idle, clock);
    const began = now;
    for (let i = 0; now + every < due && i < 1_000; i++) {
      now += every;
      silence.heard(idle === 120_000 ? (parts[i % 2] ?? "") : (parts[Math.min(i, parts.length - 1)] ?? ""));
    }
    if (due < Infinity) [now] = [due, abort()];
    expect(silence.signal.aborted ? now - began : Infinity).toBe(after);
    expect(silence.reason).toContain(reason);
  }
});

/** Gives all endpoints a shorter timeout than the page offers. */
async function impatient(page: Page, idle: number): Promise<void> {
  await page.evaluate(
    (idle) =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open("keyval-store");
        request.onerror = reject;
        request.onsuccess = () => {
          const store = request.result.transaction("keyval", "readwrite").objectStore("keyval");
          const found = store.get("endpoints");
          found.onsuccess = () => {
            store.put(
              (found.result as object[]).map((e) => ({ ...e, idle })),
              "endpoints",
            ).onsuccess = () => resolve();
          };
        };
      }),
    idle,
  );
  await page.reload();
  await ready(page);
  await tab(page, "Run");
  const select = page.getByLabel("Model", { exact: true });
  await select.selectOption(
    (await select.locator("optgroup[label=Endpoints] option").first().getAttribute("value")) ?? "",
  );
}

test("a run pauses as the server requests, and resumes", async ({ page, serve }) => {
  let refused = 0;
  const server = await serve((request, response) => {
    if (preflight(request, response)) return;
    if (refused++ === 0)
      response
        .writeHead(429, { ...openly, "access-control-expose-headers": "retry-after", "retry-after": "1" })
        .end("{}");
    else response.writeHead(200, { ...openly, "content-type": "text/event-stream" }).end(stream("1"));
  });
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url });
  await run(page);
  await expect(page.locator(".run-state .pill")).toHaveText("Done");
  const asked = server.requests.filter((r) => r.method === "POST");
  expect((asked[1]?.at ?? 0) - (asked[0]?.at ?? 0)).toBeGreaterThanOrEqual(990);
});

test("a run that waits for a pause to end can be cancelled", async ({ page, serve }) => {
  const server = await serve((request, response) => {
    if (!preflight(request, response))
      response
        .writeHead(429, { ...openly, "access-control-expose-headers": "retry-after", "retry-after": "50" })
        .end("{}");
  });
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url });
  await run(page);
  await expect.poll(() => server.requests.some((r) => r.method === "POST")).toBe(true);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.locator(".run-state")).toContainText("Cancelled");
});

test("an endpoint that refuses is explained in words", async ({ page }) => {
  await page.route("https://models.example/**", (route) =>
    route.fulfill({
      status: 401,
      headers: { "access-control-allow-origin": "*" },
      json: { error: { message: "no such key" } },
    }),
  );
  await open(page);
  await endpoints(page);
  await add(page, { url: "https://models.example/v1" });
  await run(page);
  await expect(page.locator("stile-run .fault")).toContainText("refused the key: no such key");
});

// The window of endpoints.

for (const width of sampled("axe in endpoints", [1280, 390], 2)) {
  test(`axe finds nothing in the window of endpoints at ${width} px, light and dark`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.route("https://models.example/**", (route) => fulfil(route, "ready"));
    await page.route("https://nowhere.example/**", (route) => route.abort("connectionrefused"));
    const clean = async (): Promise<void> => {
      await looksClean(page);
      const inner = await page.evaluate(() => document.querySelector("dialog[open] .dialog-body")?.scrollWidth ?? 0);
      expect(inner).toBeLessThanOrEqual(await page.locator("dialog[open] .dialog-body").evaluate((e) => e.clientWidth));
    };
    await open(page, baseURL ?? "");
    await endpoints(page);
    await clean();
    await add(page, { url: "https://models.example/v1", key: "sk-0123456789abc" });
    await tested(page);
    await clean();
    await fill(page, "Address", "https://nowhere.example/v1");
    await tested(page);
    for (const summary of await page.locator("stile-endpoint-editor summary").all()) await summary.click();
    await addHeader(page, "Cookie", "not-allowed");
    await fill(page, "Extra body", "[1]");
    await clean();
    if (width === 390) {
      await page.getByRole("button", { name: "All endpoints" }).click();
      await clean();
    }
    await page.getByRole("button", { name: "Add an endpoint" }).click();
    await page.locator("[data-preset=ollama]").click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await clean();
    await context.close();
  });
}

test("the window of endpoints works with the keyboard alone, and restores the focus", async ({ quiet: page }) => {
  await page.route("https://models.example/**", (route) => fulfil(route, "ready"));
  await open(page);
  await tab(page, "Run");
  const opener = page.getByRole("button", { name: "Endpoints…" });
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Endpoints" })).toBeVisible();
  await page.locator("[data-preset=other]").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".endpoint-title")).toBeFocused();
  const to = async (name: string): Promise<void> => {
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press("Tab");
      const label = await page.evaluate(() => {
        const e = document.activeElement as HTMLInputElement;
        return (
          e.getAttribute("aria-label") ??
          e.labels?.[0]?.querySelector("span")?.textContent ??
          e.labels?.[0]?.textContent ??
          e.textContent ??
          ""
        );
      });
      if (label.trim() === name) return;
    }
    throw new Error(`Tab never reached ${name}`);
  };
  await to("Address");
  await page.keyboard.type("https://models.example/v1");
  await to("Model");
  await page.keyboard.type("small");
  await to("Key of My endpoint");
  await page.keyboard.type("sk-0123456789abc");
  await page.keyboard.press("Enter");
  await expect(page.locator(".key-set")).toBeFocused();
  await to("Test connection");
  await page.keyboard.press("Enter");
  await expect(page.locator("stile-endpoint-test .pill")).toHaveText("The connection works");
  await expect(page.getByRole("button", { name: "Test connection" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(opener).toBeFocused();
  await expect(page.locator("#model-hint")).toContainText("models.example from this page, with its key");
});

test("on a narrow page the list and the endpoint alternate, and the focus moves with them", async ({ quiet: page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(page);
  await endpoints(page);
  await add(page, { label: "First", url: "https://models.example/v1" });
  await expect(page.locator(".endpoint-list")).toBeHidden();
  await page.getByRole("button", { name: "All endpoints" }).click();
  await expect(page.locator("[data-endpoint=other]")).toBeFocused();
  await expect(page.locator("stile-endpoint-editor")).toBeHidden();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "All endpoints" })).toBeFocused();
  await close(page);
  // After it is reopened it shows the list first.
  await page.getByRole("button", { name: "Endpoints…" }).click();
  await expect(page.locator(".endpoint-list")).toBeVisible();
});
