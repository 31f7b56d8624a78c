import type { Page } from "@playwright/test";
import { add, close, endpoints } from "../endpoint-fixtures.js";
import { expect, openExample, ready, share, tab } from "../fixtures.js";
import type { Draw } from "./draw.js";
import { faults, type Format, formats } from "./faults.js";
import { KEY, type Visit } from "./visit.js";

type Doing = (visit: Visit, draw: Draw) => Promise<void>;

const specs = [
  "S -> a S b | ε\n", "S -> x S | y\nx as \"first\"\n", "S -> \"quoted\n", "A -> B\nB -> A\n", "S -> odd | S odd # é 😀\n", "limit 1 each\nS -> S S | a\n",
] as const;
const examples = ["anbn", "react", "daily", "risk", "openagi", "payment", "support", "cot"] as const;
const endings = ["cfg", "pda", "flow", "ltl", "agent", "team", "md", "smt2"] as const;

const saved = (visit: Visit) => expect(visit.page.locator("stile-problems .saved")).toHaveText(visit.full ? /^(?:Not saved|Saved on)/ : "Saved on this device");

/** Puts in a text that was never typed before, and sees whether the page says that it is saved. */
async function marked(visit: Visit, put: (mark: string) => Promise<void>): Promise<void> {
  const mark = visit.mark();
  await put(mark);
  await saved(visit);
  // A full device may have room for a small text.
  const said = await visit.page.locator("stile-problems .saved").textContent();
  visit.marks.set(mark, said?.startsWith("Not saved") === true ? "unsaved" : "here");
}

/** Of marks that were in the draft those go that a person has taken out. */
async function forgotten(visit: Visit): Promise<void> {
  // Whatever is to be saved is saved by then; perhaps nothing was changed.
  await visit.page.clock.fastForward(400);
  await visit.settled();
  const { drafts, aside } = await visit.stored();
  const shown = await visit.shown();
  for (const [mark] of visit.marks) if (![drafts, aside, shown].some((text) => text.includes(mark))) visit.marks.delete(mark);
}

const content = (page: Page) => page.locator("stile-editor .cm-content");

/** An edit at the end of the text. */
async function typed(visit: Visit): Promise<void> {
  const { page } = visit;
  await content(page).click();
  await page.keyboard.press("ControlOrMeta+End");
  await marked(visit, (mark) => page.keyboard.insertText(`\n# ${mark}\n`));
}

async function replaced(visit: Visit, text: string): Promise<void> {
  const { page } = visit;
  await content(page).click();
  await page.keyboard.press("ControlOrMeta+A");
  await marked(visit, (mark) => page.keyboard.insertText(`# ${mark}\n${text}`));
  await forgotten(visit);
}

/** Closes whatever window is open. */
async function closed(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(page.locator("dialog[open]")).toHaveCount(0);
}

async function killed(visit: Visit, name: string): Promise<void> {
  await visit.page.evaluate((wanted) => {
    for (const { name, worker } of window.stileWorkers ?? []) if (name === wanted) worker.deref()?.terminate();
  }, name);
}

/** Starts a run and sees it to an end, or gives it up: it says how it stands all the while. */
async function ran(visit: Visit): Promise<void> {
  const { page } = visit;
  const begin = page.getByRole("button", { name: /^Run \S+$/ });
  if (await begin.count() === 0 || await begin.isDisabled()) {
    await expect(page.locator("#panel-run")).toHaveText(/\S/);
    return;
  }
  await begin.click();
  const state = page.locator("stile-run-controls .run-state");
  await expect(state).toHaveText(/Done|Failed|Cancelled|Waits|Running|Paused|Interrupted/);
  const over = await state.getByText(/^\s*(?:Done|Failed|Cancelled)/).waitFor({ timeout: 4_000 }).then(() => true, () => false);
  if (!over) {
    const cancel = page.locator("stile-run-controls").getByRole("button", { name: "Cancel" });
    if (await cancel.count() > 0) await cancel.click({ timeout: 5_000 }).catch(() => {}); // it may be over by now
    await expect(state).toHaveText(/Done|Failed|Cancelled/);
  }
  if (await state.getByText("Failed").count() > 0) await expect(page.locator("#panel-run [role=alert], #panel-run .fault, #panel-run .banner").first(), "why a run failed is said").toHaveText(/\S/);
}

