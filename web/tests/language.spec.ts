import { violations } from "./axe.js";
import type { Page } from "@playwright/test";
import { expect, open, openExample, test, textOf, write } from "./fixtures.js";

const editor = (page: Page) => page.locator("stile-editor .cm-content");

/** Waits for the folds, which appear with the editor's extensions. */
async function helped(page: Page): Promise<void> {
  await editor(page).click();
  await expect(page.locator("stile-editor .cm-foldGutter")).toBeAttached();
}

test("completion lists the candidates at a position, and the keyboard accepts one", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "anbn");
  await helped(page);
  await write(page, "S -> Tail\nTail -> boil fry\n");
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type("fry as");
  await page.keyboard.type(' "Fry it"\nlimit 1 bo');
  const list = page.locator("stile-editor .cm-tooltip-autocomplete");
  await expect(list.getByRole("option", { name: /^boil/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();
  await page.keyboard.press("Control+Space");
  await expect(list.getByRole("option", { name: /^boil/ })).toBeVisible();
  await expect(list.getByRole("option", { selected: true })).toBeVisible();
  expect(await violations(page, "stile-editor")).toEqual([]);
  await expect(async () => {
    await page.keyboard.press("Enter");
    await expect.poll(() => textOf(page)).toContain("limit 1 boil");
  }).toPass();
});

test("hover describes a symbol, by mouse and by keyboard", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "anbn");
  await helped(page);
  await write(page, "S -> Tail\nTail -> boil fry\n");
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.press("End");
  await page.keyboard.press("ControlOrMeta+i");
  const panel = page.locator("stile-editor .language-panel");
  await expect(panel).toContainText("nonterminal");
  await expect(panel).toContainText("boil fry");
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(editor(page)).toBeFocused();
  await page.locator("stile-editor .t-nonterminal", { hasText: "Tail" }).first().hover();
  await expect(page.locator("stile-editor .cm-tooltip-hover .card")).toContainText("A shortest word that it derives");
});

test("a name is changed in all files, or the page reports the reason", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "daily");
  await helped(page);
  await page.locator('stile-files [data-file$=".ltl"]').first().click();
  await helped(page);
  await page
    .locator("stile-editor .t-terminal", { hasText: /^basketball$/ })
    .first()
    .click();
  await page.keyboard.press("F2");
  const panel = page.locator("stile-editor .language-panel");
  const field = panel.getByLabel(/New name/);
  await expect(field).toBeFocused();
  await field.fill("");
  await page.keyboard.press("Enter");
  await expect(panel.getByRole("alert")).toContainText("Empty name.");
  await field.fill("renamed");
  await page.keyboard.press("Enter");
  await expect(panel).toBeHidden();
  await expect.poll(() => textOf(page)).toContain("renamed");
});

test("definition and references are reached by keys", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "anbn");
  await helped(page);
  await write(page, "S -> Tail Tail\nTail -> boil fry\n");
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.press("End");
  await page.keyboard.press("F12");
  await expect
    .poll(() =>
      page.evaluate(
        () => document.querySelector("stile-editor")?.shadowRoot?.querySelector(".cm-activeLine")?.textContent,
      ),
    )
    .toBe("Tail -> boil fry");
  await page.keyboard.press("Shift+F12");
  const panel = page.locator("stile-editor .language-panel");
  await expect(panel.getByRole("button", { name: /anbn.cfg:/ })).toHaveCount(3);
  await page.keyboard.press("Enter");
  await expect(panel).toBeHidden();
  await expect(editor(page)).toBeFocused();
});

test("rules fold", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "anbn");
  await helped(page);
  await write(page, "S -> a\n  | b\n  | c\n");
  await page.keyboard.press("ControlOrMeta+Home");
  await expect(page.locator("stile-editor .cm-foldGutter span", { hasText: "⌄" })).toHaveCount(1);
  await page.keyboard.press("Control+Shift+BracketLeft");
  await expect(page.locator("stile-editor .cm-foldPlaceholder")).toBeVisible();
});
