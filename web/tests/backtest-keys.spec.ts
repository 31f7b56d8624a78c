import type { Locator, Page } from "@playwright/test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { clean as looksClean } from "./axe.js";
import { expect, open, test } from "./fixtures.js";

// This file uses no pointer: it checks many runs by keys alone, on a small dark screen, without a network.

test.use({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });

const SPEC = `(define shop
  (:states
    (User (:text "[User]") (:flags :env-input))
    (Act (:text "[Action]") (:one-of "lookup" "refund"))
    (Inp (:text "[Action Input]"))
    (Obs (:text "[Observation]") (:flags :env-input))
    (Ans (:text "[Answer]")))
  (:behavior (next User (until (next Act Inp Obs) Ans))))
`;

/** A chat with one call, on one line. Its task is a text that nothing else has. */
function chat(tool: string): string {
  return JSON.stringify({
    messages: [
      { role: "user", content: "task of a customer" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: tool, arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c", content: "ok" },
      { role: "assistant", content: "done" },
    ],
  });
}

/** Presses Tab until an element has the focus, arrows in a list of tabs, and Escape in the editor. */
async function reach(page: Page, to: Locator): Promise<void> {
  await to.waitFor();
  for (let i = 0; i < 250; i++) {
    const where = await to.evaluate((element) => {
      const here = document.activeElement;
      if (here === element) return "there";
      if (here?.closest(".cm-editor") != null) return "editor";
      const list = element.closest("[role=tablist]");
      return list !== null && here?.closest("[role=tablist]") === list ? "list" : "elsewhere";
    });
    if (where === "there") return;
    if (where === "editor") await page.keyboard.press("Escape");
    await page.keyboard.press(where === "list" ? "ArrowRight" : "Tab");
  }
  throw new Error(`no Tab leads to ${to}`);
}

async function press(page: Page, to: Locator): Promise<void> {
  await reach(page, to);
  await page.keyboard.press("Enter");
}

const section = (page: Page): Locator => page.getByRole("region", { name: "Check many runs" });

test("many runs are checked by keys alone, without a request, and a link has no trace", async ({
  quiet: page,
  browser,
  baseURL,
}) => {
  const archive = deflateRawSync(`-- shop.agent --\n${SPEC}`).toString("base64url");
  await open(page, `./#1:${archive}`);
  await press(page, page.getByRole("tablist", { name: "Main view" }).getByRole("tab", { name: "Trace" }));
  const files = section(page).getByRole("button", { name: "Open traces" });
  await expect(files).toBeVisible();
  const requests: string[] = [];
  page.on("request", (request) => {
    if (!/^(blob|data):/.test(request.url())) requests.push(`${request.method()} ${request.url()}`);
  });
  const chooser = page.waitForEvent("filechooser");
  await press(page, files);
  const text = [chat("lookup"), chat("delete_all"), chat("refund"), chat("lookup")].join("\n");
  await (await chooser).setFiles({ name: "week.jsonl", mimeType: "text/plain", buffer: Buffer.from(text) });
  await expect(page.locator("[data-backtest]")).toContainText("3 of 4 runs pass all rules");
  await looksClean(page);

  await press(page, section(page).getByRole("button", { name: /1 violated by shop.agent/ }));
  const list = section(page).getByRole("list", { name: /violated by shop.agent/ });
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await expect(list).toContainText("delete_all");
  await press(page, section(page).getByRole("button", { name: "Keep the matrix in the workspace" }));
  await expect(page.locator('stile-files [data-file="backtest.json"]')).toBeAttached();
  await press(page, list.getByRole("button", { name: /week.jsonl:2/ }));
  await expect(page.locator("[data-trace-verdict]")).toHaveText("invalid");
  // The page fetches only its own files, and sends nothing.
  expect(requests.filter((r) => !r.startsWith(`GET ${new URL(baseURL ?? "").origin}/`))).toEqual([]);

  // The link has the spec and the matrix, but no trace.
  await press(page, page.getByRole("button", { name: "Share", exact: true }));
  const field = page.getByLabel("Link to the workspace");
  await expect(field).toHaveValue(/#1:/);
  const link = await field.inputValue();
  const kept = inflateRawSync(Buffer.from(link.replace(/^.*#1:/, ""), "base64url")).toString();
  expect(kept).toContain("backtest.json");
  expect(kept).toContain("shop.agent");
  expect(kept).not.toContain("task of a customer");
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, serviceWorkers: "block" });
  const other = await context.newPage();
  await open(other, link);
  await other.getByRole("tablist", { name: "Main view" }).getByRole("tab", { name: "Trace" }).click();
  await expect(section(other)).toContainText("This matrix is from the workspace, which does not contain the traces.");
  await expect(section(other).getByRole("table")).toContainText("shop.agent");
  await context.close();
});
