import { clean as looksClean } from "./axe.js";
import type { Page } from "@playwright/test";
import { readFile } from "node:fs/promises";
import { expect, open, openExample, ready, tab, test, write } from "./fixtures.js";
import { onlyLong, sampled } from "./sample.js";

const testLong = onlyLong(test);

const field = (page: Page) => page.getByLabel(/^Trace: a chat/);
const head = (page: Page) => page.locator("stile-trace .check-head");
const verdict = (page: Page) => page.locator("[data-trace-verdict]");
const segments = (page: Page) => page.locator("stile-trace-timeline .segment");

async function traceTab(page: Page, id = "react"): Promise<void> {
  await open(page);
  await openExample(page, id);
  await ready(page);
  await tab(page, "Trace");
  await expect(page.getByRole("button", { name: "one with a mistake" })).toBeVisible();
}

/** An OpenAI chat whose second call is a tool call. */
function chat(tool = "Lookup"): string {
  const call = (id: string, name: string, text: string) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify({ text }) },
  });
  return JSON.stringify(
    {
      model: "m",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Who is Milhouse named after?" },
        { role: "assistant", content: "I search.", tool_calls: [call("c1", "Search", "Milhouse")] },
        { role: "tool", tool_call_id: "c1", content: "Milhouse is a character." },
        { role: "assistant", content: null, tool_calls: [call("c2", tool, "named after")] },
        { role: "tool", tool_call_id: "c2", content: "Named after Richard Nixon." },
        { role: "assistant", content: "Richard Nixon" },
      ],
    },
    null,
    1,
  );
}

/** Returns the selected text of the field. */
async function selected(page: Page): Promise<string> {
  return field(page).evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd));
}

test("an example is checked against its agent, state by state and with its properties", async ({ quiet: page }) => {
  await traceTab(page);
  await page.getByRole("button", { name: "lighthouse.txt" }).click();
  await expect(verdict(page)).toHaveText("valid");
  await expect(head(page)).toContainText("This is a complete run of react-agent.");
  await expect(head(page)).toContainText("read as the text of a run");
  await expect(segments(page)).toHaveCount(15);
  await expect(segments(page).first()).toHaveClass(/hue-0/);
  const properties = page.getByRole("list", { name: "Properties of the trace" }).locator("li");
  await expect(properties.locator(".pill")).toHaveText(["holds", "holds", "holds", "not judged"]);
  await segments(page).nth(2).getByRole("button", { name: "Act" }).click();
  await expect.poll(() => selected(page)).toBe("[Action] Search");
  await properties.first().getByRole("button").click();
  await expect(page.getByRole("tab", { name: "properties.ltl" })).toHaveAttribute("aria-selected", "true");
  await expect(page.locator("#panel-trace")).toBeVisible();
});

test("the first mistake is shown with the expected states, its place in the trace and the state in the spec", async ({
  quiet: page,
}) => {
  await traceTab(page);
  await page.getByRole("button", { name: "one with a mistake" }).click();
  await expect(verdict(page)).toHaveText("invalid");
  await expect(head(page)).toContainText("This is not a run of react-agent.");
  const violation = page.locator("stile-trace .violation");
  await expect(violation).toContainText('"Obs" is not allowed here; expected "Act-Inp".');
  await expect(violation.locator(".chip")).toHaveText(["Act-Inp"]);
  await expect(segments(page).locator(".pill.bad")).toHaveText(/the\s+first\s+mistake/);
  await violation.getByRole("button", { name: /^Line 8, column 1/ }).click();
  await expect(field(page)).toBeFocused();
  await expect.poll(() => selected(page)).toBe("[Observation]");
  await violation.getByRole("button", { name: "Obs in react.agent" }).click();
  await expect(page.locator("stile-editor .cm-content")).toBeFocused();
  await expect(page.locator("stile-editor .cm-activeLine")).toContainText("(Obs (:text");
  // An incomplete run is no mistake.
  await field(page).fill("[Question] Why?\n[Thought] Because.\n");
  await expect(verdict(page)).toHaveText("incomplete");
  await expect(page.locator("stile-trace .expected .chip")).toHaveText(["Act"]);
  const property = page.getByRole("list", { name: "Properties of the trace" }).locator("li").nth(2);
  await expect(property.locator(".pill")).toHaveText("not yet");
  await field(page).fill("Why? Because.");
  await expect(head(page)).toContainText("The trace contains no state of react-agent.");
  // The current spec is used.
  await field(page).fill("[Question] Why?\n[Answer] Because.");
  await expect(verdict(page)).toHaveText("invalid");
  await write(page, '(define short (:states (Q (:text "[Question]")) (A (:text "[Answer]"))) (:behavior (next Q A)))');
  await expect(head(page)).toContainText("This is a complete run of short.");
  await write(page, "(define");
  await expect(page.locator("stile-trace")).toContainText("react.agent has errors");
});

