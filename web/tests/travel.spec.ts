import type { Page } from "@playwright/test";
import { clean } from "./axe.js";
import { expect, open, test } from "./fixtures.js";
import { inSample, onlyLong, sampled } from "./sample.js";

const testLong = onlyLong(test);

/** Opens the window of trips from the gallery with the keyboard alone. */
async function trips(page: Page): Promise<void> {
  await open(page);
  await page.getByRole("button", { name: /choose an example/ }).focus();
  await page.keyboard.press("Enter");
  await page.locator("[data-benchmark=travelplanner]").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-final]")).toBeVisible();
}

const window_ = (page: Page) => page.getByRole("dialog", { name: "TravelPlanner" });
const rule = (page: Page, name: string) => page.locator(`[data-rule="${name}"]`);

test("a plan that a person wrote opens with its query, its scores and its days", async ({ quiet: page }) => {
  await trips(page);
  await expect(page.locator("[data-final]")).toHaveText("final pass");
  await expect(page.locator("[data-rule]")).toHaveCount(13);
  await expect(page.locator("[data-rule][data-verdict-of=fail]")).toHaveCount(0);
  await expect(page.locator(".trip-cost")).toContainText("$1,608");
  await expect(page.locator(".trip-cost")).toContainText("$1,700");
  await expect(page.locator(".trip-day")).toHaveCount(3);
  await expect(page.locator(".trip-day").first()).toContainText("15:40 to 17:04");
  await expect(page.locator(".trip-day").nth(1)).toContainText("Cafe Southall");
  await page.getByRole("button", { name: "Timeline", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".trip-timeline li").filter({ hasText: "transportation" })).toHaveCount(2);
  await expect(page.locator(".trip-time").filter({ hasText: "15:40 to 17:04" })).toHaveCount(1);
});

test("every human plan of the sample passes all constraints of its query", async ({ quiet: page }) => {
  await trips(page);
  const query = window_(page).getByRole("combobox", { name: "Query", exact: true });
  for (const i of Array.from({ length: 12 }, (_, i) => i).filter((i) => inSample(`human plan ${i}`, 3))) {
    await query.selectOption(String(i));
    const plan = await window_(page).getByLabel("Plan", { exact: true }).inputValue();
    const city = (JSON.parse(plan) as { current_city: string }[])[1]?.current_city ?? "";
    await expect(page.locator(".trip-day").nth(1)).toContainText(city.replace(/^\s*from\s+/, ""));
    await expect(page.locator("[data-final]")).toHaveText("final pass");
  }
});

testLong(
  "a smaller budget, a repeated meal and another preference fail their constraints, with the reason",
  async ({ quiet: page }) => {
    await trips(page);
    await window_(page).getByLabel("Budget, dollars").fill("1500");
    await page.keyboard.press("Tab");
    await expect(rule(page, "Budget")).toHaveAttribute("data-verdict-of", "fail");
    await expect(rule(page, "Budget")).toContainText("1,500");
    await expect(page.locator(".trip-cost")).toContainText("Over budget");
    await window_(page).getByLabel("Budget, dollars").fill("1700");
    await page.keyboard.press("Tab");
    await expect(page.locator("[data-final]")).toHaveText("final pass");
    const plan = window_(page).getByLabel("Plan", { exact: true });
    await plan.fill((await plan.inputValue()).replace("Gajalee Sea Food, Rockford", "Flying Mango, Rockford"));
    await expect(rule(page, "Diverse Restaurants")).toHaveAttribute("data-verdict-of", "fail");
    await expect(page.locator("[data-rule][data-verdict-of=fail]")).toHaveCount(1);
    await window_(page).getByRole("button", { name: "The human plan" }).click();
    await expect(page.locator("[data-final]")).toHaveText("final pass");
    await window_(page).getByRole("combobox", { name: "Travel", exact: true }).selectOption("no flight");
    await expect(rule(page, "Transportation")).toHaveAttribute("data-verdict-of", "fail");
  },
);

test("the released evaluation accepts another city, byte for byte", async ({ quiet: page }) => {
  await trips(page);
  const plan = window_(page).getByLabel("Plan", { exact: true });
  await plan.fill((await plan.inputValue()).replace("Cafe Southall, Rockford", "Coco Bambu, Chicago"));
  await expect(rule(page, "Within Current City")).toHaveAttribute("data-verdict-of", "fail");
  await window_(page)
    .getByLabel(/like the released program/)
    .check();
  await expect(rule(page, "Within Current City")).toHaveAttribute("data-verdict-of", "pass");
});

test("texts of plans stay text, and an invalid plan is reported", async ({ quiet: page }) => {
  await trips(page);
  const plan = window_(page).getByLabel("Plan", { exact: true });
  const text = await plan.inputValue();
  await plan.fill(text.replace("Cafe Southall, Rockford", "<img src=x onerror=alert(1)>, Rockford"));
  await expect(page.locator(".trip-day").nth(1)).toContainText("<img src=x");
  await expect(page.locator(".trip-day").nth(1)).toContainText("not in the records");
  expect(await page.locator("stile-trip img").count()).toBe(0);
  await plan.fill("I would rather stay at home.");
  await expect(page.locator("[data-final]")).toHaveText("no plan");
  await expect(page.locator("stile-trip-checks .team-faults li")).not.toHaveCount(0);
});

