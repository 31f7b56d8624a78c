import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, open, openExample, ready, share, tab, test, textOf, write } from "./fixtures.js";
import { inSample, onlyLong, sampled } from "./sample.js";

const testLong = onlyLong(test);

/** A link from core/workspace/testdata/links.jsonl; published links open forever. */
interface OldLink {
  readonly made: string;
  readonly link: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly run?: { readonly kind: string };
}

const oldLinks = readFileSync(new URL("../../core/workspace/testdata/links.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as OldLink);

/** Returns the texts that the editor shows. */
const shown = (text: string): string => text.replaceAll("\r\n", "\n");

for (const { made, link, files, run } of sampled("old links", oldLinks, 3)) {
  test(`a link of ${made} opens`, async ({ quiet: page }) => {
    await page.goto(`./#${link.replace(/^#/, "")}`);
    for (const { name, text } of files) {
      const file = page.locator("stile-files [data-file]").nth(files.findIndex((f) => f.name === name));
      await expect(file).toHaveAttribute("data-file", name);
      await file.click();
      await expect.poll(() => textOf(page)).toBe(shown(text));
    }
    if (run === undefined) return;
    await expect(page.locator(".run-state")).toContainText("replayed");
    if (run.kind === "plan") await expect(page.locator("[data-form=word]")).toBeVisible();
    else await expect(page.locator("[data-verdict]")).toHaveText("valid");
  });
}

/** A sample of one-byte changes of a link. The core's own tests check all of them. */
function damages(link: string): readonly string[] {
  const out: string[] = [];
  for (let i = 3; i < link.length; i += 6) {
    const other = link[i] === "x" ? "y" : "x";
    out.push(link.slice(0, i), link.slice(0, i) + link.slice(i + 1), link.slice(0, i) + other + link.slice(i + 1));
  }
  const middle = Math.floor(link.length / 2);
  for (const character of ["%", "%00", " ", "#", "é", "<", '"', "\u200b", ".", "/", "\u{1f411}"])
    out.push(link.slice(0, middle) + character + link.slice(middle + 1));
  return out;
}

test("a damaged link is explained and leaves the draft unchanged", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S -> another S | workspace\n");
  await expect(page.locator(".summary")).toContainText("2 terminals");
  const fragment = new URL(await share(page)).hash;
  await page.keyboard.press("Escape");
  await write(page, "S -> my draft\n");
  await expect(page.locator(".saved")).toHaveText("Saved on this device");
  const list = damages(fragment);
  expect(list.length).toBeGreaterThan(40);
  for (const damaged of list.filter((_, i) => inSample(`damaged link ${i}`, 8))) {
    if ((await page.locator(".banner").count()) > 0)
      await page.locator(".banner").getByRole("button", { name: "Close", exact: true }).click();
    await expect(page.locator(".banner")).toHaveCount(0);
    await page.evaluate((hash) => {
      location.hash = hash;
    }, damaged);
    await expect(page.locator(".banner.bad"), damaged).toContainText("Your own text is unchanged");
    await expect(page.locator(".banner.bad"), damaged).toContainText(/link/);
    await expect.poll(() => textOf(page), { message: damaged }).toBe("S -> my draft\n");
    expect(new URL(page.url()).hash, damaged).toBe("");
  }
  await page.reload();
  await ready(page);
  await expect.poll(() => textOf(page)).toBe("S -> my draft\n");
});

/** Opens a file that no compression makes small. */
async function openNoise(page: Page, characters: number): Promise<string> {
  let noise = 1;
  const text = Array.from({ length: characters }, (_, i) => {
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) >>> 0;
    return i % 80 === 79 ? "\n" : String.fromCharCode(0x4e00 + ((noise >>> 8) % 20_000));
  }).join("");
  await page
    .locator(".file-input")
    .setInputFiles({ name: "noise.txt", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.locator('stile-files [data-file="noise.txt"]').waitFor({ state: "attached" });
  return text;
}

test("a workspace too large for a link is saved as a file that opens again", async ({ quiet: page }) => {
  await open(page);
  const text = await openNoise(page, 480_000);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("alert")).toContainText("too large for a link");
  await expect(dialog.getByLabel("Link to the workspace")).toHaveCount(0);
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download as a file" }).click();
  const file = await (await download).path();
  await page.keyboard.press("Escape");
  await openExample(page, "anbn");
  await page
    .locator(".file-input")
    .setInputFiles({ name: "again.txtar", mimeType: "text/plain", buffer: await readFile(file) });
  await page.locator('stile-files [data-file="noise.txt"]').waitFor({ state: "attached" });
  await expect(page.locator("stile-editor .cm-content")).toContainText(text.slice(0, 70));
});

test("a long link is reported, and a file is offered instead", async ({ quiet: page }) => {
  await open(page);
  await openNoise(page, 10_000);
  expect((await share(page)).length).toBeGreaterThan(8_000);
  await expect(page.getByRole("dialog")).toContainText("some programs truncate links of this length");
  await expect(page.getByRole("button", { name: "Download as a file" })).toBeVisible();
});

testLong("a link with a run contains the texts of that run", async ({ quiet: page, browser }) => {
  await open(page);
  await openExample(page, "anbn");
  await ready(page);
  await tab(page, "Run");
  await page.getByLabel("Model", { exact: true }).selectOption("first");
  await page.getByRole("button", { name: "Run anbn.cfg" }).click();
  const word = page.locator("[data-form=word]");
  await expect(word).toBeVisible();
  const ran = (await word.textContent()) ?? "";
  const before = await textOf(page);
  await write(page, "S -> quite | different\n");
  await expect(page.locator(".summary")).toContainText("2 terminals");
  const plain = await share(page);
  await page.getByLabel(/with the last run.*at that time/).check();
  const field = page.getByLabel("Link to the workspace");
  await expect(field).not.toHaveValue(plain);

  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(await field.inputValue());
  await expect(other.locator(".run-state")).toContainText("replayed");
  await expect(other.locator("[data-form=word]")).toHaveText(ran);
  await expect.poll(() => textOf(other)).toBe(before);
  await context.close();
});

test("the block for Markdown holds texts that look like parts of it", async ({ quiet: page }) => {
  const text = "# -- b.cfg --\nS -> a\n-- x --\n```\n";
  await open(page);
  await page.locator(".file-input").setInputFiles([
    { name: "a.cfg", mimeType: "text/plain", buffer: Buffer.from("S -> a\n") },
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from(text) },
  ]);
  await page.locator('stile-files [data-file="notes.txt"]').waitFor({ state: "attached" });
  await share(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Embed it in a page").click();
  await dialog.getByLabel("As").selectOption("markdown");
  const code = dialog.getByLabel("Code to embed it");
  await expect(code).toContainText("-- >notes.txt --");
  const block = (await code.textContent()) ?? "";
  const [info, ...lines] = block.split("\n");
  const marks = /^`+/.exec(info ?? "")?.[0] ?? "";
  expect(marks.length).toBeGreaterThan(3);
  expect(lines.at(-1)).toBe(marks);
  // A parser of the block gets a workspace with the same texts.
  await page.keyboard.press("Escape");
  await page.locator(".file-input").setInputFiles({
    name: "block.txtar",
    mimeType: "text/plain",
    buffer: Buffer.from(`${lines.slice(0, -1).join("\n")}\n`),
  });
  await page.locator("stile-files [data-file]").nth(1).click();
  await expect(page.locator("stile-files [data-file]").nth(1)).toHaveAttribute("data-file", "notes.txt");
  await expect.poll(() => textOf(page)).toBe(text);
});