test("a chat is mapped by the kinds of its parts, and a mapping corrects a wrong guess", async ({ quiet: page }) => {
  await traceTab(page);
  await field(page).fill(chat());
  await expect(verdict(page)).toHaveText("valid");
  await expect(head(page)).toContainText("read as OpenAI messages");
  await expect(segments(page)).toHaveCount(11);
  await expect(segments(page).filter({ hasText: "implied" })).toHaveCount(2);
  await expect(page.locator("stile-trace-timeline .passed")).toContainText("is not mapped to a state");
  const search = page.getByRole("combobox", { name: "call of Search: its first state" });
  await expect(search.locator("option:checked")).toHaveText("guessed: Act, Act-Inp");
  await expect(page.getByRole("combobox", { name: "model’s last text" }).locator("option:checked")).toHaveText(
    "guessed: Ans",
  );
  await segments(page).nth(4).getByRole("button").click();
  await expect.poll(() => selected(page)).toBe('"Milhouse is a character."');
  // With another format it maps to other states.
  await page.getByRole("combobox", { name: "result of Lookup" }).selectOption("Tht");
  await expect(verdict(page)).toHaveText("invalid");
  await expect(page.locator("stile-trace .violation")).toContainText('"Tht" is not allowed here; expected "Obs".');
  await page.getByRole("combobox", { name: "result of Lookup" }).selectOption({ index: 0 });
  await expect(verdict(page)).toHaveText("valid");
  await page.getByRole("combobox", { name: "system message" }).selectOption("Tht");
  await expect(verdict(page)).toHaveText("invalid");
  await search.selectOption("Ans");
  await expect(
    page.getByRole("combobox", { name: "call of Search: a second state, for the input" }).locator("option:checked"),
  ).toHaveText("then Act-Inp");
  await expect(page.getByLabel("Command for files", { exact: true })).toContainText(
    '-options \'{"mapping":[{"part":"system","states":["Tht"]},{"part":"call","tool":"Search","states":["Ans","Act-Inp"]}]}\'',
  );
  await page.getByRole("button", { name: "As guessed" }).click();
  await expect(verdict(page)).toHaveText("valid");
  // The same for roles.
  await page.getByRole("combobox", { name: "the tool’s name" }).selectOption("Ques");
  await expect(verdict(page)).toHaveText("invalid");
  await page.getByRole("button", { name: "As guessed" }).click();
  await expect(verdict(page)).toHaveText("valid");
  // A forbidden content is distinguished from a forbidden state.
  await field(page).fill(chat("Delete"));
  await expect(page.locator("stile-trace .violation")).toContainText('"Act" may not begin with "Delete"');
  await expect(page.locator("stile-trace .violation .chip")).toHaveText(["Search", "Lookup"]);
});

test("each of several conversations has its verdict", async ({ quiet: page }) => {
  await traceTab(page);
  const line = (...messages: readonly (readonly [string, string])[]) =>
    `${JSON.stringify({ messages: messages.map(([role, content]) => ({ role, content })) })}\n`;
  const good = line(["user", "one"], ["assistant", "a"]);
  await field(page).fill(good + line(["user", "two"], ["user", "again"]) + line(["user", "three"]) + good);
  await expect(head(page)).toContainText(
    "2 of 4 conversations are complete runs of react-agent; 1 is not complete; 1 is invalid.",
  );
  await expect(head(page)).toContainText("read as JSON lines");
  const list = page.getByRole("navigation", { name: "Conversations of the trace" }).getByRole("button");
  await expect(list).toHaveText([/1\s+valid/, /2\s+invalid/, /3\s+incomplete/, /4\s+valid/]);
  await expect(list.nth(1)).toHaveAttribute("aria-current", "true");
  await expect(segments(page)).toHaveCount(2);
  await expect(segments(page).nth(1)).toContainText("again");
  await page
    .locator("stile-trace .violation")
    .getByRole("button", { name: /^Line 2/ })
    .click();
  await expect.poll(() => selected(page)).toBe('"again"');
  await list.nth(2).click();
  await expect(segments(page)).toHaveText([/three/]);
  await expect(page.locator("stile-trace .violation")).toHaveCount(0);
  await list.nth(3).click();
  await expect(segments(page)).toHaveCount(3);
});

