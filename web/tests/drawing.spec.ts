import { violations } from "./axe.js";
import type { Locator, Page } from "@playwright/test";
import { drawingDOT } from "../src/draw/drawing-dot.js";
import type { Drawing } from "../src/core/wire.js";
import { expect, open, openExample, ready, tab, test, textOf, write } from "./fixtures.js";
import { onlyLong, sampled } from "./sample.js";

const testLong = onlyLong(test);

const drawing = (page: Page) => page.locator(".main-drawing");
const node = (page: Page, name: string) =>
  drawing(page)
    .locator(".node")
    .filter({ has: page.locator(`.name:text-is("${name}")`) });

/** Waits for the deferred part of the drawing, and for the complete graph if requested. */
async function explored(page: Page): Promise<void> {
  await page.locator(".main-drawing .explore").waitFor();
  await drawing(page).locator("desc").waitFor({ state: "attached" });
}

/** Returns the centres of the states on the screen, by name, without duplicate names. */
async function places(page: Page): Promise<Map<string, readonly [number, number]>> {
  const list = await page.evaluate(async () => {
    // A move of the sheet takes effect in the next frame.
    for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
    return [...document.querySelectorAll(".main-drawing .node")].map((n) => {
      const { x, y, width, height } = (n.querySelector(".box:not(.shadow)") ?? n).getBoundingClientRect();
      return [n.querySelector(".name")?.textContent ?? "", [x + width / 2, y + height / 2]] as const;
    });
  });
  const once = list.filter(([name]) => list.filter(([other]) => other === name).length === 1);
  return new Map(once.map(([name, [x = 0, y = 0]]) => [name, [x, y]]));
}

function moves(
  before: ReadonlyMap<string, readonly [number, number]>,
  after: ReadonlyMap<string, readonly [number, number]>,
): number[] {
  return [...before].flatMap(([name, [x, y]]) => {
    const now = after.get(name);
    return now === undefined ? [] : [Math.hypot(now[0] - x, now[1] - y)];
  });
}

