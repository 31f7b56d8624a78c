import { inflateRawSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expect, openExample, share } from "../fixtures.js";
import type { Draw } from "./draw.js";
import { light, under, weigh } from "./laws.js";
import { ask, cancelled, experiment, killSolver, leave, resume, save, simulate, solve, written } from "./runs.js";
import { KEY, type Visit } from "./visit.js";

type Doing = (visit: Visit, draw: Draw) => Promise<void>;

const specs = [
  "S -> a S b | ε\n",
  'S -> x S | y\nx as "first"\n',
  'S -> "quoted\n',
  "A -> B\nB -> A\n",
  "S -> odd | S odd # é 😀\n",
  "limit 1 each\nS -> S S | a\n",
] as const;
const examples = ["anbn", "react", "daily", "risk", "openagi", "payment", "support", "cot"] as const;
const endings = ["cfg", "pda", "flow", "ltl", "agent", "team", "md", "smt2"] as const;

const saved = (visit: Visit) =>
  expect(visit.page.locator("stile-problems .saved")).toHaveText(
    visit.full ? /^\s*(?:Not\s+saved|Saved\s+on)/ : "Saved on this device",
  );

/** Types a unique text, and checks whether the page reports that it is saved. */
async function marked(visit: Visit, put: (mark: string) => Promise<void>): Promise<void> {
  const mark = visit.mark();
  await put(mark);
  await saved(visit);
  // A full device may have room for a small text.
  const said = await visit.page.locator("stile-problems .saved").textContent();
  visit.marks.set(mark, said?.startsWith("Not saved") === true ? "unsaved" : "here");
}

/**
 * Runs an action that may remove text. Removed marks are forgotten, even if the device could
 * not store the change.
 */
async function changed(visit: Visit, doing: () => Promise<void>): Promise<void> {
  const [before] = JSON.parse(await visit.held()) as readonly [unknown, unknown];
  const text = JSON.stringify(before);
  await doing();
  // All changes are saved by then; there may be none.
  await visit.page.clock.fastForward(400);
  await visit.settled();
  const { drafts, aside } = await visit.stored();
  const held = await visit.held();
  for (const [mark] of visit.marks) {
    const places = text.includes(mark) ? [held] : [drafts, aside, held];
    if (!places.some((place) => place.includes(mark))) visit.marks.delete(mark);
  }
}

const content = (page: Page) => page.locator("stile-editor .cm-content");

/** A line of a file that contains only a mark. */
async function remark(visit: Visit, mark: string, page = visit.page): Promise<string> {
  const ending = (await visit.open(page)).replace(/.*\./, "");
  return `${{ smt2: ";", pddl: ";", lp: "\\" }[ending] ?? "#"} ${mark}\n`;
}

/** Edits the end of the text. */
async function typed(visit: Visit): Promise<void> {
  const { page } = visit;
  await content(page).click();
  await page.keyboard.press("ControlOrMeta+End");
  await marked(visit, async (mark) => page.keyboard.insertText(`\n${await remark(visit, mark)}`));
}

async function replaced(visit: Visit, text: string): Promise<void> {
  const { page } = visit;
  await changed(visit, async () => {
    await content(page).click();
    await page.keyboard.press("ControlOrMeta+A");
    await marked(visit, async (mark) => page.keyboard.insertText(`${await remark(visit, mark)}${text}`));
  });
}

/** Closes all open windows. */
async function closed(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(page.locator("dialog[open]")).toHaveCount(0);
}

async function killed(visit: Visit, name: string): Promise<void> {
  await visit.page.evaluate((wanted) => {
    for (const { name, worker } of window.stileWorkers ?? []) if (name === wanted) worker.deref()?.terminate();
  }, name);
}

/** Opens another tab of the site, with a copy of this tab's draft. */
async function opened(visit: Visit): Promise<Page> {
  const other = await visit.context.newPage();
  visit.watch(other);
  await other.goto(visit.host.address);
  await visit.settled(other);
  return other;
}

