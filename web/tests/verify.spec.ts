import type { Page } from "@playwright/test";
import { add, close, endpoints, expect, preflight, stream, test } from "./endpoint-fixtures.js";
import { keeps, open, openExample, ready, tab, write } from "./fixtures.js";

const plan = (page: Page) => page.getByLabel(/^A plan for/);
const verdict = (page: Page) => page.locator(".check-head");

async function verifyTab(page: Page, id = "openagi"): Promise<void> {
  await open(page);
  if (id !== "openagi") await openExample(page, id);
  await ready(page);
  await tab(page, "Verify");
  await expect(plan(page)).toBeVisible();
}

test("a plan is checked as a word, as a function and as steps, and the nearest valid one is named", async ({
  quiet: page,
}) => {
  await verifyTab(page);
  await plan(page).fill("a1 b1 i");
  await expect(verdict(page)).toContainText("not valid");
  await expect(verdict(page)).toContainText("read as a word");
  await expect(page.locator(".read-text mark.wrong")).toHaveText("a1");
  await expect(page.locator(".expected .chip").first()).toBeVisible();
  await expect(page.locator(".nearest")).toContainText("1 edit");
  await plan(page).fill("e1(a1(i), b1(i))");
  await expect(verdict(page)).toContainText("read as a function");
  await expect(verdict(page).locator(".pill")).toHaveText("valid");
  await plan(page).fill(
    "1. Use Image Deblurring on the input image\n2. Use Colorization on the result\n3. Please dance.\n4. Use Object Detection on it",
  );
  await expect(verdict(page)).toContainText("read as steps");
  await expect(verdict(page)).toContainText("Step 3, “Please dance.”, names no known tool.");
  await expect(page.locator(".read-text mark.unknown, .read-text mark.wrong")).toHaveText("Please dance.");
  await expect(page.locator(".read-text mark.found")).toHaveText([
    "Image Deblurring",
    "Colorization",
    "Object Detection",
  ]);
  await expect(page.locator(".nearest .edits li")).toHaveCount(1);
  await page.locator(".nearest").getByRole("button", { name: "Step through it" }).click();
  await expect(page.locator("#panel-automaton")).toBeVisible();
  await expect(page.locator(".verdict")).toContainText("Valid");
  await expect(page.locator(".chips")).toContainText("b3");
});

test("pasted text stays text", async ({ quiet: page }) => {
  await verifyTab(page);
  await plan(page).fill("<img src=x onerror=alert(1)> b1 i <script>alert(2)</script>");
  await expect(page.locator(".read-text")).toContainText("<img src=x onerror=alert(1)>");
  expect(await page.locator(".read-text img, .read-text script").count()).toBe(0);
});

test("a plan is checked again when the spec changes, and an example can be tried", async ({ quiet: page }) => {
  await verifyTab(page, "anbn");
  await page.getByRole("button", { name: "a valid plan" }).first().click();
  await expect(verdict(page).locator(".pill")).toHaveText("valid");
  await write(page, "S -> c\n");
  await expect(verdict(page).locator(".pill")).toHaveText("not valid");
  await write(page, "S = c\n");
  await expect(page.locator(".check-result")).toContainText("Fix the spec’s errors");
});

test("properties show whether they hold, and lead to their text", async ({ quiet: page }) => {
  await verifyTab(page, "daily");
  const formula = page.locator(".judged li").first();
  await expect(formula.locator(".pill")).toHaveText("holds");
  await formula.getByRole("button").click();
  await expect(page.getByRole("tab", { name: "properties.ltl" })).toHaveAttribute("aria-selected", "true");
  await write(page, "early: breakfast\n\nlate: F supper\n\nnowhere: F nonsense\n");
  const verdicts = page.locator(".judged .pill");
  await expect(verdicts).toHaveText(["violated", "holds", "not judged"]);
  await expect(page.locator(".judged li").first()).toContainText("Counterexample in daily.pda: supper");
});

