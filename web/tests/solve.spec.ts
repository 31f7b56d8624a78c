import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.js";

/** A row of wasm/host/testdata/solve.json, which the Go tests run with the same solvers under Node. */
interface Case {
  readonly name: string;
  readonly solver: string;
  readonly text?: string;
  readonly file?: string;
  readonly limits?: Readonly<Record<string, number>>;
  readonly want: {
    readonly status: string;
    readonly objective?: string;
    readonly core?: readonly string[];
    readonly model?: readonly string[];
    readonly codes?: readonly string[];
  };
}

interface Solved {
  readonly state: string;
  readonly fault?: { readonly code: string; readonly message: string };
  readonly result?: {
    readonly answer: {
      readonly status: string; readonly message: string; readonly core: readonly { readonly name: string }[];
      readonly objectives: readonly { readonly value: string }[]; readonly model: readonly { readonly name: string; readonly value: string }[];
    };
    readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
  };
}

interface Told {
  readonly solver: string;
  readonly state: string;
  readonly loaded: number;
  readonly total: number;
}

interface Driven {
  solve(settings: unknown): number;
  outcome(run: number): Promise<Solved>;
  cancel(run: number): void;
  readonly progress: Told[];
}

const data = new URL("../../wasm/host/testdata/", import.meta.url);
const cases = JSON.parse(readFileSync(new URL("solve.json", data), "utf8")) as readonly Case[];
const textOf = (c: Pick<Case, "text" | "file">): string => c.text ?? readFileSync(new URL(`solve/${c.file}`, data), "utf8");

/**
 * A picture of the site, with all of the site's policy, from which the page's core
 * worker is started as the page does.
 */
async function worker(page: Page, baseURL: string): Promise<void> {
  const index = await (await page.request.get(baseURL)).text();
  const assets = /<script type="application\/json" id="assets">(.*?)<\/script>/s.exec(index)?.[1] ?? "{}";
  await page.goto("./icon.svg");
  await page.evaluate(({ assets, baseURL }) => {
    type Listed = Record<string, string> & { solvers: { worker: string; modules: Record<string, { br: string; gz: string }> } };
    const listed = JSON.parse(assets) as Listed;
    const resolve = (path: string): string => new URL(path, baseURL).href;
    const modules = Object.fromEntries(Object.entries(listed.solvers.modules).map(([name, at]) => [name, { ...at, br: resolve(at.br), gz: resolve(at.gz) }]));
    const factory = (window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } } }).trustedTypes;
    const policy = factory.createPolicy("stile", { createScriptURL: (url: string) => url });
    const core = new Worker(policy.createScriptURL(resolve(listed["core_worker"] ?? "")), { type: "module" });
    const waiting = new Map<number, (outcome: unknown) => void>();
    const ended = new Map<number, Promise<unknown>>();
    const progress: unknown[] = [];
    core.addEventListener("message", (event: MessageEvent) => {
      const message = event.data as { type: string; run: number; update: { state: string; fault?: unknown; result?: unknown }; progress: unknown };
      if (message.type === "solver") progress.push(message.progress);
      if (message.type === "update" && ["done", "failed", "cancelled"].includes(message.update.state)) waiting.get(message.run)?.(message.update);
    });
    core.postMessage({
      type: "load", first: { br: resolve(listed["module_br"] ?? ""), gz: resolve(listed["module_gz"] ?? "") },
      whole: { br: resolve(listed["whole_br"] ?? ""), gz: resolve(listed["whole_gz"] ?? "") }, solvers: { worker: resolve(listed.solvers.worker), modules },
    });
    let runs = 0;
    Object.assign(window, {
      driven: {
        progress,
        solve(settings: unknown): number {
          const run = ++runs;
          ended.set(run, new Promise((done) => waiting.set(run, done)));
          core.postMessage({ type: "run", run, params: { kind: "solve", workspace: { files: [] }, settings }, recording: false, pace: "run" });
          return run;
        },
        outcome: (run: number) => ended.get(run),
        cancel: (run: number) => core.postMessage({ type: "cancel", run }),
      },
    });
  }, { assets, baseURL });
}

async function solve(page: Page, settings: unknown): Promise<Solved> {
  return page.evaluate(async (s) => {
    const { driven } = window as unknown as { driven: Driven };
    return driven.outcome(driven.solve(s));
  }, settings);
}

/** Waits until a solver is at something. */
async function state(page: Page, solver: string, state: string): Promise<void> {
  await page.waitForFunction(([solver, state]) => {
    const { progress } = (window as unknown as { driven: Driven }).driven;
    return progress.filter((p) => p.solver === solver).at(-1)?.state === state;
  }, [solver, state] as const);
}

