// Drawings that can be read: the geometry of every example's drawing on the screen, at three widths.
import type { Page } from "@playwright/test";
import type { StileApp } from "../src/page/app.js";
import { expect, open, test } from "./fixtures.js";
import { inSample } from "./sample.js";

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

interface Look {
  readonly letters: number;
  readonly faults: readonly string[];
}

/** Examples whose drawings once could not be read are always measured, and one in five of the others. */
const always = ["travel", "support", "risk", "oncall", "daily", "saga"];
const measured = (ids: readonly string[]): readonly string[] =>
  ids.filter((id) => always.includes(id) || inSample(`geometry of ${id}`, 5));

/** Opens an example without the gallery, and waits for its drawing in the current pane. */
async function show(page: Page, id: string): Promise<void> {
  await page.evaluate(async (id) => {
    const app = document.querySelector("stile-app") as StileApp;
    const example = app.state.gallery.find((e) => e.id === id);
    if (example !== undefined) await app.playground.openExample(example);
  }, id);
  await page.waitForFunction(() => {
    const app = document.querySelector("stile-app") as StileApp;
    const drawing = document.querySelector<HTMLElement>("stile-drawing.main-drawing");
    return (
      app.state.analysis !== null &&
      (drawing?.hidden === true ||
        (drawing?.dataset["picture"] === undefined && drawing?.querySelector(".drawing desc") !== null))
    );
  });
}

/** Measures the drawing on the screen: its smallest letters, and the parts that cover or leave others. */
const look = (page: Page): Promise<Look> =>
  page.evaluate(async () => {
    for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
    const svg = document.querySelector<SVGSVGElement>(".main-drawing svg.drawing");
    const pane = document.querySelector(".main-drawing .canvas")?.getBoundingClientRect();
    if (svg === null || pane === undefined || pane.width === 0) return { letters: 99, faults: [] };
    const faults: string[] = [];
    const scale = svg.getBoundingClientRect().width / (Number(svg.getAttribute("width")) || 1);
    const texts = [...svg.querySelectorAll<SVGTextElement>("text")];
    const letters = Math.min(...texts.map((t) => parseFloat(getComputedStyle(t).fontSize) * scale), 99);
    type Box = { x: number; y: number; width: number; height: number };
    const meet = (a: Box, b: Box, by = 1): boolean =>
      a.x + by < b.x + b.width && b.x + by < a.x + a.width && a.y + by < b.y + b.height && b.y + by < a.y + a.height;
    const named = (e: Element): string => (e.textContent ?? "").slice(0, 40);
    const nodes = [...svg.querySelectorAll<SVGGraphicsElement>(".node")].map((n) => ({
      name: named(n),
      box: (n.querySelector<SVGGraphicsElement>(".box:not(.shadow)") ?? n).getBBox(),
      texts: [...n.querySelectorAll<SVGTextElement>(":scope > text")].map((t) => t.getBBox()),
    }));
    const labels = [...svg.querySelectorAll<SVGTextElement>(".label")].map((label) => ({
      name: named(label),
      edge: label.closest(".edge"),
      box: label.getBBox(),
    }));
    const tips = [...svg.querySelectorAll(".tip")].map((tip) => {
      const points = (
        tip
          .getAttribute("d")
          ?.split("M")
          .at(-1)
          ?.match(/-?[\d.]+/g) ?? []
      ).map(Number);
      return [0, 2, 4].map((i) => ({ x: points[i] ?? 0, y: points[i + 1] ?? 0, width: 0, height: 0 }));
    });
    for (const { name, box, edge } of labels) {
      for (const node of nodes) if (meet(box, node.box)) faults.push(`label ${name} on node ${node.name}`);
      for (const tip of tips)
        if (tip.some((point) => meet(point, box, 0))) faults.push(`label ${name} on an arrowhead`);
      for (const other of labels)
        if (other.edge !== edge && other.name < name && meet(box, other.box))
          faults.push(`label ${name} on label ${other.name}`);
    }
    for (const [i, a] of nodes.entries()) {
      if (a.texts.some((t) => t.x < a.box.x || t.x + t.width > a.box.x + a.box.width || t.y < a.box.y - 1))
        faults.push(`the text of ${a.name} leaves its node`);
      for (const b of nodes.slice(i + 1)) if (meet(a.box, b.box)) faults.push(`node ${a.name} on node ${b.name}`);
    }
    const { width, height } = svg.viewBox.baseVal;
    for (const { name, box } of [...nodes, ...labels])
      if (box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height)
        faults.push(`${name} leaves the drawing`);
    const whole = svg.getBoundingClientRect();
    const inside = (box: DOMRect): boolean =>
      box.left >= pane.left - 1 &&
      box.right <= pane.right + 1 &&
      box.top >= pane.top - 1 &&
      box.bottom <= pane.bottom + 1;
    const partial = document.querySelector(".main-drawing .canvas-part") !== null;
    if (!inside(whole) && !partial) faults.push("the drawing is cut off, and nothing says so");
    const start = svg.querySelector(".node.start .box") ?? svg.querySelector(".node .box");
    if (start !== null && !inside(start.getBoundingClientRect())) faults.push("the start state is out of view");
    return { letters, faults };
  });

for (const size of sizes) {
  test(`drawings can be read at ${size.width} pixels`, async ({ page }) => {
    test.setTimeout(300_000);
    await page.setViewportSize(size);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await open(page);
    await page.waitForFunction(() => (document.querySelector("stile-app") as StileApp).state.gallery.length > 0);
    const ids = await page.evaluate(() =>
      (document.querySelector("stile-app") as StileApp).state.gallery.map((example) => example.id),
    );
    const found: string[] = [];
    for (const id of measured(ids)) {
      await show(page, id);
      const { letters, faults } = await look(page);
      if (letters < 9) found.push(`${id}: letters of ${letters.toFixed(1)} px`);
      found.push(...faults.map((fault) => `${id}: ${fault}`));
    }
    expect(found).toEqual([]);
  });
}

test("letters of drawings have enough contrast, light and dark", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open(page);
  await page.waitForFunction(() => (document.querySelector("stile-app") as StileApp).state.gallery.length > 0);
  await show(page, "saga");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const poor = await page.evaluate(() => {
      const light = (colour: string): number => {
        const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((n) => {
          const part = Number(n) / 255;
          return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = getComputedStyle(document.querySelector(".drawing-pane") ?? document.body).backgroundColor;
      return [...document.querySelectorAll(".main-drawing svg text")].flatMap((text) => {
        const box = text.parentElement?.querySelector(":scope > .box");
        const below = box === null || box === undefined ? ground : getComputedStyle(box).fill;
        const [a, b] = [light(getComputedStyle(text).fill), light(below)];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        return ratio < 4.5 ? [`${text.textContent}: ${ratio.toFixed(2)}`] : [];
      });
    });
    expect(poor).toEqual([]);
  }
});
