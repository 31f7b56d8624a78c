import type { Page } from "@playwright/test";
import { clean } from "./axe.js";
import { expect, open, openExample, tab, test, textOf, write } from "./fixtures.js";
import { onlyLong } from "./sample.js";

const testLong = onlyLong(test);

const lab = (page: Page) => page.locator("stile-lab");
const figure = (page: Page, method: string, model: string, column: string) =>
  lab(page).locator(`td[data-method="${method}"][data-model="${model}"][data-column="${column}"]`);
const state = (page: Page) => lab(page).locator(".run-state");
const run = (page: Page) => lab(page).getByRole("button", { name: "Run", exact: true }).click();
const cells = (page: Page) => lab(page).locator("stile-lab-cells");

const bread = {
  "bread.problem/task.md": "Bread is baked in two sizes.\n",
  "bread.problem/query.md": "What is the least cost of five loaves?\n",
  "bread.problem/data.json": '{"small": 2, "large": 3}\n',
  "bread.problem/output.json": '{"cost": "{objective}"}\n',
  "bread.problem/goal.md":
    "## Goal\nThe least cost.\n## Decision variables\n- how many small and how many large loaves\n## Reasoning\n- none\n## Constraints\n- five loaves\n- no number is negative\n",
  "bread.problem/variables.json":
    '{"variable_1": {"name": "small", "SMT_variable": true, "number_of_variables": 1, "data_source": "small", "value": "loaves", "specific_requirement": "at least 0"},\n "variable_2": {"name": "large", "SMT_variable": true, "number_of_variables": 1, "data_source": "large", "value": "loaves", "specific_requirement": "at least 0"}}\n',
  "bread.problem/model.smt2":
    "(declare-const small Int)\n(declare-const large Int)\n(assert (! (>= small 0) :named low.small))\n(assert (! (>= large 0) :named low.large))\n(assert (! (= (+ small large) 5) :named loaves))\n(minimize (+ (* 2 small) (* 3 large)))\n",
  "bread.problem/answer.json": '{"cost": 10}\n',
};

const experiment = `(experiment bread
  (:tasks (problems "bread.problem" (:optimum 10)))
  (:methods (formulate formulate) (formulate direct))
  (:models (simulated first))
  (:measures solved score))
`;

/** Replaces the workspace with files, as an archive of them would. */
async function put(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  const text = Object.entries(files)
    .map(([name, content]) => `-- ${name} --\n${content}`)
    .join("");
  await page
    .locator(".file-input")
    .setInputFiles([{ name: "own.txtar", mimeType: "text/plain", buffer: Buffer.from(text) }]);
  for (const name of Object.keys(files))
    await page.locator(`stile-files [data-file="${name}"]`).waitFor({ state: "attached" });
}

testLong(
  "a cell is correct if the solver reaches the experiment's expected value, and a changed problem is run again",
  async ({ quiet: page }) => {
    await open(page);
    await put(page, { ...bread, "bread.lab": experiment });
    await page.locator('stile-files [data-file="bread.lab"]').click();
    await expect(page.locator("stile-problems .summary")).toContainText("2 methods, 1 model");
    await tab(page, "Lab");
    await run(page);
    await expect(state(page)).toContainText("Done 2 of 2 cells", { timeout: 120_000 });
    await expect(figure(page, "formulate", "first", "score")).toContainText("100 %");
    await expect(figure(page, "direct", "first", "solved")).toContainText("0 %");
    // An answer that no solver has checked is neither right nor wrong.
    await expect(figure(page, "direct", "first", "score")).not.toContainText("%");
    await lab(page).locator("summary", { hasText: "The cells" }).click();
    await expect(cells(page)).toContainText("The best plan costs 10, as the experiment expects");
    await clean(page);
    // A cell replays as a run of the problem.
    await cells(page).getByLabel("Method").selectOption("formulate");
    await cells(page).getByRole("button", { name: /^Open/ }).first().click();
    await expect(page.getByRole("tab", { name: "Run" })).toHaveAttribute("aria-selected", "true");
    await expect(page.locator("stile-run")).toContainText("Done", { timeout: 60_000 });
    // After a change of the problem or of the expected value, the results are marked as outdated.
    await page.locator('stile-files [data-file="bread.lab"]').click();
    await write(page, experiment.replace("(:optimum 10)", "(:optimum 9)"));
    await tab(page, "Lab");
    await expect(lab(page)).toContainText("2 of these results belong to an earlier version of the experiment.");
    await page.reload();
    await tab(page, "Lab");
    await expect(lab(page)).toContainText("2 of them belong to an earlier version of the experiment.");
    await run(page);
    await expect(state(page)).toContainText("Done 2 of 2 cells", { timeout: 120_000 });
    await expect(figure(page, "formulate", "first", "score")).toContainText("0 %");
    // An unknown name is reported at its place, with the nearest known name.
    await write(page, experiment.replace("bread.problem", "braed.problem"));
    await expect(page.locator("stile-problems")).toContainText('did you mean "bread.problem"?');
    await expect(lab(page)).toContainText("Line 2 of bread.lab");
  },
);

test("a new experiment is created from a problem, and from a team with its rivals", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "coffee", "coffee.problem/task.md");
  await tab(page, "Lab");
  await lab(page).getByRole("button", { name: "New experiment with coffee.problem" }).click();
  await expect(page.locator("stile-problems .summary")).toContainText("3 methods, 3 models");
  await expect.poll(() => textOf(page)).toContain('(problems "coffee.problem")');
  await run(page);
  await expect(state(page)).toContainText("Done 18 of 18 cells", { timeout: 150_000 });
  await expect(figure(page, "formulate", "first", "optimal")).toContainText("100 %");
  await expect(figure(page, "direct", "first", "solved")).toContainText("0 %");
  await openExample(page, "plaque");
  await tab(page, "Lab");
  await lab(page).getByRole("button", { name: "New experiment with plaque.team" }).click();
  await expect(page.locator("stile-files [data-file='questions.jsonl']")).toBeAttached();
  await expect(lab(page).getByRole("heading", { name: /^plaque: a team/ })).toBeVisible();
  await run(page);
  await expect(state(page)).toContainText("Done 18 of 18 cells", { timeout: 120_000 });
  await expect(figure(page, "team", "first", "calls")).toContainText(/[1-9]/);
  await expect(figure(page, "one agent", "first", "calls")).toContainText(/[1-9]/);
  await lab(page).locator("summary", { hasText: "The cells" }).click();
  await cells(page).getByLabel("Method").selectOption("team");
  await cells(page).getByLabel("Model").selectOption("first");
  await cells(page).getByRole("button", { name: /^Open/ }).first().click();
  await expect(page.getByRole("tab", { name: "Run" })).toHaveAttribute("aria-selected", "true");
  await expect(page.locator("stile-run")).toContainText("Done", { timeout: 60_000 });
});
