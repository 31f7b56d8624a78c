import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { violations } from "./axe.js";
import { expect, open, tab, test, write } from "./fixtures.js";
import { LONG } from "./sample.js";

const rules = `approved: refund(order: ?o) -> once[10m] approve(order: ?o)
never: !delete(env: "production")
vacuous: pay(env: "a", env: "b") -> false = true
`;
const part = (page: Page) => page.locator("stile-prove-rules");
const proof = (page: Page, title: string, rule: string) =>
  part(page)
    .locator(".proof")
    .filter({ hasText: title })
    .filter({ has: page.locator("code", { hasText: rule }) });

test("rules are checked, compared with another version, and a goal is reached", async ({ quiet: page }) => {
  test.setTimeout(120_000);
  await open(page);
  await page.getByRole("button", { name: "New", exact: true }).click();
  await page.locator("[data-new=rules]").click();
  await expect(page.locator("stile-problems .summary")).toContainText("10 rules");
  await write(page, rules);
  await tab(page, "Verify");
  await part(page).getByLabel("Maximum events").fill("3");
  await part(page).getByRole("button", { name: "Check all rules" }).click();
  await expect(part(page).locator(".run-state")).toContainText("Done", { timeout: 60_000 });

  await expect(proof(page, "Can be violated:", "approved")).toContainText("A session of 1 event violates the rule");
  await expect(proof(page, "Can be violated:", "approved").locator("ol li")).toHaveText(['refund(order: "a")']);
  await expect(proof(page, "Applies:", "vacuous")).toContainText("no permitted session of up to 3 events");
  await expect(proof(page, "Applies:", "vacuous").locator(".pill")).toHaveText("none up to 3 events");
  expect(await violations(page, "stile-prove-rules")).toEqual([]);

  await part(page).getByLabel("Compare with").selectOption("pasted");
  await part(page).locator(".prove-pasted").fill(rules.replace("10m", "20m"));
  await part(page).getByRole("button", { name: "Compare versions" }).click();
  const looser = proof(page, "Forbidden here, permitted there", "").or(part(page).locator(".proof").nth(1));
  await expect(part(page).locator(".proof")).toHaveCount(2, { timeout: 60_000 });
  await expect(looser.locator("ol li")).toHaveText(['approve(order: "a")', 'refund(order: "a", @time: 601)']);

  await part(page).getByLabel("Goal").fill('once refund(order: "x")');
  await part(page).getByRole("button", { name: "Reach the goal" }).click();
  await expect(part(page).locator(".proof").first().locator("ol li")).toHaveText([
    'approve(order: "x")',
    'refund(order: "x")',
  ]);
  await part(page).getByRole("button", { name: "Step" }).click();
  await expect(page.locator("stile-rules-room")).toContainText("approve");
  await tab(page, "Verify");
  await part(page).getByRole("button", { name: "Add as test" }).click();
  await expect(page.locator("stile-problems")).toContainText("of 17 tests pass");

  // A comparison of words that rules with data do not have leads to a comparison of sessions.
  const compare = page.locator("stile-compare-specs");
  await compare.getByLabel("Second").selectOption("pasted");
  await compare.locator(".compare-pasted").fill(rules.replace("10m", "5m"));
  await compare.getByRole("button", { name: "Find differences" }).click();
  await expect(compare).toContainText("only rules about the order of calls have one");
  expect(await violations(page, "stile-compare-specs")).toEqual([]);
  await compare.getByRole("button", { name: "Compare sessions" }).click();
  await expect(part(page).getByLabel("Compare with").locator("option:checked")).toHaveText("Pasted text");
  await expect(part(page).locator(".proof").first().locator("ol li")).toHaveText(
    ['approve(order: "a")', 'refund(order: "a", @time: 301)'],
    { timeout: 60_000 },
  );
});

test("an agent restricts the calls of the sessions", async ({ quiet: page }) => {
  test.setTimeout(120_000);
  await open(page);
  await page.getByRole("button", { name: "New", exact: true }).click();
  await page.locator("[data-new=rules]").click();
  await write(
    page,
    'approved: refund(order: ?o) -> once approve(order: ?o)\nlate: approve(order: "x") -> once refund()\n',
  );
  await page.getByRole("button", { name: "New file" }).click();
  await write(page, "S -> approve S log | refund\n");
  await tab(page, "Verify");
  await part(page).getByLabel("Maximum events").fill("3");
  await part(page).getByLabel("Order of calls").selectOption("untitled.cfg");
  await part(page).getByRole("button", { name: "Check all rules" }).click();
  await expect(part(page).locator(".run-state")).toContainText("Done", { timeout: 60_000 });
  await expect(proof(page, "Can be violated:", "approved")).toContainText("A session of 1 event within untitled.cfg");
  await expect(proof(page, "Applies:", "late")).toContainText(
    "no permitted session of up to 3 events within untitled.cfg",
  );
  await expect(proof(page, "Can be called:", "log").locator("ol li")).toHaveText([
    'approve(order: "a")',
    "refund()",
    "log()",
  ]);
  expect(await violations(page, "stile-prove-rules")).toEqual([]);

  await write(page, "S -> approve S | refund\n");
  await expect(part(page)).toContainText("have changed since these answers");
});

