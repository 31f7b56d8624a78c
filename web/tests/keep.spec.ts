import { gzipSync } from "node:zlib";
import { keptDrafts, savedAfter } from "../src/store/drafts.js";
import { expect, open, openExample, ready, share, tab, test, textOf, write } from "./fixtures.js";
import { sampled } from "./sample.js";

/** Returns the text of an agent, the notation of the page's first example. */
const agent = (name: string): string => `(define ${name} (:states (A (:text "[A]"))) (:behavior A))\n`;

test("a reload keeps the draft", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S -> mine | S mine\n");
  await expect(page.locator(".saved")).toHaveText("Saved on this device");
  await page.reload();
  await ready(page);
  await expect.poll(() => textOf(page)).toBe("S -> mine | S mine\n");
});

test("the last draft is kept even if the clock was set back before", () => {
  let drafts = Array.from({ length: 20 }, (_, i) => ({
    title: `${i}`,
    files: [{ name: "a.cfg", text: `${i}` }],
    current: "a.cfg",
    edited: true,
    savedAt: 1_000 + i,
  }));
  drafts = [...keptDrafts(drafts)] as typeof drafts;
  const late = {
    title: "late",
    files: [{ name: "a.cfg", text: "late" }],
    current: "a.cfg",
    edited: true,
    savedAt: savedAfter(drafts, 5),
  };
  expect(keptDrafts([late, ...drafts])[0]).toBe(late);
  expect(savedAfter([], 5)).toBe(5);
});

test("a named version is kept whatever follows it", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S -> kept\n");
  await page.getByRole("button", { name: /choose an example/ }).click();
  await page.getByLabel("Keep the open workspace").fill("Before the change");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Before the change/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await write(page, "S -> changed\n");
  await expect(page.locator(".saved")).toHaveText("Saved on this device");
  await page.reload();
  await ready(page);
  await page.getByRole("button", { name: /choose an example/ }).click();
  await page.getByRole("button", { name: /^Before the change/ }).click();
  await expect.poll(() => textOf(page)).toBe("S -> kept\n");
});

test("two tabs do not overwrite each other", async ({ quiet: page, context }) => {
  const kept = async (tab: typeof page, text: string): Promise<void> => {
    await write(tab, text);
    await expect(tab.locator(".saved")).toHaveText("Saved on this device");
  };
  await open(page);
  await kept(page, "S -> one\n");
  const other = await context.newPage();
  await open(other);
  await expect.poll(() => textOf(other)).toBe("S -> one\n"); // a copy
  await kept(other, "S -> two\n");
  await kept(page, "S -> one | more\n");
  for (const [tab, text] of [
    [other, "S -> two\n"],
    [page, "S -> one | more\n"],
  ] as const) {
    await tab.reload();
    await ready(tab);
    await expect.poll(() => textOf(tab)).toBe(text);
  }
  await other.close();
  await page.close();
  // Both texts are kept: one as the draft, the other among the earlier drafts.
  const later = await context.newPage();
  await open(later);
  await expect.poll(() => textOf(later)).toMatch(/^S -> (?:two|one \| more)\n$/);
  const first = await textOf(later);
  await later.getByRole("button", { name: /choose an example/ }).click();
  await later.getByRole("dialog").locator("[data-draft]").first().click();
  await expect.poll(() => textOf(later)).toMatch(/^S -> (?:two|one \| more)\n$/);
  await expect.poll(() => textOf(later)).not.toBe(first);
});

test("a link opens elsewhere with the same workspace", async ({ quiet: page, browser, baseURL }) => {
  await open(page);
  await write(page, "S -> x S | é\n");
  await expect(page.locator(".summary")).toContainText("1 nonterminal");
  const link = await share(page);
  expect(link).toContain(baseURL ?? "");

  const context = await browser.newContext();
  const other = await context.newPage();
  await open(other, link);
  await expect.poll(() => textOf(other)).toBe("S -> x S | é\n");
  await expect(other.getByRole("tab", { name: "README.md" })).toBeVisible();
  await context.close();
});

test("a link with a run replays it without a model", async ({ quiet: page, browser }) => {
  await open(page);
  await openExample(page, "anbn");
  await ready(page);
  await tab(page, "Run");
  await page.getByLabel("Model", { exact: true }).selectOption("person");
  await page.getByRole("button", { name: "Run anbn.cfg" }).click();
  for (const choice of ["1", "2"]) {
    await page.getByLabel("Your answer").fill(choice);
    await page.getByRole("button", { name: "Answer" }).click();
    if (choice === "1") await expect(page.locator(".log-entry")).toHaveCount(2);
  }
  await expect(page.locator("[data-form=word]")).toHaveText("a b");
  const short = await share(page);
  await page.getByLabel(/with the last run/).check();
  const field = page.getByLabel("Link to the workspace");
  await expect(field).not.toHaveValue(short);

  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(await field.inputValue());
  await expect(other.locator("[data-form=word]")).toHaveText("a b");
  await expect(other.locator(".run-state")).toContainText("replayed");
  await context.close();
});

