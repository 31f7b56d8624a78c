import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, open, ready, test, textOf, write } from "./fixtures.js";

/** Returns the text of an agent, the notation of the page's first example. */
const agent = (name: string): string => `(define ${name} (:states (A (:text "[A]"))) (:behavior A))\n`;

type Fault = "blocked" | "silent" | "full" | "no local storage";

/** Makes storage fail as in real browsers; "full" from the moment on that the tab is marked as full. */
async function broken(page: Page, fault: Fault): Promise<void> {
  await page.addInitScript((fault) => {
    if (fault === "blocked")
      IDBFactory.prototype.open = () => {
        throw new DOMException("The operation is insecure.", "SecurityError");
      };
    if (fault === "silent") IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
    if (fault === "full") {
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (...given) {
        if (sessionStorage.getItem("full") !== null) throw new DOMException("there is no room", "QuotaExceededError");
        return put.apply(this, given);
      };
    }
    if (fault !== "full")
      Object.defineProperty(window, "localStorage", {
        get: () => {
          throw new DOMException("Access is denied.", "SecurityError");
        },
      });
  }, fault);
}

const saved = (page: Page) => page.locator(".saved");

for (const [fault, said] of [
  ["blocked", "Not saved: this browser blocks storage"],
  ["silent", "Not saved: storage does not respond"],
  ["full", "Not saved: storage is full"],
] as const) {
  test(`with storage that is ${fault} the status reports it, and the text can be saved as a file`, async ({
    quiet: page,
  }) => {
    await page.clock.install();
    await broken(page, fault);
    await page.goto("./");
    if (fault === "silent") {
      await expect(page.locator("stile-editor .cm-content")).toBeVisible();
      await page.clock.fastForward(5_000);
      await expect(page.locator(".banner.bad")).toContainText("storage does not respond");
    } else await ready(page);
    if (fault === "full") await page.evaluate(() => sessionStorage.setItem("full", "yes"));
    await write(page, agent("mine"));
    await page.clock.fastForward(300);
    if (fault === "silent") {
      await expect(saved(page)).toHaveText("Saving…");
      await page.clock.fastForward(5_000);
    }
    await expect(saved(page)).toContainText(said);
    await expect(page.locator(".summary")).toContainText("1 state");
    const download = page.waitForEvent("download");
    await saved(page).getByRole("button", { name: "Save as a file" }).click();
    expect(await readFile(await (await download).path(), "utf8")).toContain("(define mine");
  });
}

test("without local storage drafts are still saved and read", async ({ quiet: page }) => {
  await broken(page, "no local storage");
  await open(page);
  await write(page, "S -> mine\n");
  await expect(saved(page)).toHaveText("Saved on this device");
  await page.reload();
  await ready(page);
  await expect.poll(() => textOf(page)).toBe("S -> mine\n");
});

test("a write that ends late is saved after all", async ({ quiet: page }) => {
  await page.clock.install();
  await page.addInitScript(() => {
    const { open } = IDBFactory.prototype;
    let hold = false;
    const put = IDBObjectStore.prototype.put;
    Object.assign(window, { holdBack: (is: boolean) => (hold = is) });
    IDBObjectStore.prototype.put = function (...given) {
      const request = put.apply(this, given);
      if (!hold) return request;
      // Requests keep the transaction open.
      const again = (): void => void (hold && (this.get("nothing").onsuccess = again));
      again();
      return request;
    };
    void open;
  });
  await open(page);
  await page.evaluate(() => (window as unknown as { holdBack: (is: boolean) => void }).holdBack(true));
  await write(page, "S -> late\n");
  await page.clock.fastForward(300);
  await expect(saved(page)).toHaveText("Saving…");
  await page.clock.fastForward(5_000);
  await expect(saved(page)).toContainText("storage does not respond");
  await page.evaluate(() => (window as unknown as { holdBack: (is: boolean) => void }).holdBack(false));
  await expect(saved(page)).toHaveText("Saved on this device");
});

test("a missing part of the page offers a newer version", async ({ page }) => {
  await open(page);
  await write(page, "S -> mine\n");
  await expect(saved(page)).toHaveText("Saved on this device");
  let deployed = false;
  await page.route("**/assets/**", (route) => (deployed ? route.fulfill({ status: 404, body: "" }) : route.continue()));
  await page.route(/\/(?:index\.html)?$/, async (route) => {
    if (!deployed || route.request().isNavigationRequest()) return route.continue();
    await route.fulfill({
      contentType: "text/html",
      body: '<!doctype html><script type="module" src="assets/main.0000.js"></script>',
    });
  });
  deployed = true;
  await page.getByRole("tab", { name: "Lab" }).click();
  await expect(page.locator(".banner.bad")).toContainText("A newer version of Stile is available");
  await expect(page.locator(".toast")).toHaveCount(0);
  deployed = false;
  await page.locator(".banner").getByRole("button", { name: "Reload" }).click();
  await ready(page);
  await expect.poll(() => textOf(page)).toBe("S -> mine\n");
});

test("a part that fails to load without a network is not taken for a newer version", async ({ page }) => {
  await open(page);
  await page.route("**/*", (route) => route.abort());
  await page.getByRole("tab", { name: "Lab" }).click();
  await expect(page.locator(".toast.bad", { hasText: "Are you offline?" })).toBeVisible();
  await expect(page.locator(".banner")).toHaveCount(0);
});

test("results of an experiment that cannot be stored are reported", async ({ page }) => {
  await page.addInitScript(() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...given) {
      if (this.name === "results") throw new DOMException("there is no room", "QuotaExceededError");
      return put.apply(this, given);
    };
  });
  await open(page);
  await page.getByRole("tab", { name: "Lab" }).click();
  await page.locator('stile-lab [data-experiment="pmc-4.lab"]').getByRole("button", { name: /^Run/ }).click();
  await expect(
    page.locator("stile-lab .fault", { hasText: "The results are not saved on this device: storage is full" }),
  ).toBeVisible({ timeout: 120_000 });
});
