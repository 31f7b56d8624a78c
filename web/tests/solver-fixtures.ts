import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";

/** A row of wasm/host/testdata/solve.json, which the Go tests run with the same solvers under Node. */
export interface Case {
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

export interface Solved {
  readonly state: string;
  readonly fault?: { readonly code: string; readonly message: string };
  readonly result?: {
    readonly answer: {
      readonly status: string;
      readonly message: string;
      readonly core: readonly { readonly name: string }[];
      readonly objectives: readonly { readonly value: string }[];
      readonly model: readonly { readonly name: string; readonly value: string }[];
    };
    readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
  };
}

export interface Told {
  readonly solver: string;
  readonly state: string;
  readonly loaded: number;
  readonly total: number;
}

export interface Driven {
  run(params: unknown): number;
  solve(settings: unknown): number;
  call(method: string, params: unknown): Promise<unknown>;
  outcome(run: number): Promise<Solved>;
  cancel(run: number): void;
  readonly progress: Told[];
}

const data = new URL("../../wasm/host/testdata/", import.meta.url);
export const cases = JSON.parse(readFileSync(new URL("solve.json", data), "utf8")) as readonly Case[];
export const textOf = (c: Pick<Case, "text" | "file">): string =>
  c.text ?? readFileSync(new URL(`solve/${c.file}`, data), "utf8");

/** The site's document states the base addresses of its parts. */
export async function assetsOf(page: Page, baseURL: string): Promise<string> {
  const index = await (await page.request.get(baseURL)).text();
  return /<script type="application\/json" id="assets">(.*?)<\/script>/s.exec(index)?.[1] ?? "{}";
}

/**
 * Opens a copy of the site under the site's policy, and starts the page's core worker from
 * it as the page does.
 */
export async function worker(page: Page, baseURL: string, known?: string): Promise<void> {
  const assets = known ?? (await assetsOf(page, baseURL));
  await page.goto(new URL("icon.svg", baseURL).href);
  await page.evaluate(
    ({ assets, baseURL }) => {
      type Listed = Record<string, string> & {
        solvers: { worker: string; modules: Record<string, { br: string; gz: string }> };
      };
      const listed = JSON.parse(assets) as Listed;
      const resolve = (path: string): string => new URL(path, baseURL).href;
      const modules = Object.fromEntries(
        Object.entries(listed.solvers.modules).map(([name, at]) => [
          name,
          { ...at, br: resolve(at.br), gz: resolve(at.gz) },
        ]),
      );
      const factory = (
        window as unknown as {
          trustedTypes: { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } };
        }
      ).trustedTypes;
      const policy = factory.createPolicy("stile", { createScriptURL: (url: string) => url });
      const core = new Worker(policy.createScriptURL(resolve(listed["core_worker"] ?? "")), { type: "module" });
      const waiting = new Map<number, (outcome: unknown) => void>();
      const ended = new Map<number, Promise<unknown>>();
      const progress: unknown[] = [];
      const calls = new Map<number, (reply: unknown) => void>();
      core.addEventListener("message", (event: MessageEvent) => {
        const message = event.data as {
          type: string;
          id: number;
          text: string;
          run: number;
          update: { state: string; fault?: unknown; result?: unknown };
          progress: unknown;
        };
        if (message.type === "reply") calls.get(message.id)?.(JSON.parse(message.text));
        if (message.type === "solver") progress.push(message.progress);
        if (message.type === "update" && ["done", "failed", "cancelled"].includes(message.update.state))
          waiting.get(message.run)?.(message.update);
      });
      core.postMessage({
        type: "load",
        first: { br: resolve(listed["module_br"] ?? ""), gz: resolve(listed["module_gz"] ?? "") },
        whole: { br: resolve(listed["whole_br"] ?? ""), gz: resolve(listed["whole_gz"] ?? "") },
        solvers: { worker: resolve(listed.solvers.worker), modules },
      });
      let runs = 0;
      Object.assign(window, {
        driven: {
          progress,
          run(params: unknown): number {
            const run = ++runs;
            ended.set(run, new Promise((done) => waiting.set(run, done)));
            core.postMessage({ type: "run", run, params, recording: false, pace: "run" });
            return run;
          },
          solve(settings: unknown): number {
            return this.run({ kind: "solve", workspace: { files: [] }, settings });
          },
          call: (method: string, params: unknown) =>
            new Promise((done) => {
              const id = calls.size + 1;
              calls.set(id, done);
              core.postMessage({ type: "call", id, method, params });
            }),
          outcome: (run: number) => ended.get(run),
          cancel: (run: number) => core.postMessage({ type: "cancel", run }),
        },
      });
    },
    { assets, baseURL },
  );
}

export async function solve(page: Page, settings: unknown): Promise<Solved> {
  return page.evaluate(async (s) => {
    const { driven } = window as unknown as { driven: Driven };
    return driven.outcome(driven.solve(s));
  }, settings);
}

/** Observes the page's own thread for a time; returns the durations in milliseconds of tasks above 50 ms. */
export async function longTasks(page: Page, milliseconds: number): Promise<number[]> {
  return page.evaluate(async (milliseconds) => {
    const long: number[] = [];
    const watch = new PerformanceObserver((list) =>
      long.push(...list.getEntries().map((entry) => Math.round(entry.duration))),
    );
    watch.observe({ type: "longtask" });
    const began = performance.now();
    while (performance.now() - began < milliseconds) await new Promise((drawn) => requestAnimationFrame(drawn));
    watch.disconnect();
    return long;
  }, milliseconds);
}

/** Waits until a solver is busy. */
export async function state(page: Page, solver: string, state: string): Promise<void> {
  await page.waitForFunction(
    ([solver, state]) => {
      const { progress } = (window as unknown as { driven: Driven }).driven;
      return progress.filter((p) => p.solver === solver).at(-1)?.state === state;
    },
    [solver, state] as const,
  );
}

/** Describes the differences between an outcome and the expected one. */
export function check(outcome: Solved, want: Case["want"]): string | undefined {
  const { result } = outcome;
  if (result === undefined) return `it ends ${outcome.state} with ${JSON.stringify(outcome.fault)}`;
  const { answer, diagnostics } = result;
  if (answer.status !== want.status) return `it is ${answer.status} (${answer.message})`;
  if (want.objective !== undefined && answer.objectives[0]?.value !== want.objective)
    return `the best is ${JSON.stringify(answer.objectives)}`;
  const core = answer.core.map((c) => c.name);
  if ((want.core ?? []).some((name) => !core.includes(name))) return `the core is ${core.join()}`;
  const model = answer.model.map((v) => `${v.name} = ${v.value}`);
  if ((want.model ?? []).some((v) => !model.includes(v))) return `the model is ${model.slice(0, 20).join()}`;
  if (diagnostics.map((d) => d.code).join() !== (want.codes ?? []).join())
    return `the faults are ${diagnostics.map((d) => d.code).join()}`;
  return undefined;
}
