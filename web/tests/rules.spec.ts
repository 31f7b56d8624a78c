import type { Page } from "@playwright/test";
import { clean as looksClean } from "./axe.js";
import { open as cors, preflight, test as serving } from "./endpoint-fixtures.js";
import { expect, open, test, textOf, write } from "./fixtures.js";
import { LONG } from "./sample.js";

const room = (page: Page) => page.locator("stile-rules-room");
const grid = (page: Page) => page.getByRole("grid", { name: "Events and rules" });
const row = (page: Page, at: number) => grid(page).locator(`#rules-row-${at}`);

/** Replaces the workspace with files, as an archive of them would. */
async function put(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  const text = Object.entries(files)
    .map(([name, content]) => `-- ${name} --\n${content}\n`)
    .join("");
  await page
    .locator(".file-input")
    .setInputFiles([{ name: "own.txtar", mimeType: "text/plain", buffer: Buffer.from(text) }]);
  for (const name of Object.keys(files))
    await page.locator(`stile-files [data-file="${name}"]`).waitFor({ state: "attached" });
}

/** Opens the rules of an example of the gallery. */
async function rulesOf(page: Page, example: string): Promise<void> {
  await open(page, `./?example=${example}`);
  await page.locator('stile-files [data-file="policy.rules"]').click();
  await expect(grid(page)).toBeVisible();
}