test("a team plans the trip with the records as tools and without a model, and its plan passes", async ({
  quiet: page,
}) => {
  await trips(page);
  await window_(page).getByRole("combobox", { name: "Query", exact: true }).selectOption("1");
  await expect(page.locator(".trip-day").first()).toContainText("Stockton");
  await window_(page).getByRole("button", { name: "Have a team plan it" }).focus();
  await page.keyboard.press("Enter");
  await expect(window_(page)).toBeHidden();
  await expect(page.locator('stile-files [data-file="trip.team"]')).toBeAttached();
  await expect(page.getByLabel("Task", { exact: true })).toHaveValue(/Stockton/);
  await expect(page.locator("stile-problems .summary")).toContainText("4 executors");
  await expect(page.locator(".problem")).toHaveCount(0);
  await expect(page.locator("stile-run-team")).toContainText("4 executors");
  await page.getByRole("button", { name: "Run trip.team" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-verdict]")).toHaveText("all met");
  await expect(page.locator("stile-team-run [data-final]")).toHaveText("final pass");
  await expect(page.locator("stile-team-run .trip-day")).toHaveCount(3);
  // Lookups use the records, and formulas over them were checked.
  await page.locator('.team-canvas .node[data-id="t2"]').focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("stile-team-node")).toContainText("AccommodationSearch");
  await expect(page.locator("stile-team-node .segment").filter({ hasText: "Obs" }).first()).toContainText("Stockton");
});

test("methods are compared with the paper's settings", async ({ quiet: page }) => {
  await trips(page);
  await window_(page).getByRole("button", { name: "Compare the methods" }).click();
  await expect(window_(page).getByRole("checkbox", { name: /^CoT/ })).toHaveCount(0); // it has no simulated row
  await window_(page)
    .getByRole("checkbox", { name: /^Sole planning/ })
    .uncheck();
  for (const name of [/^No thoughts/, /^Only the query/, /^At most 30 steps/])
    await window_(page).getByRole("checkbox", { name }).check();
  await window_(page).getByLabel("Number of tasks").fill("1");
  await window_(page).getByRole("slider").fill("0");
  await window_(page).getByRole("button", { name: "Compare", exact: true }).click();
  await expect(page.locator("stile-contest .run-state")).toHaveText(/Done\s+3\s+tasks/);
  for (const method of ["team", "react", "act"])
    await expect(page.locator(`[data-method=${method}]`)).toContainText("100.0 %");
  // Each simulated row is marked, in the table and in its copies as Markdown and CSV.
  await expect(page.locator("stile-contest tr[data-method] th")).toHaveText(Array(3).fill(/simulated\s*$/));
  const copies = page.locator("stile-contest stile-copy-button");
  await expect(copies).toHaveCount(2);
  for (const text of await copies.evaluateAll((all) => all.map((b) => (b as unknown as { text: string }).text)))
    expect(text.match(/^(\| )?(Team \(PMC\)|ReAct|No thoughts) \(simulated\)( \||,)/gm)).toHaveLength(3);
  await clean(page);
});

test("a query opens as an automaton with its preferences as formulas, and is planned", async ({ quiet: page }) => {
  await trips(page);
  await window_(page)
    .getByRole("combobox", { name: "Query", exact: true })
    .selectOption({ label: "Evansville to Texas, 5 days, hard" });
  await window_(page).getByRole("button", { name: "Plan with an automaton" }).focus();
  await page.keyboard.press("Enter");
  await expect(window_(page)).toBeHidden();
  for (const name of ["travel.pda", "properties.ltl", "query.json", "records.json", "tasks.json", "tools.json"])
    await expect(page.locator(`stile-files [data-file="${name}"]`)).toBeAttached();
  await expect(page.locator("stile-problems .summary")).toContainText("state");
  await expect(page.locator(".problem")).toHaveCount(0);
  await expect(page.getByLabel("Task", { exact: true })).toHaveValue(/Texas/);
  await page.getByRole("button", { name: "Run travel.pda" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("stile-plan-result")).toContainText("Day 5: ");
  await expect(page.locator("stile-plan-result")).not.toContainText("flight");
});

for (const width of sampled("axe in trips", [1280, 390], 2)) {
  testLong(`axe finds nothing in trips at ${width} px, light and dark`, async ({ quiet: page }) => {
    await trips(page);
    await page.setViewportSize({ width, height: 900 });
    const plan = window_(page).getByLabel("Plan", { exact: true });
    await plan.fill((await plan.inputValue()).replace("Cafe Southall, Rockford", "Nowhere, Rockford"));
    await expect(rule(page, "Within Sandbox")).toHaveAttribute("data-verdict-of", "fail");
    await clean(page);
    await page.getByRole("button", { name: "Timeline", exact: true }).click();
    await clean(page);
  });
}
