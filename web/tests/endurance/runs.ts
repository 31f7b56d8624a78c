import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { add, close, endpoints } from "../endpoint-fixtures.js";
import { expect, tab } from "../fixtures.js";
import type { Draw } from "./draw.js";
import { faults, type Format, formats } from "./faults.js";
import { owed, placesOf, under } from "./laws.js";
import { KEY, type Visit } from "./visit.js";

// The steps with runs: of simulated models, of failing endpoints, of solvers that die, and of
// interrupted runs.

const state = (page: Page) => page.locator("stile-run-controls .run-state");
const OVER = /Done|Failed|Cancelled|Interrupted/;

/** The time limit of a run that nothing blocks, in milliseconds. */
const RUN_LIMIT = 4_000;

/** Cancels the active run, if there is one. */
export async function cancelled(visit: Visit): Promise<void> {
  const { page } = visit;
  if (!(await under(page))) return;
  await tab(page, "Run");
  const cancel = page.locator("stile-run-controls").getByRole("button", { name: "Cancel" });
  await expect(async () => {
    if ((await cancel.count()) > 0) await cancel.click({ timeout: 1_000 }).catch(() => {}); // it may have ended
    await expect(state(page)).toHaveText(OVER, { timeout: 500 });
  }, "a run can be cancelled").toPass({ timeout: 20_000 });
}

/** Starts a run of the open file; returns false if the page reports that it cannot run. */
async function begun(visit: Visit): Promise<boolean> {
  const { page } = visit;
  await visit.settled();
  const begin = page.locator("#panel-run").getByRole("button", { name: /^Run \S+$/ });
  const here = async (): Promise<boolean> => (await begin.count()) > 0 && (await begin.isEnabled());
  await expect
    .poll(
      async () => (await here()) || /errors|has no spec/.test((await page.locator("#panel-run").textContent()) ?? ""),
      { message: "the file can be run, or the reason is shown", timeout: 15_000 },
    )
    .toBe(true);
  if (!(await here())) return false;
  await begin.click();
  // Starting a run stores the form's choices.
  visit.model = visit.full ? undefined : visit.picked;
  await expect(state(page)).toHaveText(/Done|Failed|Cancelled|Waits|Running|Paused|Interrupted|The\s+solver/);
  return true;
}

/** Waits for the end of a run, or cancels it. */
async function ended(visit: Visit, patience = RUN_LIMIT): Promise<void> {
  const over = await state(visit.page)
    .getByText(/^\s*(?:Done|Failed|Cancelled|Interrupted)/)
    .waitFor({ timeout: patience })
    .then(
      () => true,
      () => false,
    );
  if (!over) await cancelled(visit);
  await expect(state(visit.page)).toHaveText(OVER);
}

/**
 * Opens the Run tab, chooses a model and starts a run; returns false if no model can be
 * chosen or nothing can be run.
 */
async function chosen(visit: Visit, choose: (page: Page) => Promise<string>): Promise<boolean> {
  const { page } = visit;
  await cancelled(visit);
  await tab(page, "Run");
  await expect(page.locator("#panel-run .run-form, #panel-run .empty").first(), "the Run tab is shown").toBeVisible();
  const picker = page.locator("#panel-run").getByLabel("Model", { exact: true });
  if ((await picker.count()) === 0) return false;
  await picker.selectOption(await choose(page));
  visit.picked = await picker.inputValue();
  return begun(visit);
}

/** A run of a simulated model. */
export async function simulate(visit: Visit, draw: Draw): Promise<void> {
  if (await chosen(visit, async () => draw.of(["uniform", "first", "rambler"]))) await ended(visit);
}

/** Ensures an endpoint of a format, and returns its value in the list of models. */
async function endpoint(visit: Visit, page: Page, format: Format): Promise<string> {
  const option = page.locator("#panel-run").getByLabel("Model", { exact: true }).locator("option", { hasText: format });
  if ((await option.count()) === 0) {
    await endpoints(page);
    await add(page, {
      preset: format === "openai" ? "other" : format,
      label: format,
      url: `${visit.endpoint.url}/${format}${format === "openai" ? "/v1" : ""}`,
      model: "small",
      key: format === "ollama" ? "" : KEY,
    });
    await close(page);
    if (!visit.full) visit.endpoints.add(format);
  }
  return (await option.first().getAttribute("value")) ?? "";
}

/** A run of a model at an endpoint with random faults. */
export async function ask(visit: Visit, draw: Draw): Promise<void> {
  const format = draw.of(formats);
  visit.endpoint.fault = draw.of(faults);
  if (await chosen(visit, (page) => endpoint(visit, page, format))) await ended(visit);
  visit.endpoint.fault = "good";
}

