import type { Page } from "@playwright/test";
import { add, close, endpoints, expect, preflight, stream, test } from "./endpoint-fixtures.js";
import { open, openExample, ready, textOf } from "./fixtures.js";
import { diffLines } from "../src/edit/diff-lines.js";

const dialog = (page: Page) => page.getByRole("dialog", { name: "Draft from a description" });

async function openDraft(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Draft from a description" }).click();
  await expect(dialog(page).getByLabel("Requirements for plans")).toBeVisible();
}

function fenced(name: string, text: string): string {
  return `Here it is:\n\n\`\`\`${name}\n${text}\`\`\`\n`;
}

test("a draft shows its errors, and is accepted once it compiles", async ({ quiet: page, serve }) => {
  const heard: string[] = [];
  const server = await serve((request, response, body) => {
    if (preflight(request, response)) return;
    heard.push(body);
    const answers = [
      fenced("plan.cfg", "S = boil pour\n"),
      fenced("plan.cfg", "S -> boil pour\n"),
      fenced("plan.cfg", "S -> boil pour | boil pour milk\n"),
    ];
    response
      .writeHead(200, { "content-type": "text/event-stream", "access-control-allow-origin": "*" })
      .end(stream(answers[Math.min(heard.length, 3) - 1] ?? ""));
  });
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url });
  await close(page);
  await openDraft(page);
  await page.getByLabel("Requirements for plans").fill("Tea: boil, pour, then perhaps milk.");
  await page.getByLabel(/Valid plans/).fill("boil pour\nboil pour milk");
  await page.getByLabel(/Invalid plans/).fill("pour boil");
  await dialog(page).getByLabel("Temperature").fill("0.4");
  await dialog(page).getByLabel("Tokens per answer").fill("900");
  await dialog(page).getByLabel("Thinking effort").selectOption("low");
  await page.getByRole("button", { name: "Write draft" }).click();
  await expect(dialog(page).locator(".run-state")).toContainText("Compiles, and the examples pass");
  await expect(dialog(page).locator(".draft-rounds > li")).toHaveCount(3);
  await expect(dialog(page).locator(".problems").first()).toContainText("plan.cfg, line 1");
  await expect(dialog(page).locator(".problems").nth(1)).toContainText("boil pour milk");
  expect(heard[0]).toContain("Tea: boil, pour");
  expect(JSON.parse(heard[0] ?? "")).toMatchObject({ temperature: 0.4, reasoning_effort: "low" });
  expect(heard[2]).not.toContain("S = boil pour"); // the first answer
  await expect(dialog(page).locator(".diff-line.added")).toHaveCount(1);
  await page.getByRole("button", { name: "Accept" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect.poll(() => textOf(page)).toBe("S -> boil pour | boil pour milk\n");
  await expect(page.locator("stile-files [data-file='plan.cfg']")).toBeVisible();
  // The earlier workspace is kept.
  await page.getByRole("button", { name: /choose an example/ }).click();
  await expect(page.getByRole("heading", { name: "Earlier drafts" })).toBeVisible();
  await expect(page.locator(".card", { hasText: "openagi.cfg" }).last()).toBeVisible();
});

test("a team, a problem and rules are drafted from a description", async ({ quiet: page }) => {
  await open(page);
  for (const [language, file] of [
    ["team", "draft.team"],
    ["problem", "draft.problem/task.md"],
    ["rules", "policy.rules"],
  ] as const) {
    const rules = language === "rules";
    await page.getByRole("button", { name: "Draft from a description" }).click();
    await dialog(page).getByLabel("Write").selectOption(language);
    await dialog(page).getByLabel("Drafting model").selectOption("first");
    await dialog(page)
      .getByLabel(rules ? "The policy" : "The task")
      .fill("Deliver the parcels of a street. You must ask first.");
    await expect(dialog(page).getByLabel(/Valid plans/)).toHaveCount(0);
    await page.getByRole("button", { name: "Write draft" }).click();
    await expect(dialog(page).locator(".run-state")).toContainText(
      rules ? "Every sentence has rules or a reason" : "Compiles",
    );
    if (rules) await expect(dialog(page).getByText("1 of 2 sentences have rules, 1 have none")).toBeVisible();
    await page.getByRole("button", { name: "Accept" }).click();
    await expect(page.locator(`stile-files [data-file='${file}']`)).toBeAttached();
  }
});

