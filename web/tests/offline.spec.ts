import type { Page } from "@playwright/test";
import { expect, open, openExample, tab, test as base, textOf, write } from "./fixtures.js";
import { Host, kept } from "./host.js";
import { assetsOf, check, solve, textOf as problem, worker } from "./solver-fixtures.js";
import { onlyLong } from "./sample.js";

const test = base.extend<{ host: Host }>({
  host: async ({ baseURL }, use) => {
    const host = await Host.of(baseURL ?? "");
    await use(host);
    host.close();
  },
});
const testLong = onlyLong(test);
test.use({ serviceWorkers: "allow" });

const caches = (page: Page): Promise<string[]> =>
  page.evaluate(async () => (await globalThis.caches.keys()).filter((name) => name !== "stile-order").sort());

/** Returns the current version: the last one that is completely cached. */
const newest = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const order = (await (
      await (await globalThis.caches.open("stile-order")).match(new URL("order", document.baseURI).href)
    )?.json()) as string[] | undefined;
    return order?.at(-1) ?? "";
  });

test("after the first visit everything works without a network", async ({ page, host }) => {
  await open(page, host.address);
  await kept(page);
  host.down = true;
  await page.reload();
  await expect(page.locator(".main-drawing svg.drawing")).toBeVisible();
  await openExample(page, "react");
  await expect(page.locator(".main-drawing svg.drawing")).toBeVisible();
  await tab(page, "Run");
  await page.getByLabel("Model", { exact: true }).selectOption("rambler");
  await page.getByRole("button", { name: "Run react.agent" }).click();
  await expect(page.locator("[data-verdict]")).toHaveText("valid");
  await page.goto(`${host.address}?anything=1`);
  await expect(page.locator(".main-drawing svg.drawing")).toBeVisible();
});

/** Returns the number of cached pages of the documentation, of all versions. */
const keptDocs = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const names = new Set<string>();
    for (const name of await globalThis.caches.keys()) {
      for (const { url } of await (await globalThis.caches.open(name)).keys())
        if (url.includes("/docs/")) names.add(url);
    }
    return names.size;
  });

testLong("the documentation is cached after its first page is read, and not before", async ({ page, host }) => {
  test.slow();
  await open(page, host.address);
  await kept(page);
  expect(await keptDocs(page)).toBe(0);
  await page.goto(`${host.address}docs/`);
  await expect.poll(() => keptDocs(page)).toBeGreaterThan(20);
  const all = await page.locator("nav.side a").count();
  await expect.poll(() => keptDocs(page)).toBe(all);
  host.down = true;
  // By its links, by an address without its extension, and by its folder.
  await page.locator("nav.side").getByRole("link").nth(5).click();
  await expect(page.locator("main h1")).toBeVisible();
  for (const address of ["docs/guide", "docs/protocol.html", "docs/", "docs/index.html"]) {
    await page.goto(host.address + address);
    await expect(page.locator("main h1")).toBeVisible();
    // Its styles are cached, too.
    expect(await page.evaluate(() => getComputedStyle(document.querySelector("header.bar") as Element).display)).toBe(
      "flex",
    );
  }
  // A figure of it becomes live.
  await page.goto(`${host.address}docs/guide.html`);
  await page.getByRole("button", { name: "Try it" }).first().click();
  await expect(page.frameLocator("stile-embed iframe").first().locator("stile-editor .cm-content")).toBeVisible();
});

test("a page of the documentation from another version is not cached with this one", async ({ page, host }) => {
  await open(page, host.address);
  await kept(page);
  host.changed.set("docs/guide.html", (text) => text.replace("<h1>", "<h1>Newer: "));
  await page.goto(`${host.address}docs/guide.html`);
  await expect(page.locator("main h1")).toContainText("Newer:");
  await expect.poll(() => keptDocs(page)).toBeGreaterThan(0);
  const guide = await page.evaluate(
    async () =>
      (await (await globalThis.caches.match(new URL("guide.html", location.href).href))?.text())?.includes("Newer:") ===
      true,
  );
  expect(guide).toBe(false);
});

testLong("another editor's key bindings are cached once they are chosen", async ({ page, host }) => {
  await open(page, host.address);
  await kept(page);
  await page.getByRole("button", { name: "Help" }).click();
  await page.getByLabel("Keys in the editor").selectOption("vim");
  await page.keyboard.press("Escape");
  await expect(page.locator("stile-editor .cm-vim-panel")).toBeVisible();
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const chosen = performance
          .getEntriesByType("resource")
          .map((e) => e.name)
          .filter((name) => name.endsWith(".js"));
        return (await Promise.all(chosen.map((name) => globalThis.caches.match(name)))).every(
          (found) => found !== undefined,
        );
      }),
    )
    .toBe(true);
  host.down = true;
  await page.reload();
  await expect(page.locator("stile-editor .cm-vim-panel")).toBeVisible();
});

