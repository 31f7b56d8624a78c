import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { clean } from "./axe.js";
import { expect, open, tab, test, textOf, write } from "./fixtures.js";
import { onlyLong } from "./sample.js";

const testLong = onlyLong(test);

const data = new URL("../../wasm/host/testdata/", import.meta.url);
const coffee = (name: string): string => readFileSync(new URL(`solve/${name}`, data), "utf8");
const fixture = (name: string): string => readFileSync(new URL(`formulate/${name}.txtar`, data), "utf8");
/** A file of a scripted transcript. */
const part = (text: string, name: string): string => text.split(`-- ${name} --\n`)[1]?.split(/^-- .* --$/m)[0] ?? "";

/** Replaces the workspace with files, as if they were opened from the device, and opens the Run tab. */
async function put(
  page: Page,
  files: Readonly<Record<string, string>>,
  first = Object.keys(files)[0] ?? "",
): Promise<void> {
  await page
    .locator(".file-input")
    .setInputFiles(
      Object.entries(files).map(([name, text]) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) })),
    );
  await page.locator(`stile-files [data-file="${first}"]`).waitFor({ state: "attached" });
  await tab(page, "Run");
}

const status = (page: Page) => page.locator("[data-status]");
const stage = (page: Page, id: string) => page.locator(`[data-stage=${id}]`);
const runState = (page: Page) => page.locator(".run-state");
const best = (page: Page) => page.locator(".objectives strong");

async function run(page: Page, name: string): Promise<void> {
  const button = page.getByRole("button", { name: `Run ${name}` });
  await expect(button).toBeEnabled();
  await button.click();
}

testLong("a text for a solver is solved and charted, and a conflict leads to its place", async ({ quiet: page }) => {
  test.slow();
  await open(page);
  await put(page, { "coffee.smt2": coffee("coffee.smt2") });
  await run(page, "coffee.smt2");
  await expect(status(page)).toHaveAttribute("data-status", "sat");
  await expect(best(page)).toHaveText("2470");
  // The flows are connected: suppliers, roasteries, cafés.
  const picture = page.locator(".flow-picture");
  await expect(picture).toHaveAttribute("aria-label", /beans: \d+ from supplier1 to roastery/);
  await expect(picture.locator(".flow-node")).toHaveCount(8);
  await page.getByText("As tables").click();
  await expect(page.getByRole("table", { name: "dark" }).getByRole("row", { name: /roastery2/ })).toBeVisible();
  await clean(page, ["no-preference", "more"]);

  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(async () => (await picture.boundingBox())?.width ?? 999).toBeLessThan(380);
  await clean(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  // The parts of a conflict: each leads to its place.
  await put(page, { "short.smt2": coffee("coffee-short.smt2") });
  await run(page, "short.smt2");
  await expect(status(page)).toHaveAttribute("data-status", "unsat");
  const link = page.locator(".core-list").getByRole("button", { name: "capacity_supplier2" });
  await link.focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("stile-editor .cm-activeLine")).toContainText(":named capacity_supplier2");
  await clean(page);

  // A fault is reported at its place before a solver runs, and a fixed text can be run.
  await write(page, "(declare-const x Int)\n(assert (> x y))\n(minimize x)\n");
  await expect(page.locator(".problem")).toContainText("y");
  await expect(page.getByRole("button", { name: "Run short.smt2" })).toBeDisabled();
  await write(page, "(declare-const x Int)\n(assert (> x 3))\n(minimize x)\n");
  await expect(page.getByRole("button", { name: "Run short.smt2" })).toBeEnabled();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(best(page)).toHaveText("4");
});

test("a solver that cannot be loaded is no fault of the text, and a button retries", async ({ page }) => {
  await open(page);
  await put(page, { "coffee.lp": coffee("coffee.lp") });
  await page.route("**/module/*/highs.*", (route) => route.abort());
  await run(page, "coffee.lp");
  await expect(status(page)).toHaveText("no answer");
  await expect(page.locator(".solved")).toContainText("could not be downloaded");
  await page.unroute("**/module/*/highs.*");
  await run(page, "coffee.lp");
  await expect(status(page)).toHaveAttribute("data-status", "sat");
});

