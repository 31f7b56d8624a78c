import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { clean } from "./axe.js";
import { add, agree, close, endpoints, fulfil } from "./endpoint-fixtures.js";
import { expect, keeps, keptIn, open, tab, test, textOf, write } from "./fixtures.js";
import { onlyLong } from "./sample.js";

const testLong = onlyLong(test);

const lab = (page: Page) => page.locator("stile-lab");
const figure = (page: Page, method: string, model: string, column: string) =>
  lab(page).locator(`td[data-method="${method}"][data-model="${model}"][data-column="${column}"]`);
const state = (page: Page) => lab(page).locator(".run-state");
const card = (page: Page, name: string) => lab(page).locator(`[data-experiment="${name}.lab"]`);

/** Fills in the fields of a run's budget. */
async function bound(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  const more = lab(page).locator("stile-lab-settings details");
  if ((await more.getAttribute("open")) === null) await more.locator("summary").click();
  for (const [label, text] of Object.entries(fields)) {
    await more.getByLabel(label, { exact: true }).fill(text);
    await more.getByLabel(label, { exact: true }).blur();
  }
}

/** Opens a predefined experiment without running it. */
async function choose(page: Page, name: string): Promise<void> {
  await card(page, name).locator("h3 button").click();
  await expect(lab(page).getByRole("button", { name: "Run", exact: true })).toBeEnabled();
}

/** Returns the number of results that this device keeps of an experiment. */
async function keptCells(page: Page, name: string): Promise<number> {
  const kept = (await keptIn(page, "stile-lab")).find(([key]) => key === name)?.[1] as
    { readonly outcomes: readonly unknown[] } | undefined;
  return kept?.outcomes.length ?? 0;
}

test("two clicks open a paper's table, which shows its published figures and charts before any run", async ({
  quiet: page,
}) => {
  await open(page);
  await tab(page, "Lab");
  await expect(lab(page).locator(".lab-card")).toHaveCount(17);
  await clean(page);
  await card(page, "crouse-2024-1").getByRole("button", { name: /^Run/ }).click();
  await expect(lab(page).getByRole("heading", { name: /Agent specs, table 1/ })).toBeVisible();
  await expect(figure(page, "CoT → PASS", "Llama-2-70b", "HotpotQA")).toContainText("38.5 %");
  await expect(state(page)).toContainText("Done 84 of 84 cells", { timeout: 120_000 });
  await expect(figure(page, "PASS", "rambler 0.2", "Cells")).toContainText("28");
  // Direct answers and chains of thought would repeat a given answer, so no simulated model has their rows.
  await expect(lab(page).locator('.lab-table td[data-model="rambler 0.2"][data-column=HotpotQA]')).toHaveCount(3);
  const drawn = lab(page).locator("svg[role=img]");
  await expect(drawn).toHaveCount(2);
  await expect(drawn.first()).toHaveAttribute("aria-label", /^Bar chart of HotpotQA, %/);
  // Simulated rows are marked in the table and in both charts, published ones are not.
  await expect(lab(page).locator(".lab-table tbody td:nth-child(2)", { hasText: "rambler 0.2" })).toHaveText(
    Array(3).fill(/^\s*rambler 0\.2 simulated\s*$/),
  );
  const bars = lab(page).locator("[data-plot=bars]");
  await expect(bars.getByText("(simulated)")).toHaveCount(3);
  await expect(bars).toContainText("PASS, rambler 0.2 (simulated)");
  await expect(bars).not.toContainText("Llama-2-70b (simulated)");
  await expect(lab(page).locator("stile-lab-chart")).toContainText(/PASS \(simulated\)/);
  await expect(drawn.last()).toHaveAttribute("aria-label", /^HotpotQA, % against tokens per cell/);
  await lab(page).getByLabel("Column").selectOption("calls");
  await expect(drawn.first()).toHaveAttribute("aria-label", /^Bar chart of calls per cell/);
  await lab(page).getByLabel("Column").selectOption("GSM8K");
  // Published figures differ by more than colour, and can be hidden.
  await expect(drawn.first().locator("[stroke-dasharray] rect")).toHaveCount(11);
  await lab(page).getByLabel("include published figures").uncheck();
  await expect(drawn.first().locator("[stroke-dasharray] rect")).toHaveCount(0);
  await clean(page, ["no-preference", "more"]);
  // Simulated models draw by seed, so a second run gives the same figures.
  const figures = await figure(page, "PASS", "rambler 0.2", "tokens").innerText();
  await lab(page).getByRole("button", { name: "Run", exact: true }).click();
  await expect(state(page)).toContainText("Done 84 of 84 cells", { timeout: 120_000 });
  await expect(figure(page, "PASS", "rambler 0.2", "Cells")).toContainText("28");
  expect(await figure(page, "PASS", "rambler 0.2", "tokens").innerText()).toBe(figures);
});