test("planning methods are compared, with their plans and a table to save", async ({ quiet: page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await verifyTab(page);
  await page.getByLabel("Planner").selectOption("uniform");
  await page.getByLabel("Plans of each").fill("3");
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.locator("stile-compare .run-state")).toContainText("Done");
  const rows = page.locator("table.compare tbody tr:not([id])");
  await expect(rows).toHaveCount(3);
  const formal = rows.filter({ hasText: "Formal" });
  await expect(formal).toContainText("100 %");
  await expect(formal).toContainText("3 of 3");
  await page.getByRole("button", { name: "Zero-shot" }).click();
  const tries = page.locator("#tries-zero-shot .tries > li");
  await expect(tries).toHaveCount(3);
  await tries.first().getByRole("button", { name: "Inspect" }).click();
  await expect(plan(page)).not.toHaveValue("");
  await expect(verdict(page)).toBeVisible();
  await page.getByRole("button", { name: "Copy the table as CSV" }).click();
  const csv = await page.evaluate(() => navigator.clipboard.readText());
  expect(csv.split("\n")[0]).toBe("method,plans,valid,% valid,calls,tokens,seconds,dollars");
  expect(csv).toContain("formal (simulated),3,3,100,");
  expect(csv).toContain("few-shot (random examples) (simulated),3,"); // the workspace has no solved tasks
  await expect(rows.filter({ hasText: "Few-shot" })).toContainText("random examples");
  await page.getByRole("button", { name: "Copy the table as Markdown" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^\|/);
});

test("an interrupted comparison resumes at the same plan", async ({ page, serve }) => {
  let patience = 3;
  const server = await serve((request, response) => {
    if (preflight(request, response)) return;
    if (patience-- > 0)
      response
        .writeHead(200, { "content-type": "text/event-stream", "access-control-allow-origin": "*" })
        .end(stream("Step 1: Use Image Captioning on the input image."));
  });
  await verifyTab(page);
  await endpoints(page);
  await add(page, { url: server.url });
  await close(page);
  await tab(page, "Verify");
  await page.getByLabel("Plans of each").fill("2");
  await page.getByLabel("Formal").uncheck();
  await page.getByRole("button", { name: "Compare" }).click();
  const question = page.getByRole("dialog", { name: "Comparison with an endpoint" });
  await expect(question).toContainText(
    /makes 4 plans\. About 4 calls and [\d,]+ tokens, about \$0\.00, estimated from a trial with a simulated model\./u,
  );
  await expect(question).toContainText("It stops at 2,000 calls");
  expect(patience).toBe(3);
  await question.getByRole("button", { name: "Start" }).click();
  await expect(page.locator("stile-compare .run-state")).toContainText("3 plans");
  await expect.poll(() => patience).toBe(-1);
  await keeps(page, 3);
  await page.reload();
  await ready(page);
  await tab(page, "Verify");
  await expect(page.locator(".interrupted")).toContainText("A run was interrupted");
  patience = Infinity;
  const asked = server.requests.filter((r) => r.method === "POST").length;
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.locator("stile-compare .run-state")).toContainText("Done");
  await expect(page.locator("table.compare tbody tr:not([id])")).toHaveCount(2);
  expect(server.requests.filter((r) => r.method === "POST").length).toBe(asked + 1);
});

test("a server enforces the grammar of a plan in one request", async ({ page }) => {
  const standin = process.env["STILE_STANDIN"];
  test.skip(standin === undefined, "the build starts the mock of the providers");
  const run = crypto.randomUUID();
  await verifyTab(page);
  await endpoints(page);
  await add(page, { preset: "openai-responses", url: `${standin}/~run=${run}/v1`, model: "rambler" });
  await close(page);
  await tab(page, "Verify");
  await page.getByLabel("Plans of each").fill("2");
  for (const method of ["Zero-shot", "Few-shot", "Formal"]) await page.getByLabel(method).uncheck();
  await page.getByLabel("Grammar one answer").check();
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByRole("button", { name: "Start" }).click();
  await expect(page.locator("stile-compare .run-state")).toContainText("Done");
  await expect(page.locator("table.compare tbody tr:not([id])")).toContainText("2 of 2");
  await page.getByRole("button", { name: "Grammar", exact: true }).click();
  await expect(page.locator("#tries-grammar .tries > li")).toContainText([
    /valid.*enforced by the server/s,
    /enforced/,
  ]);
  const heard = (await (await page.request.get(`${standin}/requests?run=${run}`)).json()) as {
    readonly method: string;
  }[];
  expect(heard.filter((r) => r.method === "POST")).toHaveLength(2);
});