test("invalid JSON is reported with its place", async ({ quiet: page }) => {
  await traceTab(page);
  await field(page).fill('{"messages": [\n  {"role": "user", "content": "q"},\n  {"role": oops}\n]}');
  await expect(page.locator("stile-trace .fault")).toContainText("Invalid JSON");
  await page.getByRole("button", { name: "Line 3, column 12 of the trace" }).click();
  await expect.poll(() => selected(page)).toBe("o");
  await field(page).fill('{"a": 1}');
  await expect(page.locator("stile-trace .fault")).toContainText("No message found in this trace");
  await page.getByRole("combobox", { name: "Format" }).selectOption("text");
  await expect(head(page)).toContainText("The trace contains no state of react-agent.");
});

test("a line that looks like a prompt is listed once", async ({ quiet: page }) => {
  await traceTab(page);
  const unread = page.locator("[data-trace-unread]");
  const lookalikes = page.locator(".lookalikes:not([data-trace-unread])");
  // A complete prompt in another style may be a state, so the line is listed as unread.
  await field(page).fill("[Question] q\n**[Thought]** t\n[Answer] a\n");
  await expect(verdict(page)).toHaveText("unread");
  await expect(lookalikes).toHaveCount(0);
  await unread.getByRole("button", { name: "Line 2" }).click();
  await expect.poll(() => selected(page)).toContain("[Thought");
  // Half a prompt is an error of the model: it is text, with a warning.
  await field(page).fill("[Question] q\n[Thought t\n[Answer] a\n");
  await expect(page.locator("stile-trace h3", { hasText: "looks like a prompt" })).toBeVisible();
  await expect(unread).toHaveCount(0);
  await lookalikes.getByRole("button", { name: "Line 2" }).click();
  await expect.poll(() => selected(page)).toContain("[Thought");
});

test("pasted text stays text", async ({ quiet: page }) => {
  await traceTab(page);
  const payload = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  const trace = JSON.stringify([
    { role: "system", content: payload },
    { role: "user", content: payload },
    {
      role: "assistant",
      content: payload,
      tool_calls: [{ id: "1", function: { name: payload, arguments: JSON.stringify({ [payload]: payload }) } }],
    },
    { role: "tool", tool_call_id: "1", content: payload },
  ]);
  const title = await page.title();
  await field(page).fill(trace);
  await expect(page.locator("stile-trace-mapping")).toContainText(`call of ${payload}`);
  await expect(segments(page).first()).toContainText(payload);
  expect(await page.locator("stile-trace img, stile-trace script, stile-trace iframe").count()).toBe(0);
  await page.getByRole("combobox", { name: `call of ${payload}: its first state` }).selectOption("Act");
  await expect(page.getByLabel("Command for files", { exact: true })).toContainText("-options '{");
  await field(page).fill(`[Question] ${payload}\n[Thought] ${payload}\n[Observation] ${payload}`);
  await expect(segments(page).last()).toContainText(payload);
  expect(await page.locator("stile-trace img, stile-trace script, stile-trace iframe").count()).toBe(0);
  expect(await page.title()).toBe(title);
});

