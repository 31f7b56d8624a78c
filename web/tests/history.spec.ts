import type { Page } from "@playwright/test";
import { expect, open, openExample, ready, share, test, textOf, write } from "./fixtures.js";

const search = (page: Page): string => new URL(page.url()).search;

test("each opened workspace is an entry of the history, and Back and Forward keep its edits", async ({
  quiet: page,
}) => {
  await open(page);
  await write(page, "S -> mine\n");
  await expect.poll(() => search(page)).toBe("");
  await openExample(page, "anbn");
  expect(search(page)).toBe("?example=anbn");
  await openExample(page, "react");
  expect(search(page)).toBe("?example=react");
  await page.goBack();
  await page.locator('stile-files [data-file="anbn.cfg"]').waitFor({ state: "attached" });
  expect(search(page)).toBe("?example=anbn");
  await expect(page.locator("header .title")).toHaveText("aⁿbⁿ");
  await write(page, "S -> a S b | c\n");
  await page.goBack();
  await expect.poll(() => textOf(page)).toBe("S -> mine\n");
  await page.goForward();
  await expect.poll(() => textOf(page)).toBe("S -> a S b | c\n");
  // After a reload, earlier entries are found among the drafts.
  await expect(page.locator(".saved")).toHaveText("Saved on this device");
  await page.reload();
  await ready(page);
  await page.goBack();
  await expect.poll(() => textOf(page)).toBe("S -> mine\n");
});

test("the address follows the text on request, and a reload keeps it", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S -> one\n");
  await share(page);
  await page.getByLabel(/Keep the page’s address up to date/).check();
  await page.keyboard.press("Escape");
  await expect.poll(() => new URL(page.url()).hash).toMatch(/^#1:/);
  const first = new URL(page.url()).hash;
  await write(page, "S -> two\n");
  await expect.poll(() => new URL(page.url()).hash).not.toBe("");
  await expect.poll(() => new URL(page.url()).hash).not.toBe(first);
  const link = page.url();
  await page.reload();
  await ready(page);
  await expect.poll(() => textOf(page)).toBe("S -> two\n");
  await share(page);
  await page.getByLabel(/Keep the page’s address up to date/).uncheck();
  await page.keyboard.press("Escape");
  await expect.poll(() => new URL(page.url()).hash).toBe("");
  await page.goto("about:blank");
  await open(page, link);
  await expect.poll(() => textOf(page)).toBe("S -> two\n");
});

test("the help has the version, the source, and a report with a link to the workspace", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S -> reported\n");
  await page.getByRole("button", { name: "Help" }).click();
  const report = page.getByRole("link", { name: "Report a problem" });
  await expect(report).toHaveAttribute("href", /issues\/new\?body=/);
  const body = new URL((await report.getAttribute("href")) ?? "").searchParams.get("body") ?? "";
  expect(body).toMatch(/Version: [0-9a-f]{16}/);
  const link = /Workspace: (\S+)/.exec(body)?.[1] ?? "";
  await page.keyboard.press("Escape");
  await open(page, link);
  await expect.poll(() => textOf(page)).toBe("S -> reported\n");
});