/** Returns numbers from 0 to 1, the same for each seed (mulberry32). */
function seeded(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns an agent with one more state, somewhere in one of its sequences. */
function withState(text: string, name: string, random: () => number): string {
  const at = text.indexOf("(:behavior");
  const [head, tail] = [text.slice(0, at), text.slice(at)];
  const names = [...head.matchAll(/\(([A-Z][\w-]*) \(:text/g)].map((m) => m[1] ?? "");
  const places = [...tail.matchAll(/\(next((?:\s+[A-Z][\w-]*)+)/g)].flatMap((m) =>
    [...(m[1] ?? "").matchAll(/\s([A-Z][\w-]*)/g)]
      .filter((s) => names.includes(s[1] ?? ""))
      .map((s) => m.index + 5 + s.index + s[0].length),
  );
  const place = places[Math.floor(random() * places.length)] ?? 0;
  const states = head.indexOf("(:states") + "(:states".length;
  return `${head.slice(0, states)}\n    (${name} (:text "[${name}]"))${head.slice(states)}${tail.slice(0, place)} ${name}${tail.slice(place)}`;
}

const chart = `ask first "First?"
  yes -> second
  no -> third
ask second "Second?"
  yes -> good
  no -> third
ask third "Third?"
  yes -> good
  no -> stop
accept good "Good."
`;

test("an added production keeps the automaton's layout, except for the room of its label", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S -> a S b | ε\n");
  await explored(page);
  await expect(drawing(page).getByText("a, S; S b")).toBeVisible();
  await page.getByRole("button", { name: "Zoom in" }).click();
  await page.getByRole("button", { name: "Zoom in" }).click();
  const before = await places(page);
  await write(page, "S -> a S b | ε | c S d\n");
  await expect(drawing(page).getByText("c, S; S d")).toBeVisible();
  const moved = moves(before, await places(page)).sort((a, b) => a - b);
  const { width, height } = (await drawing(page).locator(".canvas").boundingBox()) ?? { width: 1, height: 1 };
  expect(moved[0]).toBeLessThan(1);
  expect(moved.at(-1)).toBeLessThan(0.05 * Math.hypot(width, height));
});

test("small edits keep the positions of unchanged states", async ({ quiet: page }) => {
  await open(page);
  const all: number[] = [];
  for (const [seed, id] of ["react", "payment", "coder"].entries()) {
    await openExample(page, id);
    await ready(page);
    await explored(page);
    let text = (await textOf(page))
      .replace(/\s*\(:(?:prompt|examples) "[^"]*"\)/g, "")
      .replace(/\(:require[\s\S]*$/, ")");
    await write(page, text);
    await expect(page.locator(".summary")).not.toContainText("error");
    await page.getByRole("button", { name: "Zoom in" }).click();
    const random = seeded(seed + 1);
    let before = await places(page);
    for (let i = 0; i < 4; i++) {
      text = withState(text, `New${i}`, random);
      await write(page, text);
      await expect(
        drawing(page)
          .locator(".name", { hasText: `New${i}` })
          .first(),
      ).toBeAttached();
      const after = await places(page);
      all.push(...moves(before, after));
      before = after;
    }
  }
  const { width, height } = (await drawing(page).locator(".canvas").boundingBox()) ?? { width: 1, height: 1 };
  const [middle = 1, most = 1] = [0.5, 0.9]
    .map((q) => all.sort((a, b) => a - b)[Math.floor(all.length * q)])
    .map((n) => (n ?? 0) / Math.hypot(width, height));
  console.log(
    `${all.length} states that stayed moved by ${(100 * middle).toFixed(2)} % of the pane in the median, by ${(100 * most).toFixed(1)} % at most in 9 of 10`,
  );
  expect(middle).toBeLessThan(0.01);
  expect(most).toBeLessThan(0.25);
});

for (const reducedMotion of ["reduce", "no-preference"] as const) {
  test(`an edit and a step move ${reducedMotion === "reduce" ? "nothing for a person who wants no motion" : "for a quarter and a third of a second"}`, async ({
    browser,
    baseURL,
  }) => {
    const context = await browser.newContext({ reducedMotion, serviceWorkers: "block" });
    const page = await context.newPage();
    await page.addInitScript(() => {
      const moved: { what: string; time: number }[] = [];
      Object.assign(window, { moved });
      const { animate } = Element.prototype;
      Element.prototype.animate = function (frames, options) {
        moved.push({
          what: this.getAttribute("class") ?? "",
          time: Number((options as KeyframeAnimationOptions).duration),
        });
        return animate.call(this, frames, options);
      };
    });
    const moved = () =>
      page.evaluate(() => (window as unknown as { moved: { what: string; time: number }[] }).moved.splice(0));
    await page.goto(baseURL ?? "");
    await ready(page);
    await openExample(page, "react");
    await ready(page);
    await explored(page);
    await expect(node(page, "Ans")).toBeAttached();
    await moved();
    const text = await textOf(page);
    await write(page, text.replace("Final-Tht) Ans", "Final-Tht) Tht Ans"));
    await expect(drawing(page).locator(".node")).toHaveCount(8);
    const edit = await moved();
    await page.locator("[data-letter=Ques]").click();
    await expect(node(page, "Ques")).toHaveClass(/live/);
    await page.locator("[data-letter=Tht]").click();
    await expect(drawing(page).locator(".edge.live")).toHaveCount(1);
    const step = await moved();
    await page.getByRole("button", { name: "Undo the last symbol" }).click();
    await expect(node(page, "Ques")).toHaveClass(/live/);
    const back = await moved();
    if (reducedMotion === "reduce") {
      expect([...edit, ...step, ...back]).toEqual([]);
    } else {
      expect(edit.length).toBeGreaterThan(3);
      expect(Math.max(...edit.map((m) => m.time))).toBeLessThanOrEqual(250);
      expect(step.filter((m) => m.what === "token")).toHaveLength(1);
      expect(back.filter((m) => m.what === "token")).toHaveLength(0);
      await expect(drawing(page).locator(".token")).toHaveCount(0);
    }
    await context.close();
  });
}

test("states and labels are found, counted and centred", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "support");
  await ready(page);
  await explored(page);
  await expect(drawing(page).locator("desc")).toContainText("16 states"); // not those of the earlier example
  await drawing(page).locator("[tabindex='0']").first().focus();
  await page.keyboard.press("/");
  await expect(page.getByLabel("Find states and labels")).toBeFocused();
  await page.keyboard.type("refund");
  await expect(drawing(page).locator(".explore-count")).toHaveText(/^\s*\d+\s*$/);
  await page.keyboard.press("Enter");
  await expect(drawing(page).locator(".explore-count")).toHaveText(/^\s*1\s+of\s+\d+\s*$/);
  await expect(drawing(page).locator(".explore-hit[aria-current]")).toHaveCount(1);
  await expect(drawing(page).getByRole("status").filter({ hasText: /^1 of/ })).toContainText("refund");
  await expect
    .poll(() =>
      page.evaluate(() => {
        const box = document.querySelector(".main-drawing .drawing .found :is(.box, .ground)")?.getBoundingClientRect();
        const pane = document.querySelector(".main-drawing .canvas")?.getBoundingClientRect();
        return box === undefined || pane === undefined
          ? Infinity
          : Math.hypot(
              box.x + box.width / 2 - pane.x - pane.width / 2,
              box.y + box.height / 2 - pane.y - pane.height / 2,
            );
      }),
    )
    .toBeLessThan(3);
  expect(await violations(page, ".main-drawing")).toEqual([]);
  await page.keyboard.press("Shift+Enter");
  await expect(drawing(page).locator(".explore-count")).toHaveText(/^\s*(\d+)\s+of\s+\1\s*$/);
  await page.keyboard.press("Escape");
  await expect(page.getByLabel("Find states and labels")).toHaveCount(0);
  await expect(drawing(page).locator("svg :focus")).toHaveCount(1);
});

test("only the neighbourhood of a state is shown, by keyboard and in the table", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S -> early\n");
  await page
    .locator(".file-input")
    .setInputFiles({ name: "chart.flow", mimeType: "text/plain", buffer: Buffer.from(chart) });
  await page.locator('stile-files [data-file="chart.flow"]').waitFor();
  await expect(node(page, "third")).toBeVisible();
  await explored(page);
  const all = await drawing(page).locator(".node").count();
  await node(page, "first").focus();
  await page.keyboard.press("1");
  await expect(drawing(page).locator(".explore-note")).toContainText(`3 of ${all} states, within 1 step of first`);
  await expect(drawing(page).locator(".node")).toHaveCount(3);
  await expect(node(page, "second").locator(".more-mark")).toHaveText("+1");
  await expect(node(page, "second")).toHaveAttribute("aria-label", /1 neighbour not shown/);
  await expect(node(page, "first")).toBeFocused();
  await page.getByRole("button", { name: "Show as a table" }).click();
  await expect(page.locator("stile-drawing-table tbody").first().locator("tr")).toHaveCount(3);
  await expect(page.locator("stile-drawing-table tr", { hasText: "second" }).first()).toContainText(
    "1 neighbour not shown",
  );
  await page.getByRole("button", { name: "Show as a table" }).click();
  await page.getByRole("button", { name: "Show all" }).click();
  await expect(drawing(page).locator(".node")).toHaveCount(all);
});

test("successors of a state and its loops are folded and unfolded", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "react");
  await ready(page);
  await explored(page);
  await expect(drawing(page).locator(".node")).toHaveCount(7);
  await node(page, "Tht").focus();
  await page.keyboard.press("g");
  await expect(drawing(page).locator(".node")).toHaveCount(4);
  await expect(node(page, "Tht")).toContainText("4 states");
  await expect(node(page, "Tht")).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("Enter");
  await expect(drawing(page).locator(".node")).toHaveCount(7);
  await node(page, "Final-Tht").focus();
  await page.keyboard.press("f");
  await expect(drawing(page).locator(".node")).toHaveCount(6);
  await page.getByRole("button", { name: "Show as a table" }).click();
  await page.getByRole("button", { name: "Unfold" }).click();
  await expect(page.locator("stile-drawing-table tbody").first().locator("tr")).toHaveCount(7);
});

