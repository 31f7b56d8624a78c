import { clean } from "./axe.js";
import { expect, open, ready, tab, test, textOf, write } from "./fixtures.js";

test("a new agent runs, has proved and violated properties, and nothing of the example before", async ({
  quiet: page,
}) => {
  await open(page);
  await page.getByRole("button", { name: "New", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "New" });
  await expect(dialog.locator("[data-new]")).toHaveCount(14);
  await clean(page);
  await dialog.locator("[data-new=agent]").click();
  await expect(page.getByRole("tab", { name: "research.agent" })).toHaveAttribute("aria-selected", "true");
  await ready(page);
  await expect(page.locator("header .title")).toHaveText("New: agent");
  await expect(page.locator(".example-words")).toHaveCount(0);
  await page.getByRole("tab", { name: "properties.ltl" }).click();
  await expect(page.locator(".problem", { hasText: "counterexample in research.agent" })).toHaveCount(1);
  await page.getByRole("tab", { name: "research.agent" }).click();
  await tab(page, "Run");
  await expect(page.getByLabel("Question", { exact: true })).toHaveValue(/iron tower/);
  await page.getByRole("button", { name: "Run research.agent" }).click();
  await expect(page.locator("[data-verdict]")).toHaveText("valid");
  await expect(page.locator("stile-monitor-result")).toContainText("Maurice Koechlin");
});

test("a blank workspace has one empty file and no task, and takes the template of a chosen notation", async ({
  quiet: page,
}) => {
  await open(page);
  await page.getByRole("button", { name: "New", exact: true }).click();
  await page.getByRole("button", { name: "Blank" }).click();
  await expect(page.locator("stile-files [data-file]")).toHaveCount(1);
  expect(await textOf(page)).toBe("");
  await tab(page, "Run");
  await expect(page.getByLabel("Task")).toHaveValue("");
  await tab(page, "Automaton");
  await page.getByRole("button", { name: "a flowchart" }).click();
  await expect(page.getByRole("tab", { name: "untitled.flow" })).toHaveAttribute("aria-selected", "true");
  await expect(page.locator(".summary")).toContainText("2 questions");
  await expect(page.locator(".problem")).toHaveCount(0);
});

test("an untouched new file takes the template of each new ending; a written one keeps its text", async ({
  quiet: page,
}) => {
  await open(page);
  await page.getByRole("button", { name: "New file" }).click();
  // Expected words belong to the example's file.
  await expect(page.locator(".example-words")).toHaveCount(0);
  for (const [label, text] of [
    ["an agent", "(define research-agent"],
    ["SMT-LIB for Z3", "(declare-const"],
    ["a problem for a solver", "A bakery bakes"],
    ["steps in PDDL", "(define (domain lamps)"],
    ["properties", "two_steps: X true"],
    ["an automaton", "start open Z"],
  ] as const) {
    await page.getByRole("button", { name: label, exact: true }).click();
    await expect(page.locator("stile-editor .cm-content")).toContainText(text);
  }
  expect(await page.locator("stile-files [data-file^=untitled]").count()).toBe(1);
  await write(page, "start q Z\naccept q\nq -> q (mine, *; *)\n");
  await expect(page.locator(".new-kinds")).toHaveCount(0);
  await page.getByRole("button", { name: "Rename untitled.pda" }).click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("mine.cfg");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: "mine.cfg" })).toBeVisible();
  await expect(page.locator("stile-editor .cm-content")).toContainText("q -> q (mine, *; *)");
});

test("F1 opens the manual of the open notation, whose forms and examples can be inserted", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S -> a S | b\n");
  await page.keyboard.press("F1");
  const manual = page.getByRole("dialog", { name: "Manual" });
  await expect(manual.getByLabel("Notation")).toHaveValue("cfg");
  await manual.getByRole("searchbox").fill("limit");
  await expect(manual.locator(".manual > li").first()).toContainText("limit");
  await clean(page);
  await manual.getByRole("button", { name: "Insert: the form of limit" }).click();
  await expect(manual).toBeHidden();
  await expect.poll(() => textOf(page)).toMatch(/^S -> a S \| b\nlimit /);
  await page.keyboard.press("F1");
  await manual.getByLabel("Notation").selectOption("ltl");
  await manual
    .getByRole("button", { name: /^Open as a file: the example of/ })
    .first()
    .click();
  await expect(page.getByRole("tab", { name: "example.ltl" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("F1");
  await manual.getByLabel("Notation").selectOption("problem");
  await manual.getByRole("button", { name: "Open an example as a new workspace" }).click();
  await expect(page.getByRole("tab", { name: "untitled.problem/task.md" })).toHaveAttribute("aria-selected", "true");
});
