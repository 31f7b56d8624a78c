import type { Page } from "@playwright/test";
import { deflateRawSync, gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { clean as looksClean } from "./axe.js";
import { expect, open, tab, test, write } from "./fixtures.js";

const SPEC = `(define shop
  (:states
    (User (:text "[User]") (:flags :env-input))
    (Act (:text "[Action]") (:one-of "lookup" "refund"))
    (Inp (:text "[Action Input]"))
    (Obs (:text "[Observation]") (:flags :env-input))
    (Ans (:text "[Answer]")))
  (:behavior (next User (until (next Act Inp Obs) Ans))))
`;

/** A chat of tool calls and an answer, on one line. */
function chat(...tools: readonly string[]): string {
  const calls = tools.flatMap((name, i) => [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: `c${i}`, type: "function", function: { name, arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: `c${i}`, content: "ok" },
  ]);
  return JSON.stringify({
    messages: [{ role: "user", content: "refund A7" }, ...calls, { role: "assistant", content: "done" }],
  });
}

const json = (name: string, text: string | Uint8Array) => ({
  name,
  mimeType: "application/octet-stream",
  buffer: Buffer.from(text),
});

const section = (page: Page) => page.getByRole("region", { name: "Check many runs" });
const verdict = (page: Page) => page.locator("[data-backtest]");
const matrix = (page: Page) => section(page).getByRole("table");

/** Opens a workspace with one agent. */
async function shop(page: Page): Promise<void> {
  const archive = deflateRawSync(`-- shop.agent --\n${SPEC}-- ends.ltl --\nends: F Ans\n`).toString("base64url");
  await open(page, `./#1:${archive}`);
  await tab(page, "Trace");
  await expect(section(page)).toBeVisible();
}

test("files, lines and archives of runs become a matrix whose counts list the runs", async ({ quiet: page }) => {
  await shop(page);
  const lines = [chat("lookup"), chat("lookup", "refund"), chat("delete_all"), chat("refund")].join("\n");
  await page
    .locator(".backtest-files")
    .setInputFiles([
      json("week.jsonl", lines),
      json("packed.jsonl.gz", gzipSync(`${chat("lookup")}\n${chat("lookup")}\n`)),
      json("archive.zip", zipSync({ "a/one.json": Buffer.from(chat("refund")), ".hidden": Buffer.from("x") })),
      json("binary.json", new Uint8Array([0xff, 0xfe, 0x00])),
    ]);
  await expect(verdict(page)).toContainText("of 8 runs pass all rules");
  await matrix(page)
    .getByRole("button", { name: /1 violated by shop.agent/ })
    .click();
  const list = section(page).getByRole("list", { name: /violated by shop.agent/ });
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await expect(list).toContainText("week.jsonl:3");
  await expect(list).toContainText("delete_all");
  await expect(section(page)).toContainText("Tools that no rule names, with their calls: delete_all 1");
  await looksClean(page);
  await list.getByRole("button", { name: /week.jsonl:3/ }).click();
  await expect(page.getByLabel(/^Trace: a chat/)).toHaveValue(/delete_all/);
  await expect(page.locator("[data-trace-verdict]")).toHaveText("invalid");
  // A part that is not understood is never a pass.
  await matrix(page)
    .getByRole("button", { name: /unread by shop.agent/ })
    .click();
  await expect(section(page)).toContainText("binary.json");
});

test("two versions of a spec are compared on the same runs, and a link keeps the matrix", async ({ quiet: page }) => {
  await shop(page);
  await page
    .locator(".backtest-files")
    .setInputFiles(json("week.jsonl", [chat("lookup"), chat("refund"), chat("refund")].join("\n")));
  await expect(verdict(page)).toContainText("of 3 runs");
  await write(page, SPEC.replace(' "refund"', ""));
  await section(page).getByRole("button", { name: "List the runs that change" }).click();
  await expect(page.locator("[data-difference]")).toContainText("2 of 3 runs would now be stopped, 0 would now pass");
  await section(page).getByRole("button", { name: "Check again" }).click();
  await expect(section(page)).not.toContainText("The specs have changed since");
  await section(page).getByRole("button", { name: "Keep the matrix in the workspace" }).click();
  await expect(page.locator('stile-files [data-file="backtest.json"]')).toBeVisible();
  await page.reload();
  await tab(page, "Trace");
  await expect(section(page)).toContainText("This matrix is from the workspace, which does not contain the traces.");
  await expect(matrix(page)).toContainText("shop.agent");
});

test("a specification is proposed from runs, decided and added", async ({ quiet: page }) => {
  await shop(page);
  const rows = [["lookup"], ["lookup", "refund"], ["lookup", "lookup", "refund"]].flatMap((tools) =>
    Array.from({ length: 4 }, () => chat(...tools).replace("{", '{"passed":true,')),
  );
  rows.push(chat("refund").replace("{", '{"passed":false,'));
  await page.locator(".backtest-files").setInputFiles(json("week.jsonl", rows.join("\n")));
  await expect(verdict(page)).toBeVisible();
  await section(page).getByRole("button", { name: "Propose a specification" }).click();
  const proposal = page.getByRole("region", { name: "A specification from these runs" });
  await expect(proposal.locator("[data-proposal]")).toContainText("from 13 passing and 0 failing");
  await proposal.getByLabel("Member with the outcome").fill("passed");
  await page.keyboard.press("Enter");
  await expect(proposal.locator("[data-proposal]")).toContainText("from 12 passing and 1 failing");
  await expect(proposal.getByRole("checkbox", { name: "lookup directly precedes each refund" })).toBeChecked();
  const question = proposal.getByRole("button", { name: "Reject" }).first();
  if ((await question.count()) > 0) {
    await question.click();
    await expect(proposal.locator("[data-decided]")).toHaveText("1 decided.");
  }
  await looksClean(page);
  await proposal.getByRole("button", { name: "Add to the workspace" }).click();
  await expect(page.locator('stile-files [data-file="learned.agent"]')).toBeVisible();
  await expect(page.locator('stile-files [data-file="learned.ltl"]')).toBeVisible();
  await expect(page.locator("stile-problems .summary")).not.toContainText("error");
});

test("a file of the workspace describes the format of the traces", async ({ quiet: page }) => {
  const rows = [
    { kind: "user", where: { ".k": "ask" }, text: ".t" },
    { kind: "call", where: { ".k": "act" }, tool: ".n", arguments: ".a" },
    { kind: "result", where: { ".k": "act" }, tool: ".n", text: ".r" },
    { kind: "text", where: { ".k": "say" }, text: ".t" },
  ];
  const archive = deflateRawSync(`-- shop.agent --\n${SPEC}-- log.mapping.json --\n${JSON.stringify({ rows })}\n`);
  await open(page, `./#1:${archive.toString("base64url")}`);
  await tab(page, "Trace");
  const log = (tool: string): string =>
    [
      { k: "ask", t: "q" },
      { k: "act", n: tool, a: { id: "A7" }, r: "ok" },
      { k: "say", t: "a" },
    ]
      .map((step) => JSON.stringify(step))
      .join("\n");
  await page.locator(".backtest-files").setInputFiles([json("a.log", log("lookup")), json("b.log", log("delete_all"))]);
  await expect(verdict(page)).toContainText("1 of 2 runs pass all rules");
  await section(page).getByRole("button", { name: "Preview the events" }).click();
  await expect(page.locator("[data-preview]")).toContainText('lookup {"id":"A7"}');
  await looksClean(page);
});