/** A run that is left while it waits for a person or for a silent endpoint. */
export async function leave(visit: Visit, draw: Draw): Promise<void> {
  const silent = draw.below(2) === 0;
  if (silent) visit.endpoint.fault = "slow";
  const going = await chosen(visit, (page) => (silent ? endpoint(visit, page, "openai") : Promise.resolve("person")));
  if (going) await expect(state(visit.page)).toHaveText(/Waits|Done|Failed/);
  visit.endpoint.fault = "good";
}

/** Resumes an interrupted run, replays it, or discards it. */
export async function resume(visit: Visit, draw: Draw): Promise<void> {
  const { page } = visit;
  await cancelled(visit);
  await tab(page, "Run");
  const offers = page.locator("#panel-run stile-interrupted section, #panel-run stile-run > .row > .button.primary");
  if ((await offers.count()) === 0) return;
  const section = page.locator("#panel-run stile-interrupted section").first();
  visit.interrupted = new Set(); // each choice resumes or removes it
  if ((await section.count()) === 0) {
    await page.locator("#panel-run").getByRole("button", { name: "Resume" }).click();
  } else {
    const before = await page.locator("#panel-run stile-interrupted section").count();
    const what = draw.of(["Resume", "Replay", "Discard"]);
    await section.getByRole("button", { name: what }).click();
    if (what === "Discard") {
      await expect(page.locator("#panel-run stile-interrupted section")).toHaveCount(before - 1);
      return;
    }
  }
  await expect(state(page)).toHaveText(/Done|Failed|Cancelled|Waits|Running|Paused|Interrupted|The\s+solver/);
  await ended(visit, 1_000);
}

/** Checks that no exported file contains the key. */
export async function save(visit: Visit): Promise<void> {
  const { page } = visit;
  const buttons = [page.getByRole("button", { name: "Save", exact: true })];
  await tab(page, "Run");
  await expect(page.locator("#panel-run .run-form, #panel-run .empty").first(), "the Run tab is shown").toBeVisible();
  for (const name of ["Save as JSON", "Save as Markdown"]) {
    const button = page.getByRole("button", { name });
    if ((await button.count()) > 0) buttons.push(button);
  }
  for (const button of buttons) {
    const download = page.waitForEvent("download");
    await button.click();
    const text = await readFile(await (await download).path(), "utf8");
    expect(text.length, "a saved file is not empty").toBeGreaterThan(0);
    expect(text, "no file contains the key").not.toContain(KEY);
  }
}

/** Exports a spec in another notation. */
export async function written(visit: Visit, draw: Draw): Promise<void> {
  const { page } = visit;
  await tab(page, "Export");
  const panel = page.locator("#panel-export");
  await expect(panel.locator("[data-format], .empty").first(), "the Export tab is shown").toBeVisible();
  const forms = panel.locator("[data-format]");
  if ((await forms.count()) === 0) return;
  const form = forms.nth(draw.below(await forms.count()));
  await form.click();
  if ((await form.getAttribute("data-format")) !== "png")
    await expect(panel.locator(".export-text, .fault").first(), "the export or a reason is shown").toHaveText(/\S/);
  expect(await placesOf(page, KEY)).toEqual([]);
}

/** A text that a solver answers at once, and one that takes long. */
const easy = "(declare-const x Int)\n(assert (> x 3))\n(minimize x)\n";
const hard = `${Array.from({ length: 11 }, (_, i) => Array.from({ length: 10 }, (_, j) => `(declare-const p${i}_${j} Bool)`).join("\n")).join("\n")}
${Array.from({ length: 11 }, (_, i) => `(assert (or ${Array.from({ length: 10 }, (_, j) => `p${i}_${j}`).join(" ")}))`).join("\n")}
${Array.from({ length: 10 }, (_, j) => Array.from({ length: 11 }, (_, i) => Array.from({ length: i }, (_, k) => `(assert (not (and p${i}_${j} p${k}_${j})))`).join("\n")).join("\n")).join("\n")}
(check-sat)
`;
const linear = "Minimize\n obj: x + 2 y\nSubject To\n c: x + y >= 4\nEnd\n";

/** Opens a text for a solver and stores the earlier draft. Returns false if it did not open. */
async function put(visit: Visit, name: string, text: string): Promise<boolean> {
  const { page } = visit;
  await cancelled(visit);
  visit.putAside();
  await page.locator(".file-input").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.locator(`stile-files [data-file="${name}"]`).waitFor({ state: "attached" });
  await owed(visit);
  await visit.settled();
  await tab(page, "Run");
  const seconds = page.locator("#panel-run").getByLabel("Seconds", { exact: true });
  const here = await seconds.waitFor({ timeout: 5_000 }).then(
    () => true,
    () => false,
  );
  // Without a network this module may be missing; the page reports that.
  if (!here) expect(visit.host.down, "the form of solvers is shown").toBe(true);
  if (here) await seconds.fill("2");
  if (here) await seconds.blur();
  return here;
}

