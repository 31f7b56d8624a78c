import { deflateRawSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expect, open, tab, test } from "./fixtures.js";
import { sampled } from "./sample.js";

/** Payloads that a page must never interpret as markup or code. */
const payloads = [
  `<img src=x onerror=alert(1)>`,
  `<svg onload=alert(1)>`,
  `<script>alert(1)</script>`,
  `</textarea><img src=x onerror=alert(1)>`,
  `</title><svg onload=alert(1)>`,
  `"><img src=x onerror=alert(1)>`,
  `' autofocus onfocus='alert(1)`,
  `javascript:alert(1)`,
  `<iframe srcdoc="<img src=x onerror=alert(1)>">`,
  `<a href="javascript:alert(1)">x</a>`,
  `<!--><img src=x onerror=alert(1)>-->`,
  `<math><mtext><img src=x onerror=alert(1)>`,
  `{{constructor.constructor('alert(1)')()}}`,
  "${alert(1)}",
  `<style>@import 'x'</style>`,
  `&lt;img src=x onerror=alert(1)&gt;`,
  `[x](javascript:alert(1))`,
  `![x](x"onerror="alert(1))`,
  `\u202e<img src=x>\u202c`,
] as const;

const quoted = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/**
 * A workspace with the payloads in every text position, and each in a file of its name,
 * which is full of errors.
 */
