import type { Page } from "@playwright/test";
import { clean } from "./axe.js";
import { expect, open, openExample, ready, tab, test, textOf, write } from "./fixtures.js";

/** Has the core never answer what it is asked of a text with a word in it. The clock is the test's. */
async function hangsAt(page: Page, word: string): Promise<void> {
  await page.addInitScript((word) => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (this: Worker, message: { readonly type?: string }) {
      if (message.type !== "call" || !JSON.stringify(message).includes(word)) postMessage.call(this, message);
    };
  }, word);
}

/** Lets the watchdog end a core that hangs, until something is so. */
async function silence(page: Page, until: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(6_000);
    await until();
  }).toPass();
}

const picture = (page: Page) => page.locator("stile-drawing.main-drawing");
const isOld = (page: Page) => expect(picture(page)).toHaveAttribute("data-picture", "old");
const isGone = (page: Page) => expect(picture(page)).toHaveAttribute("data-picture", "gone");
const isOwn = (page: Page) => expect(picture(page)).not.toHaveAttribute("data-picture", /./);

test("while a text has errors its last good drawing stays, dimmed and named, and nothing is stepped through", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "react");
  await ready(page);
  const good = await textOf(page);
  await expect(picture(page).locator(".node")).toHaveCount(7);
  await isOwn(page);
  await write(page, good.replace("(next Ques", "(nxt Ques"));
  await isOld(page);
  await expect(picture(page).locator(".canvas-old")).toHaveText("Drawing of the last text without errors");
  await expect(picture(page).locator(".sheet")).toHaveCSS("opacity", "0.4");
  await expect(picture(page).locator(".node")).toHaveCount(7);
  await expect(page.locator(".word-input")).toBeDisabled();
  await clean(page);
  await write(page, good);
  await isOwn(page);
  await expect(page.locator(".canvas-old")).toHaveCount(0);
  await expect(page.locator(".word-input")).toBeEnabled();
});

test("a file without a drawing of its own shows none of another", async ({ quiet: page }) => {
  await open(page);
  await expect(picture(page).locator(".node").first()).toBeVisible();
  await page.locator(".file-input").setInputFiles({ name: "broken.agent", mimeType: "text/plain", buffer: Buffer.from("(define") });
  await expect(page.locator(".summary")).toContainText("error");
  await expect(picture(page)).toBeHidden();
  await expect(page.locator("#panel-automaton .empty")).toHaveText("Fix the errors to see the diagram.");
});

test("expected words are those of the file that is open", async ({ quiet: page }) => {
  await open(page);
  await expect(page.locator(".example-words li").first()).toBeVisible();
  await page.getByRole("button", { name: "New file" }).click();
  await expect(page.locator(".summary")).toContainText("1 nonterminal");
  await expect(page.locator(".example-words")).toHaveCount(0);
  await page.locator("stile-files [data-file]").first().click();
  await expect(page.locator(".example-words li").first()).toBeVisible();
});

test("a renamed file has neither the drawing nor the problems of what it was", async ({ quiet: page }) => {
  await open(page);
  await expect(picture(page).locator(".node").first()).toBeVisible();
  await page.getByRole("button", { name: /^Rename/ }).click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText("rules.ltl");
  await page.keyboard.press("Enter");
  await expect(page.locator(".summary")).toContainText("error");
  await expect(picture(page)).toBeHidden();
});