testLong("a long trace is checked, and one that is too long is refused", async ({ quiet: page }) => {
  await traceTab(page);
  const cycle = "[Thought] t\n[Action] Search\n[Action Input] x\n[Observation] o\n";
  const end = "[Final Thought] f\n[Answer] a\n";
  const text = `[Question] q\n${cycle.repeat(Math.floor((2 * 2 ** 20) / cycle.length))}${end}`;
  const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.locator(".trace-file").setInputFiles(file("long.txt", text));
  await expect(verdict(page)).toHaveText("valid", { timeout: 90_000 });
  await expect(segments(page)).toHaveCount(100);
  await page.getByRole("button", { name: /^Show 100 later/ }).click();
  await expect(segments(page)).toHaveCount(200);
  await page.locator(".trace-file").setInputFiles(file("longer.txt", text.padEnd(5 << 20, "x")));
  await expect(page.locator("stile-trace .fault")).toContainText("“longer.txt” is 5.0 MiB long; the limit is 4 MiB.");
  await expect(field(page)).toHaveValue(text);
  // The field does not even accept the paste.
  await page.getByRole("button", { name: "Clear" }).click();
  await field(page).evaluate(
    (area, text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      area.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    },
    "x".repeat(5 << 20),
  );
  await expect(page.locator("stile-trace .fault")).toContainText("The pasted text is 5.0 MiB long");
  await expect(field(page)).toHaveValue("");
});