test("a query that never ends does not block the page, and a button ends it", async ({ quiet: page, browser }) => {
  test.slow();
  await open(page);
  await put(page, { "pigeons.smt2": coffee("pigeons.smt2") });
  await page.getByLabel("Seconds").fill("3000");
  await run(page, "pigeons.smt2");
  await expect(page.locator(".solver-progress")).toHaveAttribute("data-solver", "solving");
  await expect(page.locator(".solver-progress")).toContainText("s of 3000 s");

  // The CPU time of the page's own thread, so that other work is not counted.
  await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
  await expect(page.locator(".solver-bar")).not.toContainText(/^\s*[012]\s+s/);
  await page.locator("#panel-run").evaluate((panel) => panel.scrollBy(0, 40));
  type Traced = {
    readonly name: string;
    readonly pid: number;
    readonly tid: number;
    readonly tdur?: number;
    readonly args?: { readonly name?: string };
  };
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: Traced[] };
  const mains = new Set(
    traceEvents
      .filter((e) => e.name === "thread_name" && e.args?.name === "CrRendererMain")
      .map((e) => `${e.pid} ${e.tid}`),
  );
  const tasks = traceEvents
    .filter((e) => e.tdur !== undefined && mains.has(`${e.pid} ${e.tid}`))
    .map((e) => (e.tdur ?? 0) / 1000);
  expect(tasks.length).toBeGreaterThan(10);
  const longest = Math.max(...tasks);
  test.info().annotations.push({ type: "longest task while Z3 works", description: `${longest.toFixed(1)} ms` });
  expect(longest).toBeLessThan(50);

  const ended = await page.evaluate(async () => {
    const stop = [...document.querySelectorAll<HTMLButtonElement>(".solver-progress button")].at(-1);
    const began = performance.now();
    stop?.click();
    while (!(document.querySelector(".run-state")?.textContent ?? "").includes("Cancelled"))
      await new Promise((next) => setTimeout(next, 5));
    return performance.now() - began;
  });
  test.info().annotations.push({ type: "stopped after", description: `${Math.round(ended)} ms` });
  expect(ended).toBeLessThan(1_000);
  await expect(page.locator(".solver-progress")).toHaveCount(0);
});

test("a plan with steps is the shortest, and is shown as steps and as states over time", async ({ quiet: page }) => {
  test.slow();
  await open(page);
  const pddl = part(fixture("ferry"), "ferry.problem/model.pddl");
  await put(page, { "ferry.pddl": pddl, "first.ltl": "F row\n" }, "ferry.pddl");
  await run(page, "ferry.pddl");
  await expect(status(page)).toHaveAttribute("data-status", "solved");
  await expect(page.locator(".plan-steps .step-link")).toHaveCount(3);
  await expect(page.locator(".tried li").last()).toContainText("yes");
  const table = page.getByRole("table", { name: "Facts that hold after each step" });
  await expect(table.getByRole("row", { name: /on a right/ })).toContainText("gained");
  await page.locator(".step-link").nth(1).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".states-told")).toContainText(/gains\s+.*loses/s);
  await expect(table.locator("th.here")).toContainText("2");
  await expect(page.locator(".solve-checks")).toContainText("first.ltl");
  await clean(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await clean(page);

  // It is exported for other solvers.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator('stile-files [data-file="ferry.pddl"]').click();
  await tab(page, "Export");
  await page.getByRole("button", { name: "SMT-LIB" }).click();
  await expect(page.locator(".export-text")).toContainText("(check-sat)");
  await page.getByRole("button", { name: "Domain", exact: true }).click();
  await expect(page.locator(".export-text")).toContainText("(define (domain ferry)");
  await tab(page, "Run");

  await page.getByLabel("Maximum steps").fill("1");
  await run(page, "ferry.pddl");
  await expect(status(page)).toHaveAttribute("data-status", "infeasible");
  await expect(page.locator(".solved")).toContainText("No plan has at most 1 step");
});

