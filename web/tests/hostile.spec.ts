import { deflateRawSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expect, open, tab, test } from "./fixtures.js";

/** What a page must never take for markup or for code. */
const payloads = [
  `<img src=x onerror=alert(1)>`, `<svg onload=alert(1)>`, `<script>alert(1)</script>`, `</textarea><img src=x onerror=alert(1)>`, `</title><svg onload=alert(1)>`,
  `"><img src=x onerror=alert(1)>`, `' autofocus onfocus='alert(1)`, `javascript:alert(1)`, `<iframe srcdoc="<img src=x onerror=alert(1)>">`, `<a href="javascript:alert(1)">x</a>`,
  `<!--><img src=x onerror=alert(1)>-->`, `<math><mtext><img src=x onerror=alert(1)>`, `{{constructor.constructor('alert(1)')()}}`, "${alert(1)}", `<style>@import 'x'</style>`,
  `&lt;img src=x onerror=alert(1)&gt;`, `[x](javascript:alert(1))`, `![x](x"onerror="alert(1))`, `\u202e<img src=x>\u202c`,
] as const;

const quoted = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/** A workspace in which the payload stands wherever a text may. */
function workspace(p: string): string {
  const plain = p.replace(/[{}]/g, ""); // braces are the tools' own
  const name = p.replace(/[^\w <>=()!]/g, "").trim().slice(0, 40) || "x";
  return `#1:${deflateRawSync([
    `-- ${name}.cfg --`, `S -> ${quoted(p)} S as ${quoted(p)} | b`, `${quoted(p)} as ${quoted(p)}`, `b as ${quoted(p)} # ${p}`, `unknown ${p}`,
    `-- good.cfg --`, `S -> ${quoted(p)} as ${quoted(p)} | ${quoted(`${p} 2`)}`, `${quoted(p)} as ${quoted(p)}`,
    `-- a.agent --`, `(define a (:states (Q (:text ${quoted(`[Q] ${p}`)})) (A (:text ${quoted(p)}) (:one-of ${quoted(p)} "y"))) (:behavior (next Q A)))`,
    `-- c.flow --`, `let v ${quoted(p)}`, `ask one ${quoted(`${p} {v}`)} ${quoted(p)} -> good as ${quoted(p)} no -> stop`, `accept good ${quoted(p)}`,
    `-- m.pda --`, `start ${quoted(p)} Z`, `accept q`, `${quoted(p)} -> q (${quoted(p)}, Z; Z) as ${quoted(p)}`,
    `-- p.ltl --`, `${quoted(p)}: F ${quoted(p)}`,
    `-- tools.json --`, JSON.stringify({ types: ["t"], inputs: {}, tools: { [p]: { takes: [], gives: "t", does: { text: plain } }, [`${p} 2`]: { takes: [], gives: "t", does: { text: plain } } } }),
    `-- README.md --`, p, ``,
  ].join("\n")).toString("base64url")}`;
}

/** Nothing ran, nothing was built of a text, and no policy had to step in. */
async function unharmed(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const roots: (Document | ShadowRoot)[] = [document];
    const bad: string[] = [];
    for (const root of roots) {
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot !== null) roots.push(element.shadowRoot);
        if ((element.localName === "img" && !element.matches(".cm-widgetBuffer:not([src])")) || element.localName === "iframe" || element.localName === "math" || (element.localName === "script" && element.getAttribute("src") === null && element.getAttribute("type") !== "application/json")) bad.push(element.outerHTML.slice(0, 200));
        for (const { name, value } of element.attributes) if (name.startsWith("on") || (["href", "src", "action"].includes(name) && /^\s*javascript:/i.test(value))) bad.push(`${element.localName} ${name}=${value.slice(0, 80)}`);
      }
    }
    return bad;
  });
  expect(found).toEqual([]);
}

for (const payload of payloads) {
  test(`a text is text and nothing else: ${payload.replace(/[^\x20-\x7e]/g, "?")}`, async ({ quiet: page }) => {
    const ran: string[] = [];
    page.on("dialog", (dialog) => {
      ran.push(dialog.message());
      void dialog.dismiss();
    });
    await page.addInitScript(() => document.addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.sample}`)));
    await open(page, `./${workspace(payload)}`);
    await unharmed(page);
    const files = await page.locator("stile-files [data-file]").evaluateAll((list) => list.map((e) => e.getAttribute("data-file") ?? ""));
    for (const file of files) {
      await page.locator("stile-files [data-file]").nth(files.indexOf(file)).click();
      await expect(page.locator("stile-editor .cm-content")).toHaveAttribute("aria-label", `Text of ${file}`);
      await expect(page.locator("stile-problems .late")).toHaveCount(0);
      await expect(page.locator("stile-problems .summary")).toHaveText(/\S/);
      if (file === "good.cfg") {
        await tab(page, "Run");
        await page.getByRole("button", { name: "Run good.cfg" }).click();
        await expect(page.locator("[data-form=word]")).toBeVisible();
        await unharmed(page);
        await tab(page, "Verify");
        await page.getByLabel(/^A plan for/).fill(payload);
        await expect(page.locator(".check-result")).not.toBeEmpty();
        await unharmed(page);
        await tab(page, "Trace");
        await unharmed(page);
        await tab(page, "Automaton");
      }
      await unharmed(page);
    }
    await page.getByRole("button", { name: /choose an example/ }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await unharmed(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await expect(page.getByLabel("Link to the workspace")).toHaveValue(/#1:/);
    await unharmed(page);
    expect(ran).toEqual([]);
  });
}