test("a file is opened or dropped, and stays while other tabs and workspaces are shown", async ({ quiet: page }) => {
  await traceTab(page);
  await field(page).evaluate((area, text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "trace one.json", { type: "application/json" }));
    area.dispatchEvent(new DragEvent("dragover", { dataTransfer: data, bubbles: true, cancelable: true }));
    area.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, chat());
  await expect(verdict(page)).toHaveText("valid");
  await expect(page.getByLabel("Command for files", { exact: true })).toContainText("'trace one.json'");
  await tab(page, "Run");
  await tab(page, "Trace");
  await expect(field(page)).toHaveValue(chat());
  await page.getByRole("combobox", { name: "Agent" }).selectOption("calculate.agent");
  await expect(head(page)).toContainText("react-calculator-agent");
  await openExample(page, "anbn");
  await expect(page.locator("stile-trace")).toContainText("There is no agent in this workspace");
  await expect(page.locator("stile-trace")).toContainText("Your trace is kept.");
  await page.getByRole("button", { name: "Open an example" }).click();
  await expect(page.getByRole("dialog", { name: "Examples" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Create one" }).click();
  await expect(page.getByRole("tab", { name: "untitled.agent" })).toHaveAttribute("aria-selected", "true");
  await expect(field(page)).toHaveValue(chat());
  await expect(head(page)).toContainText("my-agent");
});

test("the last run can be checked", async ({ quiet: page }) => {
  await traceTab(page);
  await tab(page, "Run");
  await page.getByLabel("Model", { exact: true }).selectOption("first");
  await page.getByRole("button", { name: "Run react.agent" }).click();
  await expect(page.locator("[data-verdict]")).toHaveText("valid");
  await tab(page, "Trace");
  await page.getByRole("button", { name: "the last run" }).click();
  await expect(verdict(page)).toHaveText("valid");
  await expect.poll(() => field(page).inputValue()).toContain("[Question]");
});

test("the check and a guard can be saved", async ({ quiet: page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await traceTab(page);
  const production = page.getByRole("region", { name: "Check in production" });
  await expect(production.getByRole("button", { name: "Save check.json" })).toBeDisabled();
  await page.getByRole("button", { name: "lighthouse.txt" }).click();
  await expect(verdict(page)).toHaveText("valid");
  const saved = page.waitForEvent("download");
  await production.getByRole("button", { name: "Save check.json" }).click();
  const lines = (await readFile(await (await saved).path(), "utf8")).split("\n");
  expect(lines).toHaveLength(2);
  const params = JSON.parse(lines[0] ?? "") as Record<string, string>;
  expect(Object.keys(params).sort()).toEqual(["format", "others", "properties", "source", "text"]);
  expect(params["text"]).toBe(await field(page).inputValue());
  expect(params["source"]).toContain("(define react-agent");
  await production.getByRole("button", { name: "Copy the command for files" }).click();
  const commands = await page.evaluate(() => navigator.clipboard.readText());
  expect(commands).toMatch(/^stile check react\.agent .*properties\.ltl.* examples\/lighthouse\.txt/);
  for (const [language, file, part] of [
    ["Go", "guard.go", "package guard"],
    ["TypeScript", "guard.ts", "export class Guard"],
    ["Python", "guard.py", "class Guard:"],
  ] as const) {
    await production.getByRole("button", { name: language, exact: true }).click();
    await expect(production.getByRole("button", { name: language, exact: true })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await expect(production.getByLabel(file, { exact: true })).toContainText(part);
    await expect(production.getByLabel(file, { exact: true })).toContainText("react-agent");
  }
  // It checks contents, and includes the workspace's properties.
  await expect(production.getByLabel("guard.py", { exact: true })).toContainText("def enter(self, state, content)");
  await expect(production.getByLabel("guard.py", { exact: true })).not.toContainText('PROPERTIES = ""');
  await production.getByRole("button", { name: "Copy guard.py" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain("class Violation(Exception):");
  const guard = page.waitForEvent("download");
  await production.getByRole("button", { name: "Download" }).click();
  expect((await guard).suggestedFilename()).toBe("guard.py");
  // The result belongs to the current spec.
  await write(page, '(define other (:states (Q (:text "[Question]"))) (:behavior Q))');
  await expect(production.getByLabel("guard.py", { exact: true })).toContainText("define other");
});

test("traces are checked with the keyboard alone", async ({ quiet: page }) => {
  await traceTab(page);
  await page.getByRole("tab", { name: "Trace" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("tab", { name: "Trace" })).toBeFocused();
  const to = async (name: string): Promise<void> => {
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("Tab");
      if (
        await page.evaluate(
          (name) =>
            document.activeElement?.textContent?.trim().startsWith(name) === true ||
            document.activeElement?.id === name,
          name,
        )
      )
        return;
    }
    throw new Error(`the Tab key does not reach ${name}`);
  };
  await to("trace-text");
  await to("one with a mistake");
  await page.keyboard.press("Enter");
  await expect(verdict(page)).toHaveText("invalid");
  // The pressed button is removed, and the focus moves to its place.
  await expect(field(page)).toBeFocused();
  await to("Line 8");
  await page.keyboard.press("Enter");
  await expect(field(page)).toBeFocused();
  await expect.poll(() => selected(page)).toBe("[Observation]");
  await to("Obs in react.agent");
  await page.keyboard.press("Enter");
  await expect(page.locator("stile-editor .cm-content")).toBeFocused();
  await page.getByRole("button", { name: "Clear" }).focus();
  await page.keyboard.press("Enter");
  await expect(field(page)).toBeFocused();
  await page.keyboard.insertText(chat());
  await expect(verdict(page)).toHaveText("valid");
  await page.getByRole("combobox", { name: "user’s text" }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(verdict(page)).not.toHaveText("valid");
  await expect(page.getByRole("combobox", { name: "user’s text" })).toBeFocused();
});

for (const width of sampled("axe in traces", [1280, 390], 2)) {
  test(`axe finds nothing in the Trace tab at ${width} px, light and dark`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      reducedMotion: "reduce",
      ...(baseURL !== undefined && { baseURL }),
    });
    const page = await context.newPage();
    const clean = async (): Promise<void> => {
      await looksClean(page);
      expect(
        await page.locator("#panel-trace").evaluate((panel) => panel.scrollWidth - panel.clientWidth),
      ).toBeLessThanOrEqual(0);
    };
    await traceTab(page);
    await clean();
    await page.getByRole("button", { name: "one with a mistake" }).click();
    await expect(verdict(page)).toHaveText("invalid");
    await page.getByRole("button", { name: "TypeScript", exact: true }).click();
    await expect(page.getByLabel("guard.ts", { exact: true })).toBeVisible();
    await clean();
    await field(page).fill(chat("Delete"));
    await expect(page.locator("stile-trace-mapping")).toBeVisible();
    await clean();
    await field(page).fill(
      `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}\n{"messages":[{"role":"user","content":"${"long".repeat(300)}"}]}\n`.repeat(
        40,
      ),
    );
    await expect(page.getByRole("navigation", { name: "Conversations of the trace" })).toBeVisible();
    await clean();
    await field(page).fill("{");
    await expect(page.locator("stile-trace .fault")).toBeVisible();
    await clean();
    await openExample(page, "anbn");
    await expect(page.locator("stile-trace")).toContainText("There is no agent in this workspace");
    await clean();
    await context.close();
  });
}