test("groups of states are unfolded one by one", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "daily");
  await ready(page);
  await explored(page);
  await expect(drawing(page).locator(".node")).toHaveCount(12);
  await drawing(page).locator("[tabindex='0']").first().focus();
  const family = drawing(page).locator(".folded-node", { hasText: "15" }).first();
  await family.focus();
  const size = Number(/(\d+) states/.exec((await family.locator(".detail").textContent()) ?? "")?.[1]);
  await page.keyboard.press("Enter");
  await expect(drawing(page).locator(".node")).toHaveCount(11 + size);
});

test("a group is unfolded by one key as soon as it is marked", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "daily");
  await ready(page);
  await explored(page);
  await drawing(page).locator("[tabindex='0']").first().focus();
  // A reply may replace the picture at any time, so the search, the focus and the key share a task.
  const size = await drawing(page).evaluate(
    (part) =>
      new Promise<number>((resolve) => {
        const press = (): void => {
          const node = [...part.querySelectorAll<SVGElement>(".folded-node")].find((n) => n.textContent.includes("15"));
          if (node === undefined) return void requestAnimationFrame(press);
          node.focus();
          node.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
          resolve(Number(/(\d+) states/.exec(node.querySelector(".detail")?.textContent ?? "")?.[1]));
        };
        press();
      }),
  );
  await expect(drawing(page).locator(".node")).toHaveCount(11 + size);
});

