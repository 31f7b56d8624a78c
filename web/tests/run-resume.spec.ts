import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import type { Page } from "@playwright/test";
import { add, close, endpoints, event, expect, preflight, run, test } from "./endpoint-fixtures.js";
import { keeps, killed, open, openExample, ready, tab, watchWorkers } from "./fixtures.js";
import { sampled } from "./sample.js";

const word = (page: Page) => page.locator("[data-form=word]");
const state = (page: Page) => page.locator(".run-state");

/**
 * A server of one model whose answers depend on the request only. It completes a number of
 * answers and stops during the next one.
 */
class Model {
  answered = 0;
  /** The number of requests that it answers completely. */
  patience = Infinity;
  /** The part of the answer that it wrote before it stopped. */
  begun = 0;

  answer(body: string, response: ServerResponse): void {
    const [first, second] = pieces(
      (JSON.parse(body) as { messages: { content: string }[] }).messages.map((m) => m.content),
    );
    response.writeHead(200, { "content-type": "text/event-stream", "access-control-allow-origin": "*" });
    response.write(event(first));
    if (this.answered >= this.patience) {
      this.begun++;
      return; // the page is left during this answer
    }
    this.answered++;
    response.end(`${event(second)}data: [DONE]\n\n`);
  }
}

/** Returns an answer in two chunks: an agent's next step, or the number of a choice. */
function pieces([instructions = "", ...said]: readonly string[]): [string, string] {
  if (!instructions.includes("[Observation]")) return ["I take ", `${1 + (instructions.length % 3)}.`];
  return said.join().split("[Observation]").length < 4
    ? ["[Thought] I look", " on.\n[Action] Search\n[Action Input] cats\n"]
    : ["[Final Thought] I know", " enough.\n[Answer] 4"];
}

/** Returns the recording without the times of the answers. */
async function recording(page: Page): Promise<unknown> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as JSON" }).click();
  const { log } = JSON.parse(await readFile(await (await download).path(), "utf8")) as {
    log: { answers: { chunk?: string; value?: { milliseconds?: number; headers?: unknown } }[] };
  };
  // The network may cut a stream anywhere, so only the text is compared.
  const texts: unknown[] = [];
  let text = "";
  for (const answer of log.answers) {
    if (answer.chunk !== undefined) text += answer.chunk;
    else {
      texts.push({ ...answer, text, value: { ...answer.value, milliseconds: 0, headers: {} } });
      text = "";
    }
  }
  return { ...log, answers: texts };
}

for (const [what, how, example, spec] of sampled(
  "resumed runs",
  [
    ["a plan", "reloaded", "openagi", "openagi.cfg"],
    ["a plan", "killed", "openagi", "openagi.cfg"],
    ["an agent", "reloaded", "react", "react.agent"],
    ["an agent", "killed", "react", "react.agent"],
  ] as const,
  4,
)) {
  test(`${what} whose page is ${how} at every answer ends with the same word and log`, async ({ page, serve }) => {
    const model = new Model();
    const server = await serve((request, response, body) => {
      if (!preflight(request, response)) model.answer(body, response);
    });
    if (how === "killed") await watchWorkers(page);
    await open(page);
    if (example !== "openagi") {
      await openExample(page, example);
      await ready(page);
      await tab(page, "Run"); // this test does not call its tools
      await page.locator("#environment").selectOption("person");
      await page.locator("#environment").selectOption("simulated");
    }
    await endpoints(page);
    await add(page, { url: server.url });
    await run(page);
    const outcome = async (): Promise<unknown> => {
      await expect(state(page)).toContainText("Done", { timeout: 30_000 });
      return {
        shown: await page.locator("stile-plan-result .result-body, stile-monitor-log").innerText(),
        recording: await recording(page),
      };
    };
    const whole = await outcome();
    const calls = model.answered;
    expect(calls).toBeGreaterThan(2);

    model.answered = 0;
    model.patience = 0;
    await page.getByRole("button", { name: new RegExp(`^Run ${spec}`) }).click();
    for (let n = 0; n < calls; n++) {
      // The page is left during answer n + 1, when n answers are kept.
      await expect.poll(() => model.begun).toBe(n + 1);
      await expect(page.locator(".streaming, .live-text, .segment, .log-entry").first()).toBeVisible();
      if (how === "reloaded") {
        await keeps(page, n);
        await page.reload();
        await ready(page);
        await tab(page, "Run");
        await expect(page.locator(".interrupted")).toContainText("A run was interrupted");
        await expect(page.locator(".interrupted")).toContainText(`${n} answer${n === 1 ? "" : "s"} kept`);
      }
      model.patience = n + 1 === calls ? Infinity : n + 1;
      // A run whose core was killed resumes by itself.
      if (how === "killed") await killed(page, "runs");
      else await page.getByRole("button", { name: "Resume" }).click();
    }
    expect(await outcome()).toEqual(whole);
    expect(model.answered).toBe(calls); // no answered request is repeated
    if (how === "reloaded") {
      await page.reload();
      await ready(page);
      await tab(page, "Run");
      await expect(page.getByRole("button", { name: new RegExp(`^Run ${spec}`) })).toBeVisible();
      await expect(page.locator(".interrupted")).toHaveCount(0);
    }
  });
}