/** Waits until a query of a solver has ended with a message. */
async function answered(visit: Visit, patience: number): Promise<void> {
  await ended(visit, patience);
  await expect(
    visit.page.locator("#panel-run [data-status], #panel-run .fault, #panel-run .run-state .pill").first(),
    "the solver's result is shown",
  ).toHaveText(/\S/);
}

/** A query of a solver. */
export async function solve(visit: Visit, draw: Draw): Promise<void> {
  const lp = draw.below(2) === 0;
  if ((await put(visit, lp ? "least.lp" : "least.smt2", lp ? linear : easy)) && (await begun(visit)))
    await answered(visit, 15_000);
}

/** A solver's worker dies: at its start, at work, or idle. The next query is answered. */
export async function killSolver(visit: Visit, draw: Draw): Promise<void> {
  const { page } = visit;
  const when = draw.of(["starting", "solving", "idle"] as const);
  if (!(await put(visit, "pigeons.smt2", when === "solving" ? hard : easy))) return;
  if (!(await begun(visit))) return; // the core of runs starts with the first
  await answered(visit, 15_000);
  const core = await visit.worker("runs");
  await core?.evaluate((starting) => {
    const scope = self as unknown as { Worker: typeof Worker; native?: typeof Worker; solvers?: Worker[] };
    const native = (scope.native ??= scope.Worker);
    const solvers = (scope.solvers ??= []);
    let dies = starting;
    scope.Worker = class extends native {
      constructor(address: string | URL, options?: WorkerOptions) {
        super(address, options);
        solvers.push(this);
        if (dies) this.terminate();
        dies = false;
      }
    };
  }, when === "starting");
  const kill = async (): Promise<void> =>
    core?.evaluate(() => {
      for (const solver of (self as unknown as { solvers?: Worker[] }).solvers?.splice(0) ?? []) solver.terminate();
    });
  if (when === "idle") {
    if (await begun(visit)) await answered(visit, 15_000);
    await kill();
  }
  if (await begun(visit)) {
    if (when === "solving") {
      await page
        .locator(".solver-progress[data-solver=solving], #panel-run [data-status], #panel-run .fault")
        .first()
        .waitFor({ timeout: 15_000 });
      await kill();
    }
    const over = await state(page)
      .getByText(/^\s*(?:Done|Failed|Cancelled|Interrupted)/)
      .waitFor({ timeout: 45_000 })
      .then(
        () => true,
        () => false,
      );
    expect(over, `a query whose solver died (${when}) ends`).toBe(true);
  }
  // The next query gets a new solver.
  if ((await put(visit, "after.smt2", easy)) && (await begun(visit))) {
    await answered(visit, 15_000);
    if (!visit.host.down)
      await expect(page.locator("#panel-run [data-status]").first(), "the next query is answered").toHaveAttribute(
        "data-status",
        "sat",
      );
  }
}

/** A predefined experiment, run to its end or cancelled; a later step may run its missing cells. */
export async function experiment(visit: Visit, draw: Draw): Promise<void> {
  const { page } = visit;
  await cancelled(visit);
  await tab(page, "Lab");
  const lab = page.locator("stile-lab");
  const name = draw.of(["crouse-2024-1", "crouse-2024-2", "pmc-4"]);
  const back = lab.getByRole("button", { name: "All experiments" });
  await expect(
    lab.locator(".lab-card").first().or(back).or(lab.getByRole("alert")).first(),
    "experiments are listed, or the reason is shown",
  ).toBeVisible({ timeout: 15_000 });
  if ((await back.count()) > 0) await back.click();
  const begin = lab.locator(`[data-experiment="${name}.lab"]`).getByRole("button", { name: /^Run/ });
  if ((await begin.count()) === 0) return; // without a network the list may be missing, as reported
  await begin.click();
  const said = lab.locator(".run-state");
  const fault = lab.getByRole("alert").first();
  const over = await said
    .getByText(/^\s*(?:Done|Failed|Cancelled|Interrupted)/)
    .or(fault)
    .first()
    .waitFor({ timeout: RUN_LIMIT })
    .then(
      () => true,
      () => false,
    );
  if (over) return;
  await expect(async () => {
    const cancel = lab.getByRole("button", { name: "Cancel", exact: true });
    if ((await cancel.count()) > 0) await cancel.click({ timeout: 1_000 }).catch(() => {}); // it may have ended
    await expect(said).toHaveText(OVER, { timeout: 500 });
  }, "an experiment can be cancelled").toPass({ timeout: 20_000 });
}
