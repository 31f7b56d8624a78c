import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { deflateRawSync } from "node:zlib";
import { overLimit } from "../src/store/drafts.js";
import { expect, keptIn, open, openExample, ready, test, write } from "./fixtures.js";
import { LONG } from "./sample.js";

/** Number of links that are edited. */
const LINKS = LONG ? 16 : 6;

const linkOf = (archive: string): string => `#1:${deflateRawSync(archive).toString("base64url")}`;

async function gallery(page: Page): Promise<void> {
  await page.getByRole("button", { name: /choose an example/ }).click();
  await expect(page.locator("[data-draft]").first()).toBeVisible();
}

test("many links, each edited, are all kept under distinct names", async ({ quiet: page }) => {
  await open(page);
  for (let n = 0; n < LINKS; n++) {
    await page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      linkOf(`-- w.cfg --\nS -> w${n}\n`),
    );
    await expect(page.locator("stile-editor .cm-content")).toContainText(`S -> w${n}`);
    await write(page, `S -> w${n} | edited\n`);
    await expect(page.locator(".saved")).toHaveText("Saved on this device");
  }
  await openExample(page, "anbn");
  await page.reload();
  await ready(page);
  await gallery(page);
  const drafts = page.locator("[data-draft]");
  await expect(drafts).toHaveCount(LINKS);
  for (let n = 0; n < LINKS; n++) await expect(drafts.filter({ hasText: `S -> w${n} |` })).toHaveCount(1);
  await expect(drafts.first()).toContainText("w.cfg, from a link");
});

test("a link that is opened while an example still loads is not replaced by the example", async ({ quiet: page }) => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/openagi.txtar", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("./?example=openagi");
  await ready(page);
  await page.evaluate((hash) => (location.hash = hash), linkOf("-- w.cfg --\nS -> linked\n"));
  await expect(page.locator("stile-editor .cm-content")).toContainText("S -> linked");
  const loaded = page.waitForResponse("**/openagi.txtar");
  release();
  await (await loaded).finished();
  await write(page, "S -> linked | edited\n"); // the core answers in order: first the example, then this text
  await expect(page.locator("stile-problems .summary")).toContainText("1 nonterminal");
  await expect(page.locator(".saved")).toHaveText("Saved on this device");
  await expect(page.locator('stile-files [data-file="w.cfg"]')).toBeAttached();
});

test("a link is opened once the core loads after all", async ({ browser, baseURL }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await context.route("**/module/**", (route) => route.abort());
  await page.goto(`${baseURL ?? ""}${linkOf("-- w.cfg --\nS -> linked\n")}`);
  await expect(page.getByRole("alert")).toContainText("The core did not load.");
  await context.unroute("**/module/**");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.locator("stile-editor .cm-content")).toContainText("S -> linked");
  expect(page.url()).toContain("#1:");
  await context.close();
});

test("only the oldest drafts beyond the limit are dropped, named versions never", () => {
  const of = (savedAt: number, size: number, named = false) => ({
    title: `${savedAt}`,
    files: [{ name: "a.cfg", text: "x".repeat(size) }],
    current: "a.cfg",
    edited: true,
    savedAt,
    named,
  });
  const goes = (...list: ReturnType<typeof of>[]): string =>
    overLimit(list, 100)
      .map((d) => d.title)
      .join();
  expect(goes(of(1, 50), of(2, 50))).toBe("");
  expect(goes(of(2, 50), of(1, 50), of(3, 50))).toBe("1");
  expect(goes(of(1, 50, true), of(2, 60), of(3, 60), of(4, 60))).toBe("2,3");
  expect(goes(of(1, 5_000))).toBe("");
});

test("no draft is dropped silently: the page names it, and it can be saved first", async ({ quiet: page }) => {
  await open(page);
  // The drafts on this device nearly fill the limit.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        indexedDB.open("keyval-store").onsuccess = (event) => {
          const database = (event.target as IDBOpenDBRequest).result;
          const store = database.transaction("keyval", "readwrite").objectStore("keyval");
          store.put(
            [1, 2].map((n) => ({
              title: `Draft ${n}`,
              files: [{ name: `d${n}.txt`, text: `${n} `.padEnd(n === 1 ? 3_000_000 : 49_900_000, "x") }],
              current: `d${n}.txt`,
              edited: true,
              savedAt: n,
            })),
            "drafts",
          );
          store.transaction.oncomplete = () => {
            database.close();
            resolve(undefined);
          };
        };
      }),
  );
  await page.reload();
  await ready(page);
  await write(page, "S -> mine\n");
  await expect(page.locator(".saved")).toHaveText("Saved on this device");
  await openExample(page, "anbn");
  const banner = page.locator(".banner");
  await expect(banner).toContainText("Earlier drafts take more than 50 MB");
  await expect(banner).toContainText("“Draft 1”");
  const kept = async () =>
    ((await keptIn(page, "keyval-store")).find(([key]) => key === "drafts")?.[1] as { title: string }[]).map(
      (d) => d.title,
    );
  expect(await kept()).toContain("Draft 1");
  const download = page.waitForEvent("download");
  await banner.getByRole("button", { name: "Save it as a file" }).click();
  expect((await readFile(await (await download).path(), "utf8")).slice(0, 40)).toContain("d1.txt");
  await expect(banner).toHaveCount(0);
  expect(await kept()).not.toContain("Draft 1");
  expect(await kept()).toContain("Draft 2");
});
