import { expect, open, openExample, ready, tab, test, write } from "./fixtures.js";

test("a simulated model makes a valid plan, shown as steps, function, word and tree", async ({ quiet: page }) => {
  await open(page);
  await tab(page, "Run");
  await page.getByRole("button", { name: "Run openagi.cfg" }).click();
  const result = page.locator("stile-plan-result");
  await expect(result.locator(".pill.good")).toHaveText("valid");
  await expect(result.locator("[data-form=function]")).toContainText("(");
  await expect(result.locator(".steps li").first()).toBeVisible();
  await expect(result.locator("svg.tree .node").first()).toBeVisible();
  await expect(result).toContainText("0 dead ends");
  const word = (await result.locator("[data-form=word]").textContent()) ?? "";
  // The stepper accepts the word, too.
  await tab(page, "Automaton");
  await page.locator(".word-input").fill(word);
  await page.keyboard.press("Enter");
  await expect(page.locator(".verdict")).toContainText("Valid");
});

test("the same seed gives the same run", async ({ quiet: page }) => {
  await open(page);
  await tab(page, "Run");
  const word = page.locator("[data-form=word]");
  const run = async (seed: string): Promise<string> => {
    await page.getByLabel("Seed", { exact: true }).fill(seed);
    await page.getByRole("button", { name: "Run openagi.cfg" }).click();
    await expect(page.locator(".run-state .pill")).toHaveText("Done");
    return (await word.textContent()) ?? "";
  };
  const first = await run("5");
  const other = await run("6");
  expect(await run("5")).toBe(first);
  expect(other).not.toBe(first);
});

test("a rambler is corrected into a conforming trace", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "react");
  await ready(page);
  await tab(page, "Run");
  await page.getByLabel("Model", { exact: true }).selectOption("rambler");
  await page.getByLabel("Seed", { exact: true }).fill("12");
  await page.getByRole("button", { name: "Run react.agent" }).click();
  await expect(page.locator("[data-verdict]")).toHaveText("valid");
  await expect(page.locator(".violation").first()).toBeVisible();
  await expect(page.locator(".segment-state").last()).toHaveText("Ans");
});

test("a person acts as the model, and is asked again after an unreadable answer", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "anbn");
  await ready(page);
  await tab(page, "Run");
  await page.getByLabel("Model", { exact: true }).selectOption("person");
  await page.getByRole("button", { name: "Run anbn.cfg" }).click();
  const answer = page.getByLabel("Your answer");
  await answer.fill("what?");
  await page.getByRole("button", { name: "Answer" }).click();
  await expect(page.locator(".fault-text")).toContainText("no choice found");
  for (const choice of ["1", "1", "2"]) {
    await expect(answer).toHaveValue("");
    await answer.fill(choice);
    await page.keyboard.press("Enter");
  }
  await expect(page.locator("[data-form=word]")).toHaveText("a a b b");
});

test("a run that waits can be cancelled", async ({ quiet: page }) => {
  await open(page);
  await tab(page, "Run");
  await page.getByLabel("Model", { exact: true }).selectOption("person");
  await page.getByRole("button", { name: "Run openagi.cfg" }).click();
  await expect(page.locator(".now.mine")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.locator(".run-state")).toContainText("Cancelled");
  await expect(page.getByRole("button", { name: "Run openagi.cfg" })).toBeEnabled();
});

test("a missing module is fetched once, and a failure to load is reported", async ({ page }) => {
  let fetched = 0;
  let refuse = true;
  await page.route(/module\/(br|gz)\/stile\.[0-9a-f]+\.wasm$/, (route) => {
    fetched++;
    return refuse ? route.fulfill({ status: 503, body: "" }) : route.continue();
  });
  await open(page, "./");
  await expect(page.locator(".main-drawing .node")).not.toHaveCount(0);
  expect(fetched).toBe(0);
  await page.getByRole("tab", { name: "Run" }).click();
  await page.getByRole("button", { name: "Run refund.agent" }).click();
  await expect(page.locator("stile-run")).toContainText("The rest of the core did not load");
  refuse = false;
  await page.getByRole("button", { name: "Run refund.agent" }).click();
  await expect(page.locator("stile-run")).toContainText(/valid/i);
});

test("a spec with errors reports why it cannot be run, also while an earlier run is shown", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "anbn");
  await tab(page, "Run");
  await page.getByRole("button", { name: "Run anbn.cfg" }).click();
  await expect(page.locator(".run-state")).toContainText("Done");
  await write(page, 'S -> "a\n');
  await expect(page.getByRole("button", { name: "Run anbn.cfg" })).toBeDisabled();
  await expect(page.locator("#panel-run")).toContainText("Fix the errors to run it.");
  await write(page, "S -> a\n");
  await expect(page.getByRole("button", { name: "Run anbn.cfg" })).toBeEnabled();
  await expect(page.locator("#panel-run")).not.toContainText("Fix the errors");
});