test("a draft shows its changes to the workspace, and opening the kept version undoes them", async ({
  quiet: page,
  serve,
}) => {
  const server = await serve((request, response, body) => {
    if (preflight(request, response)) return;
    expect(body).toContain("anbn.cfg");
    response
      .writeHead(200, { "content-type": "text/event-stream", "access-control-allow-origin": "*" })
      .end(stream(fenced("anbn.cfg", "S -> a S b | c\n")));
  });
  await open(page);
  await openExample(page, "anbn");
  await ready(page);
  const before = await textOf(page);
  await endpoints(page);
  await add(page, { url: server.url });
  await close(page);
  await openDraft(page);
  await page.getByLabel("Requirements for plans").fill("As it is, but with a c in the middle.");
  await page.getByLabel("start from this workspace’s specs").check();
  await page.getByRole("button", { name: "Write draft" }).click();
  await expect(dialog(page).locator(".draft-done")).toBeVisible();
  await expect(dialog(page).locator(".diff-line.added")).toContainText("S -> a S b | c");
  await expect(dialog(page).locator(".diff-line.removed").first()).toBeVisible();
  await page.getByRole("button", { name: "Accept" }).click();
  await expect.poll(() => textOf(page)).toContain("| c");
  await expect(page.locator("stile-files [data-file='README.md']")).toBeVisible();
  await page.getByRole("button", { name: /choose an example/ }).click();
  await page.locator(".gallery-group", { hasText: "Earlier drafts" }).locator(".card").first().click();
  await expect.poll(() => textOf(page)).toBe(before);
});

test("a discarded draft changes nothing", async ({ quiet: page }) => {
  await open(page);
  const before = await textOf(page);
  await openDraft(page);
  await page.getByLabel("Requirements for plans").fill("One a.");
  await page.getByLabel(/Valid plans/).fill("a");
  await page.getByLabel("Drafting model").selectOption("first");
  await page.getByRole("button", { name: "Write draft" }).click();
  await expect(dialog(page).locator(".draft-done")).toBeVisible();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(dialog(page).locator(".draft-done")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect.poll(() => textOf(page)).toBe(before);
});

test("the window of endpoints opens over a draft and restores it unchanged", async ({ quiet: page }) => {
  await open(page);
  await openDraft(page);
  await page.getByLabel("Requirements for plans").fill("Kept while I look for a model.");
  await dialog(page).getByRole("button", { name: "Endpoints…" }).click();
  await expect(page.locator("stile-endpoints")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog(page).getByLabel("Requirements for plans")).toHaveValue("Kept while I look for a model.");
});

test("a difference lists removals and additions, and is as short as possible", () => {
  /** Returns the longest common subsequence, by its definition. */
  const common = (a: readonly string[], b: readonly string[]): number => {
    const [x, ...as] = a;
    const [y, ...bs] = b;
    if (x === undefined || y === undefined) return 0;
    return x === y ? 1 + common(as, bs) : Math.max(common(as, b), common(a, bs));
  };
  const texts = [[]] as string[][];
  for (let length = 1; length <= 4; length++)
    for (const text of texts.filter((t) => t.length === length - 1))
      for (const line of ["p", "q"]) texts.push([...text, line]);
  for (const a of texts) {
    for (const b of texts) {
      const lines = diffLines(a.join("\n"), b.join("\n"));
      expect(lines.filter((l) => l.kind !== "added").map((l) => l.text)).toEqual(a);
      expect(lines.filter((l) => l.kind !== "removed").map((l) => l.text)).toEqual(b);
      expect(lines.filter((l) => l.kind === "same").length).toBe(common(a, b));
    }
  }
});
