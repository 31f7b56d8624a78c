import { expect, open, openExample, ready, test } from "./fixtures.js";

test("stepping shows the valid choices, the stack and the verdict", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "anbn");
  await ready(page);
  const next = page.locator(".next-buttons");
  await expect(next.locator("[data-letter]")).toHaveText(["a"]);
  await next.locator("[data-letter=a]").click();
  await next.locator("[data-letter=a]").click();
  await expect(page.locator(".stack-cells").first()).toContainText("b");
  await expect(page.locator(".verdict")).toContainText("Incomplete");
  await expect(page.locator(".main-drawing .live").first()).toBeVisible();
  await next.locator("[data-letter=b]").click();
  await next.locator("[data-letter=b]").click();
  await expect(page.locator(".verdict")).toContainText("Valid");
  await page.getByRole("button", { name: "Derivation tree" }).click();
  await expect(page.locator(".main-drawing svg.tree .node")).not.toHaveCount(0);
  await page.getByRole("button", { name: "Undo the last symbol" }).click();
  await expect(page.locator(".verdict")).toContainText("Incomplete");
  await page.getByRole("button", { name: "Start over" }).click();
  await expect(page.locator(".chip")).toHaveCount(0);
});

test("an invalid symbol is shown at its place", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "react");
  await ready(page);
  await page.locator(".word-input").fill("Ques Tht Obs Ans");
  await page.keyboard.press("Enter");
  await expect(page.locator(".verdict")).toContainText("Obs is not valid at position 3");
  await expect(page.locator(".chip.wrong")).toHaveText("Obs");
});

test("the examples' words are checked again at every edit", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "react");
  await ready(page);
  await expect(page.locator(".example-word .tone-good")).toHaveCount(4);
  const content = page.locator("stile-editor .cm-content");
  await content.click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText(
    '(define a (:states (Ques (:text "Q")) (Ans (:text "A"))) (:behavior (next Ques Ans)))',
  );
  await expect(page.locator(".example-word .tone-error")).toHaveCount(2);
});

test("a use limit is counted, and used-up tools are no longer offered", async ({ quiet: page }) => {
  await open(page);
  await page.locator("[data-letter=b1]").click();
  await page.locator("[data-letter=a1]").click();
  await expect(page.locator(".use.spent")).toHaveCount(2);
  await expect(page.locator("[data-letter=a1]")).toHaveCount(0);
});

test("an automaton written by hand is drawn in groups and stepped through", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "daily");
  await ready(page);
  await expect(page.locator(".main-drawing .node")).toHaveCount(12);
  await page.locator(".word-input").fill("supper homework lunch");
  await page.keyboard.press("Enter");
  await expect(page.locator(".next-buttons [data-letter]")).toHaveText([/^\s*basketball/]);
  await expect(page.locator(".stack-cells").first()).toContainText("E");
  await page.locator("[data-letter=basketball]").click();
  await page.locator(".word-input").fill("cleaning laundry grocery breakfast");
  await page.keyboard.press("Enter");
  await expect(page.locator(".verdict")).toContainText("Valid: this is a word of the automaton");
});

test("properties are proved for the spec in the same workspace, or refuted by a word", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "risk");
  await ready(page);
  await page.getByRole("tab", { name: "properties.ltl" }).click();
  await expect(page.locator("stile-problems")).toContainText("proved for every word of risk.flow");
  const content = page.locator("stile-editor .cm-content");
  await content.click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText("G !liabilities");
  await expect(page.locator("stile-problems")).toContainText("counterexample in risk.flow: entitled.");
});

test("the formula at the cursor is drawn and stepped through, and the list of formulas chooses one", async ({
  quiet: page,
}) => {
  await open(page);
  await page.locator(".file-input").setInputFiles({
    name: "rules.ltl",
    mimeType: "text/plain",
    buffer: Buffer.from("safe: G(pay -> X answer)\n\nlive: F answer\n"),
  });
  const list = page.getByLabel("Drawn formula");
  await expect(list.locator("option")).toHaveText(["safe", "live"]);
  await expect(page.locator(".main-drawing .node")).toHaveCount(3);
  await page.locator("[data-letter=pay]").click();
  await expect(page.locator(".next-buttons [data-letter]")).toHaveText([/answer/]);
  await expect(page.locator(".main-drawing .node.live")).toHaveCount(1);
  await page.locator("stile-editor .cm-line", { hasText: "live" }).click();
  await expect(list).toHaveValue("1");
  await expect(page.locator(".main-drawing .node")).toHaveCount(2);
  await expect(page.locator("stile-stepper .verdict")).toContainText("Incomplete");
  await page.locator("[data-letter=answer]").click();
  await expect(page.locator("stile-stepper .verdict")).toContainText("a trace that satisfies the formula");
  await list.selectOption("safe");
  await expect(page.locator(".main-drawing .node")).toHaveCount(3);
});

test("stepping keeps the current state in view", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "coder");
  await ready(page);
  await page.locator(".main-drawing .explore").waitFor();
  for (let i = 0; i < 4; i++) await page.getByRole("button", { name: "Zoom in" }).click();
  await page.locator(".word-input").fill("Task Tht Read Read-Inp Obs");
  await page.keyboard.press("Enter");
  await expect
    .poll(() =>
      page.evaluate(() => {
        const box = document.querySelector(".main-drawing .node.live .box")?.getBoundingClientRect();
        const pane = document.querySelector(".main-drawing .canvas")?.getBoundingClientRect();
        if (box === undefined || pane === undefined) return false;
        return box.left >= pane.left && box.right <= pane.right && box.top >= pane.top && box.bottom <= pane.bottom;
      }),
    )
    .toBe(true);
});
