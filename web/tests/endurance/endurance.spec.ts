import { test } from "@playwright/test";
import { Draw, read, sequence, type Step, written } from "./draw.js";
import { accessible, hold, light, weigh } from "./laws.js";
import { doings, weights } from "./steps.js";
import { Visit } from "./visit.js";

// A person uses the page, as a seed has it, while all around it fails. After each step
// the laws of laws.ts hold. A sequence that breaks one prints its steps; they are done
// again with ENDURANCE_SEED=… ENDURANCE_STEPS="…".

/** Seconds that go by between two steps. */
const THINKING = 30;

const { ENDURANCE_SEED, ENDURANCE_STEPS, ENDURANCE_SEEDS, ENDURANCE_MINUTES } = process.env;

test.use({ serviceWorkers: "allow" });

/** What is tried where nothing is asked for: a few steps of each kind of trouble. */
const SHORT = "type:1 example:0 ask:4 kill-core:1 hurry:1 undo:2 offline:1 reload:1 offline:1 full:1 full:1";

function plans(): { readonly seed: number; readonly steps: readonly Step[]; readonly minutes: number }[] {
  const minutes = Number(ENDURANCE_MINUTES ?? 0);
  if (ENDURANCE_STEPS !== undefined) return [{ seed: Number(ENDURANCE_SEED ?? 0), steps: read(ENDURANCE_STEPS), minutes: 0 }];
  if (minutes === 0 && ENDURANCE_SEED === undefined) return [{ seed: 0, steps: read(SHORT), minutes: 0 }];
  const number = Math.ceil(((minutes === 0 ? 30 : minutes) * 60) / THINKING);
  const seeds = ENDURANCE_SEED === undefined ? Array.from({ length: Number(ENDURANCE_SEEDS ?? 10) }, (_, i) => i + 1) : [Number(ENDURANCE_SEED)];
  return seeds.map((seed) => ({ seed, steps: sequence(seed, number, weights), minutes }));
}

for (const { seed, steps, minutes } of plans()) {
  test(`a page that is used while all around it fails loses, leaks and hides nothing: seed ${seed}`, async ({ context, baseURL }) => {
    test.setTimeout(minutes === 0 ? 240_000 : 3_600_000);
    const visit = await Visit.begin(context, baseURL ?? "");
    const done: Step[] = [];
    try {
      const before = minutes === 0 ? undefined : await weigh(visit);
      for (const step of steps) {
        done.push(step);
        const doing = doings[step.name];
        if (doing === undefined) throw new Error(`there is no step “${step.name}”; there are ${Object.keys(doings).join(", ")}`);
        await doing(visit, new Draw(step.draw));
        await hold(visit);
        await visit.wait(THINKING);
      }
      visit.host.down = false;
      if (visit.full) await doings["full"]?.(visit, new Draw(0));
      if (before !== undefined) light(before, await weigh(visit));
      await accessible(visit.page);
    } catch (reason) {
      throw new Error(`after ${done.length} steps, ${Math.round(visit.seconds / 60)} minutes of use, at “${done.at(-1)?.name ?? "the beginning"}”: ${reason instanceof Error ? reason.message : String(reason)}
again: ENDURANCE_SEED=${seed} ENDURANCE_STEPS="${written(done)}"`, { cause: reason });
    } finally {
      visit.end();
    }
  });
}