testLong("a text of 600 productions is explored from its start", async ({ quiet: page }) => {
  await open(page);
  await explored(page);
  const lines = Array.from(
    { length: 600 },
    (_, i) => `N${i} -> a N${(2 * i + 1) % 600} | b N${(2 * i + 2) % 600} | c${i % 89}`,
  );
  await page
    .locator(".file-input")
    .setInputFiles({ name: "large.cfg", mimeType: "text/plain", buffer: Buffer.from(`${lines.join("\n")}\n`) });
  await expect(drawing(page).locator(".explore-note")).toContainText("of 600 states", { timeout: 200_000 });
  await expect(node(page, "N0")).toBeVisible();
  await expect(drawing(page).locator(".more-mark").first()).toBeAttached();
  await drawing(page).locator("[data-explore=find]").click();
  await page.keyboard.type("N471");
  await page.keyboard.press("Enter");
  await expect(node(page, "N471")).toBeVisible({ timeout: 60_000 });
  await expect(drawing(page).locator(".explore-note")).toContainText("of N471");
});

/** Puts the cursor before a text in the editor. */
async function cursorAt(page: Page, text: string, within: number): Promise<void> {
  const whole = await textOf(page);
  const at = whole.indexOf(text) + within;
  const before = whole.slice(0, at).split("\n");
  await page.locator("stile-editor .cm-content").focus();
  await page.keyboard.press("ControlOrMeta+Home");
  for (let i = 1; i < before.length; i++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Home");
  await page.keyboard.press("Home"); // to the first column of an indented line
  const line = whole.split("\n")[before.length - 1] ?? "";
  const indented = line.length - line.trimStart().length;
  const back = (before.at(-1)?.length ?? 0) - indented;
  for (let i = 0; i < (back >= 0 ? back + indented : (before.at(-1)?.length ?? 0)); i++)
    await page.keyboard.press("ArrowRight");
}

const languages: readonly {
  readonly name: string;
  readonly text: string;
  readonly cursor: readonly [string, number];
  readonly here: (page: Page) => Locator;
  readonly click: (page: Page) => Locator;
  readonly line: RegExp;
}[] = [
  {
    name: "both.cfg",
    text: "S -> a T\nT -> b S | c\n",
    cursor: ["c\n", 0],
    here: (page) => drawing(page).locator(".line.here", { hasText: "c, T; ε" }),
    click: (page) => drawing(page).locator(".line", { hasText: "b, T; S" }),
    line: /T -> b S/,
  },
  {
    name: "both.pda",
    text: "start left Z\naccept right\nleft -> left (a, Z; A Z)\nleft -> right (b, A; ε)\n",
    cursor: ["right (b", 1],
    here: (page) => node(page, "right").and(page.locator(".here")),
    click: (page) => node(page, "right"),
    line: /right/,
  },
  {
    name: "both.flow",
    text: chart,
    cursor: ['third "Third', 1],
    here: (page) => node(page, "third").and(page.locator(".here")),
    click: (page) => node(page, "second"),
    line: /ask second/,
  },
  {
    name: "both.agent",
    text: '(define both\n  (:states\n    (One (:text "1."))\n    (Two (:text "2.")))\n  (:behavior (next One Two)))\n',
    cursor: ["Two)))", 1],
    here: (page) => node(page, "Two").and(page.locator(".here")),
    click: (page) => node(page, "Two"),
    line: /2\./,
  },
  {
    name: "both.ltl",
    text: "one: G(a -> F b)\n\ntwo: F c\n",
    cursor: ["c\n", 0],
    here: (page) => drawing(page).locator(".line.here", { hasText: "c" }),
    click: (page) => drawing(page).locator(".node").first(),
    line: /one/,
  },
];

for (const { name, text, cursor, here, click, line } of sampled("drawing and text", languages, 2)) {
  test(`a part of the drawing leads to its text and back in a ${name.replace("both", "")} file`, async ({
    quiet: page,
  }) => {
    await open(page);
    await page.locator(".file-input").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await page.locator(`stile-files [data-file="${name}"]`).waitFor();
    await expect(drawing(page).locator(".node").first()).toBeVisible();
    await explored(page);
    // Hovering the drawing fetches all its positions.
    await drawing(page).locator("[tabindex='0']").first().focus();
    await expect(click(page)).toHaveAttribute("role", "button");
    await click(page).click({ position: name.endsWith(".cfg") ? { x: 20, y: 6 } : { x: 20, y: 20 } });
    await expect(page.locator("stile-editor .cm-activeLine")).toContainText(line);
    await cursorAt(page, ...cursor);
    await expect(here(page).first()).toBeVisible();
  });
}

test("the page and the core write the same layout source", async ({ quiet: page }) => {
  await open(page);
  for (const id of ["react", "support", "saga"]) {
    await openExample(page, id);
    await ready(page);
    await expect(drawing(page).locator("svg.drawing")).toBeVisible();
    const drawn = await page.evaluate(
      () => (document.querySelector(".main-drawing") as unknown as { drawing: Drawing }).drawing,
    );
    expect(drawingDOT(drawn)).toBe(drawn.dot);
  }
});

test("a screen reader is given the graph's structure", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "react");
  await ready(page);
  await explored(page);
  await expect(drawing(page).locator("desc")).toHaveText("7 states, 8 transitions; start: Ques; accepting: Ans.");
  await expect(node(page, "Obs")).toHaveAttribute("aria-label", /answered by the environment/);
});