test("a phone's width is enough, by keyboard alone and in the dark", async ({ quiet: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page);
  await page.getByRole("tab", { name: "Lab" }).focus();
  await page.keyboard.press("Enter");
  await card(page, "pmc-3").getByRole("button", { name: /^Run/ }).focus();
  await page.keyboard.press("Enter");
  await expect(state(page)).toContainText("Done 96 of 96 cells", { timeout: 120_000 });
  // The levels are columns under each method and model, as in the paper.
  await expect(lab(page).locator(".lab-table thead th", { hasText: /^(easy|medium|hard)$/ })).toHaveText(
    Array.from({ length: 7 }, () => ["easy", "medium", "hard"]).flat(),
  );
  await expect(figure(page, "PMC", "GPT-4", "Budget, hard")).toContainText("46.3 %");
  await expect(lab(page).locator("svg[role=img]")).toHaveCount(2);
  const widest = () =>
    lab(page)
      .locator("svg[role=img]")
      .evaluateAll((all) => Math.max(...all.map((svg) => svg.getBoundingClientRect().width)));
  await expect.poll(widest).toBeLessThanOrEqual(390);
  await lab(page).locator(".lab-table .text-link").first().focus();
  await page.keyboard.press("Enter");
  await expect(lab(page).locator("stile-lab-cells").getByLabel("Method")).toHaveValue("ReAct");
  await expect(lab(page).locator("stile-lab-cells [role=status]")).toHaveText("24 cells");
  await clean(page);
});

test("an experiment ends with its budget, and continues with the missing cells, also after a reload", async ({
  quiet: page,
}) => {
  await open(page);
  await tab(page, "Lab");
  await choose(page, "formal-llm-1");
  // Published figures are shown before any run.
  await expect(figure(page, "zero-shot", "GPT-4", "valid plans")).toContainText("53 %");
  await bound(page, { "Tasks of each kind": "3", "Maximum calls": "20" });
  await expect(lab(page)).toContainText("12 cells");
  await lab(page).getByRole("button", { name: "Run", exact: true }).click();
  await expect(state(page)).toContainText("Done", { timeout: 90_000 });
  await expect(state(page)).toContainText("he budget of 20 calls is used up");
  const first = Number(/(\d+) of 12/.exec(await state(page).innerText())?.[1]);
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(12);
  await expect.poll(() => keptCells(page, "formal-llm-1.lab")).toBe(first);
  await page.reload();
  await tab(page, "Lab");
  await expect(card(page, "formal-llm-1")).toContainText("results");
  await choose(page, "formal-llm-1");
  await expect(lab(page)).toContainText("Results kept on this device");
  await bound(page, { "Tasks of each kind": "3" });
  await expect(lab(page)).toContainText(`12 cells, ${12 - first} of them missing`);
  await lab(page).getByRole("button", { name: "Run the missing cells" }).click();
  await expect(state(page)).toContainText("Done 12 of 12 cells", { timeout: 120_000 });
  await expect(figure(page, "Formal-LLM", "uniform", "valid plans")).toContainText("100 %");
  await lab(page).getByRole("button", { name: "Run the missing cells" }).waitFor({ state: "detached" });
});

