import { clean } from "./axe.js";
import { expect, keeps, open, openExample, ready, tab, test } from "./fixtures.js";
import { sampled } from "./sample.js";

const contrasts = ["no-preference", "more"] as const;

for (const width of sampled("axe in runs", [1280, 390], 2)) {
  test(`axe finds nothing in runs, checks and drafts at ${width} px, light and dark, with more contrast and without`, async ({
    browser,
    baseURL,
  }) => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: "reduce" });
    const page = await context.newPage();
    await open(page, baseURL);
    await openExample(page, "daily");
    await ready(page);
    await tab(page, "Run");
    await page.getByText("More settings").click();
    await page.getByLabel("Calls", { exact: true }).fill("40");
    await page.getByLabel("Model", { exact: true }).selectOption("person");
    await page.getByRole("button", { name: /^Run / }).click();
    await expect(page.locator(".now.mine")).toBeVisible();
    await page.locator(".now .withheld summary").click();
    await clean(page, contrasts);
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("button", { name: "Resume from here" })).toBeVisible();
    await clean(page, contrasts);
    await page.getByRole("button", { name: /choose an example/ }).click();
    await page.locator(".card[data-example=openagi]").click();
    await expect(page.getByRole("button", { name: /^Run openagi/ })).toBeVisible();
    await page.getByLabel("Model", { exact: true }).selectOption("rambler");
    await page.getByLabel("Use the tools").check();
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await expect(page.locator(".run-state")).toContainText("Paused");
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await expect(page.locator(".plan-log .log-entry")).toHaveCount(2);
    await clean(page, contrasts);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.locator("stile-plan-result svg.tree")).toBeVisible();
    await clean(page, contrasts);
    await page.getByRole("slider", { name: "Moment" }).press("Home");
    await expect(page.locator("stile-plan-tree")).toBeVisible();
    await clean(page, contrasts);
    await page.reload();
    await ready(page);
    await tab(page, "Run");
    await tab(page, "Verify");
    await page.getByLabel(/^A plan for/).fill("1. Use Colorization\n2. Dance\n3. Use Object Detection");
    await expect(page.locator(".nearest")).toBeVisible();
    await page.getByRole("button", { name: "Compare" }).click();
    await expect(page.locator("stile-compare .run-state")).toContainText("Done");
    await page.getByRole("button", { name: "Few-shot" }).click();
    await clean(page, contrasts);
    if (width === 390) await tab(page, "Text");
    await page.getByRole("button", { name: "Draft from a description" }).click();
    await page.getByLabel("Requirements for plans").fill("One a, or two.");
    await page.getByLabel(/Valid plans/).fill("a\na a");
    await page.getByRole("button", { name: "Write draft" }).click();
    await expect(page.locator(".draft-done")).toBeVisible();
    await clean(page, contrasts);
    await context.close();
  });
}

test("axe finds nothing in an interrupted run and in the list of tasks", async ({ quiet: page }) => {
  await open(page);
  await page.getByRole("button", { name: /choose an example/ }).click();
  await page.locator(".card[data-example=openagi-tasks]").click();
  await page.locator('stile-files [data-file="tasks.json"]').waitFor({ state: "attached" });
  await tab(page, "Run");
  await page.getByLabel("Model", { exact: true }).selectOption("person");
  await page.getByRole("button", { name: /^Run / }).click();
  await expect(page.locator(".now.mine")).toBeVisible();
  await keeps(page, 0);
  await page.reload();
  await ready(page);
  await tab(page, "Run");
  await expect(page.locator(".interrupted")).toBeVisible();
  await page.getByRole("combobox", { name: /Choose one of/ }).focus();
  await expect(page.getByRole("listbox", { name: "Tasks" })).toBeVisible();
  await clean(page);
});

test("a run is started, paused, branched and reviewed with the keyboard alone", async ({ quiet: page }) => {
  await open(page);
  await page.getByRole("tablist", { name: "Main view" }).getByRole("tab", { name: "Automaton" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("button", { name: /^Run / })).toBeVisible();
  const press = async (name: string | RegExp, exact = true): Promise<void> => {
    const button = page.getByRole("button", { name, ...(typeof name === "string" && { exact }) });
    for (let i = 0; i < 60 && !(await button.first().evaluate((b) => b === document.activeElement)); i++)
      await page.keyboard.press("Tab");
    await expect(button.first()).toBeFocused();
    await page.keyboard.press("Enter");
  };
  await press("Step");
  await expect(page.locator(".run-state")).toContainText("Paused");
  await page.keyboard.press("Shift+Tab");
  await press("Continue");
  await expect(page.locator(".run-state")).toContainText("Done");
  await press(/take this instead$/);
  await expect(page.locator(".run-link[aria-current]")).toContainText("another choice");
  await expect(page.locator(".run-state")).toContainText("Done");
  const slider = page.getByRole("slider", { name: "Moment" });
  for (let i = 0; i < 60 && !(await slider.evaluate((s) => s === document.activeElement)); i++)
    await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowLeft");
  await expect(slider).toHaveAttribute("aria-valuetext", /^\d+ of \d+: /);
});
