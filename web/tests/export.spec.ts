import { violations } from "./axe.js";
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, open, openExample, tab, test, write } from "./fixtures.js";

const text = (page: Page) => page.locator(".export-text");

async function download(page: Page): Promise<{ name: string; data: Buffer }> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  return { name: file.suggestedFilename(), data: readFileSync(await file.path()) };
}

test("a grammar is exported in other notations, and saved", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "anbn");
  await tab(page, "Export");
  await expect(text(page)).toContainText("flowchart LR");
  for (const [format, said] of [
    ["GBNF", "root ::="],
    ["Lark", "start:"],
    ["EBNF", "::="],
    ["DOT", "digraph"],
    ["Structural tag", "structural_tag"],
  ] as const) {
    await page.getByRole("button", { name: format, exact: true }).click();
    await expect(text(page)).toContainText(said);
  }
  await page.getByRole("button", { name: "GBNF" }).click();
  await expect(text(page)).toContainText("root ::=");
  const { name, data } = await download(page);
  expect(name).toBe("anbn.gbnf");
  expect(data.toString()).toBe(await text(page).textContent());
  await expect(page.getByRole("button", { name: "HOA" })).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
});

test("rules about data are exported as a document and a guard", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "shop");
  await page.getByRole("tab", { name: "policy.rules" }).click();
  await tab(page, "Export");
  const panel = page.locator("stile-export");
  await expect(panel).toContainText("depends on the field order; only rules about the order of calls have one.");
  await expect(panel.getByRole("button", { name: "Mermaid" })).toHaveCount(0);
  await expect(panel.getByRole("button", { name: "HOA" })).toHaveCount(0);
  await expect(text(page)).toContainText("one-time: refund(order: ?o)");
  await expect(text(page)).toContainText("[Open it in Stile](");
  await expect(panel.getByRole("alert")).toHaveCount(0);

  // The guard contains the rules alone, and judges by them.
  await expect(panel.getByText("It contains policy.rules.")).toBeVisible();
  await panel
    .getByLabel("Events, one per line")
    .fill('{"name": "delete", "arguments": {"env": "production"}, "id": "1", "time": 0}');
  await panel.getByRole("button", { name: "Judge" }).click();
  await expect(panel.getByLabel("Decisions")).toContainText("production");
  await expect(panel.getByLabel("Decisions").locator("strong")).not.toHaveText("allow");

  // Rules without data keep all formats.
  await write(page, "first: refund() -> once approve()\n");
  await expect(panel.getByRole("button", { name: "Mermaid" })).toBeVisible();
  await expect(text(page)).toContainText("flowchart LR");
  expect(await violations(page)).toEqual([]);
});

test("the exported drawing includes its styles", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "react");
  await expect(page.locator(".main-drawing svg.drawing")).toContainText("Ques");
  await tab(page, "Export");
  await page.getByRole("button", { name: "SVG", exact: true }).click();
  await expect(text(page)).toContainText("<svg");
  const svg = await download(page);
  expect(svg.name).toBe("react.svg");
  const drawn = svg.data.toString();
  for (const said of ['xmlns="http://www.w3.org/2000/svg"', "fill=", "Final-Tht", "<rect"])
    expect(drawn).toContain(said);
  expect(drawn).not.toMatch(/\s(?:class|style|tabindex)=|<script/);
  await page.getByRole("button", { name: "PNG", exact: true }).click();
  const png = await download(page);
  expect(png.name).toBe("react.png");
  expect(png.data.subarray(1, 4).toString()).toBe("PNG");
  expect(png.data.readUInt32BE(16)).toBeGreaterThan(600); // its width
});

test("a document contains the diagram, the text and a link that opens it", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S -> document\n");
  await tab(page, "Export");
  await page.getByRole("button", { name: "Markdown with link" }).click();
  await expect(text(page)).toContainText("```mermaid");
  await expect(text(page)).toContainText("```cfg\nS -> document\n```");
  const link = /\((http[^)]+)\)/.exec((await text(page).textContent()) ?? "")?.[1] ?? "";
  await page.goto(link);
  await expect(page.locator("stile-editor .cm-content")).toContainText("S -> document");
});

