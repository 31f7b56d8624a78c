import type { Page } from "@playwright/test";
import { clean } from "./axe.js";
import { expect, open, openExample, ready, tab, test, textOf, write } from "./fixtures.js";

/** Makes the core hang on requests whose text contains a word. The clock is the test's. */
async function hangsAt(page: Page, word: string): Promise<void> {
  await page.addInitScript((word) => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (this: Worker, message: { readonly type?: string }) {
      if (message.type !== "call" || !JSON.stringify(message).includes(word)) postMessage.call(this, message);
    };
  }, word);
}

/** Advances the clock until the watchdog has ended a hanging core and a condition holds. */
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

test("while a text has errors its last valid drawing stays, dimmed and labelled, and stepping is disabled", async ({
  quiet: page,
}) => {
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

test("a file without a drawing shows none of another file", async ({ quiet: page }) => {
  await open(page);
  await expect(picture(page).locator(".node").first()).toBeVisible();
  await page
    .locator(".file-input")
    .setInputFiles({ name: "broken.agent", mimeType: "text/plain", buffer: Buffer.from("(define") });
  await expect(page.locator(".summary")).toContainText("error");
  await expect(picture(page)).toBeHidden();
  await expect(page.locator("#panel-automaton .empty")).toHaveText("Fix the errors to see the diagram.");
});

test("expected words are those of the open file", async ({ quiet: page }) => {
  await open(page);
  await expect(page.locator(".example-words li").first()).toBeVisible();
  await page.getByRole("button", { name: "New file" }).click();
  await expect(page.locator(".summary")).toContainText("1 nonterminal");
  await expect(page.locator(".example-words")).toHaveCount(0);
  await page.locator("stile-files [data-file]").first().click();
  await expect(page.locator(".example-words li").first()).toBeVisible();
});

test("a renamed file drops the drawing and the problems of its old notation", async ({ quiet: page }) => {
  await open(page);
  await expect(picture(page).locator(".node").first()).toBeVisible();
  await page.getByRole("button", { name: /^Rename/ }).click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText("rules.ltl");
  await page.keyboard.press("Enter");
  await expect(page.locator(".summary")).toContainText("error");
  await expect(picture(page)).toBeHidden();
});

test("a text that hangs the core shows no results of another, and is analysed again after a change", async ({
  page,
}) => {
  await page.clock.install();
  await hangsAt(page, "hostile");
  await open(page);
  await write(page, "S -> a T b\n");
  await expect(page.locator(".problem").first()).toBeVisible();
  await isOwn(page);
  // Another text of the same file: its drawing is marked as outdated at once.
  await write(page, "S -> hostile\n");
  await isOld(page);
  await expect(page.locator("stile-problems")).toHaveClass("old");
  await silence(page, async () =>
    expect(page.locator("stile-problems .fault")).toContainText("The core cannot process this text (openagi.cfg)", {
      timeout: 300,
    }),
  );
  await isOld(page);
  await expect(page.locator(".canvas-old")).toHaveText("Drawing of an earlier text");
  await expect(page.locator(".problem")).toHaveCount(0);
  await expect(page.locator(".cm-lintRange-error, .cm-lintRange-warning, .cm-lintRange-info")).toHaveCount(0);
  await expect(page.locator(".word-input")).toBeDisabled();
  await expect(page.locator("stile-stepper .verdict")).toContainText("cannot process");
  // Another file, and another workspace.
  await page
    .locator(".file-input")
    .setInputFiles({ name: "p.ltl", mimeType: "text/plain", buffer: Buffer.from("x: F hostile\n") });
  await page.locator('stile-files [data-file="p.ltl"]').waitFor({ state: "attached" });
  await isGone(page);
  await expect(picture(page).locator(".sheet")).toBeHidden();
  await silence(page, async () =>
    expect(page.locator("#panel-automaton .empty")).toContainText("cannot process this text (p.ltl)", {
      timeout: 300,
    }),
  );
  await expect(picture(page)).toBeHidden();
  await write(page, "x: F fine\n");
  await expect(page.locator("stile-problems .fault")).toHaveCount(0);
  await expect(picture(page).locator(".node").first()).toBeVisible();
  await isOwn(page);
});

test("an embed dims an outdated drawing, too", async ({ page, baseURL }) => {
  await page.clock.install();
  await hangsAt(page, "hostile");
  await page.goto(`${baseURL ?? ""}/embed.html?example=anbn&show=automaton,text`);
  await expect(picture(page).locator(".node").first()).toBeVisible();
  await isOwn(page);
  await write(page, "S -> a S |\nX ->\n-> b\n");
  await isOld(page);
  await expect(page.locator(".canvas-old")).toHaveText("Drawing of the last text without errors");
  await write(page, "S -> hostile\n");
  await silence(page, async () =>
    expect(page.locator(".embed-bar .summary")).toContainText("cannot process", { timeout: 300 }),
  );
  await isOld(page);
});

test("the table of an outdated drawing is marked as well", async ({ quiet: page }) => {
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

test("a word that hangs the core shows no verdict of the previous word", async ({ page }) => {
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
  await silence(page, async () => expect(verdict).toContainText("did not respond", { timeout: 300 }));
  await page.getByRole("button", { name: "Start over" }).click();
  await expect(verdict).toContainText("Valid"); // the empty word is valid
});

test("outdated verification results are marked, and a file that cannot be checked is named", async ({ page }) => {
  await page.clock.install();
  await hangsAt(page, "hostile");
  await open(page);
  await page.locator(".file-input").setInputFiles([
    { name: "g.cfg", mimeType: "text/plain", buffer: Buffer.from("S -> a S | b\n") },
    { name: "p.ltl", mimeType: "text/plain", buffer: Buffer.from("x: F b\n") },
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
  await silence(page, async () =>
    expect(page.locator("stile-properties .fault")).toContainText("p.ltl was not judged", { timeout: 300 }),
  );
  await expect(page.locator(".judged")).toHaveCount(0);
});
