import { readFileSync } from "node:fs";
import { expect, test } from "./fixtures.js";
import { inSample } from "./sample.js";
import { type Driven, assetsOf, cases, check, longTasks, solve, state, textOf, worker } from "./solver-fixtures.js";

test("the solvers answer correctly in the page, without blocking it", async ({ quiet: page, baseURL }) => {
  test.setTimeout(600_000);
  await worker(page, baseURL ?? "");
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);

  // The Go tests run all cases, also those that take long or write to the console.
  const here = cases.filter((c) => !/work that|memory that|threads|to HiGHS/.test(c.name) && inSample(c.name, 6));
  const faults: string[] = [];
  for (const c of here) {
    const outcome = await solve(page, { solver: c.solver, text: textOf(c), limits: c.limits ?? {} });
    const wrong = check(outcome, c.want);
    if (wrong !== undefined) faults.push(`${c.name}: ${wrong}`);
  }
  expect(faults).toEqual([]);

  // The download reported its progress.
  const told = await page.evaluate(() => (window as unknown as { driven: Driven }).driven.progress);
  for (const solver of ["z3", "highs"]) {
    const fetched = told.filter((p) => p.solver === solver && p.state === "fetching");
    expect(fetched.at(-1)?.loaded).toBe(fetched.at(-1)?.total);
    expect(fetched.every((p, i) => i === 0 || p.loaded > (fetched[i - 1]?.loaded ?? 0))).toBe(true);
  }

  // A query that never ends is cancelled; meanwhile the page answers.
  const run = await page.evaluate(
    (text) =>
      (window as unknown as { driven: Driven }).driven.solve({
        solver: "z3",
        text,
        limits: { milliseconds: 3_000_000 },
      }),
    textOf({ file: "pigeons.smt2" }),
  );
  await state(page, "z3", "solving");
  // A blocked page has long tasks in every measurement; a busy machine does not.
  await expect.poll(() => longTasks(page, 1_000), { intervals: [0] }).toEqual([]);
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

  // The next query gets a new solver.
  expect(
    check(await solve(page, { solver: "z3", text: "(declare-const x Int)\n(assert (> x 3))(minimize x)" }), {
      status: "sat",
      objective: "4",
    }),
  ).toBeUndefined();

  // Many variables, and a text beyond the limit.
  const rows = Array.from({ length: 100_000 }, (_, i) => ` c${i}: v${i} >= ${i % 7}\n`).join("");
  expect(
    check(
      await solve(page, {
        solver: "highs",
        text: `Minimize\n obj: v6\nSubject To\n${rows}End\n`,
        limits: { milliseconds: 3_000_000 },
      }),
      { status: "sat", objective: "6", model: ["v4998 = 0"] },
    ),
  ).toBeUndefined();
  const large = await page.evaluate(async () => {
    const { driven } = window as unknown as { driven: Driven };
    return driven.outcome(driven.solve({ solver: "z3", text: "; nothing but words\n".repeat(2_500_000) }));
  });
  expect(check(large, { status: "error", codes: ["limit.text"] })).toBeUndefined();
  expect(large.result?.answer.message).toContain("50 MB");
});

const records = new URL("../../grammars/llmfp/", import.meta.url);

/** A data set's record of a query. */
interface Query {
  readonly index: number;
  readonly status: string;
  readonly optimum: string;
}