testLong("a solver that was used once answers without a network", async ({ page, host }) => {
  test.slow();
  await open(page, host.address);
  await kept(page);
  const assets = await assetsOf(page, host.address);
  await worker(page, host.address, assets);
  // A faulty text is rejected without a solver; this check also loads the full core.
  expect(
    check(await solve(page, { solver: "z3", text: "(assert y)" }), { status: "error", codes: ["smt.undeclared"] }),
  ).toBeUndefined();
  const coffee = {
    highs: { solver: "highs", text: problem({ file: "coffee.lp" }) },
    z3: { solver: "z3", text: problem({ file: "coffee.smt2" }) },
  };
  host.down = true;
  const cut = await solve(page, coffee.highs);
  expect(cut.result?.answer.status).toBe("error");
  expect(cut.result?.answer.message).toMatch(
    /could not be downloaded, and this device has no copy of it; connect it to the network and try again/,
  );
  // After a retry with a network the solver answers, and from then on also without one.
  host.down = false;
  for (const settings of [coffee.highs, coffee.z3])
    expect(check(await solve(page, settings), { status: "sat", objective: "2470" })).toBeUndefined();
  await expect
    .poll(
      () =>
        page.evaluate(
          async (asked) => {
            const missing: string[] = [];
            for (const path of asked)
              if ((await globalThis.caches.match(new URL(path, location.href).href)) === undefined) missing.push(path);
            return missing;
          },
          [...host.asked].filter((path) => /^(assets|module)\//.test(path)),
        ),
      { timeout: 60_000 },
    )
    .toEqual([]);
  host.down = true;
  await worker(page, host.address, assets);
  for (const settings of [coffee.highs, coffee.z3])
    expect(check(await solve(page, settings), { status: "sat", objective: "2470" })).toBeUndefined();
});

test("a new version is loaded completely, keeps the draft, and leaves an open page its parts", async ({
  page,
  context,
  host,
}) => {
  await open(page, host.address);
  await openExample(page, "openagi");
  await kept(page);
  await write(page, "S -> mine\n");
  await expect(page.getByText("Saved on this device")).toBeVisible();
  const before = await caches(page);
  expect(before).toHaveLength(1);
  // The next version: another document and another list of files to cache.
  host.changed.set("index.html", (text) => text.replace("<title>", "<title>Newer "));
  host.changed.set("", (text) => text.replace("<title>", "<title>Newer "));
  host.changed.set("service-worker.js", (text) => text.replaceAll(before[0]?.slice("stile-".length) ?? "?", "next"));
  const other = await context.newPage();
  await open(other, host.address);
  await expect(other).toHaveTitle(/^Newer/);
  await expect.poll(() => newest(other)).toBe("stile-next");
  await expect.poll(() => textOf(other)).toContain("mine");
  // The page that was open before still loads its parts, though the host is offline.
  host.down = true;
  await tab(page, "Verify");
  await expect(page.getByLabel(/^A plan for/)).toBeVisible();
  await other.reload();
  await expect(other).toHaveTitle(/^Newer/);
  await expect.poll(() => textOf(other)).toContain("mine");
});

testLong("an incomplete version is not used", async ({ page, host }) => {
  await open(page, host.address);
  await kept(page);
  const [first] = await caches(page);
  host.changed.set("service-worker.js", (text) =>
    text.replaceAll(first?.slice("stile-".length) ?? "?", "broken").replace("index.html", "missing.html"),
  );
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const ended = new Promise((resolve) =>
      registration.addEventListener("updatefound", () =>
        registration.installing?.addEventListener("statechange", resolve),
      ),
    );
    await registration.update();
    await ended;
  });
  host.down = true;
  await page.reload();
  await expect(page.locator(".main-drawing svg.drawing")).toBeVisible();
});

testLong("the forget switch removes all cached files", async ({ page, host }) => {
  await open(page, host.address);
  await kept(page);
  await page.goto(`${host.address}docs/`);
  await expect.poll(() => keptDocs(page)).toBeGreaterThan(20);
  await page.goto(host.address);
  const [first] = await caches(page);
  // The script that `site -forget` writes: the same without files.
  host.changed.set("service-worker.js", (text) =>
    text.replaceAll(first?.slice("stile-".length) ?? "?", "").replace(/\[("[^"\]]*",?)+\]/, "[]"),
  );
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
  });
  await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await expect.poll(() => page.evaluate(() => globalThis.caches.keys())).toEqual([]);
  await page.reload();
  await expect(page.locator(".main-drawing svg.drawing")).toBeVisible();
});