test("a table of events shows each rule after each event, why it is violated, and the next calls", async ({
  quiet: page,
}) => {
  await rulesOf(page, "bank");
  // The first run of the tests fills the table.
  await expect(grid(page).getByRole("row")).toHaveCount(5);
  await room(page).getByLabel("Fill from").selectOption({ label: "monday.jsonl" });
  await expect(room(page).getByRole("status").first()).toContainText("18 events; rules: 6 violated.");
  await expect(room(page).getByLabel("Fill from").locator("option:checked")).toHaveText("monday.jsonl");
  await expect(room(page).getByRole("status").first()).toContainText("7 violations");

  // The timeline has the window of each rule that has one, up to the chosen event.
  const windows = room(page).locator("stile-rules-timeline rect.window");
  await expect(windows.filter({ hasText: "budget:" })).toHaveCount(1);
  await expect(windows.filter({ hasText: "rate:" })).toHaveCount(1);
  const drawn = await windows.filter({ hasText: "budget:" }).boundingBox();
  expect(drawn?.width).toBeGreaterThan(2);
  expect(drawn?.height).toBeGreaterThan(2);

  // Keys move through the events.
  await grid(page).focus();
  await page.keyboard.press("Home");
  await expect(row(page, 0)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  await expect(row(page, 16)).toHaveAttribute("aria-selected", "true");
  await expect(room(page).locator('[data-rule="budget"]')).toContainText("sum[24h] ?x for release(amount: ?x) <= 5000");
  await expect(room(page).locator('[data-rule="rate"]')).toBeVisible();
  await expect(row(page, 16).getByRole("gridcell", { name: "rate: violated here" })).toBeVisible();

  // A violation shows its earlier events, its values and its place.
  await room(page).getByRole("button", { name: "‹ Violation" }).click();
  await room(page).getByRole("button", { name: "‹ Violation" }).click();
  await expect(row(page, 11)).toHaveAttribute("aria-selected", "true");
  const eyes = room(page).locator('[data-rule="four-eyes"]');
  await expect(eyes).toContainText('approve.result(input.id: "t2", by: ?b) & "mia" != ?b');
  await expect(eyes).toContainText("False here: ?a != ?b");
  await eyes.getByRole("button", { name: "?a != ?b" }).click();
  await expect(page.locator("stile-editor")).toContainText("four-eyes");
  expect(await page.evaluate(() => getSelection()?.toString())).toBe("?a != ?b");
  await eyes.getByRole("button", { name: /^10: approve.result/ }).click();
  await expect(row(page, 10)).toHaveAttribute("aria-selected", "true");

  // The next call: allowed and denied tools at this place.
  await room(page).getByLabel("with arguments").fill('{"id":"t2","amount":300,"to":"AT12","by":"noah"}');
  const tried = room(page).getByRole("table", { name: "Calls after event 10" });
  await expect(tried.getByRole("row", { name: /^release/ })).toContainText("fresh");
  await expect(tried.getByRole("row", { name: /^verify .* allowed/ })).toBeVisible();
  await looksClean(page);
});

test("a table that was filled while its pane was hidden shows its first events", async ({ quiet: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, "./?example=bank");
  await page.getByRole("tab", { name: "Text" }).click();
  await page.locator('stile-files [data-file="policy.rules"]').click();
  await page.getByRole("tab", { name: "Automaton" }).click();
  await expect(row(page, 3)).toHaveAttribute("aria-selected", "true");
  await expect(row(page, 0)).toBeVisible();
});

test("events are typed, pasted and removed, and edits of the rules judge them again", async ({ quiet: page }) => {
  await rulesOf(page, "shop");
  await room(page).getByRole("button", { name: "Clear" }).click();
  await expect(grid(page)).toHaveCount(0);
  const form = page.getByRole("form", { name: "Add an event" });
  await form.getByLabel("Name").fill("delete");
  await form.getByLabel("Fields").fill('{"env": "production"}');
  await form.getByLabel("Time").fill("5");
  await form.getByRole("button", { name: "Add event" }).click();
  await expect(row(page, 0).getByRole("gridcell", { name: "production: violated here" })).toBeVisible();
  await form.getByLabel("Fields").fill("{");
  await form.getByRole("button", { name: "Add event" }).click();
  await expect(room(page).getByRole("alert")).toContainText("Line 1");
  await room(page).getByText("Paste events").click();
  await room(page).locator("textarea").fill("# a comment\nopen(ticket: 1, @time: 6)\nend(@time: 7)\n");
  await room(page).getByRole("button", { name: "Add these events" }).click();
  await expect(row(page, 1).getByRole("gridcell", { name: /^closed: pending/ })).toBeVisible();
  await expect(row(page, 2).getByRole("gridcell", { name: "closed: violated here" })).toBeVisible();
  await row(page, 1).click();
  await room(page).getByRole("button", { name: "Remove event 1" }).click();
  await expect(row(page, 1).getByRole("gridcell", { name: "closed: triggered here, holds" })).toBeVisible();
  await page.locator("stile-editor .cm-content").click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText('production: !delete(env: "test")\n');
  await expect(row(page, 0).getByRole("gridcell", { name: "production: triggered here, holds" })).toBeVisible();
});

test("the timeline says how many rules it does not draw", async ({ quiet: page }) => {
  await rulesOf(page, "bank");
  await expect(room(page).locator("stile-rules-timeline")).not.toContainText("more rule");
  await write(page, Array.from({ length: 26 }, (_, i) => `never${i}: !t${i}()\n`).join(""));
  await expect(room(page).locator("stile-rules-timeline .lane-name")).toHaveCount(24);
  await expect(room(page).locator("stile-rules-timeline")).toContainText("2 more rules are in the table only.");
});

test("the run of the table becomes a test with its verdict", async ({ quiet: page }) => {
  await rulesOf(page, "shop");
  await room(page).getByRole("button", { name: "Clear" }).click();
  await expect(room(page).getByRole("button", { name: "Add as test" })).toBeDisabled();
  await room(page).getByText("Paste events").click();
  await room(page)
    .locator("textarea")
    .fill('{"name":"delete","fields":{"env":"production","tags":["a"]},"time":5}\nopen(ticket: 1, @time: 6)\n');
  await room(page).getByRole("button", { name: "Add these events" }).click();
  await expect(row(page, 1)).toBeVisible();
  await room(page).getByRole("button", { name: "Add as test" }).click();
  await page.locator('stile-files [data-file="policy.tests"]').click();
  // The editor has only the lines near the view in the document.
  await page.locator("stile-editor .cm-content").focus();
  await page.keyboard.press("ControlOrMeta+End");
  await expect(page.locator("stile-editor")).toContainText("open(ticket: 1, @time: 6)");
  await expect(page.locator("stile-editor .cm-content")).toContainText(
    /run violated\s*\{"kind":"call","name":"delete"/,
  );
});

test("a rule of order is drawn, stepped through and exported; a rule with data states why it has no automaton", async ({
  quiet: page,
}) => {
  await rulesOf(page, "shop");
  await write(
    page,
    "approved: refund() -> once approve()\nlimited: refund(amount: <= 50)\nonce: pay() -> !previous once pay()\n",
  );
  await page.getByRole("button", { name: "Automaton", exact: true }).click();
  const automaton = page.locator(".automaton");
  const drawing = page.locator(".main-drawing svg.drawing");
  await page.keyboard.press("ControlOrMeta+Home");
  await page.locator("stile-editor .cm-line").first().click();
  await expect(drawing).toContainText("approve");
  const step = page.locator("stile-stepper");
  await expect(step).toContainText("Step through the calls of a run of the rule");
  await step.getByRole("button", { name: "approve" }).click();
  await step.getByRole("button", { name: "refund" }).click();
  await expect(step).toContainText("a run that the rule permits");
  await looksClean(page);
  await page.locator("stile-editor .cm-line").nth(1).click();
  await expect(automaton).toContainText('No automaton: the rule "limited" depends on the field amount');
  await expect(drawing).toBeHidden();
  await looksClean(page);
  await page.locator(".rules-list select").selectOption("once");
  await expect(drawing).toContainText("pay");
  await page.getByRole("button", { name: "Words", exact: true }).click();
  await expect(page.locator("stile-words")).toContainText("pay");
  await page.getByRole("button", { name: "In words", exact: true }).click();
  await expect(page.locator("stile-explanations li").first()).toContainText(
    "Every call of refund requires that a call of approve occurred so far.",
  );
  await looksClean(page);
  await page.getByRole("button", { name: "Events", exact: true }).click();
  await expect(grid(page)).toBeVisible();

  await page.getByRole("tab", { name: "Export" }).click();
  await page.getByRole("button", { name: "HOA" }).click();
  await expect(page.locator("stile-export .export-remarks")).toContainText(
    "the rule limited, which depends on the field amount",
  );
  await expect(page.locator("stile-export .export-text")).toContainText("AP: 2");
});

test("a recorded run shows the denied calls and the verdicts of the rules, and fills the table", async ({
  quiet: page,
}) => {
  await open(page, "./?example=shop");
  await page.getByRole("tab", { name: "Run" }).click();
  await expect(page.getByLabel("Enforce the rules about data")).toBeChecked();
  await page.getByRole("button", { name: /Run shop.agent/ }).click();
  await expect(page.locator("stile-monitor-log .denied")).toHaveCount(4);
  await expect(page.locator("stile-monitor-log .denied").first()).toContainText(
    'refund was not called because it violates the rule "approved", which requires once[10m]',
  );
  const verdicts = page.getByRole("table", { name: "Rules about data" });
  await expect(verdicts.getByRole("row", { name: /^closed violated/ })).toBeVisible();
  await expect(verdicts.getByRole("row", { name: /^approved holds/ })).toContainText("2 calls");
  await page.locator('stile-files [data-file="policy.rules"]').click();
  await page.getByRole("tab", { name: "Automaton" }).click();
  const last = room(page).getByRole("option", { name: /^the last run/ });
  await room(page)
    .getByLabel("Fill from")
    .selectOption(await last.getAttribute("value"));
  await expect(room(page).getByRole("status").first()).toContainText("rules: 1 violated");
});

test("many events are judged without a long task", async ({ quiet: page }) => {
  await rulesOf(page, "bank");
  const n = LONG ? 1_000_000 : 30_000;
  await page.evaluate((n) => {
    const lines: string[] = [];
    for (let i = 0; i < n; i++)
      lines.push(
        i % 3 === 0
          ? `{"kind":"result","name":"approve","fields":{"by":"noah","input":{"id":"t${i}"}},"time":${i}}`
          : `{"kind":"call","name":"verify","fields":{"account":"AT${i % 50}"},"time":${i}}`,
      );
    const file = new File([lines.join("\n")], "many.jsonl");
    const transfer = new DataTransfer();
    transfer.items.add(file);
    const input = document.querySelector<HTMLInputElement>(".rules-file");
    if (input === null) throw new Error("no input");
    input.files = transfer.files;
  }, n);
  // A task of its own, so that writing the lines is not measured.
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(window, { tasks });
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((e) => e.duration))).observe({
      type: "longtask",
    });
    document.querySelector(".rules-file")?.dispatchEvent(new Event("change"));
  });
  await expect(room(page).getByRole("status").first()).toContainText(`${n} events; rules:`, { timeout: 500_000 });
  const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks);
  expect(Math.max(0, ...tasks)).toBeLessThan(400); // 50 on an idle machine; others share this one
  await grid(page).focus();
  await page.keyboard.press("End");
  await expect(row(page, n - 1)).toHaveAttribute("aria-selected", "true");
  expect(await grid(page).getByRole("row").count()).toBeLessThan(60);
});

