import { clean } from "./axe.js";
import { expect, open, test, write } from "./fixtures.js";

const view = (name: string): string => `.view-switch >> role=button[name="${name}"]`;

test("a grammar is read as diagrams, words and sentences, all linked to the text", async ({ quiet: page }) => {
  await open(page, "./?example=anbn");
  await write(page, "S -> a S b | T\nT -> c | T , c\n");
  await page.click(view("Railroad"));
  const rails = page.locator("stile-railroad figure");
  await expect(rails).toHaveCount(2);
  await expect(rails.nth(1).locator(".terminal")).toHaveText(["c", ","]); // a list with its separator
  await rails.nth(0).getByRole("button", { name: "terminal b" }).click();
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe("b");
  await expect(rails.nth(0).locator(".here")).toHaveText("b");
  await rails.nth(0).locator("[tabindex='0']").focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(rails.nth(0).locator(".here")).toHaveText("T");

  await page.click(view("Nonterminals"));
  await expect(page.locator("stile-nonterminals .node .name")).toHaveText(["S", "T"]);

  await page.click(view("In words"));
  const sentences = page.locator("stile-explanations li");
  await expect(sentences).toHaveText([
    /Every word is of the form either a, then S, then b, or T/,
    /S contains itself between a and b, so for each a the stack keeps b/,
    /T is one or more c, separated by “,”\./,
  ]);
  await sentences.nth(1).getByRole("button").click();
  await expect(sentences.nth(1).getByRole("button")).toHaveAttribute("aria-current", "true");

  await page.click(view("Words"));
  const words = page.locator("stile-words");
  await expect(words.locator(".word").first()).toHaveText("c");
  await expect(words.locator("section", { hasText: "Near misses" }).locator("li").first()).toContainText(
    "expected here",
  );
  const drawn = words.locator("section", { hasText: "Random words" }).locator("li");
  await expect(drawn).not.toHaveCount(0);
  await words.locator("select").selectOption("5");
  await expect(drawn.first().locator(".word")).toHaveText(/^(\S+ ){4}\S+$/);
  await drawn.first().getByRole("button", { name: /^Step/ }).click();
  await expect(page.locator("stile-stepper .verdict")).toContainText("Valid:");
  await clean(page);

  await write(page, "S -> S S | a\n");
  await words.getByRole("button", { name: "Find an ambiguous word" }).click();
  await expect(words).toContainText("this word has 2 derivation trees");
  await expect(words.locator(".two-trees svg.drawing")).toHaveCount(2);
  await write(page, "S -> \n  ->");
  await expect(words.locator(".reading")).toHaveClass(/outdated/);
});

test("the cost of each rule is counted in words, next to the other specs", async ({ quiet: page }) => {
  await open(page, "./?example=daily");
  await page.click(view("Words"));
  const words = page.locator("stile-words");
  await words.getByRole("button", { name: "Count the words that each formula excludes" }).click();
  const table = words.getByRole("group", { name: "Numbers by rule" });
  await expect(table.getByRole("row", { name: /^daily\.pda/ })).toContainText("7");
  await expect(table.getByRole("row", { name: /^figure4\.pda/ })).toContainText("396");
  await expect(words).toContainText("7 of 7 words satisfy all formulas.");
  await clean(page);
});

test("formulas and agents are explained, and runs are drawn", async ({ quiet: page }) => {
  await open(page, "./?example=coder");
  await page.click(view("In words"));
  await expect(page.locator("stile-explanations")).toContainText("A run is Task, then zero or more times");
  await page.click(view("Words"));
  await expect(page.locator("stile-words")).toContainText("Shortest run");
  await open(page, "./?example=support");
  await page.click(view("In words"));
  await expect(page.locator("stile-explanations")).toContainText("Block checks asks window and goods in any order");
  await open(page, "./?example=travel");
  await page.click(view("In words"));
  await expect(page.locator("stile-explanations")).toContainText("leads to 2/breakfast, and pushes h");
  await page.click(view("Words"));
  await expect(page.locator("stile-words")).toContainText("each next symbol is drawn at random");
  await open(page, "./?example=coder");
  await page.getByRole("tab", { name: "properties.ltl" }).click();
  await page.click(view("In words"));
  await expect(page.locator("stile-explanations")).toContainText("Every Commit step is preceded by a Test step");
  await page.click(view("Words"));
  await page.locator("stile-words").getByRole("button", { name: /^Step/ }).last().click();
  await expect(page.locator("stile-stepper .verdict")).toContainText(/Invalid:|Incomplete:/);
});

