// Pictures of the most used views. `go run ./build test -update browser` makes them again.
import type { Page } from "@playwright/test";
import { expect, open, openExample, ready, tab, test } from "./fixtures.js";
import { chromium } from "../tools/chromium.mjs";
import { fixedFonts, foreignFonts } from "./view-fonts.js";

const { executablePath, args, packed } = await chromium();

test.skip(!packed, "each version of Chromium draws letters in its own way; the pictures are of the package's");
test.use({
  viewport: { width: 1280, height: 800 },
  deviceScaleFactor: 1,
  locale: "en-GB",
  timezoneId: "UTC",
  // Reset settings of the machine that change type and colour.
  launchOptions: {
    executablePath,
    args: [
      ...args,
      "--font-render-hinting=none",
      "--disable-lcd-text",
      "--disable-font-subpixel-positioning",
      "--force-color-profile=srgb",
    ],
  },
});

/** The share of a picture that may differ: less than a line of text, more than the loss of 256
 * colours. */
const MOST = 0.002;

/** Waits until the device keeps the opened example, which the page reports. */
async function openKept(page: Page, id: string): Promise<void> {
  await openExample(page, id);
  await ready(page);
  await expect(page.locator("stile-problems .saved")).toHaveText("Saved on this device");
}

/** The views: how each is reached from the start page, and its width if it is not the default. */
const views: readonly {
  readonly name: string;
  readonly width?: number;
  readonly reach: (page: Page) => Promise<void>;
}[] = [
  { name: "first page", reach: async () => {} },
  {
    name: "step in progress",
    reach: async (page) => {
      await openKept(page, "anbn");
      for (const letter of ["a", "a", "b"])
        await page.locator(".next-buttons").getByRole("button", { name: letter, exact: true }).click();
      await expect(page.locator(".main-drawing svg .live").first()).toBeVisible();
    },
  },
  {
    name: "trace with a mistake",
    reach: async (page) => {
      await openKept(page, "react");
      await tab(page, "Trace");
      await page.getByRole("button", { name: "one with a mistake" }).click();
      await expect(page.locator("[data-trace-verdict]")).toBeVisible();
    },
  },
  {
    name: "run with its tree",
    reach: async (page) => {
      await tab(page, "Run");
      await page.getByRole("button", { name: "Run openagi.cfg" }).click();
      await expect(page.locator("stile-run .run-state")).toContainText("Done");
      const tree = page.locator("stile-plan-result stile-drawing", { has: page.locator("svg.tree") });
      await expect(tree.locator("svg.tree")).toBeVisible();
      // The pane may still be filling: a drawing without a size yet lies above the end of the page,
      // so retry.
      await expect
        .poll(() =>
          tree.evaluate((frame) => {
            frame.scrollIntoView({ block: "end" });
            return new Promise((resolve) =>
              requestAnimationFrame(() =>
                requestAnimationFrame(() => resolve(Math.abs(frame.getBoundingClientRect().bottom - innerHeight) <= 1)),
              ),
            );
          }),
        )
        .toBe(true);
    },
  },
  {
    name: "verify",
    reach: async (page) => {
      await openKept(page, "saga");
      await tab(page, "Verify");
      await expect(page.locator("#panel-verify").getByText("Proved for every word")).toHaveCount(6);
    },
  },
  {
    name: "gallery",
    reach: async (page) => {
      await page.getByRole("button", { name: /choose an example/ }).click();
      await expect(page.locator("[data-example=anbn]")).toBeVisible();
    },
  },
  {
    name: "export",
    reach: async (page) => {
      await tab(page, "Export");
      await expect(page.locator("#panel-export pre")).toContainText("flowchart");
      await expect(page.locator("stile-guard-panel")).toContainText("a guard cannot enforce it exactly");
    },
  },
  {
    name: "phone",
    width: 390,
    reach: async (page) => {
      await tab(page, "Text");
    },
  },
];

for (const { name, width, reach } of views) {
  test(`the view "${name}" is unchanged`, async ({ quiet: page }) => {
    if (width !== undefined) await page.setViewportSize({ width, height: 800 });
    await fixedFonts(page);
    await open(page, name === "first page" ? "./" : "./?example=openagi");
    await expect(page.locator(".main-drawing svg").first()).toBeAttached();
    await expect(page.locator("stile-files [role=tab]").nth(1)).toBeAttached(); // the other files of the first example
    await reach(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.soft(page).toHaveScreenshot(`${name.replaceAll(" ", "-")}-${colorScheme}.png`, {
        animations: "disabled",
        caret: "hide",
        maxDiffPixelRatio: MOST,
        timeout: 60_000,
      });
    }
    expect(await foreignFonts(page)).toEqual([]);
  });
}
