import { type Browser, expect, test } from "@playwright/test";
import { Draw, read, sequence, type Step, written } from "./draw.js";
import { accessible, hold, light, weigh } from "./laws.js";
import { shrink } from "./shrink.js";
import { doings, weights } from "./steps.js";
import { Visit } from "./visit.js";

// A simulated person, driven by a seed, uses the page while its environment fails. After each step
// the laws of laws.ts hold. A sequence that breaks one prints its steps; ENDURANCE_SEED=…
// ENDURANCE_STEPS="…" repeats them, and with ENDURANCE_SHRINK=40 the test looks for a shorter
// failing sequence in 40 tries.

/** Seconds that pass between two steps. */
const THINKING = 30;

const { ENDURANCE_SEED, ENDURANCE_STEPS, ENDURANCE_SEEDS, ENDURANCE_MINUTES, ENDURANCE_SHRINK, ENDURANCE_LOG } =
  process.env;

/** The default sequences: a few steps of each kind of trouble. */
const SHORT =
  "type:1 example:0 ask:4 kill-core:1 hurry:1 undo:2 leave:1 reload:1 resume:0 offline:1 reload:1 offline:1 full:1 full:1 version:0";

/** The steps of a visit, and whether the page's memory is compared before and after. */
interface Plan {
  readonly seed: number;
  readonly steps: readonly Step[];
  readonly weighed: boolean;
}

function plans(): readonly Plan[] {
  const minutes = Number(ENDURANCE_MINUTES ?? 0);
  if (ENDURANCE_STEPS !== undefined)
    return [{ seed: Number(ENDURANCE_SEED ?? 0), steps: read(ENDURANCE_STEPS), weighed: false }];
  if (minutes === 0 && ENDURANCE_SEED === undefined) return [{ seed: 0, steps: read(SHORT), weighed: false }];
  const number = Math.ceil(((minutes === 0 ? 30 : minutes) * 60) / THINKING);
  const seeds =
    ENDURANCE_SEED === undefined
      ? Array.from({ length: Number(ENDURANCE_SEEDS ?? 10) }, (_, i) => i + 1)
      : [Number(ENDURANCE_SEED)];
  return seeds.map((seed) => ({ seed, steps: sequence(seed, number, weights), weighed: true }));
}

/** The broken law, and the steps that broke it. */
interface Broken {
  readonly reason: unknown;
  readonly steps: readonly Step[];
  readonly seconds: number;
}

/**
 * Runs the steps in a browser with empty storage; returns the first failure, or undefined if
 * all laws held.
 */
async function attempt(browser: Browser, site: string, { steps, weighed }: Plan): Promise<Broken | undefined> {
  const context = await browser.newContext({ serviceWorkers: "allow", reducedMotion: "reduce" });
  const visit = await Visit.begin(context, site);
  const done: Step[] = [];
  try {
    if (weighed) visit.weight = await weigh(visit);
    for (const step of steps) {
      done.push(step);
      const doing = doings[step.name];
      if (doing === undefined)
        throw new Error(`unknown step “${step.name}” (expected ${Object.keys(doings).join(", ")})`);
      const began = performance.now();
      await doing(visit, new Draw(step.draw));
      await hold(visit);
      await visit.wait(THINKING);
      if (ENDURANCE_LOG !== undefined)
        console.log(`${done.length} ${step.name}:${step.draw} ${Math.round(performance.now() - began)} ms`);
    }
    visit.host.down = false;
    if (visit.full) await doings["full"]?.(visit, new Draw(0));
    await doings["cancel"]?.(visit, new Draw(0));
    if (weighed && visit.weight !== undefined) light(visit.weight, await weigh(visit));
    await accessible(visit.page);
    await hold(visit);
    return undefined;
  } catch (reason) {
    return { reason, steps: done, seconds: visit.seconds };
  } finally {
    visit.end();
    await context.close();
  }
}

/** Returns the broken law's message without the parts that differ between runs. */
const law = (reason: unknown): string =>
  (reason instanceof Error ? reason.message : String(reason)).split("\n")[0] ?? "";

for (const plan of plans()) {
  test(`a page under faults loses, leaks and hides nothing: seed ${plan.seed}`, async ({ browser, baseURL }) => {
    test.setTimeout(plan.weighed || ENDURANCE_SHRINK !== undefined ? 3_600_000 : 240_000);
    const site = baseURL ?? "";
    const broken = await attempt(browser, site, plan);
    if (broken === undefined) return;
    const { reason, seconds } = broken;
    let { steps } = broken;
    if (ENDURANCE_SHRINK !== undefined) {
      steps = await shrink(
        steps,
        async (fewer) => {
          const again = await attempt(browser, site, { ...plan, steps: fewer, weighed: false });
          return again !== undefined && law(again.reason) === law(reason);
        },
        Number(ENDURANCE_SHRINK),
      );
    }
    throw new Error(
      `after ${broken.steps.length} steps, ${Math.round(seconds / 60)} minutes of use, at “${broken.steps.at(-1)?.name ?? "the beginning"}”: ${reason instanceof Error ? reason.message : String(reason)}
again: ENDURANCE_SEED=${plan.seed} ENDURANCE_STEPS="${written(steps)}"`,
      { cause: reason },
    );
  });
}

test("a failing sequence is shrunk to the necessary steps", async () => {
  const steps = sequence(7, 40, { a: 5, b: 1, c: 1 });
  const fails = async (fewer: readonly Step[]): Promise<boolean> =>
    fewer.findIndex((s) => s.name === "b") >= 0 &&
    fewer.findIndex((s) => s.name === "b") < fewer.findLastIndex((s) => s.name === "c");
  const failing = [...steps, { name: "c", draw: 0 }];
  expect(await fails(failing)).toBe(true);
  expect((await shrink(failing, fails, 200)).map((s) => s.name)).toEqual(["b", "c"]);
  expect(await shrink(failing, fails, 0)).toEqual(failing);
});
