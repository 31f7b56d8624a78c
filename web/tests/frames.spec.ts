import { createServer, type OutgoingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { type FrameLocator, type Page } from "@playwright/test";
import { expect, test as base, textOf, writeIn } from "./fixtures.js";
import { sampled } from "./sample.js";

/** A third-party page: its response headers and its body. */
interface Around {
  readonly headers: OutgoingHttpHeaders;
  readonly body: (site: string) => string;
}

const test = base.extend<{ host: (page: Around) => Promise<string> }>({
  host: async ({ baseURL }, use) => {
    let shown: Around = { headers: {}, body: () => "" };
    const server = createServer((request, response) => {
      const inner = new URL(request.url ?? "/", "http://host").pathname === "/inner";
      const body = shown.body(new URL(baseURL ?? "").href);
      response
        .writeHead(200, { "content-type": "text/html; charset=utf-8", ...shown.headers })
        .end(
          inner
            ? `<!doctype html><title>Inner</title><script type="module" src="${new URL("stile-embed.js", baseURL).href}"></script><stile-embed example="anbn" height="500"></stile-embed>`
            : `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,"><body>${body}</body></html>`,
        );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await use(async (page) => {
      shown = page;
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    });
    server.closeAllConnections();
    server.close();
  },
});

const embed = (site: string): string => `${site}embed.html?example=anbn&show=automaton,text`;
const isolated = { "cross-origin-opener-policy": "same-origin" };

/** Third-party pages with different headers, and where each holds the embed. */
const pages: readonly (readonly [string, Around, (page: Page) => FrameLocator])[] = [
  [
    "a plain page",
    { headers: {}, body: (site) => `<iframe src="${embed(site)}" width="900" height="500"></iframe>` },
    (page) => page.frameLocator("iframe"),
  ],
  [
    "a page that requires its parts to allow it (COEP: require-corp)",
    {
      headers: { "cross-origin-embedder-policy": "require-corp", ...isolated },
      body: (site) => `<iframe src="${embed(site)}" width="900" height="500"></iframe>`,
    },
    (page) => page.frameLocator("iframe"),
  ],
  [
    "an isolated page that sends no credentials (COEP: credentialless)",
    {
      headers: { "cross-origin-embedder-policy": "credentialless", ...isolated },
      body: (site) => `<iframe src="${embed(site)}" width="900" height="500" credentialless></iframe>`,
    },
    (page) => page.frameLocator("iframe"),
  ],
  [
    "a sandboxed frame",
    {
      headers: {},
      body: (site) =>
        `<iframe src="${embed(site)}" width="900" height="500" sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"></iframe>`,
    },
    (page) => page.frameLocator("iframe"),
  ],
  [
    "a sandboxed frame without an origin",
    {
      headers: {},
      body: (site) =>
        `<iframe src="${embed(site)}" width="900" height="500" sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"></iframe>`,
    },
    (page) => page.frameLocator("iframe"),
  ],
  [
    "the element within a page that is itself sandboxed",
    {
      headers: {},
      body: () =>
        `<iframe src="/inner" width="900" height="600" sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"></iframe>`,
    },
    (page) => page.frameLocator("iframe").frameLocator("iframe"),
  ],
];

for (const [what, around, within] of sampled("frames", pages, 2)) {
  test(`an embed draws in ${what}, and what was changed goes along to Stile`, async ({
    quiet: page,
    context,
    host,
  }) => {
    test.slow();
    await page.goto(await host(around));
    const frame = within(page);
    await expect(frame.locator(".main-drawing svg.drawing")).toBeVisible({ timeout: 60_000 }); // a frame with an opaque origin shares no cache
    await expect(frame.locator("stile-editor .cm-content")).toContainText("S ->");
    const open = frame.getByRole("link", { name: "Open in Stile" });
    await expect(open).toHaveAttribute("href", /#1:/);
    await writeIn(frame, "S -> changed S | here\n");
    await expect(frame.locator(".main-drawing svg.drawing")).toContainText("changed");
    // Clicks without waiting, as a person does: the link opens a separate page.
    const opened = context.waitForEvent("page");
    await open.click();
    const stile = await opened;
    await expect.poll(() => textOf(stile)).toBe("S -> changed S | here\n");
    await expect(stile.locator("stile-problems .summary")).toContainText("1 nonterminal");
  });
}
