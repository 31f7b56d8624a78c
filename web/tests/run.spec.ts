import { inflateRawSync } from "node:zlib";
import { expect, open, openExample, ready, share, tab, test } from "./fixtures.js";

test("a simulated model makes a valid plan, shown as steps, function, word and tree", async ({ quiet: page }) => {
  await open(page);
  await tab(page, "Run");
  await page.getByRole("button", { name: "Run openagi.cfg" }).click();
  const result = page.locator("stile-plan-result");
  await expect(result.locator(".pill.good")).toHaveText("valid");
  await expect(result.locator("[data-form=function]")).toContainText("(");
  await expect(result.locator(".steps li").first()).toBeVisible();
  await expect(result.locator("svg.tree .node").first()).toBeVisible();
  await expect(result).toContainText("0 dead ends");
  const word = (await result.locator("[data-form=word]").textContent()) ?? "";
  // The stepper agrees that it is a word.
  await tab(page, "Automaton");
  await page.locator(".word-input").fill(word);
  await page.keyboard.press("Enter");
  await expect(page.locator(".verdict")).toContainText("Valid");
});

test("the same seed gives the same run", async ({ quiet: page }) => {
  await open(page);
  await tab(page, "Run");
  const word = page.locator("[data-form=word]");
  const run = async (seed: string): Promise<string> => {
    await page.getByLabel("Seed", { exact: true }).fill(seed);
    await page.getByRole("button", { name: "Run openagi.cfg" }).click();
    await expect(page.locator(".run-state .pill")).toHaveText("Done");
    return (await word.textContent()) ?? "";
  };
  const first = await run("5");
  const other = await run("6");
  expect(await run("5")).toBe(first);
  expect(other).not.toBe(first);
});

test("a rambler is corrected into a conforming trace", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "react");
  await ready(page);
  await tab(page, "Run");
  await page.getByLabel("Model", { exact: true }).selectOption("rambler");
  await page.getByLabel("Seed", { exact: true }).fill("12");
  await page.getByRole("button", { name: "Run react.agent" }).click();
  await expect(page.locator("[data-verdict]")).toHaveText("valid");
  await expect(page.locator(".violation").first()).toBeVisible();
  await expect(page.locator(".segment-state").last()).toHaveText("Ans");
});

test("a person can be the model, and is asked again when the answer cannot be read", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "anbn");
  await ready(page);
  await tab(page, "Run");
  await page.getByLabel("Model", { exact: true }).selectOption("person");
  await page.getByRole("button", { name: "Run anbn.cfg" }).click();
  const answer = page.getByLabel("Your answer");
  await answer.fill("what?");
  await page.getByRole("button", { name: "Answer" }).click();
  await expect(page.locator(".fault-text")).toContainText("no number");
  for (const choice of ["1", "1", "2"]) {
    await expect(page.locator("stile-question")).toBeVisible();
    await answer.fill(choice);
    await page.keyboard.press("Enter");
  }
  await expect(page.locator("[data-form=word]")).toHaveText("a a b b");
});

test("a run that waits can be cancelled", async ({ quiet: page }) => {
  await open(page);
  await tab(page, "Run");
  await page.getByLabel("Model", { exact: true }).selectOption("person");
  await page.getByRole("button", { name: "Run openagi.cfg" }).click();
  await expect(page.locator("stile-question")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.locator(".run-state")).toContainText("Cancelled");
  await expect(page.getByRole("button", { name: "Run openagi.cfg" })).toBeEnabled();
});

test("an endpoint is called with its key, streamed, and the key is in no link", async ({ quiet: page }) => {
  const seen: string[] = [];
  await page.route("https://models.example/v1/chat/completions", async (route) => {
    seen.push(route.request().headers()["authorization"] ?? "");
    const event = (text: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`;
    await route.fulfill({ status: 200, headers: { "content-type": "text/event-stream", "access-control-allow-origin": "*" }, body: `${event("The answer ")}${event("is 1.")}data: [DONE]\n\n` });
  });
  await open(page);
  await tab(page, "Run");
  await page.getByLabel("Model", { exact: true }).selectOption("endpoint");
  await page.getByLabel("Address").fill("https://models.example/v1");
  await page.getByLabel("Model’s name").fill("small");
  await page.getByLabel("Key", { exact: true }).fill("sk-secret");
  await page.getByRole("button", { name: "Run openagi.cfg" }).click();
  await expect(page.locator("[data-form=word]")).not.toBeEmpty();
  expect(new Set(seen)).toEqual(new Set(["Bearer sk-secret"]));
  const short = await share(page);
  await page.getByLabel(/with the last run/).check();
  const link = page.getByLabel("Link to the workspace");
  await expect(link).not.toHaveValue(short);
  const packed = new URL(await link.inputValue()).hash.slice("#1:".length);
  const shared = inflateRawSync(Buffer.from(packed, "base64url")).toString();
  expect(shared).toContain("models.example");
  expect(shared).not.toContain("sk-secret");
});

test("an endpoint that refuses says so in words", async ({ browser, baseURL }) => {
  const page = await browser.newPage();
  await page.route("https://models.example/**", (route) => route.fulfill({
    status: 401, headers: { "access-control-allow-origin": "*" }, json: { error: { message: "no such key" } },
  }));
  await open(page, baseURL);
  await tab(page, "Run");
  await page.getByLabel("Model", { exact: true }).selectOption("endpoint");
  await page.getByLabel("Address").fill("https://models.example/v1");
  await page.getByLabel("Model’s name").fill("small");
  await page.getByRole("button", { name: "Run openagi.cfg" }).click();
  await expect(page.locator("stile-run .fault")).toContainText("refused the key: no such key");
  await page.close();
});

test("what the first module has not is fetched once, and said where it does not arrive", async ({ page }) => {
  let fetched = 0;
  let refuse = true;
  await page.route(/module\/(br|gz)\/stile\.[0-9a-f]+\.wasm$/, (route) => {
    fetched++;
    return refuse ? route.fulfill({ status: 503, body: "" }) : route.continue();
  });
  await open(page);
  await expect(page.locator(".main-drawing .node")).not.toHaveCount(0);
  expect(fetched).toBe(0);
  await page.getByRole("tab", { name: "Run" }).click();
  await page.getByRole("button", { name: "Run openagi.cfg" }).click();
  await expect(page.locator("stile-run")).toContainText("The rest of the core did not arrive");
  refuse = false;
  await page.getByRole("button", { name: "Run openagi.cfg" }).click();
  await expect(page.locator("stile-run")).toContainText(/valid/i);
});
