import { clean } from "./axe.js";
import { expect, open, openExample, ready, tab, test, write } from "./fixtures.js";

test("a first visit explains the page, plays a run worth reading, and is explained once", async ({ quiet: page }) => {
  const full: string[] = [];
  page.on("request", (r) => /module\/(br|gz)\/stile\.[0-9a-f]+\.wasm$/.test(r.url()) && full.push(r.url()));
  await page.goto("./");
  await ready(page);
  const introduction = page.getByRole("region", { name: "Introduction" });
  await expect(introduction).toContainText("follows its rules");
  await clean(page);
  // The gallery has arrived with the notes of the example.
  await page.locator('stile-files [data-file="prompt.txt"]').waitFor({ state: "attached" });
  expect(full).toEqual([]); // the first module suffices for the first example
  await introduction.getByRole("button", { name: "Watch a run" }).click();
  await expect(page.locator("[data-verdict]")).toHaveText("valid");
  await expect(page.locator("stile-monitor-result")).toContainText("I am sorry about the leak");
  await expect(page.getByLabel("Model")).toHaveValue("recorded");
  await expect(introduction).toHaveCount(0);
  await page.reload();
  await ready(page);
  await expect(introduction).toHaveCount(0);
});

test("?example= carries title, task, words and address; links and embeds have no introduction", async ({
  quiet: page,
}) => {
  await open(page, "./?example=risk");
  await expect(page.locator("header .title")).toHaveText("Risk analysis");
  await expect(page.locator(".example-words")).toBeVisible();
  await expect(page.getByRole("region", { name: "Introduction" })).toHaveCount(0);
  expect(new URL(page.url()).search).toBe("?example=risk");
  await tab(page, "Run");
  await expect(page.getByRole("textbox", { name: "Task" })).toHaveValue(/Alpha sells its subsidiary/);
  await open(page, "./?example=reakt");
  await expect(page.locator(".banner.bad")).toContainText("Unknown example “reakt”. Similar: react");
});

test("an edited example runs with a simulated model instead of its script", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "payment");
  await tab(page, "Run");
  const model = page.getByLabel("Model");
  await expect(model).toHaveValue("recorded");
  await model.selectOption("first");
  await model.selectOption("recorded");
  await expect(page.locator("#model-hint")).toContainText("a person wrote");
  const text = '; mine\n(define a (:states (A (:text "[A]")) (B (:text "[B]"))) (:behavior (next A B)))\n';
  await write(page, text);
  await expect(model).toHaveValue("uniform");
});
