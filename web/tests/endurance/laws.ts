import type { Page } from "@playwright/test";
import { violations } from "../axe.js";
import { expect, openExample, tab } from "../fixtures.js";
import { KEY, type Visit } from "./visit.js";

// Laws that hold after every step, whatever failed in it.
//
// Nothing is lost:
//   texts      a typed text is in a tab's draft or among the earlier drafts; if the device
//              could not store it, the page has it and reports that it is not saved.
//   runs       an interrupted run is kept until a person resumes or discards it; and the
//              page offers it.
//   settings   the endpoints, the model of the last run and the theme are remembered.
//
// Nothing is leaked:
//   keys       the key is in no storage, cache, address, element, link, file or recording,
//              on no console, and in no request except those to its endpoint.
//   workers    there is at most one core for texts, one for runs, one layout engine and one
//              worker of each solver.
//   runs       without an active run, no request is open, and no run counts as controlled.
//   memory     nodes, listeners and bytes return to their first values, within a budget.
//
// Every state is explained:
//   waiting    every spinner stops, or names its reason and can be cancelled.
//   failing    every failure is reported in words; the console has no unexplained message.
//   looking    the shown panel has content, and is accessible.

/** The time a law has to become true, in milliseconds. */
const SOON = { timeout: 10_000 };

/** Checks the laws after a step. */
export async function hold(visit: Visit): Promise<void> {
  await nothingLost(visit);
  await nothingLeaked(visit);
  await explained(visit);
  visit.interrupted = new Set((await visit.stored()).runs.filter((run) => !run.driven).map((run) => run.id));
}

async function nothingLost(visit: Visit): Promise<void> {
  await expect
    .poll(
      async () => {
        const { drafts, aside, number, endpoints, settings, theme, runs } = await visit.stored();
        const held = await visit.held();
        const texts = [...visit.marks].flatMap(([mark, where]) => {
          if (drafts.includes(mark) || aside.includes(mark)) return [];
          if ((where === "unsaved" || where === "told") && held.includes(mark)) return [];
          return [`${mark} (${where}; ${number} are aside)`];
        });
        const gone = [...visit.interrupted].filter((id) => !runs.some((run) => run.id === id));
        return [
          ...texts,
          ...gone.map((id) => `the interrupted run ${id}`),
          ...[...visit.endpoints]
            .filter((label) => !endpoints.includes(JSON.stringify(label)))
            .map((label) => `the endpoint ${label}`),
          ...(visit.model !== undefined &&
          visit.model !== (settings.model === "endpoint" ? `endpoint:${settings.endpoint}` : settings.model)
            ? [`the model ${visit.model}`]
            : []),
          ...(visit.theme !== undefined && visit.theme !== theme ? [`the colours ${visit.theme}`] : []),
        ];
      },
      { message: "nothing is lost", ...SOON },
    )
    .toEqual([]);
  await owed(visit);
  if ([...visit.marks.values()].includes("unsaved"))
    await expect(visit.page.locator("stile-problems .saved"), "an unsaved text is reported").toHaveText(
      /^\s*Not\s+saved/,
    );
}

/** A failure to store a draft is shown for some seconds; steps that take longer check it themselves. */
export async function owed(visit: Visit): Promise<void> {
  if (!visit.owed) return;
  // A small text may have fitted, and a link that cannot be opened replaces nothing.
  await expect
    .poll(
      async () => {
        const { aside } = await visit.stored();
        const [files] = JSON.parse(await visit.held()) as readonly [unknown, unknown];
        const said = (await visit.page.locator(".toasts").textContent()) ?? "";
        return (
          said.includes("could not be saved") ||
          [...visit.marks].every(
            ([mark, where]) => where !== "told" || aside.includes(mark) || JSON.stringify(files).includes(mark),
          )
        );
      },
      { message: "a draft that could not be stored is reported", ...SOON },
    )
    .toBe(true);
  visit.owed = false;
}

async function nothingLeaked(visit: Visit): Promise<void> {
  const { page } = visit;
  for (const tab of [page, visit.other])
    if (tab !== undefined) expect(await placesOf(tab, KEY), "no place contains the key").toEqual([]);
  expect(visit.leaks, "the key does not leak").toEqual([]);
  await expect
    .poll(
      () => {
        const scripts = page.workers().map((worker) => worker.url().replace(/.*\/|\..*/g, ""));
        const most = (script: string): number => (script === "layout-worker" ? 1 : 2);
        return [...new Set(scripts)].filter(
          (script) =>
            scripts.filter((s) => s === script).length > most(script) ||
            !["core-worker", "layout-worker", "solver-worker"].includes(script),
        );
      },
      { message: "no worker is left over", ...SOON },
    )
    .toEqual([]);
  if (await under(page)) return;
  await expect.poll(() => visit.endpoint.open, { message: "no request is left open", ...SOON }).toBe(0);
  await expect
    .poll(async () => (await visit.stored()).runs.filter((run) => run.driven), {
      message: "every controlled run is shown",
      ...SOON,
    })
    .toEqual([]);
}

