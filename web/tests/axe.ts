import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.js";
import { inSample } from "./sample.js";

/** The rules of axe that depend on colours. All other rules give the same result in each colour scheme. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/**
 * Returns the violations that axe reports, as text, for the page or the part that a selector
 * matches, by all rules or only by the given ones. axe runs in the page itself: the other
 * mode, for frames of other origins, sends all results through a separate page, which
 * takes three times as long; without frames both report the same.
 */
export async function violations(page: Page, part?: string, rules?: readonly string[]): Promise<string[]> {
  expect(page.frames()).toHaveLength(1);
  // A page keeps axe: without another source, each check would compile all of it again.
  const has = await page.evaluate(() => "axe" in window);
  const axe = new AxeBuilder({ page, ...(has && { axeSource: "0" }) }).setLegacyMode(true).options({
    resultTypes: ["violations"],
    ...(rules !== undefined && { runOnly: { type: "rule", values: [...rules] } }),
  });
  if (part !== undefined) axe.include(part);
  const found = await axe.analyze();
  // The checked part must not be empty.
  if (rules === undefined) expect(found.passes.length + found.violations.length).toBeGreaterThan(0);
  return found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join("\n")}`);
}

/** How many times each page was checked. */
const looks = new WeakMap<Page, number>();

/**
 * Expects no violations of axe and no horizontal overflow, in light and dark and, on
 * request, with more contrast. Without -long, colours are checked in the first state of a
 * page and in a sample of the later ones.
 */
export async function clean(
  page: Page,
  contrasts: readonly ("no-preference" | "more")[] = ["no-preference"],
): Promise<void> {
  const look = looks.get(page) ?? 0;
  looks.set(page, look + 1);
  const colours = look === 0 || inSample(`${test.info().titlePath.join(" ")} ${look}`, 3);
  for (const contrast of contrasts) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, contrast });
      const first = contrast === contrasts[0] && colorScheme === "light";
      if (!first && !colours) continue;
      expect(
        await violations(page, undefined, first ? undefined : COLOURS),
        `${colorScheme}, contrast ${contrast}`,
      ).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        page.viewportSize()?.width ?? 0,
      );
    }
  }
  await page.emulateMedia({ colorScheme: "light", contrast: "no-preference" });
}
