import { clean } from "./axe.js";
import { close, endpoints, expect, run, test } from "./endpoint-fixtures.js";
import { open } from "./fixtures.js";
import { callsOf, changeModel, promptModel } from "./prompt-api.js";

test("a browser without a model of its own does not offer one", async ({ quiet: page }) => {
  await open(page);
  await endpoints(page);
  await expect(page.locator("[data-preset=ollama]")).toBeVisible();
  await expect(page.locator("[data-preset=browser]")).toHaveCount(0);
});

test("the browser's model is downloaded on request only, and makes a plan without key or network", async ({
  quiet: page,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).hostname));
  await promptModel(page, { state: "downloadable", held: true });
  await open(page);
  await endpoints(page);
  await page.locator("[data-preset=browser]").click();
  const panel = page.locator("stile-browser-model");
  await expect(panel).toContainText("not on this device yet");
  await expect(page.locator("#endpoint-url, stile-endpoint-key, stile-endpoint-price")).toHaveCount(0);
  await clean(page);
  // Neither a run nor a test starts a download.
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.locator("[data-step=models]")).toContainText("Download it in the settings of the endpoint");
  expect(await callsOf(page)).toEqual([]);
  await panel.getByRole("button", { name: "Download the model" }).click();
  await expect(panel.getByRole("progressbar")).toBeVisible();
  await panel.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(panel.getByRole("progressbar")).toHaveCount(0);
  await expect(panel.locator(".fault-text")).toHaveText("");
  await panel.getByRole("button", { name: "Download the model" }).click();
  await expect(panel).toContainText(/Downloading the model: [1-9]\d* %/);
  await changeModel(page, { held: false });
  await expect(panel.locator(".pill.good")).toHaveText("The model is on this device");
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.locator("stile-endpoint-test")).toContainText("The connection works");
  await close(page);
  await run(page);
  await expect(page.locator(".run-state .pill")).toHaveText("Done");
  await expect(page.locator("stile-plan-result .pill.good")).toHaveText("valid");
  const prompts = (await callsOf(page)).filter(({ call }) => call === "prompt");
  const enforced = prompts.filter((prompt) => prompt["responseConstraint"] !== undefined);
  expect(enforced.length).toBeGreaterThan(2);
  expect(enforced[0]?.["responseConstraint"]).toMatchObject({ properties: { choice: { type: "string" } } });
  // One session at most keeps the model in memory.
  const count = async (name: string): Promise<number> =>
    (await callsOf(page)).filter(({ call }) => call === name).length;
  expect((await count("create")) - (await count("destroy"))).toBeLessThanOrEqual(2); // the cancelled download had none
  expect(new Set(asked)).toEqual(new Set([new URL(page.url()).hostname]));
});

test("the browser's model stops at stop texts, and when the person cancels", async ({ quiet: page }) => {
  await promptModel(page, {
    pieces: ["[Tho", "ught] I know it.\n[Final Thou", "ght] 42\n[Obser", "vation] no", " more"],
  });
  await open(page, "./?example=react");
  await endpoints(page);
  await page.locator("[data-preset=browser]").click();
  await run(page);
  await expect
    .poll(async () => (await callsOf(page)).filter(({ call }) => call === "aborted").length)
    .toBeGreaterThan(0);
  const [first] = await callsOf(page);
  expect(first).toMatchObject({ call: "create", expectedOutputs: [{ type: "text", languages: ["en"] }] });
  await changeModel(page, { endless: true });
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(page.locator(".run-state .pill")).toContainText("Cancelled");
  await run(page);
  const before = (await callsOf(page)).length;
  const since = async (name: string): Promise<number> =>
    (await callsOf(page)).slice(before).filter(({ call }) => call === name).length;
  await expect.poll(() => since("prompt")).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(page.locator(".run-state .pill")).toContainText("Cancelled");
  await expect.poll(() => since("aborted")).toBeGreaterThan(0);
});

test("the reasons why the browser's model does not answer are shown", async ({ quiet: page }) => {
  await promptModel(page, { state: "unavailable" });
  await open(page);
  await endpoints(page);
  await page.locator("[data-preset=browser]").click();
  await expect(page.locator("stile-browser-model")).toContainText("does not run on this device");
  await expect(page.locator("stile-browser-model button")).toHaveCount(0);
  await run(page);
  await expect(page.locator("stile-run .fault")).toContainText("does not run on this device");
  await changeModel(page, { state: "available", contextWindow: 20 });
  await run(page);
  await expect(page.locator("stile-run .fault")).toContainText("too long for the model");
});
