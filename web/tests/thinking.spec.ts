import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import type { Page } from "@playwright/test";
import {
  add,
  close,
  endpoints,
  expect,
  type Handler,
  type Heard,
  open as openly,
  preflight,
  run,
  stream,
  test,
} from "./endpoint-fixtures.js";
import { open, openExample, ready, tab } from "./fixtures.js";

/** Returns a stream of a thought and, if the limit allows, the answer "1". */
function thinking(body: string, tokens: number): string {
  const { max_tokens: limit = 0 } = JSON.parse(body) as { max_tokens?: number };
  const thought = `data: ${JSON.stringify({ choices: [{ delta: { reasoning_content: "Is it the first?" } }] })}\n\n`;
  if (limit > tokens) return `${thought}${stream("1")}`;
  return `${thought}data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "length" }] })}\n\ndata: [DONE]\n\n`;
}

/** Runs a plan with a model that writes its thoughts between tags. */
async function planned(page: Page, serve: (handler: Handler) => Promise<Heard>): Promise<void> {
  const server = await serve((request, response) => {
    if (preflight(request, response)) return;
    response
      .writeHead(200, { ...openly, "content-type": "text/event-stream" })
      .end(stream("<think>2 or 3? No, 1.</think>\n\n1"));
  });
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url });
  await run(page);
  await expect(page.locator(".run-state .pill")).toHaveText("Done");
}

test("a model that thinks before it answers makes a plan, with its thoughts folded", async ({ page, serve }) => {
  const server = await serve((request, response, body) => {
    if (preflight(request, response)) return;
    response.writeHead(200, { ...openly, "content-type": "text/event-stream" }).end(thinking(body, 800));
  });
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url });
  await expect(page.locator("stile-run .run-form")).toContainText(
    "A run ends at 200 calls, 1,000,000 tokens or $2.00.",
  );
  await run(page);
  await expect(page.locator(".run-state .pill")).toHaveText("Done");
  await expect(page.locator("stile-run-spent")).toContainText("of 200");
  const thoughts = page.locator("stile-run .thought-details");
  await expect(thoughts.first()).not.toHaveAttribute("open");
  await thoughts.first().locator("summary").click();
  await expect(thoughts.first().locator("pre")).toHaveText("Is it the first?");
  // Only the first answer was cut off by the limit.
  const moves = await page.locator("stile-run .reply").count();
  expect(server.requests.filter((r) => r.method === "POST")).toHaveLength(moves + 1);
});

/** Answers with thoughts in two pieces; the second one, and the text, follow when `next` is called. */
function stepwise(serve: (handler: Handler) => Promise<Heard>): { server: Promise<Heard>; next: () => void } {
  const waiting = new Map<ServerResponse, () => void>();
  const thought = (text: string): string =>
    `data: ${JSON.stringify({ choices: [{ delta: { reasoning_content: text } }] })}\n\n`;
  const server = serve((request, response) => {
    if (preflight(request, response)) return;
    response.writeHead(200, { ...openly, "content-type": "text/event-stream" }).write(thought("First, "));
    waiting.set(response, () => response.write(thought("then.")));
  });
  return { server, next: () => waiting.forEach((step) => step()) };
}

for (const [example, within, asked] of [
  ["", "stile-plan-offer", 1],
  ["react", "stile-monitor-log", 1],
  ["plaque", "stile-team-run", 3],
  ["workforce", "stile-problem-run", 1],
] as const)
  test(`thoughts are shown, folded, while the model only thinks: ${within}`, async ({ page, serve }, info) => {
    const { server, next } = stepwise(serve);
    await open(page);
    if (example !== "") await openExample(page, example);
    await endpoints(page);
    await add(page, { url: (await server).url });
    await run(page);
    const thoughts = page.locator(`${within} .thought-details`);
    await expect(thoughts).toHaveCount(asked); // a team asks several roles at once
    await expect(thoughts.first()).not.toHaveAttribute("open");
    await expect(thoughts.first().locator("summary")).toContainText("about 2 tokens");
    await thoughts.first().locator("summary").click();
    await expect(thoughts.first().locator("pre")).toHaveText("First,");
    next();
    await expect(thoughts.first().locator("pre")).toHaveText("First, then.");
    await expect(thoughts).toHaveCount(asked);
    await expect(thoughts.first().locator("summary")).toContainText("about 3 tokens");
    await page.screenshot({ path: info.outputPath("thoughts.png") });
  });