test("everything is distinguishable in forced colours", async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    forcedColors: "active",
    reducedMotion: "reduce",
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  await page.goto(baseURL ?? "");
  await ready(page);
  await openExample(page, "react");
  await ready(page);
  await explored(page);
  await page.locator("[data-letter=Ques]").click();
  await expect(node(page, "Ques")).toHaveClass(/live/);
  const colours = await page.evaluate(() => {
    const colour = (selector: string, name: string): string => {
      const part = document.querySelector(selector);
      return part === null ? "nothing" : getComputedStyle(part).getPropertyValue(name);
    };
    return {
      ground: colour(".main-drawing .canvas", "background-color"),
      text: colour(".main-drawing .node:not(.live) .name", "fill"),
      box: colour(".main-drawing .node:not(.live) .box", "fill"),
      line: colour(".main-drawing .node:not(.live) .box", "stroke"),
      wire: colour(".main-drawing .edge .wire", "stroke"),
      live: colour(".main-drawing .node.live .box", "fill"),
      liveText: colour(".main-drawing .node.live .name", "fill"),
      button: colour(".button.examples", "border-top-color"),
      letter: colour(".letter", "border-top-color"),
    };
  });
  expect(colours.text).not.toBe(colours.box);
  expect(colours.line).not.toBe(colours.box);
  expect(colours.wire).not.toBe(colours.box);
  expect(colours.live).not.toBe(colours.box);
  expect(colours.liveText).not.toBe(colours.live);
  expect(colours.button).not.toBe("rgba(0, 0, 0, 0)");
  expect(colours.letter).not.toBe("rgba(0, 0, 0, 0)");
  await context.close();
});

