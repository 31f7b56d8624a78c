import { readFile } from "node:fs/promises";
import { clean } from "./axe.js";
import { expect, open, test } from "./fixtures.js";

test("a paper's table appears in two clicks, stops and goes on, is saved, and a cell opens as the run that it was", async ({ quiet: page }) => {
  test.setTimeout(240_000);
  await open(page);
  await page.getByRole("tab", { name: "Lab" }).click();
  const lab = page.locator("stile-lab");
  await lab.locator("#lab-experiment").selectOption("formal-llm-1.lab");
  await expect(lab.getByRole("heading", { name: /Formal-LLM, table 1/ })).toBeVisible();
  const row = (method: string, model: string) => lab.locator(`tr[data-method="${method}"][data-model="${model}"]`);
  // What was published is there before anything is run.
  await expect(row("zero-shot", "GPT-4")).toContainText("53 %");
  await lab.getByLabel("Tasks of each kind, 0 for all").fill("2");
  await lab.getByLabel("Calls at most, 0 for no bound").fill("12");
  await lab.getByRole("button", { name: "Run", exact: true }).focus();
  await page.keyboard.press("Enter");
  const state = lab.getByRole("status");
  await expect(state).toContainText("Done", { timeout: 90_000 });
  await expect(lab).toContainText("the budget of 12 calls is used up");
  await lab.getByLabel("Calls at most, 0 for no bound").fill("0");
  await lab.getByRole("button", { name: "Run what is missing" }).click();
  await expect(state).toContainText("54 of 54 cells", { timeout: 120_000 });
  await expect(row("Formal-LLM", "first")).toContainText("100 %");
  await expect(lab.locator("svg[role=img]").first()).toBeVisible();
  const saved = page.waitForEvent("download");
  await lab.getByRole("button", { name: "CSV", exact: true }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe("formal-llm-1.csv");
  expect(await readFile(await file.path(), "utf8")).toContain("zero-shot,GPT-4,\"Formal-LLM, table 1\",0.53");
  await clean(page);
  await lab.getByText("The cells", { exact: true }).click();
  await lab.locator("li", { hasText: "Formal-LLM, first" }).first().getByRole("button", { name: /^Open/ }).click();
  await expect(page.getByRole("tab", { name: "Run" })).toHaveAttribute("aria-selected", "true");
  await expect(page.locator("stile-run")).toContainText("Done", { timeout: 60_000 });
});