test("the two permits that never apply are found in the page", async ({ quiet: page }) => {
  test.setTimeout(120_000);
  await open(page, "./?example=portfolio");
  await page.locator('stile-files [data-file="policy.rules"]').click();
  await tab(page, "Verify");
  await part(page).getByLabel("Maximum events").fill("4");
  await part(page).getByRole("button", { name: "Check all rules" }).click();
  await expect(part(page).locator(".run-state")).toContainText("Done", { timeout: 90_000 });
  for (const tool of ["load_portfolio", "rebalance_portfolio"]) {
    const applies = proof(page, "Applies:", `permit-${tool}`);
    await expect(applies).toContainText("no permitted session of up to 4 events");
    await expect(applies.locator(".pill")).toHaveText("none up to 4 events");
    const callable = proof(page, "Can be called:", tool);
    await expect(callable).toContainText(`No permitted session of up to 4 events ends with a call of ${tool}`);
    await expect(callable.locator("ol li")).toHaveCount(0);
  }
  await expect(proof(page, "Can be violated:", "permitted-tools").locator("ol li")).not.toHaveCount(0);
});

/** A rule of the template, a part of it, and the part with a fault. */
const faults = JSON.parse(
  readFileSync(new URL("../../wasm/host/testdata/planted-faults.json", import.meta.url), "utf8"),
) as readonly (readonly [rule: string, from: string, to: string])[];

/** Returns the milliseconds of the solver's requests before the first session. */
async function solved(page: Page): Promise<number> {
  return await page.evaluate(() => {
    type Told = {
      readonly tried?: { readonly status: string; readonly milliseconds: number };
      readonly answer?: { readonly lines: readonly string[] };
    };
    const run = document.querySelector<HTMLElement & { run: { events: readonly Told[] } }>("stile-prove-rules")?.run;
    const events = run?.events ?? [];
    const found = events.findIndex((e) => (e.answer?.lines.length ?? 0) > 0);
    const requests = events.slice(0, found).filter((e) => (e.tried?.status ?? "") !== "");
    if (requests.length === 0) throw new Error("no request to the solver is reported");
    return requests.reduce((sum, e) => sum + (e.tried?.milliseconds ?? 0), 0);
  });
}

test("a fault that is planted in a rule of the template is found", async ({ quiet: page }) => {
  test.setTimeout(600_000);
  await open(page);
  await page.getByRole("button", { name: "New", exact: true }).click();
  await page.locator("[data-new=rules]").click();
  await expect(page.locator("stile-problems .summary")).toContainText("10 rules");
  const text = await page.evaluate(() => document.querySelector<HTMLElement & { text: string }>("stile-editor")?.text);
  await tab(page, "Verify");
  await part(page).getByLabel("Compare with").selectOption("pasted");
  for (const [rule, from, to] of faults.filter((_, i) => LONG || i % 10 === 0)) {
    const line = text?.split("\n").find((l) => l.startsWith(`${rule}:`)) ?? "";
    expect(line).toContain(from);
    await part(page)
      .locator(".prove-pasted")
      .fill((text ?? "").replace(line, line.replace(from, to)));
    const began = Date.now();
    await part(page).getByRole("button", { name: "Compare versions" }).click();
    await expect(part(page).locator(".proof ol li").first()).toBeAttached();
    const took = Date.now() - began;
    test.info().annotations.push({ type: "planted fault", description: `${rule}: ${from} → ${to}: ${took} ms` });
    expect(took, `${rule}: ${from} → ${to}`).toBeLessThan(40_000); // 5,000 on an idle machine; others share this one
    expect(await solved(page), `${rule}: milliseconds of the solver`).toBeLessThan(5_000);
    await part(page).getByRole("button", { name: "Cancel" }).or(part(page).locator(".run-state .pill")).first().click();
    await expect(part(page).getByRole("button", { name: "Compare versions" })).toBeVisible();
  }
});