test("an experiment asks before its first request, and is cancelled while its model does not answer", async ({
  quiet: page,
}) => {
  // Requests for an answer stay open, so the experiment cannot end before it is cancelled.
  let asked = 0;
  let effort: unknown;
  await page.route("https://models.test/**", async (route) => {
    if (route.request().method() === "POST") {
      asked++;
      effort = (route.request().postDataJSON() as { reasoning_effort?: string }).reasoning_effort;
    } else await fulfil(route);
  });
  await open(page);
  await endpoints(page);
  await add(page, { label: "Silent", url: "https://models.test/v1" });
  await close(page);
  await tab(page, "Lab");
  await choose(page, "formal-llm-1");
  await lab(page)
    .getByRole("checkbox", { name: /Silent/ })
    .check();
  await lab(page).locator("summary", { hasText: "Size and limits of the run" }).click();
  await lab(page).getByLabel("Thinking effort").selectOption("low");
  await lab(page).getByRole("button", { name: "Run", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Experiment with an endpoint" });
  await expect(question).toContainText(
    /255 cells\. About 510 calls and 98,000 tokens, estimated from a trial with a simulated model\./u,
  );
  await expect(question).toContainText("It stops at 3,000 calls, 6,000,000 tokens or $10.00");
  await question.getByRole("button", { name: "Cancel" }).click();
  expect(asked).toBe(0);
  await lab(page).getByRole("button", { name: "Run", exact: true }).click();
  await agree(page);
  await expect.poll(() => asked).toBeGreaterThan(0);
  expect(effort).toBe("low");
  await expect(lab(page).getByRole("progressbar", { name: "Finished cells" })).toBeVisible();
  await lab(page).getByRole("button", { name: "Cancel" }).click();
  await expect(state(page)).toContainText("Cancelled");
});

test("cells are found and opened: as a run in the Run tab, or as text", async ({ quiet: page }) => {
  await open(page);
  await tab(page, "Lab");
  await choose(page, "pmc-4");
  await bound(page, { "Tasks of each kind": "2", Seeds: "1, 7" });
  await lab(page).getByRole("button", { name: "Run", exact: true }).click();
  await expect(state(page)).toContainText("Done 24 of 24 cells", { timeout: 90_000 });
  await lab(page).locator("summary", { hasText: "The cells" }).click();
  const cells = lab(page).locator("stile-lab-cells");
  await cells.getByLabel("Method").selectOption("PMC");
  await cells.getByLabel("Model").selectOption("rambler 0.3");
  await expect(cells.getByRole("status")).toHaveText("4 cells");
  await cells.getByRole("button", { name: /^Open/ }).first().click();
  const trace = cells.locator(".lab-trace");
  await expect(trace).toContainText("benchmark");
  await expect(trace).toContainText("benchmark.done");
  await clean(page);
  await lab(page).getByRole("button", { name: "All experiments" }).click();
  await choose(page, "formal-llm-5");
  await bound(page, { "Tasks of each kind": "2", Seeds: "1, 7" });
  await lab(page).getByRole("button", { name: "Run", exact: true }).click();
  await expect(state(page)).toContainText("Done 4 of 4 cells", { timeout: 90_000 });
  if (!(await cells.getByLabel("Method").isVisible()))
    await lab(page).locator("summary", { hasText: "The cells" }).click();
  await cells.getByLabel("Method").selectOption("Formal-LLM");
  await cells.getByRole("button", { name: /^Open/ }).first().click();
  await expect(page.getByRole("tab", { name: "Run" })).toHaveAttribute("aria-selected", "true");
  await expect(page.locator("stile-run")).toContainText("Done", { timeout: 60_000 });
  // The experiment is unchanged.
  await tab(page, "Lab");
  await expect(cells.getByLabel("Method")).toHaveValue("Formal-LLM");
});

testLong("results are saved, and a link shows them to its reader without a run", async ({ quiet: page, browser }) => {
  await open(page);
  await tab(page, "Lab");
  await choose(page, "pmc-4");
  await bound(page, { "Tasks of each kind": "10" });
  await lab(page).getByRole("button", { name: "Run", exact: true }).click();
  await expect(state(page)).toContainText("Done 60 of 60 cells", { timeout: 120_000 });
  const saved = async (name: string): Promise<readonly [string, string]> => {
    const coming = page.waitForEvent("download");
    await lab(page).getByRole("button", { name, exact: true }).click();
    const file = await coming;
    return [file.suggestedFilename(), await readFile(await file.path(), "utf8")];
  };
  const [csv, table] = await saved("CSV");
  expect(csv).toBe("pmc-4.csv");
  expect(table).toContain('PMC,GPT-4-0613,"PMC, table 4",0.8512');
  const [markdown, text] = await saved("Markdown");
  expect(markdown).toBe("pmc-4.md");
  expect(text).toContain("*85.12 %*");
  const [jsonl, lines] = await saved("JSONL");
  expect(jsonl).toBe("pmc-4.jsonl");
  expect(lines.trim().split("\n")).toHaveLength(60);
  expect(JSON.parse(lines.split("\n")[0] ?? "")).toMatchObject({ method: "CoT", state: "done" });
  await lab(page).getByRole("button", { name: "Link with the results" }).click();
  const field = lab(page).getByLabel("Link to the workspace");
  await expect(field).toHaveValue(/#1:/);
  const link = await field.inputValue();
  await expect(figure(page, "PMC", "rambler 0.3", "Cells")).toContainText("10");
  const shown = await figure(page, "PMC", "rambler 0.3", "correctness").innerText();
  await clean(page);
  // Another visitor, with empty storage.
  const other = await (await browser.newContext({ serviceWorkers: "block" })).newPage();
  await other.goto(link);
  await tab(other, "Lab");
  await expect(lab(other)).toContainText("These results came with the workspace.");
  await expect(figure(other, "PMC", "rambler 0.3", "correctness")).toHaveText(/./);
  expect(await figure(other, "PMC", "rambler 0.3", "correctness").innerText()).toBe(shown);
  await expect(lab(other).locator("svg[role=img]")).toHaveCount(2);
  await expect(state(other)).toBeEmpty();
  await expect(lab(other)).toContainText("300 cells, 240 of them missing");
  await other.context().close();
});

test("an endpoint runs the same experiment, its key is in no exported data, and an interrupted run resumes", async ({
  quiet: page,
  browser,
}) => {
  const key = "sk-lab-0123456789abcdef0123456789abcdef";
  let asked = 0;
  let silent = false;
  await page.route("https://models.test/**", async (route) => {
    if (route.request().method() === "POST") asked++;
    if (!silent) await fulfil(route, "[1, 2, 3]");
  });
  await open(page);
  await endpoints(page);
  await add(page, { label: "Stand-in", url: "https://models.test/v1", key });
  await close(page);
  await tab(page, "Lab");
  await choose(page, "formal-llm-1");
  await lab(page)
    .getByRole("checkbox", { name: /Stand-in/ })
    .check();
  await bound(page, { "Tasks of each kind": "1", Seeds: "1" });
  await expect(lab(page)).toContainText("10 cells.");
  await lab(page).getByRole("button", { name: "Run", exact: true }).click();
  await agree(page);
  await expect(state(page)).toContainText("Done 10 of 10 cells", { timeout: 90_000 });
  expect(asked).toBeGreaterThan(2);
  await expect(figure(page, "zero-shot", "Stand-in", "valid plans")).toBeVisible();
  // The same table then also shows simulated models.
  await lab(page)
    .getByRole("checkbox", { name: /Simulated models/ })
    .check();
  await lab(page).getByRole("button", { name: "Run", exact: true }).click();
  await expect(state(page)).toContainText("Done 2 of 2 cells", { timeout: 90_000 });
  await expect(figure(page, "zero-shot", "Stand-in", "valid plans")).toBeVisible();
  await expect(figure(page, "Formal-LLM", "uniform", "valid plans")).toBeVisible();
  // A cell replays from the recorded answers.
  await figure(page, "Formal-LLM", "Stand-in", "Cells").getByRole("button").click();
  const before = asked;
  await lab(page).locator("stile-lab-cells").getByRole("button", { name: /^Open/ }).first().click();
  await expect(page.getByRole("tab", { name: "Run" })).toHaveAttribute("aria-selected", "true");
  await expect(page.locator("stile-run")).toContainText("Done", { timeout: 60_000 });
  expect(asked).toBe(before);
  await tab(page, "Lab");
  // No exported data contains the key or the endpoint's address.
  // Tables have a row per simulated model, records one per cell.
  const marks = [
    { form: "Markdown", mark: /uniform \(simulated\)/g, count: 1 },
    { form: "CSV", mark: /uniform \(simulated\),/g, count: 1 },
    { form: "JSONL", mark: /"simulated":true/g, count: 2 },
  ];
  for (const { form, mark, count } of marks) {
    const coming = page.waitForEvent("download");
    await lab(page).getByRole("button", { name: form, exact: true }).click();
    const text = await readFile(await (await coming).path(), "utf8");
    expect(text).not.toContain(key);
    expect(text).not.toContain("models.test");
    // All simulated rows are marked, and no row of the endpoint.
    expect(text.match(mark)).toHaveLength(count);
    expect(text.match(/simulated\)|"simulated"/g)).toHaveLength(count);
  }
  await lab(page).getByRole("button", { name: "Link with the results" }).click();
  await expect(lab(page).getByLabel("Link to the workspace")).toHaveValue(/#1:/);
  const link = await lab(page).getByLabel("Link to the workspace").inputValue();
  const other = await (await browser.newContext({ serviceWorkers: "block" })).newPage();
  await other.goto(link);
  await tab(other, "Lab");
  await expect(figure(other, "zero-shot", "Stand-in", "valid plans")).toBeVisible();
  // The link's rows keep their marks.
  await expect(lab(other).locator(".lab-table th", { hasText: "simulated" })).toHaveText([
    /Formal-LLM, uniform simulated/,
  ]);
  await expect(lab(other).locator("[data-plot=bars]").getByText("(simulated)")).toHaveCount(1);
  await other.locator("stile-files").getByText("formal-llm-1.results.json").click();
  const carried = await textOf(other);
  expect(carried).toContain("Stand-in");
  expect(carried).not.toContain(key);
  expect(carried).not.toContain("models.test");
  await other.context().close();
  // An interrupted run resumes, and requests only the missing answers.
  silent = true;
  await lab(page)
    .getByRole("checkbox", { name: /Stand-in/ })
    .check();
  await lab(page).getByRole("button", { name: "Run", exact: true }).click();
  await agree(page);
  await expect.poll(() => asked).toBeGreaterThan(before);
  // A test reloads faster than any person: wait until the started run is stored, with the mark of its rules.
  await keeps(page, 1);
  await page.reload();
  silent = false;
  await tab(page, "Lab");
  await lab(page).getByRole("button", { name: "Resume" }).click();
  await expect(state(page)).toContainText("10 of 10 cells", { timeout: 90_000 });
});

test("an experiment of one's own is created from a spec, and shows faults at their places", async ({ quiet: page }) => {
  await open(page);
  await tab(page, "Lab");
  await lab(page).getByRole("button", { name: "New experiment with openagi.cfg" }).click();
  await expect(page.locator("stile-files [data-file='openagi.lab']")).toBeAttached();
  await expect(page.locator("stile-problems .summary")).toContainText("2 methods, 3 models");
  await lab(page).getByRole("button", { name: "Run", exact: true }).click();
  await expect(state(page)).toContainText("Done 12 of 12 cells", { timeout: 90_000 });
  await expect(figure(page, "constrained", "first", "valid plans")).toContainText("100 %");
  // The core computes colours and faults.
  await expect(
    page.locator("stile-editor .cm-line .t-keyword, stile-editor .cm-line [class*=keyword]").first(),
  ).toBeVisible();
  await write(
    page,
    '(experiment mine\n  (:tasks (plans "tasks.json"))\n  (:methods (baselin zero-shot))\n  (:models (simulated first)))\n',
  );
  const fault = lab(page).getByRole("list", { name: "Problems of the experiment" });
  await expect(fault).toContainText("baseline");
  await fault.getByRole("button").first().click();
  await expect(page.locator("stile-editor .cm-content")).toBeFocused();
  await write(page, '(experiment mine (:tasks (plans "tasks.json"))\n (:methods (plan)) (:models (simulated first)))');
  await expect(fault).toHaveCount(0);
  await page.getByRole("button", { name: "Format the text" }).click();
  await expect.poll(() => textOf(page)).toContain("\n  (:methods (plan))");
  await lab(page).getByRole("button", { name: "Run", exact: true }).click();
  await expect(state(page)).toContainText("Done 1 of 1 cell");
  await clean(page);
});