test("a cheapest plan is found without a solver, and its cost is shown", async ({ quiet: page }) => {
  await open(page);
  await put(page, {
    "town.pddl": `(define (domain town)
  (:requirements :adl :action-costs)
  (:types place box)
  (:predicates (van ?p - place) (at ?b - box ?p - place) (in ?b - box))
  (:functions (way ?p ?q - place) (total-cost) - number)
  (:action load :parameters (?b - box ?p - place) :precondition (and (van ?p) (at ?b ?p)) :effect (in ?b))
  (:action drive
    :parameters (?p ?q - place)
    :precondition (van ?p)
    :effect (and (van ?q) (not (van ?p)) (increase (total-cost) (way ?p ?q))
      (forall (?b - box) (when (in ?b) (and (at ?b ?q) (not (at ?b ?p))))))))
(define (problem move)
  (:domain town)
  (:objects shop mall home - place b - box)
  (:init (van shop) (at b shop) (= (way shop mall) 2) (= (way mall home) 3.5) (= (way shop home) 9))
  (:goal (forall (?b - box) (at ?b home)))
  (:metric minimize (total-cost)))
`,
  });
  await run(page, "town.pddl");
  await expect(status(page)).toHaveAttribute("data-status", "solved");
  await expect(page.locator(".plan-steps .step-link")).toHaveText([
    "(load b shop)",
    "(drive shop mall)",
    "(drive mall home)",
  ]);
  await expect(page.locator(".plan-steps-part")).toContainText("3 steps, cost 5.5, and no plan is cheaper.");
  await expect(page.locator(".tried li")).toHaveCount(0);
  await clean(page);
});

test("a problem is formulated, its mistakes are named and fixed, and a changed result restarts the later stages", async ({
  quiet: page,
}) => {
  test.slow();
  await open(page);
  await put(page, { "tea.txtar": fixture("tea") }, "tea.problem/task.md");
  await page.locator("[data-mistake=syntax]").click();
  await page.locator("[data-mistake=direction]").click();
  await expect(page.locator(".mistake-list li")).toHaveCount(2);
  await page.getByLabel("The question asks").selectOption("why");
  await clean(page);
  await run(page, "tea.problem");
  await expect(status(page)).toHaveAttribute("data-status", "solved");
  await expect(page.locator(".result-head .hint")).toContainText("chosen by you");
  await expect(stage(page, "assessor")).toHaveAttribute("data-state", "done");
  // The condition in the question raises the cost from 500 to 545.
  await expect(page.locator(".base-sums")).toContainText(/500.*545.*\+45/s);
  await expect(
    page.getByRole("table", { name: "What changes" }).getByRole("row", { name: /pick\.lake/ }),
  ).toContainText("45");
  await expect(page.locator("[data-finding=syntax]").first()).toContainText("model.smt2");
  await expect(page.locator(".findings [data-finding]").first()).toContainText("fixed");
  await page.getByText("Statistics").click();
  await clean(page);

  // A stage shows its own work only.
  await stage(page, "generator").getByRole("button").click();
  await expect(page.locator(".formulate-log")).toContainText("only the code generator");
  await expect(page.locator(".formulate-log")).not.toContainText("goal.md");
  await stage(page, "generator").getByRole("button").click();

  // The results are kept in the files.
  await page
    .getByRole("button", { name: /in the files$/ })
    .first()
    .click();
  await expect(page.locator('stile-files [data-file="tea.problem/assessment.md"]')).toBeAttached();
  await expect(page.locator(".products .form-head")).toContainText("all in the files");

  // A changed result, and the stages that depend on it.
  const product = page.locator('[data-product="model.smt2"]');
  await product.locator("summary").click();
  await product.getByRole("button", { name: "Change" }).click();
  const field = product.getByLabel("Text of model.smt2");
  await field.fill((await field.inputValue()).replace("(= pick.lake 0)", "(<= pick.lake 10)"));
  await product.getByRole("button", { name: "Restart from here" }).click();
  await expect(stage(page, "definer")).toHaveAttribute("data-state", "kept");
  await expect(page.locator(".run-list")).toContainText("restarted from the solver");
  await expect(best(page)).toHaveText("535");
  await page.setViewportSize({ width: 390, height: 844 });
  await clean(page);
});