test("a run that waits for a person survives a reload, to be resumed, replayed or discarded", async ({
  quiet: page,
}) => {
  await open(page);
  await openExample(page, "anbn");
  await ready(page);
  await tab(page, "Run");
  await page.getByLabel("Model", { exact: true }).selectOption("person");
  await page.getByRole("button", { name: "Run anbn.cfg" }).click();
  await page.locator(".now.mine .choices button").first().click();
  await expect(page.locator(".now-number")).toHaveText("Your choice 2");
  await keeps(page, 1);
  await page.reload();
  await ready(page);
  await expect(page.getByRole("tab", { name: /Run/ })).toContainText("!");
  await tab(page, "Run");
  await page.getByRole("button", { name: "Replay" }).click();
  await expect(page.locator(".now-number")).toHaveText("Your choice 2");
  await page.reload();
  await ready(page);
  await tab(page, "Run");
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.locator(".now-number")).toHaveText("Your choice 2");
  await page.locator(".now.mine .choices button").last().click();
  await expect(word(page)).toHaveText("a b");
  await page.getByRole("button", { name: "Run anbn.cfg" }).click();
  await expect(page.locator(".now.mine")).toBeVisible();
  await keeps(page, 0);
  await page.reload();
  await ready(page);
  await tab(page, "Run");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.locator(".interrupted")).toHaveCount(0);
  await page.reload();
  await ready(page);
  await tab(page, "Run");
  await expect(page.getByRole("button", { name: "Run anbn.cfg" })).toBeVisible();
  await expect(page.locator(".interrupted")).toHaveCount(0);
});

test("a run that another window controls is not shown as interrupted", async ({ page, context, baseURL }) => {
  await open(page);
  await tab(page, "Run");
  await page.getByLabel("Model", { exact: true }).selectOption("person");
  await page.getByRole("button", { name: "Run openagi.cfg" }).click();
  await expect(page.locator(".now.mine")).toBeVisible();
  const other = await context.newPage();
  await open(other, `${baseURL ?? ""}/?example=openagi`);
  await tab(other, "Run");
  await expect(other.getByRole("button", { name: "Run openagi.cfg" })).toBeVisible();
  await expect(other.locator(".interrupted")).toHaveCount(0);
});

test("a cancelled run continues from its last move", async ({ quiet: page, serve }) => {
  const model = new Model();
  const server = await serve((request, response, body) => {
    if (!preflight(request, response)) model.answer(body, response);
  });
  model.patience = 2;
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url });
  await run(page);
  await expect.poll(() => model.begun).toBe(1);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(state(page)).toContainText("Cancelled");
  model.patience = Infinity;
  await page.getByRole("button", { name: "Resume from here" }).click();
  await expect(state(page)).toContainText("Done");
  const asked = server.requests.filter((r) => r.method === "POST").length;
  expect(asked).toBe(model.answered + 1);
});

test("a run that failed is retried from the move before the failure", async ({ page, serve }) => {
  let refuse = false;
  const model = new Model();
  const server = await serve((request, response, body) => {
    if (preflight(request, response)) return;
    if (refuse)
      response
        .writeHead(401, { "access-control-allow-origin": "*", "content-type": "application/json" })
        .end('{"error":{"message":"no such key"}}');
    else {
      model.answer(body, response);
      refuse = model.answered === 2;
    }
  });
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url });
  await run(page);
  await expect(page.locator("stile-run .fault")).toContainText("no such key");
  refuse = false;
  model.answered = 2;
  await close(page);
  const again = page.getByRole("button", { name: "Try again from here" });
  server.requests.length = 0;
  await again.click();
  await expect.poll(() => server.requests.filter((r) => r.method === "POST").length).toBeGreaterThan(0);
  await expect(page.locator(".spent dd").first()).not.toHaveText(/^\s*0\b/);
  await expect(state(page)).toContainText("Done");
  await expect(word(page)).not.toBeEmpty();
});
