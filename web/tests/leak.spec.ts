import type { CDPSession, Page } from "@playwright/test";
import { expect, open, tab, test, write } from "./fixtures.js";

/** Returns the page's counts of nodes, listeners and workers. */
interface Held {
  readonly nodes: number;
  readonly listeners: number;
  readonly workers: number;
}

async function held(page: Page, devtools: CDPSession): Promise<Held> {
  await devtools.send("HeapProfiler.collectGarbage");
  const { nodes, jsEventListeners } = await devtools.send("Memory.getDOMCounters");
  return { nodes, listeners: jsEventListeners, workers: page.workers().length };
}

/** Types a letter into the only rule's name and deletes it, `times` times, and waits for every drawing. */
async function edit(page: Page, times: number): Promise<void> {
  const drawn = (name: string) =>
    expect(page.locator(".main-drawing svg text").filter({ hasText: new RegExp(`^${name}, S; ε$`) })).toHaveCount(1);
  for (let i = 0; i < times; i++) {
    await page.keyboard.press("x");
    await drawn("oddx");
    await page.keyboard.press("Backspace");
    await drawn("odd");
  }
}

test("edits leak no nodes, listeners or workers, with every tab opened once", async ({ quiet: page }) => {
  await open(page);
  for (const name of ["Run", "Trace", "Verify", "Export"]) {
    await tab(page, name);
    await expect(page.locator(`#panel-${name.toLowerCase()} > *`)).not.toBeEmpty();
  }
  await tab(page, "Automaton");
  await write(page, "S -> odd");
  const devtools = await page.context().newCDPSession(page);
  await edit(page, 10);
  const before = await held(page, devtools);
  await edit(page, 50);
  // Garbage may be collected late; one node or listener per edit would exceed these bounds.
  await expect.poll(async () => (await held(page, devtools)).nodes).toBeLessThan(before.nodes + 50);
  await expect.poll(async () => (await held(page, devtools)).listeners).toBeLessThan(before.listeners + 50);
  expect((await held(page, devtools)).workers).toBe(before.workers);
});
