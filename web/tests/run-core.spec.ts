import type { ServerResponse } from "node:http";
import type { Page } from "@playwright/test";
import { add, agree, close, endpoints, expect, preflight, run, stream, test } from "./endpoint-fixtures.js";
import { killed, open, restarted, started, tab, watchWorkers, write } from "./fixtures.js";
import { onlyLong } from "./sample.js";

const testLong = onlyLong(test);

const state = (page: Page) => page.locator("#panel-run .run-state");
const lab = (page: Page) => page.locator("stile-lab");

/** A server of one model that answers a number of requests and holds the others until it is released. */
class Held {
  readonly #waiting: ServerResponse[] = [];
  asked = 0;
  patience = Infinity;

  constructor(private readonly text: string) {}

  answer(response: ServerResponse): void {
    this.asked++;
    response.writeHead(200, { "content-type": "text/event-stream", "access-control-allow-origin": "*" });
    if (this.asked <= this.patience) response.end(stream(this.text));
    else {
      response.flushHeaders();
      this.#waiting.push(response);
    }
  }

  go(): void {
    this.patience = Infinity;
    for (const response of this.#waiting.splice(0)) response.end(stream(this.text));
  }

  get waiting(): number {
    return this.#waiting.filter((response) => !response.destroyed).length;
  }
}

/** Makes the instance that analyses texts hang on requests with a given word. */
async function hangsAt(page: Page, word: string): Promise<void> {
  await page.addInitScript((word) => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (this: Worker, message: { readonly type?: string }) {
      if (message.type !== "call" || !JSON.stringify(message).includes(word)) postMessage.call(this, message);
    };
  }, word);
}

/** Writes a text that crashes the core twice. */
async function hang(page: Page): Promise<void> {
  const before = await started(page, "core");
  await write(page, "S -> hostile\n");
  await restarted(page, "core", before);
  await restarted(page, "core", before + 1);
  await expect(page.locator("stile-problems .fault")).toContainText("cannot process this text");
}

test("runs have a core instance of their own, which starts with the first run", async ({ quiet: page }) => {
  await watchWorkers(page);
  await open(page);
  await tab(page, "Run");
  await expect(page.getByRole("button", { name: "Run openagi.cfg" })).toBeEnabled();
  expect(await started(page, "runs")).toBe(0);
  await page.getByRole("button", { name: "Run openagi.cfg" }).click();
  await expect(state(page)).toContainText("Done");
  expect(await started(page, "runs")).toBe(1);
});

test("a text that hangs the core neither ends nor delays a live run", async ({ page, serve }) => {
  const model = new Held("1");
  const server = await serve((request, response) => void (preflight(request, response) || model.answer(response)));
  await watchWorkers(page);
  await hangsAt(page, "hostile");
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url });
  model.patience = 1;
  await run(page);
  await expect.poll(() => model.waiting).toBe(1);
  await hang(page);
  await expect(state(page)).toContainText("Calling the model");
  expect(model.waiting).toBe(1); // the request is the same
  model.go();
  await expect(state(page)).toContainText("Done");
  expect(await started(page, "runs")).toBe(1);
  // The text is analysed again after a change.
  await write(page, "S -> a\n");
  await expect(page.locator(".summary")).toContainText("1 nonterminal");
});

/** Starts an experiment of ten cells whose first requests are held. */
async function experiment(page: Page, url: string): Promise<void> {
  await endpoints(page);
  await add(page, { label: "Stand-in", url });
  await close(page);
  await tab(page, "Lab");
  await lab(page).locator('[data-experiment="formal-llm-1.lab"] h3 button').click();
  await expect(lab(page).getByRole("button", { name: "Run", exact: true })).toBeEnabled();
  await lab(page)
    .getByRole("checkbox", { name: /Stand-in/ })
    .check();
  await lab(page).locator("stile-lab-settings details summary").click();
  for (const label of ["Tasks of each kind", "Seeds"]) {
    await lab(page).getByLabel(label, { exact: true }).fill("1");
    await lab(page).getByLabel(label, { exact: true }).blur();
  }
  await expect(lab(page)).toContainText("10 cells.");
  await lab(page).getByRole("button", { name: "Run", exact: true }).click();
  await agree(page);
}

testLong(
  "an experiment continues while a text hangs the core, and resumes by itself after its own core is lost",
  async ({ page, serve }) => {
    const model = new Held("[1, 2, 3]");
    const server = await serve((request, response) => void (preflight(request, response) || model.answer(response)));
    await watchWorkers(page);
    await hangsAt(page, "hostile");
    await open(page);
    model.patience = 1;
    await experiment(page, server.url);
    await expect.poll(() => model.waiting).toBe(4); // four cells at a time
    const held = model.waiting;
    await hang(page);
    expect(model.waiting).toBe(held);
    await killed(page, "runs");
    await expect.poll(() => model.asked).toBe(1 + 2 * held); // only the held requests are repeated
    model.go();
    await expect(lab(page).locator(".run-state")).toContainText("Done 10 of 10 cells", { timeout: 90_000 });
  },
);

test("a run that crashes its core repeatedly stops being resumed", async ({ page, serve }) => {
  const model = new Held("1");
  const server = await serve((request, response) => void (preflight(request, response) || model.answer(response)));
  await watchWorkers(page);
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url });
  model.patience = 1;
  await run(page);
  await expect.poll(() => model.asked).toBe(2);
  for (let times = 1; times <= 2; times++) {
    await killed(page, "runs");
    await expect.poll(() => model.asked).toBe(2 + times);
  }
  await killed(page, "runs");
  await expect(state(page)).toContainText("Interrupted");
  await expect(page.locator(".run-list li")).toHaveCount(0); // it is one run, in one place
  model.go();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(state(page)).toContainText("Done");
});

test("a paused run is paused at the same move after its core was lost", async ({ quiet: page, allowed }) => {
  allowed.push(/./);
  await watchWorkers(page);
  await open(page);
  await tab(page, "Run");
  await page.getByRole("button", { name: "Step" }).click();
  await expect(state(page)).toContainText("Paused");
  const moves = page.locator("stile-plan-log .log-entry");
  const first = await moves.count();
  await page.getByRole("button", { name: "Step" }).click();
  await expect(moves).toHaveCount(first + 1);
  await expect(state(page)).toContainText("Paused");
  const before = await page.locator("#panel-run").innerText();
  await killed(page, "runs");
  await expect(state(page)).toContainText("Paused");
  await expect.poll(() => page.locator("#panel-run").innerText()).toBe(before);
});
