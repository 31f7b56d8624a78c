import type { Page } from "@playwright/test";
import { clean } from "./axe.js";
import { expect, open, test } from "./fixtures.js";
import { onlyLong, sampled } from "./sample.js";

const testLong = onlyLong(test);

const window_ = (page: Page) => page.getByRole("dialog", { name: "LLMFP" });
const expected = (page: Page) => page.locator("[data-expected]");
const judged = (page: Page) => page.locator("[data-judged]");
const domain = (page: Page) => window_(page).getByRole("combobox", { name: "Domain" });

/** Opens the window of queries from the gallery with the keyboard alone. */
async function queries(page: Page): Promise<void> {
  await open(page);
  await page.getByRole("button", { name: /choose an example/ }).focus();
  await page.keyboard.press("Enter");
  await page.locator("[data-benchmark=llmfp]").focus();
  await page.keyboard.press("Enter");
  await expect(expected(page)).toBeVisible();
}

test("queries of the nine domains show their optimum, answers are compared with it, and one is opened as a problem", async ({
  quiet: page,
}) => {
  await queries(page);
  await expect(expected(page)).toHaveText("2612");
  await expect(page.locator("[data-base]")).toContainText("2470");
  await expect(page.locator("[data-question]")).toContainText("demand grows by 29%");

  // An answer is executed; the cost that it states is ignored.
  const answer = window_(page).getByLabel("Check an answer");
  await answer.fill('{"total_cost": 2612, "ship": {}}');
  await expect(judged(page)).toHaveAttribute("data-judged", "wrong");
  await expect(judged(page)).toContainText("demand.light.cafe1 does not hold");
  await answer.fill("<img src=x onerror=alert(1)>");
  await expect(judged(page)).toContainText("expected a JSON object");
  expect(await page.locator("stile-problem-tasks img").count()).toBe(0);

  await domain(page).selectOption("Workforce");
  await expect(page.locator("[data-base]")).toContainText("220");
  await window_(page).getByRole("combobox", { name: "Query" }).selectOption("86");
  await expect(expected(page)).toHaveText("there is no plan");

  await domain(page).selectOption("Gripper");
  await expect(expected(page)).toHaveText("6 steps");
  await answer.fill("(move robot1 room1 room2)");
  await expect(judged(page)).toContainText("cannot be executed");
  await answer.fill(
    "(move robot1 room1 room2)\n(pick robot1 ball4 room2 rgripper1)\n(pick robot1 ball5 room2 lgripper1)\n(move robot1 room2 room1)\n(drop robot1 ball4 room1 rgripper1)\n(drop robot1 ball5 room1 lgripper1)\n",
  );
  await expect(judged(page)).toHaveAttribute("data-judged", "right");

  // The query alone, and with a formulation for another solver.
  await domain(page).selectOption("Facility");
  await expect(page.locator("[data-base]")).toContainText("210500");
  await window_(page).getByRole("combobox", { name: "Formulated in" }).selectOption("LP, for HiGHS");
  await expect(window_(page).locator("summary", { hasText: "model.lp" })).toBeVisible();
  await window_(page)
    .getByRole("checkbox", { name: /our formulation/ })
    .uncheck();
  await expect(window_(page).locator("summary", { hasText: "model.lp" })).toHaveCount(0);
  await window_(page)
    .getByRole("checkbox", { name: /our formulation/ })
    .check();
  await expect(window_(page).locator("summary", { hasText: "model.lp" })).toBeVisible();
  await window_(page).getByRole("button", { name: "Open as a problem" }).focus();
  await page.keyboard.press("Enter");
  await expect(window_(page)).toBeHidden();
  await expect(page.locator('stile-files [data-file="facility.problem/model.lp"]')).toBeAttached();
  await expect(page.locator('stile-files [data-file="facility.problem/query.md"]')).toBeAttached();
});

for (const width of sampled("axe in queries", [1280, 390], 2)) {
  testLong(`axe finds nothing in the queries at ${width} px, light and dark`, async ({ quiet: page }) => {
    await queries(page);
    await page.setViewportSize({ width, height: 900 });
    await window_(page).getByLabel("Check an answer").fill("{}");
    await expect(judged(page)).toHaveAttribute("data-judged", "wrong");
    await clean(page);
  });
}
