import type { ServerResponse } from "node:http";
import type { Page } from "@playwright/test";
import { clean } from "./axe.js";
import { add, agree, close, endpoints, expect, preflight, run, stream, test } from "./endpoint-fixtures.js";
import { open, openExample, ready, share, tab, textOf, write } from "./fixtures.js";
import { sampled } from "./sample.js";

const state = (page: Page) => page.locator("#panel-run .run-state");
const asked = (page: Page) => page.getByRole("dialog", { name: "A run is in progress" });
const keep = (page: Page) => asked(page).getByRole("button", { name: "Keep running" }).click();

type Serve = (
  handler: (request: import("node:http").IncomingMessage, response: ServerResponse, body: string) => void,
) => Promise<{ readonly url: string }>;

/** Starts a run whose first answer is held back; returns a function that releases it. */
async function waiting(page: Page, serve: Serve): Promise<() => void> {
  let open = false;
  const held: ServerResponse[] = [];
  const server = await serve((request, response) => {
    if (preflight(request, response)) return;
    response.writeHead(200, { "content-type": "text/event-stream", "access-control-allow-origin": "*" });
    if (open) return void response.end(stream("1"));
    response.flushHeaders();
    held.push(response);
  });
  await endpoints(page);
  await add(page, { url: server.url });
  await run(page);
  await expect.poll(() => held.length).toBe(1);
  return () => {
    open = true;
    for (const response of held) response.end(stream("1"));
  };
}

const ways: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  "a file": (page) =>
    page
      .locator(".file-input")
      .setInputFiles({ name: "b.cfg", mimeType: "text/plain", buffer: Buffer.from("S -> b\n") }),
  "an example": async (page) => {
    await page.getByRole("button", { name: /choose an example/ }).click();
    await page.locator("button[data-example=anbn]").click();
  },
  "an example with its recorded run": async (page) => {
    await page.getByRole("button", { name: /choose an example/ }).click();
    await page.locator("button[data-play]:not([data-play=openagi])").first().click();
  },
  "a link": (page) =>
    page.evaluate(() => {
      location.hash = "#1:" + sessionStorage.getItem("link");
    }),
  "an earlier draft": async (page) => {
    await page.getByRole("button", { name: /choose an example/ }).click();
    await page.locator("[data-draft]").first().click();
  },
};

for (const [what, go] of sampled("ways to leave a run", Object.entries(ways), 2)) {
  test(`opening ${what} asks before it cancels a live run`, async ({ page, serve }) => {
    await open(page);
    // The file to be opened.
    await write(page, "S -> draft\n");
    await expect(page.locator(".summary")).toContainText("1 terminal");
    const link = new URL(await share(page)).hash.slice("#1:".length);
    await page.evaluate((link) => sessionStorage.setItem("link", link), link);
    await page.keyboard.press("Escape");
    await openExample(page, "openagi");
    await expect.poll(() => textOf(page)).toContain("%start S");
    await ready(page);
    const text = await textOf(page);
    const answer = await waiting(page, serve);
    await go(page);
    await expect(asked(page)).toContainText("the run of openagi.cfg", { ignoreCase: true });
    await clean(page);
    await keep(page);
    await expect(state(page)).toContainText("Calling the model");
    await expect.poll(() => textOf(page)).toBe(text);
    await expect.poll(() => new URL(page.url()).hash).toBe("");
    await go(page);
    await expect(asked(page)).toBeVisible();
    await page.keyboard.press("Escape"); // The same as Cancel.
    await expect(asked(page)).toHaveCount(0);
    await expect(state(page)).toContainText("Calling the model");
    answer();
    await expect(state(page)).toContainText("Done");
    // Nothing runs any more, so the page does not ask.
    await go(page);
    await expect.poll(() => textOf(page)).not.toBe(text);
    await expect(asked(page)).toHaveCount(0);
  });
}

test("cancelling the run opens the file, and answered requests are kept", async ({ page, serve }) => {
  await open(page);
  await waiting(page, serve);
  await ways["a file"]?.(page);
  await asked(page).getByRole("button", { name: "Cancel the run and open" }).click();
  await expect.poll(() => textOf(page)).toBe("S -> b\n");
  await page.getByText("Earlier runs on this device").click();
  await expect(page.locator("stile-finished-runs li")).toContainText("cancelled");
});

test("a run that waits for a person, and a paused one, are asked about as well", async ({ quiet: page }) => {
  await open(page);
  await tab(page, "Run");
  await page.getByLabel("Model", { exact: true }).selectOption("person");
  await page.getByRole("button", { name: "Run openagi.cfg" }).click();
  await expect(state(page)).toContainText("Waits for you");
  await ways["a file"]?.(page);
  await keep(page);
  await expect(state(page)).toContainText("Waits for you");
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await page.getByLabel("Model", { exact: true }).selectOption("first");
  await page.getByRole("button", { name: "Step" }).click();
  await expect(state(page)).toContainText("Paused");
  await ways["a file"]?.(page);
  await keep(page);
  await expect(state(page)).toContainText("Paused");
});

test("an experiment is asked about as well, and a replay is not", async ({ quiet: page }) => {
  await page.route("https://models.test/**", () => {}); // never answered
  await open(page);
  await endpoints(page);
  await add(page, { label: "Stand-in", url: "https://models.test/v1" });
  await close(page);
  await tab(page, "Lab");
  const lab = page.locator("stile-lab");
  await lab.locator('[data-experiment="formal-llm-1.lab"] h3 button').click();
  await lab.getByRole("checkbox", { name: /Stand-in/ }).check();
  await lab.getByRole("button", { name: "Run", exact: true }).click();
  await agree(page);
  await expect(lab.getByRole("button", { name: "Cancel", exact: true })).toBeVisible();
  await ways["a file"]?.(page);
  await expect(asked(page)).toContainText("experiment");
  await keep(page);
  await expect(lab.getByRole("button", { name: "Cancel", exact: true })).toBeVisible();
  await ways["a file"]?.(page);
  await asked(page).getByRole("button", { name: "Cancel the run and open" }).click();
  await expect.poll(() => textOf(page)).toBe("S -> b\n");
});
