import type { Page } from "@playwright/test";
import { clean } from "./axe.js";
import { expect, open, openExample, ready, tab, test, textOf, write } from "./fixtures.js";

const panel = (page: Page) => page.locator("stile-tests");
const toast = (page: Page) => page.locator(".toast").last();

/** Adds a file with a name to the workspace. */
async function add(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "New file" }).click();
  await page.getByRole("button", { name: "Rename untitled.cfg" }).click();
  await page.getByLabel("New name of untitled.cfg").fill(name);
  await page.keyboard.press("Enter");
  await expect(page.locator(`stile-files [data-file="${name}"]`)).toBeVisible();
}

test("a word in the stepper becomes a test, which runs at every edit", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "anbn");
  await ready(page);
  await page.locator(".word-input").fill("a a b b");
  await page.keyboard.press("Enter");
  await expect(page.locator(".verdict")).toContainText("Valid");
  await page.getByRole("button", { name: "Add as test" }).click();
  await expect(toast(page)).toHaveText("Added to anbn.tests, line 1: accept.");
  await expect(panel(page).locator(".pill")).toHaveText("1 test passes");
  await expect(page.locator(".test-summary")).toHaveText("1 test passes");
  await page.getByRole("button", { name: "Add as test" }).click();
  await expect(toast(page)).toContainText("already");

  await write(page, "S -> a S c | ε\n");
  await expect(panel(page).locator("[data-test=error]")).toContainText("b");
  await write(page, "S -> a b | ε\n");
  await expect(panel(page).locator("[data-test=fail]")).toContainText("Got reject:");
  await expect(page.locator(".test-summary")).toHaveText("0 of 1 test passes");
  await page.locator(".test-summary").click();
  await expect(page.locator("stile-files [aria-selected=true]")).toContainText("anbn.tests");
  expect(await textOf(page)).toBe("accept a a b b\n");
  // The failing case is a problem of the file, and marked where the cursor is.
  await expect(page.locator("stile-problems .problem-code")).toHaveText("tests.failed");
  await expect(panel(page).locator('[aria-current="true"]')).toHaveCount(1);
  await write(page, "acept a b\n");
  await page.getByRole("button", { name: "Write accept" }).click();
  await expect(panel(page).locator("[data-test=pass]")).toContainText("a b");
});

test("the tests of an example are shown with their spec, and lead to text and steps", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "payment");
  await ready(page);
  await expect(panel(page).locator(".pill")).toHaveText("11 tests pass");
  await clean(page);
  await panel(page).getByTitle("Step through it").first().click();
  await expect(page.locator(".chip")).toHaveCount(7);
  await panel(page).getByRole("button", { name: "payment.tests:2", exact: true }).click();
  await expect(page.locator("stile-files [aria-selected=true]")).toContainText("payment.tests");
  await expect(panel(page).locator("li")).toHaveCount(11);
  await expect(panel(page).locator('[aria-current="true"]')).toContainText("Payment");
});

test("a run and a counterexample become tests", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "react");
  await ready(page);
  await tab(page, "Run");
  await page.getByRole("button", { name: "Run react.agent" }).click();
  await page.locator("stile-monitor-result").getByRole("button", { name: "Add as test" }).click();
  await expect(toast(page)).toHaveText("Added to react.tests, line 1: valid.");
  await add(page, "never.ltl");
  await write(page, "never: G !Act\n");
  await tab(page, "Verify");
  // The previous run violates the property.
  await page.getByRole("listitem").filter({ hasText: "never" }).getByRole("button", { name: "Add as test" }).click();
  await expect(toast(page)).toContainText("Added to react.tests");
  await expect(page.locator(".test-summary")).toHaveText("1 of 2 tests pass");
});