test("our formulations of the nine domains reach the stored optimum in the page", async ({ quiet: page, baseURL }) => {
  test.setTimeout(600_000);
  await worker(page, baseURL ?? "");
  const call = (method: string, params: unknown): Promise<unknown> =>
    page.evaluate(
      async ([method, params]) => {
        const { driven } = window as unknown as { driven: Driven };
        return ((await driven.call(method as string, params)) as { result: unknown }).result;
      },
      [method, params] as const,
    );
  const wrong: string[] = [];
  const reached: string[] = [];
  for (const file of [
    "coffee.json",
    "workforce.json",
    "facility.json",
    "task_allocation.json",
    "warehouse.json",
    "blocksworld.jsonl",
    "mystery_blocksworld.jsonl",
    "movie.jsonl",
    "gripper.jsonl",
  ]) {
    const domain = file.replace(/\..*/, "");
    const text = readFileSync(new URL(file, records), "utf8");
    const { tasks, notations } = (await call("problem.tasks", { domain, text })) as {
      tasks: readonly Query[];
      notations: readonly string[];
    };
    const queries = [tasks[0], tasks.find((t) => t.status === "infeasible")].filter((t) => t !== undefined);
    for (const query of queries) {
      for (const notation of notations) {
        const { files, folder } = (await call("problem.files", { domain, text, index: query.index, notation })) as {
          files: readonly unknown[];
          folder: string;
        };
        const outcome = await page.evaluate(
          async (params) => {
            const { driven } = window as unknown as { driven: Driven };
            return driven.outcome(driven.run(params));
          },
          {
            kind: notation === "pddl" ? "steps" : "solve",
            workspace: { files, name: `${folder}/model.${notation}` },
            settings: {},
          },
        );
        const steps = outcome.result as unknown as
          { readonly status: string; readonly steps?: { readonly plan: readonly unknown[] } } | undefined;
        const answer = outcome.result?.answer;
        const status = steps?.steps === undefined ? answer?.status : steps.status;
        const best =
          steps?.steps === undefined ? valueOf(answer?.objectives[0]?.value ?? "") : (steps.steps?.plan.length ?? -1);
        const what = `${domain} ${query.index} ${notation}: ${status} ${best}, wanted ${query.status} ${query.optimum}`;
        const right =
          query.status === "infeasible"
            ? status === "unsat" && (notation === "lp" || (answer?.core.length ?? 0) > 0)
            : Math.abs(best - Number(query.optimum)) < 1e-6 * Math.max(1, best);
        (right ? reached : wrong).push(what);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(reached.length).toBeGreaterThanOrEqual(14);
});

/** Parses a solver's number: "3", "3.5", "7/2". */
function valueOf(text: string): number {
  const [over, under] = text.split("/");
  return Number(over) / Number(under ?? 1);
}

test("a solver that crashed is replaced for the next query", async ({ page, baseURL }) => {
  test.slow();
  await worker(page, baseURL ?? "");
  const plain = { solver: "z3", text: "(declare-const x Int)\n(assert (> x 3))(minimize x)" };
  const full = cases.find((c) => c.name === "memory that is used up");
  if (full === undefined) throw new Error("the cases have none of memory");
  for (let i = 0; i < 2; i++) {
    expect(
      check(await solve(page, { solver: full.solver, text: textOf(full), limits: full.limits ?? {} }), full.want),
    ).toBeUndefined();
    expect(check(await solve(page, plain), { status: "sat", objective: "4" })).toBeUndefined();
  }
  // Its script fails to load, and then loads.
  const script = (await assetsOf(page, baseURL ?? "")).match(/[^"]*solver-worker[^"]*/)?.[0] ?? "?";
  await page.route(`**/${script}`, (route) => route.abort());
  const cut = await solve(page, { solver: "highs", text: textOf({ file: "coffee.lp" }) });
  expect(cut.result?.answer.status).toBe("error");
  expect(cut.result?.answer.message).not.toBe("");
  await page.unroute(`**/${script}`);
  expect(
    check(await solve(page, { solver: "highs", text: textOf({ file: "coffee.lp" }) }), {
      status: "sat",
      objective: "2470",
    }),
  ).toBeUndefined();
});

test("a solver that cannot be loaded is reported, and loads later", async ({ page, baseURL }) => {
  await worker(page, baseURL ?? "");
  // The module has to be cached before the network goes.
  expect(
    check(await solve(page, { solver: "z3", text: "(assert y)" }), { status: "error", codes: ["smt.undeclared"] }),
  ).toBeUndefined();
  await page.route("**/module/*/highs.*", (route) => route.abort());
  const cut = await solve(page, { solver: "highs", text: textOf({ file: "coffee.lp" }) });
  expect(cut.result?.answer.status).toBe("error");
  expect(cut.result?.answer.message).toMatch(
    /^HiGHS \(\d\.\d MB\) could not be downloaded, and this device has no copy of it; connect it to the network and try again/,
  );
  await page.unroute("**/module/*/highs.*");
  expect(
    check(await solve(page, { solver: "highs", text: textOf({ file: "coffee.lp" }) }), {
      status: "sat",
      objective: "2470",
    }),
  ).toBeUndefined();
});
