import { readFile } from "node:fs/promises";
import { violations } from "./axe.js";
import { expect, open, test, textOf, write } from "./fixtures.js";
import { sampled } from "./sample.js";

const anthropic = `sk-ant-${"x".repeat(30)}`;

test("a key in a text is reported before the link is made", async ({ quiet: page }) => {
  await open(page);
  await write(page, `S -> a # ${anthropic}\n`);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("alert")).toContainText("This looks like a key");
  await expect(dialog.getByRole("alert")).not.toContainText(anthropic);
  await expect(dialog.getByLabel("Link to the workspace")).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
  await dialog.getByLabel("Share it anyway").check();
  await expect(dialog.getByLabel("Link to the workspace")).toHaveValue(/#1:/);
});

test("the code to embed a workspace contains it", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S -> a S | `b`\n");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Link to the workspace")).toHaveValue(/#1:/);
  const link = await dialog.getByLabel("Link to the workspace").inputValue();
  await dialog.getByText("Embed it in a page").click();
  const code = dialog.getByLabel("Code to embed it");
  await expect(code).toContainText(`<stile-embed src="${link}" height="420"></stile-embed>`);
  await dialog.getByLabel("As").selectOption("frame");
  await dialog.getByLabel("Step through words").check();
  await dialog.getByLabel("Read only").check();
  await expect(code).toContainText("embed.html?show=automaton%2Ctext%2Cstep&amp;readonly=1#1:");
  await dialog.getByLabel("As").selectOption("markdown");
  await expect(code).toContainText("```stile {height=420}");
  await expect(code).toContainText("S -> a S | `b`");
  expect(await violations(page)).toEqual([]);
});

test("a README gets a picture and a link in two clicks", async ({ quiet: page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page);
  await expect(page.locator(".main-drawing svg.drawing")).toBeVisible();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: /^Download .*svg$/ }).click();
  const file = await download;
  const svg = await readFile(await file.path(), "utf8");
  expect(svg).toMatch(/^<svg[^>]*><title>[^<]+<\/title>/);
  await page.getByRole("button", { name: "Copy the Markdown" }).click();
  await expect(page.locator("stile-share-readme [role=status]")).toHaveText("Copied the Markdown");
  const markdown = await page.evaluate(() => navigator.clipboard.readText());
  expect(markdown).toContain(`](${file.suggestedFilename()})](http`);
  expect(markdown).toMatch(/^\[!\[[^\]]+\]/);
});

