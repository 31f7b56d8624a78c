import { expect, open, ready, share, test, textOf, write } from "./fixtures.js";
import { onlyLong, sampled } from "./sample.js";
import { deflateRawSync } from "node:zlib";

const testLong = onlyLong(test);

const saved = "Saved on this device";

for (const where of ["the same tab", "a new tab", "a new tab, the first one closed"] as const) {
  for (const draft of sampled("edits after own links", ["equal to the draft", "older than the draft"] as const, 2)) {
    test(`an edit after opening one's own link in ${where}, ${draft}, survives a reload`, async ({
      quiet: first,
      context,
    }) => {
      await open(first);
      await write(first, "S -> mine\n");
      await expect(first.locator(".saved")).toHaveText(saved);
      const link = await share(first);
      await first.keyboard.press("Escape");
      if (draft === "older than the draft") {
        await write(first, "S -> mine | later\n");
        await expect(first.locator(".saved")).toHaveText(saved);
      }
      let page = first;
      if (where !== "the same tab") {
        page = await context.newPage();
        if (where.endsWith("closed")) await first.close();
      }
      await page.goto("about:blank");
      await open(page, link);
      await expect.poll(() => textOf(page)).toBe("S -> mine\n");
      expect(new URL(page.url()).hash).not.toBe(""); // until then it is the address of the shown workspace
      await write(page, "S -> mine | hers\n");
      await expect.poll(() => new URL(page.url()).hash).toBe(""); // the link may still be loading
      await expect(page.locator(".saved")).toHaveText(saved);
      await page.reload();
      await ready(page);
      await expect.poll(() => textOf(page)).toBe("S -> mine | hers\n");
    });
  }
}

test("the first edit removes a link that was opened by its fragment alone", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S -> mine\n");
  await expect(page.locator(".saved")).toHaveText(saved);
  const { hash } = new URL(await share(page));
  await page.keyboard.press("Escape");
  await page.evaluate((hash) => {
    location.hash = hash;
  }, hash);
  await expect.poll(() => new URL(page.url()).hash).toBe(hash);
  await page.getByRole("button", { name: "New file" }).click(); // an edit that changes no text
  await expect.poll(() => new URL(page.url()).hash).toBe("");
  await expect(page.locator(".saved")).toHaveText(saved);
  await page.reload();
  await expect(page.locator('stile-files [data-file="untitled.cfg"]')).toBeVisible();
});

testLong(
  "a link has no query of another workspace, and the first edit removes a query from one",
  async ({ quiet: page }) => {
    await open(page, "./?example=coder");
    await page.locator('stile-files [data-file="coder.agent"]').waitFor({ state: "attached" });
    const link = new URL(await share(page));
    expect(link.search).toBe("");
    await page.keyboard.press("Escape");
    await page.goto("about:blank");
    // The format of older links.
    await open(page, `./?example=react${link.hash}`);
    await page.locator('stile-files [data-file="coder.agent"]').waitFor({ state: "attached" });
    await write(page, "; hers\n");
    await expect(page.locator(".saved")).toHaveText(saved);
    expect(new URL(page.url()).search + new URL(page.url()).hash).toBe("");
    await page.reload();
    await expect.poll(() => textOf(page)).toBe("; hers\n");
  },
);

test("the first edit removes the example from the address, even if it equals the draft", async ({ quiet: page }) => {
  await open(page, "./?example=anbn");
  await page.locator('stile-files [data-file="anbn.cfg"]').waitFor({ state: "attached" });
  await write(page, "S -> first\n");
  await expect(page.locator(".saved")).toHaveText(saved);
  await page.goto("about:blank");
  await open(page, "./?example=anbn");
  await page.locator('stile-files [data-file="anbn.cfg"]').waitFor({ state: "attached" });
  await write(page, "S -> second\n");
  await expect(page.locator(".saved")).toHaveText(saved);
  await page.reload();
  await ready(page);
  await expect.poll(() => textOf(page)).toBe("S -> second\n");
});

const linkOf = (archive: string): string => `#1:${deflateRawSync(archive).toString("base64url")}`;

for (const [name, archive, reason] of sampled(
  "bad links",
  [
    [
      "too many files",
      Array.from({ length: 201 }, (_, i) => `-- f${i}.cfg --\nS -> a\n`).join(""),
      "at most 200 files; this one has 201",
    ],
    ["a file name that leads elsewhere", "-- ../../etc/x.cfg --\nS -> a\n", "is not a plain relative path"],
    ["a backslash in a file name", "-- a\\b.cfg --\nS -> a\n", "contains an invalid character"],
  ] as const,
  2,
)) {
  test(`a link with ${name} is reported`, async ({ quiet: page }) => {
    await open(page);
    await write(page, "S -> mine\n");
    await page.evaluate((hash) => {
      location.hash = hash;
    }, linkOf(archive));
    await expect(page.locator(".banner.bad")).toContainText(reason);
    await expect(page.locator(".banner.bad")).not.toContainText("damaged");
    await expect.poll(() => textOf(page)).toBe("S -> mine\n");
  });
}