serving("the tools of a server become a file of contracts, whose changes are reported", async ({ page, serve }) => {
  let fields = ["order", "amount"];
  let broken = false;
  const { url } = await serve((request, response, body) => {
    if (preflight(request, response)) return;
    const { id, method } = JSON.parse(body || "{}") as { readonly id?: number; readonly method?: string };
    const properties = Object.fromEntries(fields.map((name) => [name, { type: "string" }]));
    const results: Readonly<Record<string, unknown>> = {
      initialize: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "shop", version: "1" } },
      "tools/list": { tools: [{ name: "refund", inputSchema: { type: "object", properties } }] },
    };
    const result = results[method ?? ""];
    const reply = result === undefined ? { error: { code: -32601, message: "Method not found" } } : { result };
    if (broken) response.writeHead(503, cors).end();
    else if (id === undefined) response.writeHead(202, cors).end();
    else
      response
        .writeHead(200, { ...cors, "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, ...reply }));
  });
  const host = new URL(url).host;
  await open(page);
  await put(page, {
    "policy.rules": "cap: refund(ordr: ?o) -> count refund(order: ?o) <= 3\n",
    "agent-tools.json": JSON.stringify({ tools: [{ mcp: { url: `${url}/mcp` } }] }),
  });
  const read = room(page).getByRole("button", { name: `Read the tools of ${host}` });
  await read.click();
  const file = `${host.replaceAll(":", "-")}.mcp.json`;
  await expect(room(page)).toContainText(`Stored as ${file}.`);
  await expect(page.locator(`stile-files [data-file="${file}"]`)).toBeVisible();
  await expect(page.locator("stile-app")).toContainText('did you mean "order"?');
  await room(page).getByRole("button", { name: "Record the contracts in policy.rules" }).click();
  await expect(room(page)).toContainText("policy.rules records the contracts");
  expect(await textOf(page)).toMatch(/^# contracts: [0-9a-f]{16}\ncap: refund/);
  await looksClean(page);

  // The schema of the server changes.
  fields = ["order", "amount", "reason"];
  await read.click();
  await expect(page.locator("stile-app")).toContainText("the contracts of the tools have changed since");
  // The server does not answer.
  broken = true;
  await read.click();
  await expect(room(page).getByRole("alert")).toContainText(`The tools of ${host} were not read`);
  await expect(room(page).getByRole("alert")).toContainText("503");
});
