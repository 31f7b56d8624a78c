import type { Page } from "@playwright/test";
import { clean } from "./axe.js";
import { expect, open, openExample, ready, share, tab, test, textOf } from "./fixtures.js";

const german = ["Gedanke: Ich suche.", "Aktion: Search", "Eingabe: x", "Beobachtung: nichts"];
const end = ["Schluss: also", "Antwort: 42"];
const aliases: readonly (readonly [state: string, text: string])[] = [
  ["Tht", "Gedanke:\n**Gedanke:**"],
  ["Act", "Aktion:"],
  ["Act-Inp", "Eingabe:"],
  ["Obs", "Beobachtung:"],
  ["Final-Tht", "Schluss:"],
  ["Ans", "Antwort:"],
];

const field = (page: Page, state: string) => page.getByRole("textbox", { name: new RegExp(`^${state} \\[`) });

/** Runs the agent with a model that answers in German. */
async function run(page: Page): Promise<void> {
  await page.getByLabel("Model", { exact: true }).selectOption("scripted");
  await page.getByLabel("Answers").fill([german.join("\\n"), end.join("\\n")].join("\n"));
  await page.getByRole("button", { name: "Run react.agent" }).click();
  await expect(page.locator("[data-verdict]")).toHaveText("valid");
  await expect(page.locator(".answer")).toHaveText("42");
}

for (const width of [1440, 390]) {
  test(`aliases of prompts are declared by keyboard and count in runs, traces and links at ${width} px`, async ({
    quiet: page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page);
    await openExample(page, "react");
    await ready(page);
    await tab(page, "Run");
    await page.locator("stile-run-agent-more > details > summary").focus();
    await page.keyboard.press("Enter");
    await expect(page.getByText("They are part of react.agent")).toBeVisible();
    for (const [state, text] of aliases) {
      await field(page, state).focus();
      await page.keyboard.insertText(text);
      await page.keyboard.press("Tab");
      await expect(page.locator('stile-files [data-file="react.agent"]')).toBeAttached();
      await expect(field(page, state)).toHaveValue(text);
    }
    // A text that another state has is rejected, with the reason next to its field.
    await field(page, "Ques").fill("Antwort:");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("alert")).toHaveText('ambiguous alias "Antwort:": "Ques" and "Ans" have it');
    await expect(field(page, "Ques")).toHaveAttribute("aria-invalid", "true");
    await field(page, "Ques").fill("");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("alert")).toHaveCount(0);
    await clean(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);

    await run(page);
    await expect(page.locator("stile-run")).toContainText("0 violations");

    await tab(page, "Trace");
    await page.getByLabel(/^Trace: a chat/).fill(["[Question] q", ...german, ...end].join("\n"));
    await expect(page.locator("[data-trace-verdict]")).toHaveText("valid");

    const link = await share(page);
    await page.goto("about:blank");
    await page.goto(link);
    await ready(page);
    if (width === 390) await tab(page, "Text");
    await page.locator('stile-files [data-file="react.agent"]').click();
    expect(await textOf(page)).toContain('(Tht (:text "[Thought]") (:aliases "Gedanke:" "**Gedanke:**"))');
    await tab(page, "Run");
    await run(page);

    // Without its text, an alias is removed from the file.
    await page.getByText("More settings").click();
    await field(page, "Tht").fill("");
    await page.keyboard.press("Tab");
    await expect(page.locator("stile-problems .summary")).toContainText("state");
    if (width === 390) await tab(page, "Text");
    await expect.poll(() => textOf(page)).toContain('(Tht (:text "[Thought]"))');
  });
}
