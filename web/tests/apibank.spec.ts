import type { Page } from "@playwright/test";
import { clean } from "./axe.js";
import { add, close, endpoints, fulfil } from "./endpoint-fixtures.js";
import { expect, open, test } from "./fixtures.js";
import { onlyLong, sampled } from "./sample.js";

const testLong = onlyLong(test);

const window_ = (page: Page) => page.getByRole("dialog", { name: "API-Bank" });
const measure = (page: Page, name: string) => page.locator(`[data-measure="${name}"]`);
const verdicts = (page: Page, verdict: string) => page.locator(`[data-call][data-verdict-of=${verdict}]`);

/** Opens the window of calls from the gallery with the keyboard alone. */
async function calls(page: Page): Promise<void> {
  await open(page);
  await page.getByRole("button", { name: /choose an example/ }).focus();
  await page.keyboard.press("Enter");
  await page.locator("[data-benchmark=api-bank]").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-accurate]")).toBeVisible();
}

test("gold calls score full marks, others show a reason, texts stay texts, and a team makes the calls", async ({
  quiet: page,
}) => {
  await calls(page);
  await expect(page.locator("[data-accurate]")).toHaveText("equal to the gold calls");
  for (const name of ["Correctness", "Completeness", "ROUGE-L"])
    await expect(measure(page, name)).toContainText("100 %");
  await expect(measure(page, "Repeats")).toContainText("0");
  await expect(verdicts(page, "correct")).toHaveCount(5);

  // Another value, a duplicate call, a call that cannot be parsed, and one that contains markup.
  const text = window_(page).getByLabel("Calls", { exact: true });
  const gold = await text.inputValue();
  const [, query = ""] = gold.split("\n");
  await text.fill(
    `${gold.replace("'John'", "'Nobody'")}\n${gold.split("\n")[0] ?? ""}\n[EmailReminder(content='x'\n[Show(text='<img src=x onerror=alert(1)>')]`,
  );
  await expect(verdicts(page, "wrong")).toHaveCount(3);
  await expect(page.locator("[data-call='2']")).toContainText("No recorded result of QueryMeeting");
  await expect(page.locator("[data-call='6']")).toContainText("repeated");
  await expect(page.locator("[data-call='8']")).toContainText("<img src=x");
  await expect(page.locator("[data-call='8']")).toContainText("Unknown tool");
  expect(await page.locator("stile-apibank img").count()).toBe(0);
  await expect(page.locator("stile-calls .team-faults")).toContainText("Line 7");
  await expect(measure(page, "Correctness")).toContainText("50 %");
  await expect(measure(page, "Completeness")).toContainText("80 %");
  await expect(page.locator(".calls-missing")).toContainText(query);
  await window_(page).getByLabel("Answer", { exact: true }).fill("");
  await expect(measure(page, "ROUGE-L").locator("strong")).toHaveText("0 %");
  await window_(page).getByRole("button", { name: "The gold calls" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-accurate]")).toHaveText("equal to the gold calls");
  // The result of a call is shown next to it.
  await page.locator("[data-call='2'] summary").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-call='2'] .prompt")).toContainText("Meeting with the client");

  await window_(page).getByRole("combobox", { name: "Task", exact: true }).selectOption("10");
  await expect(verdicts(page, "correct")).toHaveCount(8);
  await window_(page).getByRole("button", { name: "Have a team answer it" }).focus();
  await page.keyboard.press("Enter");
  await expect(window_(page)).toBeHidden();
  await expect(page.locator('stile-files [data-file="api.team"]')).toBeAttached();
  await expect(page.locator("stile-problems .summary")).toContainText("3 executors");
  await expect(page.locator(".problem")).toHaveCount(0);
  await expect(page.locator("stile-run-team")).toContainText("3 executors");
  await page.getByRole("button", { name: "Run api.team" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-verdict]")).toHaveText("all met");
  await expect(measure(page, "Completeness")).toContainText("8 of 8");
  await expect(measure(page, "Correctness")).toContainText("100 %");
});

test("a comparison with an endpoint asks before its first request", async ({ quiet: page }) => {
  let asked = 0;
  await page.route("https://models.test/**", async (route) => {
    if (route.request().method() === "POST")
      asked++; // stays open
    else await fulfil(route);
  });
  await open(page);
  await endpoints(page);
  await add(page, { label: "Silent", url: "https://models.test/v1" });
  await close(page);
  await calls(page);
  await window_(page).getByRole("button", { name: "Compare the methods" }).click();
  await window_(page).getByLabel("Model").selectOption({ label: "Silent: small" });
  await window_(page).getByLabel("Number of tasks").fill("2");
  const start = window_(page).getByRole("button", { name: "Compare", exact: true });
  await start.click();
  const question = page.getByRole("dialog", { name: "Comparison with an endpoint" });
  await expect(question).toContainText("2 tasks by 4 methods. About ");
  await expect(question).toContainText("estimated from a trial with a simulated model");
  await expect(question).toContainText("It stops at 2,000 calls, 8,000,000 tokens or $10.00");
  await question.getByRole("button", { name: "Cancel" }).click();
  expect(asked).toBe(0);
  await start.click();
  await question.getByRole("button", { name: "Start" }).click();
  await expect.poll(() => asked).toBeGreaterThan(0);
});

testLong(
  "methods are compared, a seed reproduces the figures, and the table can be saved",
  async ({ quiet: page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await calls(page);
    const part = window_(page).getByRole("button", { name: "Compare the methods" });
    await part.focus();
    await page.keyboard.press("Enter");
    await expect(part).toHaveAttribute("aria-pressed", "true");
    const start = window_(page).getByRole("button", { name: "Compare", exact: true });
    const run = async (slips: string): Promise<string> => {
      await window_(page).getByLabel("Number of tasks").fill("4");
      await window_(page).getByRole("slider").fill(slips);
      await start.focus();
      await page.keyboard.press("Enter");
      await expect(page.locator("stile-contest .run-state")).toHaveText(/Done\s+8\s+tasks/);
      return page.locator("stile-contest table").innerText();
    };
    const right = await run("0");
    await expect(page.locator("[data-method=team] [data-score=Completeness]")).toContainText("100.0 %");
    // A simulated model says nothing about answers without tools.
    await expect(page.locator("[data-method=cot], [data-method=sole]")).toHaveCount(0);
    await expect(window_(page).getByRole("checkbox", { name: /^(CoT|Sole planning)/ })).toHaveCount(0);
    await page.locator("[data-method=react]").getByRole("button").focus();
    await page.keyboard.press("Enter");
    await expect(page.locator("#contest-react li")).toHaveCount(4);
    await page.locator("[data-method=react]").getByRole("button").click();
    // Each simulated row is marked, in the table and in its copies.
    await expect(page.locator("stile-contest tr[data-method] th")).toHaveText(Array(2).fill(/simulated$/));
    await window_(page)
      .getByRole("button", { name: /the table as CSV/ })
      .click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toMatch(/^method,tasks,Correctness,.*\nTeam \(PMC\) \(simulated\),4,100.0 %,/);
    expect((await copied()).match(/ \(simulated\),/g)).toHaveLength(2);
    await window_(page)
      .getByRole("button", { name: /the table as Markdown/ })
      .click();
    await expect.poll(copied).toMatch(/^\| method \|.*\n.*\n\| Team \(PMC\) \(simulated\) \| 4 \|/);
    expect((await copied()).match(/ \(simulated\) \|/g)).toHaveLength(2);
    const slipped = await run("0.5");
    expect(slipped).not.toBe(right);
    await page.reload();
    await calls(page);
    await window_(page).getByRole("button", { name: "Compare the methods" }).click();
    expect(await run("0.5")).toBe(slipped);
  },
);

for (const width of sampled("axe in calls", [1280, 390], 2)) {
  testLong(`axe finds nothing in calls and comparisons at ${width} px, light and dark`, async ({ quiet: page }) => {
    await calls(page);
    await page.setViewportSize({ width, height: 900 });
    const text = window_(page).getByLabel("Calls", { exact: true });
    await text.fill(`${(await text.inputValue()).replace("'John'", "'Nobody'")}\n[A(`);
    await expect(verdicts(page, "wrong")).toHaveCount(2);
    await clean(page);
    await window_(page).getByRole("button", { name: "Compare the methods" }).click();
    await window_(page).getByLabel("Number of tasks").fill("1");
    await window_(page).getByRole("button", { name: "Compare", exact: true }).click();
    await expect(page.locator("stile-contest .run-state")).toHaveText(/Done\s+2\s+tasks/);
    await clean(page);
  });
}