test("the solvers answer in the page with the right word, and stay out of its way", async ({ quiet: page, baseURL }) => {
  test.setTimeout(600_000);
  await worker(page, baseURL ?? "");
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);

  // What takes long, or speaks to the console, the Go tests have.
  const here = cases.filter((c) => !/work that|memory that|threads|to HiGHS/.test(c.name));
  const faults: string[] = [];
  for (const c of here) {
    const outcome = await solve(page, { solver: c.solver, text: textOf(c), limits: c.limits ?? {} });
    const wrong = check(outcome, c.want);
    if (wrong !== undefined) faults.push(`${c.name}: ${wrong}`);
  }
  expect(faults).toEqual([]);

  // It came with word of how much of it was there.
  const told = await page.evaluate(() => (window as unknown as { driven: Driven }).driven.progress);
  for (const solver of ["z3", "highs"]) {
    const fetched = told.filter((p) => p.solver === solver && p.state === "fetching");
    expect(fetched.at(-1)?.loaded).toBe(fetched.at(-1)?.total);
    expect(fetched.every((p, i) => i === 0 || p.loaded > (fetched[i - 1]?.loaded ?? 0))).toBe(true);
  }

  // A question that takes for ever is withdrawn; meanwhile the page answers.
  const run = await page.evaluate((text) => (window as unknown as { driven: Driven }).driven.solve({ solver: "z3", text, limits: { milliseconds: 3_000_000 } }), textOf({ file: "pigeons.smt2" }));
  await state(page, "z3", "solving");
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  const cancelled = await page.evaluate(async (run) => {
    const { driven } = window as unknown as { driven: Driven };
    const began = performance.now();
    driven.cancel(run);
    const { state } = await driven.outcome(run);
    return { state, milliseconds: performance.now() - began };
  }, run);
  expect(cancelled.state).toBe("cancelled");
  test.info().annotations.push({ type: "cancelled after", description: `${Math.round(cancelled.milliseconds)} ms` });
  expect(cancelled.milliseconds).toBeLessThan(1_000);
  await state(page, "z3", "idle");

  // The next one gets a fresh solver.
  expect(check(await solve(page, { solver: "z3", text: "(declare-const x Int)\n(assert (> x 3))(minimize x)" }), { status: "sat", objective: "4" })).toBeUndefined();

  // Many variables, and too large a text.
  const rows = Array.from({ length: 100_000 }, (_, i) => ` c${i}: v${i} >= ${i % 7}\n`).join("");
  expect(check(await solve(page, { solver: "highs", text: `Minimize\n obj: v6\nSubject To\n${rows}End\n`, limits: { milliseconds: 3_000_000 } }), { status: "sat", objective: "6", model: ["v4998 = 0"] })).toBeUndefined();
  const large = await page.evaluate(async () => {
    const { driven } = window as unknown as { driven: Driven };
    return driven.outcome(driven.solve({ solver: "z3", text: "; nothing but words\n".repeat(2_500_000) }));
  });
  expect(check(large, { status: "error", codes: ["limit.text"] })).toBeUndefined();
  expect(large.result?.answer.message).toContain("50 MB");
});

test("a solver that cannot be fetched says so, and is fetched when it can be", async ({ page, baseURL }) => {
  await worker(page, baseURL ?? "");
  // The module has to be there before the network goes.
  expect(check(await solve(page, { solver: "z3", text: "(assert y)" }), { status: "error", codes: ["smt.undeclared"] })).toBeUndefined();
  await page.route("**/module/*/highs.*", (route) => route.abort());
  const cut = await solve(page, { solver: "highs", text: textOf({ file: "coffee.lp" }) });
  expect(cut.result?.answer.status).toBe("error");
  expect(cut.result?.answer.message).toMatch(/^HiGHS \(\d\.\d MB\) could not be fetched, and this device has no copy of it; connect it to the network and try again/);
  await page.unroute("**/module/*/highs.*");
  expect(check(await solve(page, { solver: "highs", text: textOf({ file: "coffee.lp" }) }), { status: "sat", objective: "2470" })).toBeUndefined();
});

/** Says what of an outcome is not as it should be. */
function check(outcome: Solved, want: Case["want"]): string | undefined {
  const { result } = outcome;
  if (result === undefined) return `it ends ${outcome.state} with ${JSON.stringify(outcome.fault)}`;
  const { answer, diagnostics } = result;
  if (answer.status !== want.status) return `it is ${answer.status} (${answer.message})`;
  if (want.objective !== undefined && answer.objectives[0]?.value !== want.objective) return `the best is ${JSON.stringify(answer.objectives)}`;
  const core = answer.core.map((c) => c.name);
  if ((want.core ?? []).some((name) => !core.includes(name))) return `the core is ${core.join()}`;
  const model = answer.model.map((v) => `${v.name} = ${v.value}`);
  if ((want.model ?? []).some((v) => !model.includes(v))) return `the model is ${model.slice(0, 20).join()}`;
  if (diagnostics.map((d) => d.code).join() !== (want.codes ?? []).join()) return `the faults are ${diagnostics.map((d) => d.code).join()}`;
  return undefined;
}
