import { clean } from "./axe.js";
import type { Page } from "@playwright/test";
import { expect, open, ready, test, textOf, write } from "./fixtures.js";
import { onlyLong, sampled } from "./sample.js";

const testLong = onlyLong(test);

async function choose(page: Page, keys: string): Promise<void> {
  await page.getByRole("button", { name: "Help" }).click();
  await page.getByLabel("Keys in the editor").selectOption(keys);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
}

const content = (page: Page) => page.locator("stile-editor .cm-content");

/** No content security policy is violated by other key bindings. */
test.beforeEach(async ({ page }) => {
  await page.addInitScript(() =>
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.sample}`),
    ),
  );
});

testLong("Vim's keys work once they are chosen, and are remembered", async ({ quiet: page }) => {
  test.slow();
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(request.url()));
  await open(page);
  await write(page, "S -> one\nT -> two\nU -> three\n");
  await expect(page.locator(".saved")).toHaveText("Saved on this device");
  const before = fetched.length;
  await choose(page, "vim");
  const mode = page.locator("stile-editor .cm-vim-panel");
  await expect(mode).toContainText("NORMAL");
  expect(fetched.slice(before).filter((url) => url.endsWith(".js")).length).toBeGreaterThan(0);
  await content(page).focus();
  await page.keyboard.type("ggdd");
  await expect.poll(() => textOf(page)).toBe("T -> two\nU -> three\n");
  await page.keyboard.type("A four");
  await expect(mode).toContainText("INSERT");
  await page.keyboard.press("Escape");
  await expect(mode).toContainText("NORMAL");
  await expect.poll(() => textOf(page)).toBe("T -> two four\nU -> three\n");
  await page.keyboard.type("u");
  await expect.poll(() => textOf(page)).toBe("T -> two\nU -> three\n");
  await page.keyboard.type("/three");
  await page.keyboard.press("Enter");
  await page.keyboard.type("x");
  await expect.poll(() => textOf(page)).toBe("T -> two\nU -> hree\n");
  await page.keyboard.type(":s/hree/four/");
  await page.keyboard.press("Enter");
  await expect.poll(() => textOf(page)).toBe("T -> two\nU -> four\n");
  await expect(page.locator(".saved")).toHaveText("Saved on this device");
  // Other files use the same keys, and so does the next visit.
  await page.reload();
  await ready(page);
  await expect(mode).toContainText("NORMAL");
  await page.getByRole("button", { name: "New file" }).click();
  await expect(content(page)).toHaveAttribute("aria-label", "Text of untitled.cfg");
  await content(page).focus();
  await page.keyboard.type("dd");
  await expect.poll(() => textOf(page)).toBe("");
  await choose(page, "usual");
  await expect(mode).toHaveCount(0);
  await content(page).focus();
  await page.keyboard.type("S -> plain");
  await expect.poll(() => textOf(page)).toContain("S -> plain");
});

test("Emacs's keys work once they are chosen", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S -> one\nT -> two\n");
  await choose(page, "emacs");
  await expect(page.locator("stile-editor .cm-emacsMode")).toBeVisible();
  await content(page).focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Control+k");
  await expect.poll(() => textOf(page)).toBe("\nT -> two\n");
  await page.keyboard.press("Control+y");
  await expect.poll(() => textOf(page)).toBe("S -> one\nT -> two\n");
  await page.keyboard.press("Control+e");
  await page.keyboard.type(" more");
  await expect.poll(() => textOf(page)).toBe("S -> one more\nT -> two\n");
});

for (const keys of sampled("leaving the editor", ["usual", "vim", "emacs"], 3)) {
  test(`Escape and then Tab leaves the editor: ${keys} keys`, async ({ quiet: page }) => {
    await open(page);
    if (keys !== "usual") await choose(page, keys);
    if (keys === "vim") await expect(page.locator("stile-editor .cm-vim-panel")).toBeVisible();
    if (keys === "emacs") await expect(page.locator("stile-editor .cm-emacsMode")).toBeVisible();
    const text = await textOf(page);
    for (const back of [false, true]) {
      await content(page).focus();
      await page.keyboard.press("Escape");
      await page.keyboard.press(back ? "Shift+Tab" : "Tab");
      await expect(content(page)).not.toBeFocused();
      expect(await page.evaluate(() => document.activeElement?.localName)).not.toBe("body");
    }
    // Vim's command line is left the same way.
    if (keys === "vim") {
      await content(page).focus();
      await page.keyboard.type(":");
      await expect(page.locator("stile-editor .cm-vim-panel input")).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(content(page)).toBeFocused();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Tab");
      await expect(content(page)).not.toBeFocused();
    }
    await expect.poll(() => textOf(page)).toBe(text);
  });
}

for (const keys of sampled("axe with other keys", ["vim", "emacs"], 2)) {
  test(`axe finds nothing with ${keys} keys, light and dark`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ reducedMotion: "reduce" });
    const page = await context.newPage();
    await open(page, baseURL ?? "");
    await page.getByRole("button", { name: "Help" }).click();
    await page.getByLabel("Keys in the editor").selectOption(keys);
    await clean(page);
    await page.keyboard.press("Escape");
    await expect(
      page.locator(keys === "vim" ? "stile-editor .cm-vim-panel" : "stile-editor .cm-emacsMode"),
    ).toBeVisible();
    await content(page).focus();
    await clean(page);
    if (keys === "vim") {
      await page.keyboard.type(":");
      await expect(page.locator("stile-editor .cm-vim-panel input")).toBeFocused();
      await clean(page);
    }
    await context.close();
  });
}