test("nothing is cut off at 200 % zoom", async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    viewport: { width: 640, height: 400 },
    deviceScaleFactor: 2,
    reducedMotion: "reduce",
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  await page.goto(`${baseURL ?? ""}/?example=openagi`);
  await page.locator('stile-files [data-file="openagi.cfg"]').waitFor({ state: "attached" });
  await ready(page);
  for (const name of ["Text", "Automaton", "Run", "Trace", "Verify", "Export"]) {
    await tab(page, name);
    await expect(page.getByRole("tab", { name, exact: true }).first()).toHaveAttribute("aria-selected", "true");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(640);
    // Every control is within the page or within a scroll container.
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll("button, input, select, [role=tab]")]
        .filter((part) => {
          const { width, height, left, right } = part.getBoundingClientRect();
          if (width === 0 || height === 0 || (left >= -1 && right <= innerWidth + 1)) return false;
          for (let at = part.parentElement; at !== null; at = at.parentElement)
            if (["auto", "scroll"].includes(getComputedStyle(at).overflowX)) return false;
          return true;
        })
        .map((part) => part.outerHTML.slice(0, 120)),
    );
    expect(cut).toEqual([]);
  }
  await tab(page, "Automaton");
  await explored(page);
  await page.locator("[data-explore=less]").click();
  const pane = await page.locator(".drawing-pane").boundingBox();
  const panel = await page.locator(".explore-panel").boundingBox();
  expect(pane?.height ?? 0).toBeGreaterThan(120);
  expect((panel?.y ?? 0) + (panel?.height ?? 0)).toBeLessThanOrEqual((pane?.y ?? 0) + (pane?.height ?? 0) + 1);
  await context.close();
});

test("a layout worker that the browser ended is restarted, and the drawing appears", async ({ quiet: page }) => {
  await page.addInitScript(() => {
    const workers: WeakRef<Worker>[] = [];
    window.Worker = class extends Worker {
      constructor(address: string | URL, options?: WorkerOptions) {
        super(address, options);
        if (options?.name === "layout") workers.push(new WeakRef(this));
      }
    };
    Object.assign(window, {
      endLayout: () => workers.forEach((worker) => worker.deref()?.terminate()),
      layoutWorkers: () => workers.length,
    });
  });
  await page.clock.install();
  await open(page);
  await write(page, "S -> before");
  await node(page, "S")
    .or(drawing(page).locator("svg text").filter({ hasText: "before" }))
    .first()
    .waitFor();
  const started = await page.evaluate(() => {
    const { endLayout, layoutWorkers } = window as unknown as { endLayout(): void; layoutWorkers(): number };
    endLayout();
    return layoutWorkers();
  });
  await write(page, "S -> after");
  // The clock is advanced only until there is another worker: a slow machine needs its limits to load the engine.
  await expect(async () => {
    await page.clock.fastForward(3_000);
    const workers = await page.evaluate(() => (window as unknown as { layoutWorkers(): number }).layoutWorkers());
    expect(workers).toBeGreaterThan(started);
  }).toPass();
  await drawing(page).locator("svg text").filter({ hasText: "after" }).first().waitFor();
});
