import { clean } from "./axe.js";
import { expect, open, test } from "./fixtures.js";
import { inSample, sampled } from "./sample.js";

const pages = [
  "",
  "guide",
  "patterns",
  "languages",
  "language-cfg",
  "language-pda",
  "language-flow",
  "language-ltl",
  "language-agent",
  "language-team",
  "papers",
  "paper-formal-llm",
  "paper-agent-specs",
  "paper-ltlf",
  "paper-pmc",
  "paper-llmfp",
  "agents",
  "embedding",
  "deployment",
  "security",
  "faq",
  "core",
  "protocol",
  "protocol-types",
  "licences",
];

test("every page of the documentation loads with an empty console", async ({ quiet: page }) => {
  const refused: string[] = [];
  await page.exposeFunction("refused", (what: string) => refused.push(what));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (e) =>
      (window as unknown as { refused: (what: string) => void }).refused(`${e.violatedDirective} ${e.blockedURI}`),
    );
  });
  for (const name of pages) {
    const reply = await page.goto(`docs/${name}`);
    expect(reply?.status(), name).toBe(200);
    await expect(page.locator("main h1")).toBeVisible();
    // The navigation marks the current page.
    const current = await page.locator("nav.side [aria-current=page]").getAttribute("href");
    expect(current).toBe(name === "" ? "./" : `${name}.html`);
  }
  expect(refused).toEqual([]);
});

for (const width of sampled("axe in the documentation", [1280, 390], 2)) {
  test(`axe finds nothing in the documentation at ${width} px, light and dark, and nothing overflows`, async ({
    browser,
    baseURL,
  }) => {
    test.slow();
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      reducedMotion: "reduce",
      ...(baseURL !== undefined && { baseURL }),
    });
    const page = await context.newPage();
    // One page of each kind: text and figures, a reference, wide drawings, code and tables, forms.
    for (const name of [
      "",
      "guide",
      "language-cfg",
      "paper-formal-llm",
      "agents",
      "core",
      "protocol",
      "licences",
    ].filter((name) => inSample(`axe in ${name}`, 4))) {
      await page.goto(`docs/${name}`);
      await expect(page.locator("main h1")).toBeVisible();
      if (name === "guide") await expect(page.locator("stile-embed").first()).toBeVisible();
      await clean(page);
    }
    if (width === 390) {
      await page.goto("docs/guide");
      await page.getByText("All pages").click();
      await expect(page.getByRole("navigation", { name: "All pages" })).toBeVisible();
      await clean(page);
    }
    await context.close();
  });
}

test("the keyboard alone moves through the pages", async ({ quiet: page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("docs/");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to the text" });
  await expect(skip).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
  // The next stop is in the text: the drawing of the first figure.
  await page.keyboard.press("Tab");
  await expect(page.locator(".stile-drawing").first()).toBeFocused();
  // To another page by the navigation, and to the next by the link at the foot.
  await page.getByRole("navigation", { name: "Pages", exact: true }).getByRole("link", { name: "The guide" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("h1")).toHaveText("The guide");
  await page.getByRole("navigation", { name: "Neighbouring pages" }).getByRole("link", { name: "Next" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("h1")).toHaveText("Patterns");
  await page.getByRole("navigation", { name: "Pages", exact: true }).getByRole("link", { name: "All ten" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("h1")).toHaveText("The languages");
  // A heading shows its link when the link has the focus.
  const anchor = page.getByRole("link", { name: "Link to “Common rules”" });
  await anchor.focus();
  await expect(anchor).toHaveCSS("opacity", "1");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#common-rules$/);
});

test("“Try it” makes a figure live, in a frame of this site with its workspace", async ({ page, baseURL }) => {
  await page.goto("docs/guide");
  const figure = page.locator("stile-embed").first();
  const link = await figure.locator("figcaption a").getAttribute("href");
  expect(link).toMatch(/^\.\.\/#1:[\w-]+$/);
  await figure.getByRole("button", { name: "Try it" }).focus();
  await page.keyboard.press("Enter");
  const frame = figure.locator("iframe");
  await expect(frame).toBeVisible();
  const address = new URL((await frame.getAttribute("src")) ?? "");
  expect(address.origin).toBe(new URL(baseURL ?? "").origin);
  expect(address.pathname).toBe("/embed.html");
  expect(address.hash).toBe(link?.slice(3));
  await expect(page.frameLocator("stile-embed iframe").locator("svg.drawing").first()).toBeVisible();
});

test("“Open in Stile” opens the figure's workspace in the playground", async ({ quiet: page }) => {
  await page.goto("docs/guide");
  await page.getByRole("link", { name: "Open in Stile" }).first().click();
  await expect(page.locator("stile-editor .cm-content")).toContainText("approve refund");
});

test("the script of embeds can be loaded from any origin, under a stable name", async ({ request }) => {
  const reply = await request.get("stile-embed.js");
  expect(reply.status()).toBe(200);
  expect(reply.headers()["access-control-allow-origin"]).toBe("*");
  expect(reply.headers()["content-type"]).toContain("text/javascript");
});

test("the help of the playground links to the documentation", async ({ quiet: page }) => {
  await open(page);
  await page.getByRole("button", { name: /^Help$/ }).click();
  const link = page.getByRole("dialog").getByRole("link", { name: /The guide/ });
  const [opened] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  await expect(opened.locator("h1")).toHaveText("The guide");
});

test("the theme chosen in the playground applies to the documentation", async ({ quiet: page }) => {
  await page.goto("docs/faq");
  await page.evaluate(() => localStorage.setItem("stile.theme", "dark"));
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(16, 20, 18)");
});