/** Where the page can reach a text. */
export async function placesOf(page: Page, text: string): Promise<readonly string[]> {
  return page.evaluate(async (text) => {
    const result = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const places: string[] = [];
    const look = (place: string, ...values: readonly unknown[]): void => {
      if (values.some((value) => (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).includes(text)))
        places.push(place);
    };
    for (const { name } of await indexedDB.databases()) {
      const database = await result(indexedDB.open(name ?? ""));
      for (const store of database.objectStoreNames) {
        const of = database.transaction(store).objectStore(store);
        look(`the database ${name}`, ...(await Promise.all([result(of.getAllKeys()), result(of.getAll())])));
      }
      database.close();
    }
    for (const name of await caches.keys())
      look(
        `the cache ${name}`,
        name,
        (await (await caches.open(name)).keys()).map((request) => request.url),
      );
    look("local storage", { ...localStorage });
    look("session storage", { ...sessionStorage });
    look("the address", location.href, document.referrer, history.state);
    look("cookies", document.cookie);
    look("an element", document.documentElement.outerHTML);
    look(
      "a field",
      ...[...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")].map(
        (field) => field.value,
      ),
    );
    return places;
  }, text);
}

/** Whether a run is active: it can be cancelled. */
export async function under(page: Page): Promise<boolean> {
  return (
    (await page.locator("stile-run-controls").getByRole("button", { name: "Cancel", includeHidden: true }).count()) > 0
  );
}

async function explained(visit: Visit): Promise<void> {
  const { page } = visit;
  await visit.settled();
  const panel = page.locator(".panel:not([hidden])");
  await expect(panel, "a panel has text").toHaveText(/\S/);
  await expect(panel.locator(".drawing-pane stile-drawing:not([hidden]), > *").first()).toBeVisible();
  await expect
    .poll(() => page.evaluate(unexplainedIn), { message: "every visible state is explained", ...SOON })
    .toEqual([]);
  const { runs } = await visit.stored();
  if (runs.some((run) => !run.driven)) {
    await expect(
      page
        .locator("#tab-panel-run-run .badge, stile-run-controls .run-state .pill.bad, stile-run-list .tone-error")
        .first(),
      "an interrupted run is offered",
    ).toBeAttached();
  }
  expect(visit.unexplained, "the console").toEqual([]);
}

/** Returns descriptions of unexplained states on the page. It runs in the page. */
function unexplainedIn(): string[] {
  const seen = (selector: string): HTMLElement[] =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility());
  const words = (element: HTMLElement): string => (element.textContent ?? "").replace(/\s+/g, " ").trim();
  const out: string[] = [];
  for (const spinner of seen(".spinner")) {
    const around = spinner.closest<HTMLElement>(".run-form, .solver-progress, .panel, dialog, stile-problems");
    const ends =
      around !== null &&
      [...around.querySelectorAll("button")].some(
        (button) => /Cancel|Stop/.test(button.textContent ?? "") && button.checkVisibility(),
      );
    if (!ends) out.push(`a spinner cannot be cancelled: “${words(spinner.parentElement ?? spinner)}”`);
    else if (!/\p{L}{3}/u.test(words(spinner.parentElement ?? spinner))) out.push("a spinner has no text");
  }
  for (const said of seen(".fault, .fault-text, .banner, .toast, .empty, .run-state, .summary, .saved, [role=alert]")) {
    const text = words(said);
    if (text === "" && !said.matches(".fault, .banner, .toast, .empty")) continue;
    if (!/\p{L}{3}/u.test(text) || /\bundefined\b|\[object |\bNaN\b|TypeError|\bnull\b/.test(text))
      out.push(`a message without information: “${text.slice(0, 200)}”`);
  }
  if (
    seen(".run-state").some((state) => /Failed|Interrupted/.test(words(state))) &&
    seen("#panel-run .fault").length === 0
  )
    out.push("a run failed without a reason");
  return out;
}

/** The page's memory, measured in the same state each time. */
export interface Weight {
  readonly nodes: number;
  readonly listeners: number;
  readonly bytes: number;
}

/** Brings the page to a fixed state and measures its memory. */
export async function weigh(visit: Visit): Promise<Weight> {
  const { page } = visit;
  for (const name of ["Run", "Trace", "Verify", "Lab", "Export", "Automaton"]) {
    await tab(page, name);
    await expect(page.locator(`#panel-${name.toLowerCase()} > *`).first()).not.toBeEmpty();
    // An opened experiment keeps its table and charts.
    const open = page.locator("#panel-lab").getByRole("button", { name: "All experiments" });
    if (name === "Lab" && (await open.count()) > 0) await open.click();
  }
  await openExample(page, "anbn");
  visit.putAside();
  await visit.settled();
  await expect(page.locator(".main-drawing svg.drawing")).toBeVisible();
  await visit.wait(20);
  const devtools = await visit.devtools();
  await devtools.send("HeapProfiler.enable");
  // Cycles between elements and scripts need more than one collection.
  for (let times = 0; times < 5; times++) {
    await devtools.send("HeapProfiler.collectGarbage");
    await page.evaluate(() => undefined);
  }
  const { nodes, jsEventListeners } = await devtools.send("Memory.getDOMCounters");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  return { nodes, listeners: jsEventListeners, bytes: usedSize };
}

/** Expects that a page in use has not grown beyond the budget of undo, drawings and drafts. */
export function light(before: Weight, after: Weight): void {
  expect(after.nodes, "nodes").toBeLessThan(before.nodes + 4_000);
  expect(after.listeners, "listeners").toBeLessThan(before.listeners + 1_000);
  expect(after.bytes, "bytes of the heap").toBeLessThan(before.bytes + 12_000_000);
}

export async function accessible(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
}