function workspace(all: readonly string[]): string {
  const plain = (p: string): string => p.replace(/[{}]/g, ""); // braces are the tools' own
  const name = (p: string): string =>
    p
      .replace(/[^\w <>=()!]/g, "")
      .trim()
      .slice(0, 40) || "x";
  const each = (line: (quoted: string, i: number, p: string) => string): string[] =>
    all.map((p, i) => line(quoted(p), i, p));
  const tool = (p: string): unknown => ({ takes: [], gives: "t", does: { text: plain(p) } });
  // The automaton of all ten formulas that wait for an event would have a thousand states.
  const formula = (q: string, i: number): string => (i < 2 ? `F ${q}` : `${q} | !${q}`);
  const next = (i: number, last: string): string => (i + 1 < all.length ? quoted(all[i + 1] ?? "") : last);
  return `#1:${deflateRawSync(
    [
      ...each(
        (q, i, p) => `-- ${name(p)}${i}.cfg --\nS -> ${q} S as ${q} | b\n${q} as ${q}\nb as ${q} # ${p}\nunknown ${p}`,
      ),
      `-- good.cfg --`,
      `S -> ${each((_, i) => `A${i}`).join(" ")}`,
      ...each((q, i, p) => `A${i} -> ${q} as ${q} | ${quoted(`${p} 2`)}\n${q} as ${q}`),
      `-- a.agent --`,
      `(define a (:states`,
      ...each((q, i, p) => `  (Q${i} (:text ${quoted(`[Q${i}] ${p}`)})) (A${i} (:text ${q}) (:one-of ${q} "y"))`),
      `) (:behavior (next ${each((_, i) => `Q${i} A${i}`).join(" ")})))`,
      `-- c.flow --`,
      ...each((q, i) => `let v${i} ${q}`),
      ...each(
        (q, i, p) =>
          `ask q${i} ${quoted(`${p} {v${i}}`)} ${q} -> good${i} as ${q} no -> ${i + 1 < all.length ? `q${i + 1}` : "stop"}`,
      ),
      ...each((q, i) => `accept good${i} ${q}`),
      `-- m.pda --`,
      `start ${quoted(all[0] ?? "")} Z`,
      `accept q`,
      ...each((q, i) => `${q} -> ${next(i, "q")} (${q}, Z; Z) as ${q}`),
      `-- p.ltl --`,
      ...each((q, i) => `${q}: ${formula(q, i)}\n`),
      `-- tools.json --`,
      JSON.stringify({
        types: ["t"],
        inputs: {},
        tools: Object.fromEntries(
          all.flatMap((p) => [
            [p, tool(p)],
            [`${p} 2`, tool(p)],
          ]),
        ),
      }),
      `-- model.smt2 --`,
      ...each(
        (_, i, p) =>
          `(declare-const |${p.replace(/[|\\]/g, "")} ${i}| Int)(assert (! (> |${p.replace(/[|\\]/g, "")} ${i}| 1) :named |n ${i} ${p.replace(/[|\\]/g, "")}|))`,
      ),
      ...all,
      `-- model.lp --`,
      `Minimize`,
      ` obj: x`,
      `Subject To`,
      ...each((_, i, p) => ` c${i}: x >= 1 \\ ${p}`),
      ...all,
      `End`,
      `-- domain.pddl --`,
      `(define (domain d)`,
      ...each((_, i, p) => `  (:action a${i} :parameters () :effect (p)) ; ${p}\n  (${p})`),
      `)`,
      `-- x.problem/task.md --`,
      ...all,
      `-- x.problem/query.md --`,
      ...all,
      `-- x.problem/data.json --`,
      JSON.stringify(Object.fromEntries(all.map((p) => [p, p]))),
      `-- x.problem/answer.json --`,
      JSON.stringify(Object.fromEntries(all.map((p) => [p, p]))),
      `-- README.md --`,
      ...all,
      ``,
    ].join("\n"),
  ).toString("base64url")}`;
}

/** No payload ran, none became an element, and no policy was violated. */
async function unharmed(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const roots: (Document | ShadowRoot)[] = [document];
    const bad: string[] = [];
    for (const root of roots) {
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot !== null) roots.push(element.shadowRoot);
        if (
          (element.localName === "img" && !element.matches(".cm-widgetBuffer:not([src])")) ||
          element.localName === "iframe" ||
          element.localName === "math" ||
          (element.localName === "script" &&
            element.getAttribute("src") === null &&
            element.getAttribute("type") !== "application/json")
        )
          bad.push(element.outerHTML.slice(0, 200));
        for (const { name, value } of element.attributes)
          if (name.startsWith("on") || (["href", "src", "action"].includes(name) && /^\s*javascript:/i.test(value)))
            bad.push(`${element.localName} ${name}=${value.slice(0, 80)}`);
      }
    }
    return bad;
  });
  expect(found).toEqual([]);
}

// Two halves, so that two workers can run them at the same time. Each half shows its texts in one page.
const half = Math.ceil(payloads.length / 2);
for (const some of sampled("hostile texts", [payloads.slice(0, half), payloads.slice(half)], 2)) {
  test(`${some.length} hostile texts stay text, from ${some[0]} on`, async ({ quiet: page }) => {
    test.slow();
    const ran: string[] = [];
    page.on("dialog", (dialog) => {
      ran.push(dialog.message());
      void dialog.dismiss();
    });
    await page.addInitScript(() =>
      document.addEventListener("securitypolicyviolation", (event) =>
        console.error(`policy: ${event.violatedDirective} ${event.sample}`),
      ),
    );
    await open(page, `./${workspace(some)}`);
    await unharmed(page);
    const files = await page
      .locator("stile-files [data-file]")
      .evaluateAll((list) => list.map((e) => e.getAttribute("data-file") ?? ""));
    for (const file of files) {
      await page.locator("stile-files [data-file]").nth(files.indexOf(file)).click();
      await expect(page.locator("stile-editor .cm-content")).toHaveAttribute("aria-label", `Text of ${file}`);
      await expect(page.locator("stile-problems .delayed")).toHaveCount(0);
      await expect(page.locator("stile-problems .summary")).toHaveText(/\S/);
      if (file === "good.cfg") {
        await tab(page, "Run");
        await page.getByRole("button", { name: "Run good.cfg" }).click();
        await expect(page.locator("[data-form=word]")).toBeVisible();
        await unharmed(page);
        await tab(page, "Verify");
        for (const payload of some) {
          await page.getByLabel(/^A plan for/).fill(payload);
          // Wait for the result of this text, not of the one before.
          await expect(page.locator(".check-result")).toContainText(payload.replace(/\s+/g, " ").trim());
          await unharmed(page);
        }
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
