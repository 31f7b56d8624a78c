import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./fixtures.js";

/** The rules of axe that colours decide. All others find the same in each colour scheme. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/**
 * What axe finds, in words, in the whole page or in the part that a selector names, by
 * all rules or only by some.
 *
 * It runs in the page itself. The other way, made for frames of other origins, sends
 * all that it found through a page of its own, which takes three times as long; where
 * there are no frames both find the same.
 */
export async function violations(page: Page, part?: string, rules?: readonly string[]): Promise<string[]> {
  expect(page.frames()).toHaveLength(1);
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ["violations"], ...(rules !== undefined && { runOnly: { type: "rule", values: [...rules] } }) });
  if (part !== undefined) axe.include(part);
  const found = await axe.analyze();
  // What it looked at must not have been nothing.
  if (rules === undefined) expect(found.passes.length + found.violations.length).toBeGreaterThan(0);
  return found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join("\n")}`);
}

/** Nothing is found and nothing is wider than the page, in light and dark and, where it is asked for, with more contrast. */
export async function clean(page: Page, contrasts: readonly ("no-preference" | "more")[] = ["no-preference"]): Promise<void> {
  for (const contrast of contrasts) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, contrast });
      const first = contrast === contrasts[0] && colorScheme === "light";
      expect(await violations(page, undefined, first ? undefined : COLOURS), `${colorScheme}, contrast ${contrast}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    }
  }
  await page.emulateMedia({ colorScheme: "light", contrast: "no-preference" });
}
