import { clean } from "./axe.js";
import { expect, open, openExample, ready, tab, test, textOf } from "./fixtures.js";
import { sampled } from "./sample.js";

for (const width of sampled("axe on the page", [1280, 390], 2)) {
  test(`axe finds nothing at ${width} px, light and dark`, async ({ browser, baseURL }) => {
    test.slow();
    const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.goto(`${baseURL ?? ""}/?example=openagi`);
    await page.locator('stile-files [data-file="openagi.cfg"]').waitFor({ state: "attached" });
    await expect(page.locator(".next-buttons")).toBeVisible();
    await expect(page.locator(".main-drawing svg.drawing")).toBeVisible();
    await clean(page);
    if (width === 390) {
      await tab(page, "Text");
      await clean(page);
    }
    await tab(page, "Run");
    await page.getByRole("button", { name: "Run openagi.cfg" }).click();
    await expect(page.locator("stile-plan-result svg.tree")).toBeVisible();
    await clean(page);
    await openExample(page, "react");
    await page.getByLabel("Model", { exact: true }).selectOption("rambler");
    await page.getByRole("button", { name: "Run react.agent" }).click();
    await expect(page.locator("[data-verdict]")).toHaveText("valid");
    await clean(page);
    for (const name of [/choose an example/, /^Share$/, /^Help$/]) {
      await page.getByRole("button", { name }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await clean(page);
      await page.keyboard.press("Escape");
    }
    await context.close();
  });
}

test("nothing is wider than a page of 390 px", async ({ quiet: page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(page);
  for (const name of ["Text", "Automaton", "Run"]) {
    await tab(page, name);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
  }
});

test("the keyboard alone reaches every part of the page", async ({ quiet: page }) => {
  await open(page);
  // To the examples and back.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: /choose an example/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.locator("[data-example=anbn]").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.locator('stile-files [data-file^="anbn."]').waitFor({ state: "attached" });
  // Into the editor, and out of it with Escape and Tab.
  await page.locator("stile-editor .cm-content").focus();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type("# by hand");
  await expect.poll(() => textOf(page)).toContain("# by hand");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect(page.locator("stile-editor .cm-content")).not.toBeFocused();
  // The arrow keys move between tabs.
  await page.getByRole("tablist", { name: "Main view" }).getByRole("tab", { name: "Automaton" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Run" })).toBeFocused();
  await expect(page.locator("#panel-run")).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await expect(page.locator("#panel-run")).toBeHidden();
  // The drawing: select a transition, then follow it to its text. A drawing of an earlier text has no places.
  await expect(page.locator(".main-drawing")).not.toHaveAttribute("data-picture");
  await page.locator(".main-drawing [tabindex='0']").first().focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(page.locator("stile-editor .cm-content")).toBeFocused();
  // The bar between the panes.
  const bar = page.getByRole("separator", { name: "Width of the text" });
  await bar.focus();
  const before = Number(await bar.getAttribute("aria-valuenow"));
  await page.keyboard.press("ArrowRight");
  await expect(bar).toHaveAttribute("aria-valuenow", String(before + 2));
  // A run.
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.locator("[data-form=word]")).toBeVisible();
});

test("the drawing has a table as an alternative", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "react");
  await ready(page);
  await page.getByRole("button", { name: "Show as a table" }).click();
  const rows = page.locator("stile-drawing-table tbody").first().locator("tr");
  await expect(rows).toHaveCount(7);
  await expect(rows.filter({ hasText: "Ans" })).toContainText("accepting");
});

test("the theme is chosen and remembered", async ({ quiet: page }) => {
  await open(page);
  await page.getByRole("button", { name: /Colours/ }).click();
  await page.getByRole("button", { name: /Colours: light/ }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});