test("thoughts between tags are no answer", async ({ page, serve }) => {
  await planned(page, serve);
  await expect(page.locator("stile-run .reply q").first()).toHaveText("1");
  await expect(page.locator("stile-run .thought-details pre").first()).toHaveText("2 or 3? No, 1.");
});

test("a run that is reopened, saved or replayed has the thoughts", async ({ page, serve }) => {
  await planned(page, serve);
  const thoughts = page.locator("stile-run .thought-details pre");
  const count = await thoughts.count();
  expect(count).toBeGreaterThan(0);
  const save = async (name: string): Promise<Buffer> => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name }).click();
    return readFile(await (await download).path());
  };
  const saved = await save("Save as JSON");
  expect((await save("Save as Markdown")).toString()).toMatch(/^> Thought before move \d+: 2 or 3\? No, 1\.$/m);
  await page.reload();
  await ready(page);
  await tab(page, "Run");
  await page.getByText("Earlier runs on this device").click();
  await page.locator("stile-finished-runs .finished-link").click();
  await expect(page.locator(".run-state .pill")).toContainText("Done");
  await expect(thoughts).toHaveCount(count);
  await page.locator(".file-input").setInputFiles({ name: "a-run.json", mimeType: "application/json", buffer: saved });
  await expect(page.locator(".run-state")).toContainText("replayed");
  await expect(thoughts).toHaveCount(count);
  await expect(thoughts.first()).toHaveText("2 or 3? No, 1.");
});

test("a model that thinks without end stops the run at its second call", async ({ page, serve }) => {
  const server = await serve((request, response, body) => {
    if (preflight(request, response)) return;
    response.writeHead(200, { ...openly, "content-type": "text/event-stream" }).end(thinking(body, 1e9));
  });
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url });
  await run(page);
  await expect(page.locator("stile-run .fault")).toContainText("tokens and wrote nothing");
  expect(server.requests.filter((r) => r.method === "POST")).toHaveLength(2);
});

test("an answer that refuses in words has a note", async ({ page, serve }) => {
  const server = await serve((request, response) => {
    if (preflight(request, response)) return;
    response
      .writeHead(200, { ...openly, "content-type": "text/event-stream" })
      .end(stream("[Final Thought] No.\n[Answer] I'm sorry, but I can't help with that."));
  });
  await open(page);
  await openExample(page, "react");
  await endpoints(page);
  await add(page, { url: server.url });
  await run(page);
  const result = page.locator("stile-monitor-result");
  await expect(result.locator(".answer")).toHaveText("I'm sorry, but I can't help with that.");
  await expect(result.locator(".tone-warning")).toHaveText("The answer reads like a refusal.");
});

test("a draft shows its ceiling before the start, and counts its thinking model's calls live", async ({
  page,
  serve,
}, info) => {
  const { server, next } = stepwise(serve);
  await open(page);
  await endpoints(page);
  await add(page, { url: (await server).url });
  await close(page);
  await page.getByRole("button", { name: "Draft from a description" }).click();
  const draft = page.locator("stile-draft");
  await expect(draft.locator(".run-form")).toContainText("A draft ends at 200 calls, 1,000,000 tokens or $2.00.");
  await draft.getByLabel("Requirements for plans").fill("Tea is made of water.");
  await page.getByRole("button", { name: "Write draft" }).click();
  await expect(draft.locator(".thought-details summary")).toContainText("about 2 tokens");
  await expect(draft.locator("stile-run-spent")).toContainText("of 200");
  await expect(draft.locator("stile-run-spent dd").first()).toContainText(/^\s*1\b/);
  next();
  await expect(draft.locator(".thought-details summary")).toContainText("about 3 tokens");
  await page.screenshot({ path: info.outputPath("draft.png") });
});
