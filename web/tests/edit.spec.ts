import { expect, open, openExample, ready, test, textOf, write } from "./fixtures.js";
import { onlyLong } from "./sample.js";

const testLong = onlyLong(test);

test("the first response shows the example's text and drawing before any script runs", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(baseURL ?? "");
  await expect(page.locator("textarea")).toHaveValue(/\(define refund-agent/);
  await expect(page.locator("svg.drawing .node", { hasText: "Decision" }).first()).toBeVisible();
  await context.close();
});

test("an edit changes the diagnostics and the drawing", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S -> a S b | ε\n");
  await expect(page.locator(".summary")).toContainText("1 nonterminal, 2 terminals, 2 productions");
  const drawing = page.locator(".main-drawing svg.drawing");
  await expect(drawing.getByText("a, S; S b")).toBeVisible();
  await expect(drawing.locator(".node")).toHaveCount(3);

  await write(page, "S -> a S b | ε\nT -> a\n");
  await expect(page.locator(".problem")).toContainText("T");
  await expect(page.locator(".summary")).toContainText("1 warning");
});

test("an error keeps the text and reports the place, and a fix removes it", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S->a S b\n");
  const problem = page.locator(".problem").first();
  await expect(problem).toContainText("cfg.");
  await expect(problem.locator(".problem-place")).toHaveText("1:1");
  await problem.locator(".problem-fix").first().click();
  await expect.poll(() => textOf(page)).toBe("S -> a S b\n");
});

test("the example's notes arrive even while a person already types", async ({ quiet: page }) => {
  await page.goto("./");
  await page.locator("stile-editor .cm-content").waitFor();
  await write(page, "S -> early\n");
  await expect(page.getByRole("tab", { name: "README.md" })).toBeVisible();
  await expect.poll(() => textOf(page)).toBe("S -> early\n");
});

test("an agent that is broken and fixed is drawn again", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "react");
  await ready(page);
  const good = await textOf(page);
  await expect(page.locator(".main-drawing .node")).toHaveCount(7);
  await write(page, good.replace("(next Ques", "(nxt Ques"));
  await expect(page.locator(".problem").first()).toContainText("next");
  await expect(page.getByText("Drawing of the last text without errors")).toBeVisible();
  await write(page, good.replace("Ans)))", "Ans Ques)))"));
  await expect(page.locator(".summary")).not.toContainText("error");
  await expect(page.locator(".main-drawing .node")).toHaveCount(8);
});

testLong(
  "the page repeats an analysis that the first module refuses, and shows a part of a dense graph",
  async ({ quiet: page }) => {
    // With saveData the page loads the full module only for such a request.
    await page.addInitScript(() =>
      Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true }),
    );
    const fetched: string[] = [];
    page.on("request", (r) => {
      if (/module\/(br|gz)\/stile\.[0-9a-f]+\.wasm$/.test(r.url())) fetched.push(r.url());
    });
    await open(page, "./");
    const openFormula = (formula: string): Promise<void> =>
      page
        .locator(".file-input")
        .setInputFiles({ name: "x.ltl", mimeType: "text/plain", buffer: Buffer.from(`x: ${formula}\n`) });
    await openFormula("G (F (a & X b) <-> F (c & X d))");
    // The first example has 7 nodes too.
    await expect(page.locator('stile-files [data-file="x.ltl"]')).toBeAttached();
    await expect(page.locator(".main-drawing:not([data-picture]) .node")).toHaveCount(7);
    expect(fetched).toEqual([]);
    await openFormula("G (F (a & X b) <-> F (c & X d) <-> (F (e & X f) | !X true))");
    await expect(page.locator(".main-drawing")).toContainText("9 of 70 states");
    await expect(page.locator(".main-drawing .canvas-message")).toHaveCount(0);
    expect(fetched).toHaveLength(1);
  },
);

test("a problem leads to its place, and a state of the drawing to its text", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "react");
  await ready(page);
  await page.locator(".main-drawing [role=button]", { hasText: "Obs" }).click();
  await expect(page.locator("stile-editor .cm-activeLine")).toContainText("[Observation]");
});

test("formatting keeps comments", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S   ->   a S b|ε # why\n");
  await write(page, "S   ->   a S b |   ε   # why\n");
  await page.getByRole("button", { name: "Format the text" }).click();
  await expect.poll(() => textOf(page)).toMatch(/^S -> a S b \| ε +# why\n$/);
});

test("files can be added, renamed and removed", async ({ quiet: page }) => {
  await open(page);
  await page.getByRole("button", { name: "New file" }).click();
  await expect(page.getByRole("tab", { name: "untitled.cfg" })).toHaveAttribute("aria-selected", "true");
  await page.getByRole("button", { name: "Rename untitled.cfg" }).click();
  await page.getByLabel("New name of untitled.cfg").fill("mine.agent");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: "mine.agent" })).toBeVisible();
  await expect(page.locator(".summary")).toContainText("6 states");
  await page.getByRole("button", { name: "Remove mine.agent" }).click();
  await expect(page.getByRole("tab", { name: "mine.agent" })).toHaveCount(0);
});

