import type { Page } from "@playwright/test";
import { expect, open, ready, test, textOf, write } from "./fixtures.js";

/** Makes the database reject writes while the tab is marked as full. */
async function blocked(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...given) {
      if (sessionStorage.getItem("full") !== null) throw new DOMException("there is no room", "QuotaExceededError");
      return put.apply(this, given);
    };
  });
}

const full = (page: Page, is: boolean) =>
  page.evaluate((is) => (is ? sessionStorage.setItem("full", "yes") : sessionStorage.removeItem("full")), is);

test("the last text is kept even if the clock was set back and the database rejects writes", async ({
  quiet: page,
}) => {
  await page.clock.install();
  await blocked(page);
  await open(page);
  await write(page, "S -> first\n");
  await expect(page.locator(".saved")).toHaveText("Saved on this device");
  await page.clock.setSystemTime(await page.evaluate(() => Date.now() - 172_800_000));
  await full(page, true);
  await write(page, "S -> last\n");
  await expect(page.locator(".saved")).toHaveText(/^\s*Not\s+saved/);
  await page.reload();
  await ready(page);
  await expect.poll(() => textOf(page)).toBe("S -> last\n");
});

test("another tab's draft stays on the device until it is stored among the earlier drafts", async ({
  quiet: page,
  context,
}) => {
  await blocked(page);
  await open(page);
  await write(page, "S -> mine\n");
  await expect(page.locator(".saved")).toHaveText("Saved on this device");
  const other = await context.newPage();
  await open(other);
  await write(other, "S -> theirs\n");
  await expect(other.locator(".saved")).toHaveText("Saved on this device");
  await other.close();
  // The device has no room for it now: the page reports that and keeps showing it.
  await full(page, true);
  await page.reload();
  await ready(page);
  await expect(page.locator(".toast.bad")).toContainText("could not be saved");
  await full(page, false);
  await page.reload();
  await ready(page);
  await expect.poll(() => textOf(page)).toBe("S -> mine\n");
  await page.getByRole("button", { name: /choose an example/ }).click();
  await page.getByRole("dialog").locator("[data-draft]").first().click();
  await expect.poll(() => textOf(page)).toBe("S -> theirs\n");
});