test.describe("a site with a worker", () => {
  test.beforeEach(async ({ page }) => {
    await page.route(
      (url) => url.pathname === "/",
      async (route) => {
        const response = await route.fetch();
        await route.fulfill({
          response,
          body: (await response.text()).replace('"module_br"', '"worker":"https://worker.example","module_br"'),
        });
      },
    );
  });

  test("makes short links on request", async ({ quiet: page }) => {
    let posted = "";
    await page.route("https://worker.example/s", async (route) => {
      posted = route.request().postData() ?? "";
      await route.fulfill({
        headers: { "access-control-allow-origin": "*" },
        json: { id: "abc", url: "https://worker.example/s/abc" },
      });
    });
    await open(page);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const long = page.getByLabel("Link to the workspace");
    await expect(long).toHaveValue(/#1:/);
    expect(posted).toBe("");
    await page.getByRole("button", { name: "Make a short link" }).click();
    await expect(page.getByRole("textbox", { name: "Short link" })).toHaveValue("https://worker.example/s/abc");
    expect(posted).toBe(new URL(await long.inputValue()).hash);
    expect(await violations(page)).toEqual([]);
  });

  test("reports why it makes none", async ({ page }) => {
    await page.route("https://worker.example/s", (route) =>
      route.fulfill({
        status: 413,
        headers: { "access-control-allow-origin": "*" },
        json: { code: "share.size", message: "the workspace is larger than 64 KiB" },
      }),
    );
    await open(page);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByRole("button", { name: "Make a short link" }).click();
    await expect(page.getByRole("dialog").getByRole("alert")).toContainText("The workspace is larger than 64 KiB");
    await page.unroute("https://worker.example/s");
    await page.route("https://worker.example/s", (route) => route.abort());
    await page.getByRole("button", { name: "Make a short link" }).click();
    await expect(page.getByRole("dialog").getByRole("alert")).toContainText("cannot be reached");
  });
});

test.describe("a workspace from elsewhere", () => {
  test.beforeEach(async ({ context }) => {
    await context.route("https://files.example/**", async (route) => {
      const path = new URL(route.request().url()).pathname;
      const headers = { "access-control-allow-origin": "*" };
      if (path === "/a.cfg") await route.fulfill({ headers, body: "S -> elsewhere\n" });
      else if (path === "/shut.cfg") await route.abort("failed");
      else if (path === "/page.html")
        await route.fulfill({ headers, contentType: "text/html", body: "<img src=x onerror=alert(1)>" });
      else await route.fulfill({ status: 404, headers, body: "" });
    });
    await context.route("https://api.github.com/gists/*", (route) =>
      route.fulfill({
        headers: { "access-control-allow-origin": "*" },
        json: {
          description: "A gist of two",
          files: {
            "b.agent": { filename: "b.agent", content: '(define b (:states (A (:text "[A]"))) (:behavior A))\n' },
            "notes.md": { filename: "notes.md", content: "# Notes\n" },
          },
        },
      }),
    );
  });

  test("is fetched, and leaves the address once it is changed", async ({ quiet: page }) => {
    await open(page, "?url=https://files.example/a.cfg");
    await expect.poll(() => textOf(page)).toContain("elsewhere");
    expect(page.url()).toContain("url=");
    await write(page, "S -> mine\n");
    await expect.poll(() => page.url()).not.toContain("url=");
  });

  test("may be an example of the gallery", async ({ quiet: page }) => {
    await open(page, "?example=anbn");
    await expect(page.locator('stile-files [data-file="anbn.cfg"]')).toBeVisible();
  });

  test("may be a gist", async ({ quiet: page }) => {
    await open(page, "?gist=https://gist.github.com/someone/0123456789abcdef0123456789abcdef");
    await expect(page.locator('stile-files [data-file="b.agent"]')).toBeVisible();
    await expect(page.locator('stile-files [data-file="notes.md"]')).toBeVisible();
    await expect.poll(() => textOf(page)).toContain("(define b");
  });

  for (const [what, search, said] of sampled(
    "refused sources",
    [
      ["nothing", "?url=https://files.example/none", "No file was found at"],
      ["no address", "?url=files", "full address"],
      ["another protocol", "?url=javascript:alert(1)", "begin with https"],
      ["a plain host", "?url=http://files.example/a.cfg", "begin with https"],
      ["no gist", "?gist=hello", "number of a gist"],
      ["no example", "?example=none", "Unknown example “none”"],
      ["a path", "?example=../x", "Unknown example “../x”"],
    ] as const,
    2,
  )) {
    test(`${what}: the reason is reported and the text kept`, async ({ page }) => {
      await open(page, search);
      await expect(page.getByRole("alert").filter({ hasText: said })).toBeVisible();
      await expect.poll(() => textOf(page)).toContain("(define refund-agent");
    });
  }

  test("that cannot be read is reported", async ({ page }) => {
    await open(page, "?url=https://files.example/shut.cfg");
    await expect(page.getByRole("alert").filter({ hasText: "CORS" })).toBeVisible();
  });

  test("stays text", async ({ quiet: page }) => {
    await open(page, "?url=https://files.example/page.html");
    await expect.poll(() => textOf(page)).toContain("<img src=x");
    await expect(page.locator("img[src=x]")).toHaveCount(0);
  });
});
