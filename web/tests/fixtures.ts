import { type BrowserContext, expect, type FrameLocator, type Page, test as base } from "@playwright/test";

export { expect };

/** A page whose console is watched: a test that logs an error or a warning fails. */
export const test = base.extend<{ quiet: Page; allowed: RegExp[] }>({
  allowed: async ({}, use) => use([]),
  quiet: async ({ page, allowed }, use) => {
    const said: string[] = [];
    const hear = (text: string): void => {
      // Playwright logs the second text where service workers are blocked; Chromium logs the third on
      // a slow machine, though a worker uses the preloaded module whenever it starts.
      if (
        !allowed.some((pattern) => pattern.test(text)) &&
        text !== "Service Worker registration blocked by Playwright" &&
        !/preloaded using link preload but not used within a few seconds/.test(text)
      )
        said.push(text);
    };
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && hear(message.text()));
    page.on("pageerror", (error) => hear(error.message));
    await use(page);
    if (said.length > 0) throw new Error(`the console shows:\n${said.join("\n")}`);
  },
});

/** The contexts that have opened the page. */
const visited = new WeakSet<BrowserContext>();

/**
 * Opens the page and waits until the core has answered. Without an address it shows the example
 * openagi or, on a later visit, the device's draft.
 */
export async function open(page: Page, address?: string): Promise<void> {
  const context = page.context();
  if (address !== undefined || visited.has(context)) {
    await page.goto(address ?? "./");
    await ready(page);
    if (address !== undefined || (await page.locator('stile-files [data-file="refund.agent"]').count()) === 0) return;
  }
  visited.add(context);
  await page.goto("./?example=openagi");
  await page.locator('stile-files [data-file="openagi.cfg"]').waitFor({ state: "attached" });
  await ready(page);
}

/** Waits until the summary is that of the present text. */
export async function ready(page: Page): Promise<void> {
  await page
    .locator("stile-problems:not(.old) .summary", { hasText: /nonterminal|state|notes|error|executor/ })
    .waitFor({ state: "attached" });
}

/** Replaces the editor's text. */
export async function write(page: Page, text: string): Promise<void> {
  const content = page.locator("stile-editor .cm-content");
  await content.click();
  await page.keyboard.press("ControlOrMeta+A");
  if (text === "") await page.keyboard.press("Delete");
  else await page.keyboard.insertText(text);
}

/** Replaces the text in a frame, which receives keys a moment after the click if it has its own process. */
export async function writeIn(frame: FrameLocator, text: string): Promise<void> {
  const content = frame.locator("stile-editor .cm-content");
  await content.click();
  await expect(async () => {
    await content.press("ControlOrMeta+A");
    expect(await content.evaluate(() => getSelection()?.type)).toBe("Range");
  }).toPass();
  await content.page().keyboard.insertText(text);
}

/** Returns the text of the open file, for texts of a screenful. */
export async function textOf(page: Page): Promise<string> {
  return page
    .locator("stile-editor .cm-line")
    .evaluateAll((lines) => lines.map((line) => line.textContent ?? "").join("\n"));
}

/** Opens an example from the gallery, and waits for a file whose name has a beginning. */
export async function openExample(page: Page, id: string, file = `${id}.`): Promise<void> {
  await page.getByRole("button", { name: /choose an example/ }).click();
  await page.locator(`button[data-example=${id}]`).click();
  await page.locator(`stile-files [data-file^="${file}"]`).first().waitFor({ state: "attached" });
  await expect(page.getByRole("dialog")).toBeHidden(); // it keeps the focus until it is closed
}

export async function tab(page: Page, name: string): Promise<void> {
  await page.getByRole("tablist", { name: "Main view" }).getByRole("tab", { name }).click();
}

/** Opens the window of links and returns its link. */
export async function share(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const field = page.getByLabel("Link to the workspace");
  await expect(field).toHaveValue(/#1:/);
  return field.inputValue();
}

/** Returns the entries that the device keeps in the only store of a database, by key. */
export async function keptIn(page: Page, name: string): Promise<readonly (readonly [key: string, value: unknown])[]> {
  return page.evaluate(async (name) => {
    // Opening a missing database would create it without the stores that the page expects.
    if (!(await indexedDB.databases()).some((d) => d.name === name)) return [];
    const result = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await result(indexedDB.open(name));
    const store = database.objectStoreNames[0] ?? "";
    const all = database.transaction(store).objectStore(store);
    const [keys, values] = await Promise.all([result(all.getAllKeys()), result(all.getAll() as IDBRequest<unknown[]>)]);
    database.close();
    return keys.map((key, i) => [String(key), values[i]] as const);
  }, name);
}

/** Returns the unfinished runs that the device keeps, by key. */
export const keptOfRuns = (page: Page): Promise<readonly (readonly [key: string, value: unknown])[]> =>
  keptIn(page, "stile-runs");

/** Waits until the device keeps a run with this many answers, so that leaving the page loses none. */
export async function keeps(page: Page, answers: number): Promise<void> {
  await expect
    .poll(async () => {
      const kept = [...(await keptOfRuns(page))];
      const heads = kept.filter(([key]) => !key.includes("/")).map(([key]) => key);
      const of = (head: string) =>
        kept.filter(([key]) => key.startsWith(`${head}/`)).flatMap(([, piece]) => piece as { chunk?: string }[]);
      return heads.map((head) => of(head).filter((answer) => answer.chunk === undefined).length);
    })
    .toEqual([answers]);
}

interface Watched {
  readonly stileWatched: { readonly kill: (name: string) => void; readonly started: (name: string) => number };
}

/** Keeps the page's workers by name, so that one can be killed. The clock is the test's. */
export async function watchWorkers(page: Page): Promise<void> {
  await page.clock.install();
  await page.addInitScript(() => {
    const workers: { readonly name: string; readonly worker: Worker }[] = [];
    window.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        workers.push({ name: options?.name ?? "", worker: this });
      }
    };
    const stileWatched: Watched["stileWatched"] = {
      kill: (name) => workers.findLast((w) => w.name === name)?.worker.terminate(),
      started: (name) => workers.filter((w) => w.name === name).length,
    };
    Object.assign(window, { stileWatched });
  });
}

/** Returns how many workers of a name the page has started. */
export const started = (page: Page, name: string): Promise<number> =>
  page.evaluate((name) => (window as unknown as Watched).stileWatched.started(name), name);

/** Kills a worker and waits until the page has noticed and started another. */
export async function killed(page: Page, name: string): Promise<void> {
  const before = await started(page, name);
  await page.evaluate((name) => (window as unknown as Watched).stileWatched.kill(name), name);
  await restarted(page, name, before);
}

/** Advances the clock until the page notices that a worker is silent and has started this many. */
export async function restarted(page: Page, name: string, before: number): Promise<void> {
  await expect(async () => {
    if ((await started(page, name)) > before) return;
    await page.clock.fastForward(5_100);
    expect(await started(page, name)).toBeGreaterThan(before);
  }).toPass();
}