/** What a person may do, and what may happen to the page. */
export const doings: Readonly<Record<string, Doing>> = {
  type: typed,
  async replace(visit, draw) {
    await replaced(visit, draw.of(specs));
  },
  async undo(visit, draw) {
    await content(visit.page).click();
    for (let times = 1 + draw.below(3); times > 0; times--) await visit.page.keyboard.press("ControlOrMeta+z");
    await visit.settled();
    await forgotten(visit);
    if (draw.below(2) === 0) await visit.page.keyboard.press("ControlOrMeta+Shift+z");
    await visit.settled();
    await forgotten(visit);
  },
  async add(visit) {
    await visit.page.getByRole("button", { name: "New file" }).click();
    await visit.settled();
    await typed(visit);
  },
  async rename(visit, draw) {
    const { page } = visit;
    await page.getByRole("button", { name: /^Rename / }).click();
    await page.locator("stile-files input[name=to]").fill(`renamed-${draw.below(6)}.${draw.of(endings)}`);
    await page.keyboard.press("Enter");
    await expect(page.locator("stile-files input[name=to]")).toHaveCount(0);
  },
  async remove(visit) {
    const button = visit.page.getByRole("button", { name: /^Remove / });
    if (await button.count() === 0) return;
    visit.putAside();
    await button.click();
    await visit.settled();
    await typed(visit);
  },
  async file(visit, draw) {
    const tabs = visit.page.locator("stile-files [data-file]");
    await tabs.nth(draw.below(await tabs.count())).click();
  },
  async example(visit, draw) {
    if (visit.host.down) return;
    const wanted = draw.of(examples);
    visit.putAside();
    await openExample(visit.page, wanted);
  },
  async tab(visit, draw) {
    await tab(visit.page, draw.of(["Automaton", "Run", "Trace", "Verify", "Export"]));
  },
  async simulate(visit, draw) {
    const { page } = visit;
    await tab(page, "Run");
    const picker = page.locator("#panel-run").getByLabel("Model", { exact: true });
    if (await picker.count() === 0) return;
    await picker.selectOption(draw.of(["uniform", "first", "rambler", "person"]));
    await ran(visit);
  },
  async ask(visit, draw) {
    const { page } = visit;
    await tab(page, "Run");
    const picker = page.locator("#panel-run").getByLabel("Model", { exact: true });
    if (await picker.count() === 0) return;
    const format: Format = draw.of(formats);
    if (await picker.locator("option", { hasText: format }).count() === 0) {
      await endpoints(page);
      await add(page, { preset: format === "openai" ? "other" : format, label: format, url: `${visit.endpoint.url}/${format}${format === "openai" ? "/v1" : ""}`, model: "small", key: format === "ollama" ? "" : KEY });
      await close(page);
    }
    await picker.selectOption(await picker.locator("option", { hasText: format }).first().getAttribute("value") ?? "");
    visit.endpoint.fault = draw.of(faults);
    await ran(visit);
    visit.endpoint.fault = "good";
  },
  async reload(visit) {
    await visit.reload();
  },
  async hurry(visit) {
    // The last letters are saved as the page is left.
    const { page } = visit;
    await content(page).click();
    await page.keyboard.press("ControlOrMeta+End");
    const mark = visit.mark();
    await page.keyboard.insertText(`\n# ${mark}\n`);
    if (visit.full) visit.marks.set(mark, "unsaved");
    await expect.poll(() => visit.shown()).toContain(mark);
    await visit.reload();
  },
  async link(visit, draw) {
    const { page } = visit;
    if (visit.fragment === "" || draw.below(3) === 0) {
      const link = await share(page);
      expect(link).not.toContain(KEY);
      visit.fragment = new URL(link).hash;
      await closed(page);
      return;
    }
    visit.putAside();
    await page.evaluate((hash) => { location.hash = hash; }, draw.of([visit.fragment, visit.fragment, "#1:S85WKEnMTk1RSE", "#9:abc"]));
    await visit.settled();
  },
  async back(visit) {
    const { page } = visit;
    if (new URL(page.url()).hash === "") return;
    visit.putAside();
    await page.goBack();
    await visit.settled();
    await page.goForward();
    await visit.settled();
  },
  async offline(visit) {
    visit.host.down = !visit.host.down;
  },
  async forward(visit, draw) {
    await visit.page.clock.fastForward(draw.of([3_600_000, 86_400_000, 90_000]));
  },
  async backward(visit, draw) {
    const now = await visit.page.evaluate(() => Date.now());
    await visit.page.clock.setSystemTime(now - draw.of([3_600_000, 172_800_000, 1_000]));
    await typed(visit);
  },
  async "kill-core"(visit) {
    await killed(visit, "core");
    await typed(visit);
    // The silence of a dead core is noticed by the clock.
    await expect(async () => {
      await visit.page.clock.fastForward(6_000);
      await expect(visit.page.locator("stile-problems .summary .spinner")).toHaveCount(0, { timeout: 500 });
    }).toPass();
  },
  async "kill-layout"(visit, draw) {
    await killed(visit, "layout");
    await replaced(visit, draw.of(specs));
  },
  async full(visit) {
    const devtools = await visit.devtools();
    const { origin } = new URL(visit.page.url());
    visit.full = !visit.full;
    await devtools.send("Storage.overrideQuotaForOrigin", { origin, ...(visit.full && { quotaSize: 1 }) });
    await visit.page.evaluate((full) => {
      localStorage.removeItem("filling");
      if (!full) return;
      for (let size = 1 << 22; size > 0; size >>= 1) {
        try {
          localStorage.setItem("filling", (localStorage.getItem("filling") ?? "") + "x".repeat(size));
        } catch {
          // Then with less.
        }
      }
    }, visit.full);
    await typed(visit);
    if (!visit.full) for (const [mark, where] of visit.marks) if (where === "unsaved") visit.marks.set(mark, "here");
  },
  async second(visit) {
    if (visit.host.down || visit.full) return;
    const other = await visit.context.newPage();
    visit.watch(other);
    await other.goto(visit.host.address);
    await ready(other);
    await content(other).click();
    await other.keyboard.press("ControlOrMeta+End");
    const theirs = visit.mark();
    await other.keyboard.insertText(`\n# ${theirs}\n`);
    await expect(other.locator("stile-problems .saved")).toHaveText("Saved on this device");
    await typed(visit);
    await other.close();
    visit.marks.set(theirs, "aside");
  },
  async version(visit) {
    if (visit.host.down || visit.full) return;
    const { page, host } = visit;
    const version = await page.evaluate(async () => (await globalThis.caches.keys()).filter((name) => name !== "stile-order").length);
    expect(version).toBeLessThanOrEqual(3);
    const script = await (await page.request.get(`${host.address}service-worker.js`)).text();
    const now = /"stile-([\w-]+)"/.exec(script)?.[1] ?? "";
    visit.versions++;
    const next = `${visit.versions}next`;
    const before = host.changed.get("service-worker.js");
    if (now !== "") host.changed.set("service-worker.js", (text) => (before?.(text) ?? text).replaceAll(now, next));
    for (const name of ["index.html", ""]) host.changed.set(name, (text) => text.replace("<title>", `<title>Version ${visit.versions} of `));
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update().catch(() => {})));
    await visit.reload();
  },
  async narrow(visit, draw) {
    await visit.page.setViewportSize(draw.below(2) === 0 ? { width: 390, height: 800 } : { width: 1280, height: 800 });
    await visit.page.setViewportSize({ width: 1280, height: 800 });
  },
  async format(visit) {
    const button = visit.page.getByRole("button", { name: "Format the text" });
    if (await button.isEnabled()) await button.click();
    await visit.settled();
    await forgotten(visit);
  },
  async version_of_mine(visit, draw) {
    const { page } = visit;
    await page.getByRole("button", { name: /choose an example/ }).click();
    await page.getByLabel("Keep what is open now").fill(`Version ${draw.below(90)}`);
    await page.keyboard.press("Enter");
    await closed(page);
  },
};

/** How often each is done, in proportion. */
export const weights: Readonly<Record<string, number>> = {
  type: 10, replace: 4, undo: 4, add: 3, rename: 3, remove: 2, file: 3, example: 4, tab: 5, simulate: 3, ask: 6, reload: 4, hurry: 2, link: 4, back: 2,
  offline: 2, forward: 2, backward: 2, "kill-core": 2, "kill-layout": 2, full: 2, second: 2, version: 2, narrow: 1, format: 2, version_of_mine: 1,
};