test("an agent exports guards, formulas their automaton, notes and faults a sentence", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "react");
  await tab(page, "Export");
  const guard = page.getByRole("region", { name: "A guard for production" });
  for (const [language, file, part] of [
    ["Go", "guard.go", "package guard"],
    ["TypeScript", "guard.ts", "export class Guard"],
    ["Python", "guard.py", "wasmtime"],
  ] as const) {
    await guard.getByRole("button", { name: language, exact: true }).click();
    await expect(guard.getByLabel(file, { exact: true })).toContainText(part);
  }
  await page.locator('stile-files [data-file="properties.ltl"]').click();
  await expect(page.getByRole("button", { name: "HOA" })).toBeVisible();
  await expect(guard).toHaveCount(0);
  await page.locator('stile-files [data-file="README.md"]').click();
  await expect(page.locator("#panel-export")).toContainText("Notes are exported as they are");
  await page.locator('stile-files [data-file="react.agent"]').click();
  await write(page, "(define");
  await expect(page.locator("#panel-export")).toContainText("Fix the errors");
});

test("a compiled guard is saved and judges events", async ({ quiet: page }) => {
  await open(page);
  await write(page, "S -> login work\nwork -> refund work | logout\n");
  await tab(page, "Export");
  const guard = page.getByRole("region", { name: "A compiled guard" });
  await expect(guard.getByLabel("Code that uses the guard")).toContainText("packages/stile-guard-");
  const saved = page.waitForEvent("download");
  await guard.getByRole("button", { name: /^Get .*\.guard$/ }).click();
  expect((await saved).suggestedFilename()).toMatch(/\.guard$/);
  const code = guard.getByLabel("Code that uses the guard");
  const use = guard.getByLabel("Use it in");
  await use.selectOption("Python");
  await expect(code).toContainText("pip install");
  const file = (await guard.getByRole("heading", { level: 3 }).textContent()) ?? "";
  for (const title of await use.locator("optgroup[label=Adapters] option").allTextContents()) {
    await use.selectOption(title);
    await expect(code).toContainText(file);
    await expect(code).not.toContainText("shop");
  }
  await use.selectOption("Continuous integration");
  await expect(code).toContainText(file.replace(/guard$/, "cfg"));
  for (const name of ["npm", "pip"]) {
    const href = (await guard.getByRole("link", { name, exact: true }).getAttribute("href")) ?? "";
    expect((await page.request.get(href)).status()).toBe(200);
  }
  await guard
    .getByLabel("Events, one per line")
    .fill('{"name": "refund"}\n{"name": "login", "id": "1"}\n{"kind": "result", "id": "1"}\n{"name": "refund"}');
  await guard.getByRole("button", { name: "Judge" }).click();
  const decisions = guard.getByRole("list", { name: "Decisions" }).getByRole("listitem");
  await expect(decisions).toHaveText([
    /^deny "refund" is not allowed here/,
    /^allow/,
    /^allow/,
    /^allow .*Next: refund, logout$/,
  ]);
  await guard.getByLabel("Events, one per line").fill("refund");
  await guard.getByRole("button", { name: "Judge" }).click();
  await expect(guard.getByRole("alert")).toContainText("Event 1: malformed event");
  expect(await violations(page)).toEqual([]);
});

test("losses of a notation are listed next to the text and in the file", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "openagi");
  await tab(page, "Export");
  await page.getByRole("button", { name: "GBNF" }).click();
  const remarks = page.getByRole("list", { name: "Remarks" });
  await expect(remarks).toContainText("Not exported: limit 1 each except i");
  const { data } = await download(page);
  expect(data.toString()).toMatch(/^# Not exported: limit 1 each except i/);
  await openExample(page, "react");
  await expect(text(page)).toContainText('"[Observation]"');
  await expect(remarks).toContainText("one turn of the model");
  expect(await violations(page)).toEqual([]);
});

test("a file of several formulas is exported as a whole or one by one", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "react");
  await tab(page, "Export");
  await page.locator('stile-files [data-file="properties.ltl"]').click();
  await expect(text(page)).toContainText("subgraph");
  await page.locator("stile-export select").selectOption({ index: 1 });
  await expect(text(page)).not.toContainText("subgraph");
  for (const [format, said] of [
    ["HOA", "HOA: v1"],
    ["DOT", "digraph"],
    ["Markdown with link", "```mermaid"],
  ] as const) {
    await page.getByRole("button", { name: format, exact: true }).click();
    await expect(text(page)).toContainText(said);
  }
  await expect(page.getByRole("alert")).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
});

test("a team offers only the formats that can express it", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "plaque");
  await page.locator('stile-files [data-file$=".team"]').first().click();
  await tab(page, "Export");
  await expect(page.getByRole("button", { name: "SVG", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "DOT", exact: true }).click();
  await expect(text(page)).toContainText("manager");
  await expect(page.getByRole("button", { name: "GBNF", exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "Markdown with link" }).click();
  await expect(text(page)).toContainText("```team");
  await expect(page.getByRole("alert")).toHaveCount(0);
});