test("a text that hangs the core has no drawing, problems or ticks of another, and is tried again when it changes", async ({ page }) => {
  await page.clock.install();
  await hangsAt(page, "hostile");
  await open(page);
  await write(page, "S -> a T b\n");
  await expect(page.locator(".problem").first()).toBeVisible();
  await isOwn(page);
  // Another text of the same file: what is shown is marked as that of the text before, at once.
  await write(page, "S -> hostile\n");
  await isOld(page);
  await expect(page.locator("stile-problems")).toHaveClass("old");
  await silence(page, async () => expect(page.locator("stile-problems .fault")).toContainText("The core cannot cope with this text (openagi.cfg)", { timeout: 300 }));
  await isOld(page);
  await expect(page.locator(".canvas-old")).toHaveText("Drawing of an earlier text");
  await expect(page.locator(".problem")).toHaveCount(0);
  await expect(page.locator(".cm-lintRange-error, .cm-lintRange-warning, .cm-lintRange-info")).toHaveCount(0);
  await expect(page.locator(".word-input")).toBeDisabled();
  await expect(page.locator("stile-stepper .verdict")).toContainText("cannot cope");
  // Another file, and another workspace.
  await page.locator(".file-input").setInputFiles({ name: "p.ltl", mimeType: "text/plain", buffer: Buffer.from("x: F hostile\n") });
  await page.locator('stile-files [data-file="p.ltl"]').waitFor({ state: "attached" });
  await isGone(page);
  await expect(picture(page).locator(".sheet")).toBeHidden();
  await silence(page, async () => expect(page.locator("#panel-automaton .empty")).toContainText("cannot cope with this text (p.ltl)", { timeout: 300 }));
  await expect(picture(page)).toBeHidden();
  await write(page, "x: F fine\n");
  await expect(page.locator("stile-problems .fault")).toHaveCount(0);
  await expect(picture(page).locator(".node").first()).toBeVisible();
  await isOwn(page);
});

test("an embed dims the drawing of an earlier text, too", async ({ page, baseURL }) => {
  await page.clock.install();
  await hangsAt(page, "hostile");
  await page.goto(`${baseURL ?? ""}/embed.html?example=anbn&show=automaton,text`);
  await expect(picture(page).locator(".node").first()).toBeVisible();
  await isOwn(page);
  await write(page, "S -> a S |\nX ->\n-> b\n");
  await isOld(page);
  await expect(page.locator(".canvas-old")).toHaveText("Drawing of the last text without errors");
  await write(page, "S -> hostile\n");
  await silence(page, async () => expect(page.locator(".embed-bar .summary")).toContainText("cannot cope", { timeout: 300 }));
  await isOld(page);
});

test("the table of an old drawing is marked as well", async ({ quiet: page }) => {
  await open(page);
  await page.getByRole("button", { name: "Show as a table" }).click();
  await expect(picture(page).locator("table").first()).toBeVisible();
  await tab(page, "Automaton");
  await write(page, 'S -> "open\n');
  await isOld(page);
  await expect(picture(page).locator(".table-scroll")).toHaveCSS("filter", "grayscale(1)");
  await expect(page.locator(".canvas-old")).toHaveText("Drawing of the last text without errors");
  await clean(page);
});

test("a word that hangs the core has no verdict of the word before", async ({ page }) => {
  await page.clock.install();
  await hangsAt(page, "hostile");
  await open(page);
  await openExample(page, "anbn");
  await ready(page);
  const input = page.locator(".word-input");
  await input.fill("a b");
  await input.press("Enter");
  const verdict = page.locator("stile-stepper .verdict");
  await expect(verdict).toContainText("Valid");
  await input.fill("hostile");
  await input.press("Enter");
  await expect(page.locator("stile-stepper")).toHaveClass("old");
  await silence(page, async () => expect(verdict).toContainText("did not answer", { timeout: 300 }));
  await page.getByRole("button", { name: "Start over" }).click();
  await expect(verdict).toContainText("Valid"); // the empty word is one
});

test("what was verified of an earlier text is marked so, and a file that cannot be judged is named", async ({ page }) => {
  await page.clock.install();
  await hangsAt(page, "hostile");
  await open(page);
  await page.locator(".file-input").setInputFiles([
    { name: "g.cfg", mimeType: "text/plain", buffer: Buffer.from("S -> a S | b\n") }, { name: "p.ltl", mimeType: "text/plain", buffer: Buffer.from("x: F b\n") },
  ]);
  await page.locator('stile-files [data-file="p.ltl"]').waitFor({ state: "attached" });
  await tab(page, "Verify");
  await page.getByLabel(/^A plan for/).fill("a b");
  await page.clock.fastForward(1_000);
  await expect(page.locator(".check-result")).toContainText("This is a plan of g.cfg");
  await expect(page.locator(".judged")).toContainText("holds");
  await page.locator('stile-files [data-file="g.cfg"]').click();
  await write(page, "S -> hostile\n");
  await expect(page.locator(".check-result")).toHaveClass(/outdated/);
  await expect(page.locator(".judged")).toHaveClass(/outdated/);
  await silence(page, async () => expect(page.locator("stile-properties .fault")).toContainText("p.ltl was not judged", { timeout: 300 }));
  await expect(page.locator(".judged")).toHaveCount(0);
});