/** Returns a link's content, with the texts in it. */
async function unpacked(link: string): Promise<string> {
  const packed = Buffer.from(new URL(link).hash.replace(/^#1:/, ""), "base64url");
  return link + inflateRawSync(packed).toString("utf8");
}

/** The actions of a person, and the faults that may happen to the page. */
export const doings: Readonly<Record<string, Doing>> = {
  type: typed,
  async replace(visit, draw) {
    await replaced(visit, draw.of(specs));
  },
  async undo(visit, draw) {
    await content(visit.page).click();
    const times = 1 + draw.below(3);
    await changed(visit, async () => {
      for (let i = 0; i < times; i++) await visit.page.keyboard.press("ControlOrMeta+z");
    });
    const again = draw.below(2) === 0;
    await changed(visit, async () => {
      if (again) await visit.page.keyboard.press("ControlOrMeta+Shift+z");
    });
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
    if ((await button.count()) === 0) return;
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
    const tabs = visit.page.getByRole("tablist", { name: "Main view" }).getByRole("tab");
    await tabs.nth(draw.below(await tabs.count())).click();
  },
  simulate,
  ask,
  leave,
  resume,
  save,
  written,
  solve,
  experiment,
  "kill-solver": killSolver,
  async cancel(visit) {
    await cancelled(visit);
  },
  async reload(visit) {
    await visit.reload();
  },
  async hurry(visit) {
    // The last letters are saved when the page is left.
    const { page } = visit;
    await content(page).click();
    await page.keyboard.press("ControlOrMeta+End");
    const mark = visit.mark();
    await page.keyboard.insertText(`\n${await remark(visit, mark)}`);
    if (visit.full) visit.marks.set(mark, "unsaved");
    await expect.poll(() => visit.shown()).toContain(mark);
    await visit.reload();
  },
  async link(visit, draw) {
    const { page } = visit;
    if (visit.fragment === "" || draw.below(3) === 0) {
      const link = await share(page);
      const run = page.getByLabel(/with the last run/);
      if ((await run.count()) > 0) {
        await run.check();
        await expect(page.getByLabel("Link to the workspace")).not.toHaveValue(link);
        expect(
          await unpacked(await page.getByLabel("Link to the workspace").inputValue()),
          "no key is in a link",
        ).not.toContain(KEY);
      }
      expect(await unpacked(link), "no key is in a link").not.toContain(KEY);
      visit.fragment = new URL(link).hash;
      await closed(page);
      return;
    }
    visit.putAside();
    await page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      draw.of([visit.fragment, visit.fragment, "#1:S85WKEnMTk1RSE", "#9:abc"]),
    );
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
    const { page } = visit;
    const going = await under(page);
    await killed(visit, "core");
    await typed(visit);
    // The watchdog notices the silence of a dead core by the clock.
    await expect(async () => {
      await page.clock.fastForward(6_000);
      await expect(page.locator("stile-problems .summary .spinner")).toHaveCount(0, { timeout: 500 });
    }).toPass({ timeout: 30_000 });
    if (going)
      await expect(page.locator("stile-run-controls .run-state"), "the run goes on").not.toHaveText(/Interrupted/);
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
          // Then with fewer.
        }
      }
    }, visit.full);
    await typed(visit);
    if (!visit.full) for (const [mark, where] of visit.marks) if (where === "unsaved") visit.marks.set(mark, "here");
  },
  async second(visit, draw) {
    if (visit.host.down || visit.full) return;
    const other = (visit.other ??= await opened(visit));
    switch (draw.of(["type", "type", "reload", "close"] as const)) {
      case "reload":
        await other.reload();
        await visit.settled(other);
        break;
      case "close":
        await other.close();
        visit.other = undefined;
        break;
      default: {
        // Both are edited at the same time, and neither overwrites the other.
        await content(other).click();
        await other.keyboard.press("ControlOrMeta+End");
        const theirs = visit.mark();
        visit.marks.set(theirs, "aside");
        await other.keyboard.insertText(`\n${await remark(visit, theirs, other)}`);
        await typed(visit);
        await visit.settled(other);
        await expect(other.locator("stile-problems .saved")).toHaveText("Saved on this device");
      }
    }
  },
  async version(visit) {
    if (visit.host.down || visit.full) return;
    const { page, host } = visit;
    const newest = (): Promise<string> =>
      page.evaluate(async () => {
        const order = await (await caches.open("stile-order")).match(new URL("order", document.baseURI).href);
        return ((await order?.json()) as string[] | undefined)?.at(-1) ?? "";
      });
    await expect.poll(newest, { message: "the version is kept" }).not.toBe("");
    const now = (await newest()).slice("stile-".length);
    visit.versions++;
    const next = `${visit.versions}next`;
    const before = host.changed.get("service-worker.js");
    host.changed.set("service-worker.js", (text) => (before?.(text) ?? text).replaceAll(now, next));
    for (const name of ["index.html", ""])
      host.changed.set(name, (text) => text.replace("<title>", `<title>Version ${visit.versions} of `));
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update().catch(() => {})));
    await expect.poll(newest, { message: "the next version is kept as a whole" }).toBe(`stile-${next}`);
    // The open page continues unchanged; a returning visitor gets the next version.
    await typed(visit);
    await visit.reload();
    await expect(page).toHaveTitle(new RegExp(`^Version ${visit.versions} of `));
    await expect
      .poll(() => page.evaluate(async () => (await caches.keys()).length), {
        message: "two versions and their order are kept",
      })
      .toBeLessThanOrEqual(3);
  },
  async theme(visit) {
    const { page } = visit;
    await page.getByRole("button", { name: /^Colours: / }).click();
    const said = await page.getByRole("button", { name: /^Colours: / }).getAttribute("aria-label");
    visit.theme = visit.full ? undefined : (/light|dark/.exec(said ?? "")?.[0] ?? "system");
  },
  async weigh(visit) {
    if (visit.host.down || visit.full) return;
    await cancelled(visit);
    const now = await weigh(visit);
    if (visit.weight === undefined) visit.weight = now;
    else light(visit.weight, now);
  },
  async narrow(visit, draw) {
    await visit.page.setViewportSize(draw.below(2) === 0 ? { width: 390, height: 800 } : { width: 1280, height: 800 });
    await visit.page.setViewportSize({ width: 1280, height: 800 });
  },
  async format(visit) {
    const button = visit.page.getByRole("button", { name: "Format the text" });
    await changed(visit, async () => {
      if (await button.isEnabled()) await button.click();
    });
  },
  async version_of_mine(visit, draw) {
    const { page } = visit;
    await page.getByRole("button", { name: /choose an example/ }).click();
    await page.getByLabel("Keep the open workspace").fill(`Version ${draw.below(90)}`);
    await page.keyboard.press("Enter");
    await closed(page);
  },
};

/** The relative frequency of each step. */
export const weights: Readonly<Record<string, number>> = {
  type: 10,
  replace: 4,
  undo: 4,
  add: 3,
  rename: 3,
  remove: 2,
  file: 3,
  example: 5,
  tab: 4,
  simulate: 4,
  ask: 8,
  leave: 4,
  resume: 3,
  cancel: 1,
  solve: 2,
  experiment: 3,
  "kill-solver": 2,
  save: 2,
  written: 2,
  reload: 4,
  hurry: 2,
  link: 4,
  back: 2,
  offline: 2,
  forward: 2,
  backward: 2,
  "kill-core": 3,
  "kill-layout": 2,
  full: 2,
  second: 4,
  version: 2,
  theme: 1,
  weigh: 1,
  narrow: 1,
  format: 2,
  version_of_mine: 1,
};
