import { gzipSync } from "node:zlib";
import { clean } from "./axe.js";
import type { Page } from "@playwright/test";
import { expect, open, test } from "./fixtures.js";
import { sampled } from "./sample.js";

interface Listed {
  readonly id: string;
  readonly main: string;
  readonly recorded?: boolean;
}

async function gallery(page: Page): Promise<void> {
  await page.getByRole("button", { name: /choose an example/ }).click();
  await expect(page.getByRole("searchbox", { name: "Search the examples" })).toBeVisible();
}

test("a recorded run replays without a model, and shows where the model was constrained", async ({ quiet: page }) => {
  await open(page);
  await gallery(page);
  await page.getByRole("button", { name: "Play the recorded run of Coding agent" }).click();
  await page.locator('stile-files [data-file="coder.agent"]').waitFor({ state: "attached" });
  await expect(page.locator("[data-verdict]")).toHaveText("valid");
  await expect(page.getByText("fix: write and read dates as 2026-04-03").first()).toBeVisible();
  await expect(page.getByText(/"Commit" is not allowed here/).first()).toBeVisible();
});

test("a recorded plan replays with the recorded tool failures", async ({ quiet: page }) => {
  await open(page);
  await gallery(page);
  await page.locator("[data-play=saga]").click();
  await page.locator('stile-files [data-file="saga.pda"]').waitFor({ state: "attached" });
  await expect(page.locator("stile-plan-result")).toContainText("Release the flight");
  await expect(page.locator("stile-run")).toContainText("no car is free");
});

test("every example has a small recorded run, and the page fetches none by itself", async ({ quiet: page }) => {
  const fetched: string[] = [];
  page.on("request", (r) => fetched.push(r.url()));
  await open(page);
  await gallery(page);
  expect(fetched.filter((url) => url.includes(".run.json"))).toEqual([]);
  const list = (await (await page.request.get("gallery/index.json")).json()) as readonly Listed[];
  expect(list.length).toBeGreaterThanOrEqual(25);
  for (const { id, recorded } of list) {
    expect([id, recorded]).toEqual([id, true]);
    const body = await (await page.request.get(`gallery/${id}.run.json`)).body();
    // A solver's log of a plan's steps is long, and compresses well.
    expect(gzipSync(body).length).toBeLessThan(15_000);
  }
});

test("examples are found by their words, with the keyboard alone", async ({ quiet: page }) => {
  await open(page);
  await gallery(page);
  const search = page.getByRole("searchbox", { name: "Search the examples" });
  await search.focus();
  await page.keyboard.type("payment approval");
  await expect(page.locator("stile-gallery [data-example]")).toHaveCount(1);
  await expect(page.getByRole("dialog").getByRole("status")).toHaveText("1 found");
  await search.fill("nothing at all like it");
  await expect(page.getByText("No example contains these words.")).toBeVisible();
  for (const [words, example] of [
    ["pddl", "gripper"],
    ["state machine", "react"],
    ["tool use", "coder"],
    ["Human-in-the-loop guardrails", "payment"],
    ["finite-state machines", "react"],
  ] as const) {
    await search.fill(words);
    await expect(page.locator(`button[data-example=${example}]`)).toBeVisible();
  }
  await search.fill(".pda");
  await expect(page.locator("[data-example=saga]")).toBeVisible();
  await search.fill("payment approval");
  await page.keyboard.press("Tab");
  await expect(page.locator("button[data-example=payment]")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.locator("[data-play=payment]")).toBeFocused();
  await page.keyboard.press("Enter");
  await page.locator('stile-files [data-file="payment.agent"]').waitFor({ state: "attached" });
  await expect(page.locator("[data-verdict]")).toHaveText("valid");
});

for (const width of sampled("axe in the gallery", [1280, 390], 2)) {
  test(`axe finds nothing in the gallery at ${width} px, light and dark`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: "reduce" });
    const page = await context.newPage();
    await open(page, baseURL ?? "");
    await gallery(page);
    await expect(page.locator("stile-gallery [data-example]").last()).toBeAttached();
    await clean(page);
    const wide = await page.locator("stile-gallery").evaluate((e) => e.scrollWidth - e.clientWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await context.close();
  });
}