test("a link never overwrites a draft", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S -> shared\n");
  await expect(page.locator(".summary")).toContainText("1 terminal");
  const fragment = new URL(await share(page)).hash;
  await page.keyboard.press("Escape");
  await write(page, "S -> my draft\n");
  await expect(page.locator(".saved")).toHaveText("Saved on this device");
  await page.evaluate((hash) => {
    location.hash = hash;
  }, fragment);
  await expect(page.locator(".banner")).toContainText("is kept");
  await expect.poll(() => textOf(page)).toBe("S -> shared\n");
  await page.getByRole("button", { name: "Back to my draft" }).click();
  await expect.poll(() => textOf(page)).toBe("S -> my draft\n");
});

for (const [name, fragment] of sampled(
  "bad links in the address",
  [
    ["cut off", "#1:S85WKEnMTk1RSE"],
    ["of another version", "#9:abc"],
    ["damaged", "#1:!!!!"],
  ] as const,
  2,
)) {
  test(`a link that is ${name} explains the fault and keeps the draft`, async ({ quiet: page }) => {
    await open(page);
    await write(page, "S -> my draft\n");
    await expect(page.locator(".saved")).toHaveText("Saved on this device");
    await page.evaluate((hash) => {
      location.hash = hash;
    }, fragment);
    await expect(page.locator(".banner.bad")).toContainText("Your own text is unchanged");
    await expect.poll(() => textOf(page)).toBe("S -> my draft\n");
  });
}

for (const [name, bytes] of [
  ["binary", Buffer.from([0, 1, 2, 3, 255])],
  ["not UTF-8", Buffer.from([83, 32, 45, 62, 32, 0xe9, 10])],
] as const) {
  test(`a file that is ${name} is refused with the reason, and the draft is kept`, async ({ quiet: page }) => {
    await open(page);
    await write(page, "S -> my draft\n");
    await page
      .locator(".file-input")
      .setInputFiles({ name: "bad.cfg", mimeType: "application/octet-stream", buffer: bytes });
    await expect(page.locator(".banner.bad")).toContainText("Your text is unchanged");
    await expect.poll(() => textOf(page)).toBe("S -> my draft\n");
  });
}

test("a workspace saved as a file opens again", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S -> kept | ε\n");
  await expect(page.locator(".summary")).toContainText("1 terminal");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const file = await (await download).path();
  await openExample(page, "react");
  await ready(page);
  await page.locator(".file-input").setInputFiles(file);
  await expect.poll(() => textOf(page)).toContain("S -> kept | ε");
});

/** Returns a module of the right shape whose handle never returns. */
function wedged(): Buffer {
  const section = (id: number, body: number[]): number[] => [id, body.length, ...body];
  const name = (text: string): number[] => [text.length, ...Buffer.from(text)];
  return Buffer.from([
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    // () → (), (i32) → i32, (i32) → (), (i32 i32) → i64
    ...section(1, [4, 0x60, 0, 0, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 1, 0x7f, 0, 0x60, 2, 0x7f, 0x7f, 1, 0x7e]),
    ...section(3, [4, 0, 1, 2, 3]),
    ...section(5, [1, 0, 1]),
    ...section(7, [
      5,
      ...name("memory"),
      2,
      0,
      ...name("_initialize"),
      0,
      0,
      ...name("alloc"),
      0,
      1,
      ...name("free"),
      0,
      2,
      ...name("handle"),
      0,
      3,
    ]),
    // alloc returns 16; handle is (loop (br 0)) and then, never, 0
    ...section(10, [4, 2, 0, 0x0b, 4, 0, 0x41, 16, 0x0b, 2, 0, 0x0b, 9, 0, 0x03, 0x40, 0x0c, 0, 0x0b, 0x42, 0, 0x0b]),
  ]);
}

test("a hanging core is killed and restarted, and the text is kept", async ({ browser, baseURL }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  let loads = 0;
  await context.route("**/module/br/*", (route) =>
    loads === 0 ? route.fulfill({ status: 404, body: "" }) : route.continue(),
  );
  await context.route("**/module/gz/*", (route) => {
    loads++;
    return route.fulfill({ status: 200, contentType: "application/octet-stream", body: gzipSync(wedged()) });
  });
  await page.clock.install();
  await page.goto(baseURL ?? "");
  await page.locator("stile-editor .cm-content").waitFor();
  await expect.poll(() => loads).toBe(1);
  await write(page, agent("still-here"));
  await expect(async () => {
    await page.clock.fastForward(5_100);
    await expect(page.locator(".toast.bad")).toContainText("restarted", { timeout: 300 });
  }).toPass();
  await expect(page.locator(".summary")).toContainText("1 state");
  await expect.poll(() => textOf(page)).toBe(agent("still-here"));
  await context.close();
});

test("a core that does not load leaves an editor that saves, and can be retried", async ({ browser, baseURL }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await context.route("**/module/**", (route) => route.abort());
  await page.goto(baseURL ?? "");
  await expect(page.getByRole("alert")).toContainText("The core did not load.");
  await write(page, agent("typed-without-a-core"));
  await expect(page.locator(".saved")).toHaveText("Saved on this device");
  await context.unroute("**/module/**");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.locator(".summary")).toContainText("1 state");
  await context.close();
});
