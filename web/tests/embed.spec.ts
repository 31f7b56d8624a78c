import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { clean } from "./axe.js";
import { expect, test as base, writeIn } from "./fixtures.js";
import { sampled } from "./sample.js";

/** A third-party page on its own origin, cross-origin isolated and with a strict policy. */
const test = base.extend<{ host: (body: string) => Promise<string> }>({
  host: async ({ baseURL }, use) => {
    let body = "";
    const site = new URL(baseURL ?? "").origin;
    const server: Server = createServer((_, response) => {
      response
        .writeHead(200, {
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": `default-src 'none'; script-src ${site}; frame-src ${site}; style-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
          "cross-origin-embedder-policy": "require-corp",
          "cross-origin-opener-policy": "same-origin",
        })
        .end(
          `<!doctype html><html lang="en"><head><title>Host</title><link rel="icon" href="data:,"><script type="module" src="${site}/stile-embed.js"></script></head><body><main><h1>Host</h1>${body}</main></body></html>`,
        );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await use(async (text) => {
      body = text;
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    });
    server.closeAllConnections();
    server.close();
  },
});
// The host's policy blocks its own icon.
test.use({ allowed: [/favicon|data:,/] });

test("an example of the gallery is live in another page", async ({ quiet: page, host }) => {
  await page.goto(await host(`<stile-embed example="react" height="500"></stile-embed>`));
  const frame = page.frameLocator("stile-embed iframe");
  await expect(frame.locator(".main-drawing svg.drawing")).toBeVisible();
  await expect(frame.locator("stile-editor .cm-content")).toContainText("define");
  await expect(page.locator("stile-embed iframe")).toHaveCSS("height", "500px");
});

test("an embed shows its own text; a change is reported to the page and kept in the link", async ({
  quiet: page,
  host,
}) => {
  await page.goto(
    await host(
      `<stile-embed name="a.cfg" show="automaton,text,step">\n    S -> a S\n      | b # &lt;b&gt;\n</stile-embed>`,
    ),
  );
  const frame = page.frameLocator("stile-embed iframe");
  await expect(frame.locator("stile-editor .cm-content")).toContainText("S -> a S");
  await expect(frame.locator("stile-editor .cm-content")).toContainText("# <b>");
  await expect(frame.getByRole("button", { name: /^a/ }).first()).toBeVisible();
  await page.evaluate(() =>
    document
      .querySelector("stile-embed")
      ?.addEventListener("stile-change", (event) =>
        document.body.setAttribute("data-link", (event as CustomEvent<{ link: string }>).detail.link),
      ),
  );
  await writeIn(frame, "S -> changed\n");
  await expect(page.locator("body")).toHaveAttribute("data-link", /#1:/);
  const link = (await page.locator("body").getAttribute("data-link")) ?? "";
  await expect(frame.getByRole("link", { name: "Open in Stile" })).toHaveAttribute("href", /#1:/);
  await page.goto(link);
  await expect(page.locator("stile-editor .cm-content")).toContainText("S -> changed");
});

test("an embed stores nothing on the device and calls no model", async ({ quiet: page, baseURL }) => {
  await page.goto(new URL("embed.html?example=anbn", baseURL).href);
  await expect(page.locator(".main-drawing svg.drawing")).toBeVisible();
  await page.locator("stile-editor .cm-content").click();
  await page.keyboard.type("# changed\n");
  await expect(page.getByRole("link", { name: "Open in Stile" })).toHaveAttribute("href", /#1:/);
  expect(
    await page.evaluate(async () => ({
      local: localStorage.length,
      session: sessionStorage.length,
      kept: (await indexedDB.databases()).length,
      workers: (await navigator.serviceWorker.getRegistrations()).length,
    })),
  ).toEqual({ local: 0, session: 0, kept: 0, workers: 0 });
  await expect(page.getByText("Model", { exact: true })).toHaveCount(0);
});

test("a fenced block becomes live on request", async ({ quiet: page, host }) => {
  await page.goto(
    await host(
      `<pre><code class="language-cfg">S -&gt; fenced\n</code></pre><pre><code class="language-stile">-- a.cfg --\nS -&gt; b\n-- p.ltl --\nF b\n</code></pre><pre><code class="language-go">func f() {}</code></pre>`,
    ),
  );
  await expect(page.locator("stile-embed")).toHaveCount(2);
  await expect(page.locator("stile-embed pre").first()).toContainText("S -> fenced");
  await expect(page.locator("stile-embed iframe")).toHaveCount(0);
  await page.getByRole("button", { name: "Try it" }).first().focus();
  await page.keyboard.press("Enter");
  await expect(page.frameLocator("stile-embed iframe").locator("stile-editor .cm-content")).toContainText(
    "S -> fenced",
  );
  await page.getByRole("button", { name: "Try it" }).click();
  await expect(page.frameLocator("stile-embed:nth-of-type(2) iframe").getByLabel("File")).toContainText("p.ltl");
});

test("errors are reported, and read-only stays read-only", async ({ quiet: page, host }) => {
  await page.goto(
    await host(
      `<stile-embed name="a.cfg" readonly>S -&gt; "a\n</stile-embed><stile-embed src="javascript:alert(1)"></stile-embed><stile-embed example="nothing"></stile-embed>`,
    ),
  );
  const frame = page.frameLocator("stile-embed >> nth=0 >> iframe");
  await expect(frame.getByRole("button", { name: /^Line 1:/ })).toBeVisible();
  await frame.locator("stile-editor .cm-content").click();
  await page.keyboard.type("more");
  await expect(frame.locator("stile-editor .cm-content")).not.toContainText("more");
  await expect(page.getByRole("alert")).toContainText("src must be a link of a playground");
  await page.locator("stile-embed >> nth=2").scrollIntoViewIfNeeded();
  await expect(
    page.frameLocator("stile-embed >> nth=2 >> iframe").getByText("Unknown example “nothing”."),
  ).toBeVisible();
});

test("an embed shows the tests of a workspace", async ({ quiet: page, baseURL }) => {
  await page.goto(new URL("embed.html?example=coder&show=automaton,tests", baseURL).href);
  await expect(page.locator("stile-tests .pill")).toHaveText("6 tests pass");
  await clean(page);
});

for (const width of sampled("axe in embeds", [760, 320], 2)) {
  test(`axe finds nothing in an embed of ${width} px, light and dark`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({
      viewport: { width, height: 420 },
      reducedMotion: "reduce",
      serviceWorkers: "block",
    });
    const page = await context.newPage();
    await page.goto(new URL("embed.html?example=react&show=automaton,text,step", baseURL).href);
    await expect(page.locator(".main-drawing svg.drawing")).toBeVisible();
    await clean(page);
    await context.close();
  });
}