// A grammar like json.gbnf of llama.cpp, whose numbers may begin with zeros.
const gbnf = `root ::= "[" ws (number ("," ws number)*)? "]"
number ::= "-"? [0-9]+
ws ::= " "?
`;

test("a word that an imported grammar wrongly accepts is found in three actions", async ({ quiet: page }) => {
  await open(page);
  await page.getByRole("button", { name: "Import a grammar or policies of another tool" }).click();
  const dialog = page.getByRole("dialog", { name: "Import a grammar" });
  await dialog.locator(".import-text").fill(gbnf.replace("]+", ""));
  await dialog.getByRole("button", { name: /^Line 2/ }).click();
  await expect
    .poll(() => page.evaluate(() => (document.activeElement as HTMLTextAreaElement).selectionEnd))
    .toBeGreaterThan(0);
  await expect(dialog.getByRole("button", { name: "Add to the workspace" })).toBeDisabled();
  await dialog.locator(".import-text").fill(gbnf);
  await expect(dialog.locator(".import-notes")).toContainText("rules added for groups and repetitions");
  await clean(page);
  await dialog.getByRole("button", { name: "Add to the workspace" }).click();

  // The words of the new file are shown at once; a number with a leading zero is one of them.
  const words = page.locator("stile-words");
  await words.locator("select").selectOption("4");
  await expect(words).toContainText(/⟨\[0-9\]⟩ ⟨\[0-9\]⟩/);

  // The corrected grammar lacks such words, and the shortest of them can be stepped.
  await page.getByRole("tab", { name: "Verify" }).click();
  const compare = page.locator("stile-compare-specs");
  await compare.locator(".second-spec").selectOption("pasted");
  await compare
    .locator("textarea")
    .fill(
      'root -> [ ws "]" | [ ws list "]"\nlist -> number | number , ws list\nnumber -> digit | - digit\ndigit -> ⟨[0-9]⟩\nws -> " " | ε\n',
    );
  await compare.getByRole("button", { name: "Find differences" }).click();
  await expect(compare.locator(".word-list li").first()).toContainText("[ ⟨[0-9]⟩ ⟨[0-9]⟩ ]");
  await expect(compare.locator("stile-diff")).toBeVisible();
  await compare
    .getByRole("button", { name: /^Step through/ })
    .first()
    .click();
  await expect(page.locator("stile-stepper .verdict")).toContainText("Valid:");

  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByRole("tab", { name: "imported.cfg" })).toHaveCount(0);
});

test("dropped grammars and policies of other tools are imported", async ({ quiet: page }) => {
  await open(page);
  const drop = async (name: string, text: string) => {
    const dataTransfer = await page.evaluateHandle(
      ([name, text]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], name));
        return transfer;
      },
      [name, text] as const,
    );
    await page.dispatchEvent("stile-app", "drop", { dataTransfer });
  };
  await drop("json.gbnf", gbnf);
  const dialog = page.getByRole("dialog", { name: "Import a grammar" });
  await expect(dialog.getByLabel("Name of the new file")).toHaveValue("json.cfg");
  await dialog.getByRole("button", { name: "Add to the workspace" }).click();
  await expect(page.getByRole("tab", { name: "json.cfg" })).toHaveAttribute("aria-selected", "true");

  const policies = `permit (principal in Group::"staff", action == Action::"pay", resource);
permit (principal, action == Action::"pay", resource) when { context.amount <= 100 };
`;
  await drop("bank.dw", policies.replace("permit", "forbid"));
  await expect(dialog.getByRole("button", { name: "Line 1:9" })).toHaveClass(/tone-error/);
  await expect(dialog.locator(".import-result")).toHaveCount(0);
  await dialog.locator(".import-text").fill(policies);
  await expect(dialog).toContainText("This permit is left out and permits nothing");
  await expect(dialog.locator(".import-notes")).toContainText("1 of 2 policies");
  await expect(dialog.locator(".import-result")).toContainText("pay(amount: <= 100)");
  await expect(dialog.getByLabel("Name of the new file")).toHaveValue("bank.rules");
  await clean(page);
  await dialog.getByRole("button", { name: "Add to the workspace" }).click();
  await expect(page.getByRole("tab", { name: "bank.rules" })).toHaveAttribute("aria-selected", "true");
  await expect(page.locator("stile-rules-room")).toContainText("Add events");
});