testLong("a text of 10,000 productions is analysed and drawn within its limits", async ({ quiet: page }) => {
  await open(page);
  const lines = Array.from({ length: 10_000 }, (_, i) => `N${i} -> t${i % 97} N${(i * 7 + 1) % 10_000} | t${i % 89}`);
  await page
    .locator(".file-input")
    .setInputFiles({ name: "large.cfg", mimeType: "text/plain", buffer: Buffer.from(`${lines.join("\n")}\n`) });
  await expect(page.locator(".summary")).toContainText("10000 nonterminals", { timeout: 200_000 });
  await expect(page.locator(".main-drawing .folded, .explore-note").first()).toContainText(
    /more|of\s+10,000\s+states/,
    {
      timeout: 200_000,
    },
  );
});

for (const name of ["deep.agent", "deep.cfg"]) {
  test(`a megabyte of parentheses in ${name} gives one problem`, async ({ quiet: page }) => {
    await open(page);
    await page
      .locator(".file-input")
      .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from("(".repeat(1 << 20)) });
    await page.locator(`stile-files [data-file="${name}"]`).waitFor();
    await expect(page.locator(".problem")).toHaveCount(1);
  });
}

/** Returns the text of an agent with these states, in this order. */
const agent = (...states: readonly string[]): string =>
  `(define a\n  (:states ${states.map((s) => `(${s} (:text "[${s}]"))`).join(" ")})\n  (:behavior ${states.length > 1 ? `(next ${states.join(" ")})` : states[0]}))\n`;

test("editing loads the faster core, and the first core continues if that fails to load", async ({ quiet: page }) => {
  await open(page, "./");
  const fetched = page.waitForResponse(/module\/br\/stile\.[0-9a-f]+\.wasm$/);
  await write(page, agent("A"));
  expect((await fetched).ok()).toBe(true);
  await write(page, agent("A", "B"));
  await expect(page.locator(".summary")).toContainText("2 states");

  await page.route(/module\/(br|gz)\/stile\./, (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await ready(page);
  const missed = page.waitForResponse(/module\/gz\/stile\.[0-9a-f]+\.wasm$/);
  await write(page, agent("A", "B", "C"));
  expect((await missed).status()).toBe(404);
  await expect(page.locator(".toast")).toContainText("are not checked");
  await write(page, agent("A", "B", "C", "D"));
  await expect(page.locator(".summary")).toContainText("4 states");
});

test("deferred diagnostics appear without another edit, and after the draft is reopened", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S -> a a\nlimit 1 a\n");
  await expect(page.locator(".problem")).toContainText("no word satisfies the limits");
  await expect(page.locator(".saved")).toHaveText("Saved on this device");
  await page.reload();
  await ready(page);
  await expect(page.locator(".problem")).toContainText("no word satisfies the limits");
});

test("brackets and quotes close as they are typed, and apostrophes of comments do not", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "react");
  await ready(page);
  const first = page.locator("stile-editor .cm-line").first();
  await page.locator("stile-editor .cm-content").click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("Delete");
  await expect(async () => {
    // The closing of brackets is loaded when the editor is first used.
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.press("Delete");
    await page.keyboard.type('(a "b');
    await expect(first).toHaveText('(a "b")', { timeout: 300 });
  }).toPass();
  await page.keyboard.type('")');
  await expect(first).toHaveText('(a "b")');
  await page.keyboard.type(" ; it's");
  await expect(first).toHaveText('(a "b") ; it\'s');
});

test("each file keeps its own scroll position", async ({ quiet: page }) => {
  await open(page);
  await page.locator(".file-input").setInputFiles([
    { name: "wide.cfg", mimeType: "text/plain", buffer: Buffer.from(`S -> ${"tool ".repeat(80)}\n`) },
    { name: "other.cfg", mimeType: "text/plain", buffer: Buffer.from(`S -> ${"step ".repeat(80)}\n`) },
  ]);
  const file = (name: string) => page.locator(`stile-files [data-file="${name}"]`);
  const left = () => page.locator("stile-editor .cm-scroller").evaluate((scroller) => scroller.scrollLeft);
  await file("wide.cfg").click();
  await page.locator("stile-editor .cm-content").click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.press("End");
  await expect.poll(left).toBeGreaterThan(100);
  await file("other.cfg").click();
  await expect(page.locator("stile-editor .cm-content")).toContainText("step");
  await expect.poll(left).toBe(0);
  await file("wide.cfg").click();
  await expect.poll(left).toBeGreaterThan(100);
});

test("a problem names its formula, and a proved formula is not underlined", async ({ quiet: page }) => {
  await open(page);
  await page.locator(".file-input").setInputFiles([
    { name: "g.cfg", mimeType: "text/plain", buffer: Buffer.from("S -> a S | b\n") },
    {
      name: "rules.ltl",
      mimeType: "text/plain",
      buffer: Buffer.from("ends: F b\n\nnever: G !a\n"),
    },
  ]);
  await page.locator('stile-files [data-file="rules.ltl"]').click();
  const problems = page.locator("stile-problems .problem");
  await expect(problems.filter({ hasText: "counterexample" })).toContainText("never");
  await expect(problems.filter({ hasText: "proved" })).toContainText("ends");
  await expect(page.locator(".cm-proven").first()).toHaveCSS("text-decoration-line", "none");
});
