import type { Page } from "@playwright/test";
import { violations } from "../axe.js";
import { expect, openExample, tab } from "../fixtures.js";
import { KEY, type Visit } from "./visit.js";

/** How many workspaces that were put aside are kept, as store.ts has it. */
const MAX_DRAFTS = 12;
/** The workers of a page: the core, the layout engine, the solver. */
const MAX_WORKERS = 3;

/** What holds after every step. */
export async function hold(visit: Visit): Promise<void> {
  await nothingLost(visit);
  await nothingLeaked(visit);
  await explained(visit);
}

/** What was typed is in the draft, among what was put aside, or, where it could not be saved, said to be unsaved and on the page. */
async function nothingLost(visit: Visit): Promise<void> {
  let missing: string[] = [];
  await expect.poll(async () => {
    const { drafts, aside, number } = await visit.stored();
    const shown = await visit.shown();
    missing = [...visit.marks].flatMap(([mark, where]) => {
      if (drafts.includes(mark) || aside.includes(mark)) return [];
      if (where === "unsaved" && shown.includes(mark)) return [];
      // The oldest go once there are more than are kept.
      if (where === "aside" && number >= MAX_DRAFTS) return [];
      return [`${mark} (${where})`];
    });
    return missing;
  }, { message: "nothing that was typed is lost", timeout: 10_000 }).toEqual([]);
  const unsaved = [...visit.marks.values()].includes("unsaved");
  if (unsaved) await expect(visit.page.locator("stile-problems .saved"), "what is not saved is said").toHaveText(/^Not saved/);
}

async function nothingLeaked(visit: Visit): Promise<void> {
  await expect.poll(() => visit.page.workers().length, { message: "workers" }).toBeLessThanOrEqual(MAX_WORKERS);
  expect((await visit.stored()).all, "no key is stored").not.toContain(KEY);
}

/** The console is quiet, the panel that is shown has words, and nothing turns for ever. */
async function explained(visit: Visit): Promise<void> {
  await visit.settled();
  expect(visit.unexplained, "the console").toEqual([]);
  const panel = visit.page.locator(".panel:not([hidden])");
  await expect(panel, "a panel has words").toHaveText(/\S/);
  await expect(panel.locator(".drawing-pane stile-drawing:not([hidden]), > *").first()).toBeVisible();
}

/** What a page holds, brought to the same state each time it is weighed. */
export interface Weight {
  readonly nodes: number;
  readonly listeners: number;
  readonly bytes: number;
}

/** Brings the page to a state that is always the same, and weighs it. */
export async function weigh(visit: Visit): Promise<Weight> {
  const { page } = visit;
  for (const name of ["Run", "Trace", "Verify", "Export", "Automaton"]) {
    await tab(page, name);
    await expect(page.locator(`#panel-${name.toLowerCase()} > *`).first()).not.toBeEmpty();
  }
  await openExample(page, "anbn");
  visit.putAside();
  await visit.settled();
  await expect(page.locator(".main-drawing svg.drawing")).toBeVisible();
  await visit.wait(20);
  const devtools = await visit.devtools();
  await devtools.send("HeapProfiler.enable");
  await devtools.send("HeapProfiler.collectGarbage");
  const { nodes, jsEventListeners } = await devtools.send("Memory.getDOMCounters");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  return { nodes, listeners: jsEventListeners, bytes: usedSize };
}

/** A page in use has not grown beyond what undoing, drawings and drafts are allowed to keep. */
export function light(before: Weight, after: Weight): void {
  expect(after.nodes, "nodes").toBeLessThan(before.nodes + 4_000);
  expect(after.listeners, "listeners").toBeLessThan(before.listeners + 1_000);
  expect(after.bytes, "bytes of the heap").toBeLessThan(before.bytes + 12_000_000);
}

export async function accessible(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
}