test("files of a problem open as one folder, and steps are proposed for a sequence of actions", async ({ page }) => {
  await open(page);
  await page.locator(".file-input").setInputFiles(
    Object.entries({
      "query.md": "At first all cars are in the north. All have to be in the south.\n",
      "task.md": "A ferry carries one car at a time. Cars drive on and off it.\n",
    }).map(([name, text]) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) })),
  );
  await page.locator('stile-files [data-file="opened.problem/task.md"]').click();
  await expect(page.locator(".problem").first()).toContainText("choose the notation PDDL");
  await tab(page, "Run");
  await expect(page.getByRole("button", { name: "Run opened.problem" })).toBeEnabled();
});

test("a person reviews the result of each stage; a new problem is created and its model is run alone", async ({
  quiet: page,
}) => {
  test.slow();
  await open(page);
  await page.getByRole("button", { name: "New file" }).click();
  await page.getByRole("button", { name: "a problem for a solver" }).click();
  await expect(page.locator('stile-files [data-file="untitled.problem/model.smt2"]')).toBeAttached();
  await tab(page, "Run");
  await expect(page.getByLabel("Query", { exact: true })).toHaveValue(/How many loaves/);
  await page.getByLabel("Method").selectOption("alone");
  await run(page, "untitled.problem/model.smt2");
  await expect(status(page)).toHaveAttribute("data-status", "sat");
  await expect(page.getByRole("table", { name: "bake" })).toContainText("loaf");

  await page.getByLabel("Method").selectOption("");
  await page.getByLabel("Ask me to approve each product").check();
  await run(page, "untitled.problem");
  const offer = page.locator("stile-product-offer");
  await expect(offer.getByRole("heading")).toHaveText("Definer: is this correct?");
  await expect(runState(page)).toContainText("Waits for you");
  await clean(page);
  await expect(offer.getByRole("button", { name: "Accept", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(offer.getByRole("heading")).toHaveText("Formulator: is this correct?");
  await page.keyboard.press("Enter");
  await expect(offer.getByRole("heading")).toHaveText("Code generator: is this correct?");
  const text = offer.getByLabel("Text of model.smt2");
  await text.fill(
    (await text.inputValue()).replace(
      "(<= (+ (* 1 bake.loaf) (* 2 bake.cake)) 40)",
      "(<= (+ (* 1 bake.loaf) (* 2 bake.cake)) 4)",
    ),
  );
  await offer.getByRole("button", { name: "Accept my version" }).click();
  await expect(stage(page, "generator")).toHaveAttribute("data-state", "done");
  await expect(status(page)).toHaveAttribute("data-status", "solved");
  await expect(best(page)).toHaveText("16");
});

test("a folder of a problem that is dropped on the page opens as one problem", async ({ quiet: page }) => {
  await open(page);
  const folder = fileURLToPath(new URL("../../grammars/coffee/coffee.problem", import.meta.url));
  const input = await page.context().newCDPSession(page);
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await input.send("Input.dispatchDragEvent", {
      type,
      x: 200,
      y: 300,
      data: { items: [], files: [folder], dragOperationsMask: 1 },
    });
  await page.locator('stile-files [data-file="coffee.problem/query.md"]').waitFor({ state: "attached" });
  await expect(page.locator('stile-files [data-file^="coffee.problem/"]')).toHaveCount(9);
  await tab(page, "Run");
  await expect(page.getByRole("button", { name: "Run coffee.problem" })).toBeEnabled();
});

test("two different files with one name are refused, and the text stays", async ({ quiet: page }) => {
  await open(page);
  const before = await textOf(page);
  await page
    .locator(".file-input")
    .setInputFiles(
      ["S -> a\n", "S -> b\n"].map((text) => ({ name: "same.cfg", mimeType: "text/plain", buffer: Buffer.from(text) })),
    );
  await expect(page.locator(".banner")).toContainText("Two different files are named “same.cfg”");
  expect(await textOf(page)).toBe(before);
});
