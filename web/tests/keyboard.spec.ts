import type { Page } from "@playwright/test";
import { expect, open, test, textOf } from "./fixtures.js";

// This file uses no pointer: it presses keys and checks which element has the focus.

/** Describes the focused element: its role or tag, and its name. */
async function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    let at = document.activeElement;
    if (at === null || at === document.body) return "nothing";
    const host = at.localName;
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    const label =
      at.getAttribute("aria-label") ??
      (at.id !== "" ? document.querySelector(`label[for="${at.id}"]`)?.textContent : null) ??
      at.closest("label")?.querySelector("span")?.textContent ??
      (at.closest("label") ?? at).textContent ??
      "";
    return `${host === at.localName ? host : `${host} ${at.localName}`} ${label.replace(/\s+/g, " ").trim()}`;
  });
}

/** Expects a focused element on the screen with a visible focus indicator. */
async function held(page: Page, after: string): Promise<void> {
  await expect
    .poll(
      async () =>
        page.evaluate(() => {
          const at = document.activeElement;
          if (at === null || at === document.body) return "the focus is lost";
          const { top, bottom, left, right, width, height } = at.getBoundingClientRect();
          if (width === 0 || height === 0 || !at.checkVisibility()) return `${at.localName} is not shown`;
          if (bottom <= 0 || right <= 0 || top >= innerHeight || left >= innerWidth)
            return `${at.localName} is beyond the screen`;
          // The editor has its cursor instead.
          if (at.localName === "stile-editor") return "";
          const shows = (element: Element | null): boolean => {
            if (element === null) return false;
            const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
            return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
          };
          // A field may show the focus on the line that contains it.
          return at.matches(":focus-visible") && (shows(at) || (at.localName === "input" && shows(at.parentElement)))
            ? ""
            : `${at.outerHTML.slice(0, 120)} does not show the focus`;
        }),
      after,
    )
    .toBe("");
}

/** Moves by Tab, or Shift+Tab, to the element whose name matches. */
async function to(page: Page, name: RegExp, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  for (let i = 0; i < 120; i++) {
    const at = await focused(page);
    if (name.test(at)) {
      await held(page, `on the way to ${name.source}`);
      return;
    }
    // In the editor a lone Tab indents.
    if (at.startsWith("stile-editor")) await page.keyboard.press("Escape");
    await page.keyboard.press(key);
  }
  throw new Error(`no Tab leads to ${name.source}; the focus is on ${await focused(page)}`);
}

async function press(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await held(page, `after ${key}`);
}

/** Leaves the editor; the first Escape closes a completion list that may be open. */
async function leave(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await expect.poll(() => focused(page)).not.toContain("stile-editor div Text of");
}

/** Opens the page and waits for the modules that load when it is idle. */
async function start(page: Page): Promise<void> {
  await open(page);
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some((entry) => entry.name.includes("focus-guard")),
  );
}

async function panel(page: Page, name: string): Promise<void> {
  await to(page, /^button (?:Automaton|Run|Trace|Verify|Export)(?: ?!)?$/);
  for (let i = 0; i < 5 && !(await focused(page)).startsWith(`button ${name}`); i++) await press(page, "ArrowRight");
  await expect(page.locator(`#panel-${name.toLowerCase()}`)).toBeVisible();
}

test("from an empty page to a shared plan", async ({ quiet: page, context }) => {
  test.slow();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await start(page);
  await to(page, /^button New file$/);
  await press(page, "Enter");
  await expect(page.locator("stile-editor .cm-content")).toHaveAttribute("aria-label", "Text of untitled.cfg");
  await to(page, /^stile-editor .*Text of untitled\.cfg/);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("Delete");
  await page.keyboard.type("S -> fetch R\nR -> sort show | show");
  await expect(page.locator(".summary")).toContainText("2 nonterminals, 3 terminals");
  await leave(page);
  await panel(page, "Run");
  await expect(page.getByRole("button", { name: "Run untitled.cfg" })).toBeVisible();
  await to(page, /^select Model$/);
  await page.keyboard.press("Home");
  await to(page, /^button Run untitled\.cfg$/);
  await press(page, "Enter");
  await expect(page.locator("[data-form=word]")).toHaveText(/^\s*fetch\s+(?:sort\s+)?show\s*$/);
  const plan = (await page.locator("[data-form=word]").textContent()) ?? "";
  await held(page, "after the run");
  await to(page, /^button Share$/, "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Link to the workspace")).toHaveValue(/#1:/);
  await held(page, "in the window of links");
  const plain = await page.getByLabel("Link to the workspace").inputValue();
  await to(page, /^input with the last run|^input .*last run/);
  await page.keyboard.press("Space");
  await expect(page.getByLabel("Link to the workspace")).not.toHaveValue(plain);
  await to(page, /^button Copy the link$/);
  await press(page, "Enter");
  await expect(page.getByText("Copied the link")).toBeAttached();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await press(page, "Escape");
  expect(await focused(page)).toBe("button Share");

  const other = await context.newPage();
  await other.goto(link);
  await expect(other.locator(".run-state")).toContainText("replayed");
  await expect(other.locator("[data-form=word]")).toHaveText(plan);
  await expect.poll(() => textOf(other)).toBe("S -> fetch R\nR -> sort show | show");
});

test("every window opens and closes by keys, and restores the focus", async ({ quiet: page }) => {
  test.slow();
  await start(page);
  for (const [opener, inside] of [
    [/^button .*choose an example$/, /Search the examples/],
    [/^button Share$/, /Link to the workspace|Close/],
    [/^button Help$/, /Keys in the editor/],
    [/^button Draft from a description$/, /Model|description/i],
  ] as const) {
    await to(page, opener);
    const from = await focused(page);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toBeVisible();
    await held(page, `in the window of ${from}`);
    await to(page, inside);
    // Nothing outside the window takes the focus while it is open.
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press("Tab");
      expect(
        await page.evaluate(
          () => document.activeElement === document.body || document.activeElement?.closest("dialog") !== null,
        ),
      ).toBe(true);
    }
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await held(page, `after the window of ${from}`);
    expect(await focused(page)).toBe(from);
  }
  // A window opened from a tab, with a link inside it.
  await panel(page, "Run");
  await expect(page.getByRole("button", { name: "Endpoints…" })).toBeVisible();
  await to(page, /^button Endpoints…$/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Endpoints" })).toBeVisible();
  await to(page, /^button .*Ollama/);
  await press(page, "Enter");
  await to(page, /Address|URL/);
  await to(page, /^button (?:Remove|Delete)/);
  await press(page, "Enter");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await held(page, "after the window of endpoints");
  // An example is found and opened.
  await to(page, /^button .*choose an example$/, "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Search the examples")).toBeVisible();
  await to(page, /Search the examples/);
  await page.keyboard.type("react");
  await expect(page.locator("[data-example=react]")).toBeVisible();
  await to(page, /^button .*ReAct/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.locator('stile-files [data-file="react.agent"]')).toBeVisible();
  await held(page, "after an example was opened");
});

test("files and the editor's features are reached by keys", async ({ quiet: page }) => {
  test.slow();
  await start(page);
  await to(page, /^button New file$/);
  await press(page, "Enter");
  await to(page, /^button untitled\.cfg$/, "Shift+Tab");
  await page.keyboard.press("F2");
  await expect.poll(() => focused(page)).toBe("input New name of untitled.cfg");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("mine.cfg");
  await press(page, "Enter");
  expect(await focused(page)).toBe("button mine.cfg");
  await press(page, "ArrowLeft");
  await press(page, "End");
  await to(page, /^stile-editor .*Text of mine\.cfg/);
  // Completion. The list ignores keys for a moment after it opens, so it may take two presses.
  await expect(async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.insertText("Start -> alpha Rest\nRest -> beta | Re\n");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("End");
    await page.keyboard.press("Control+Space");
    await expect(page.locator(".cm-tooltip-autocomplete [aria-selected=true]")).toContainText("Rest", {
      timeout: 2_000,
    });
    await page.keyboard.press("Enter");
    await expect.poll(() => textOf(page), { timeout: 1_000 }).toContain("| Rest");
  }).toPass();
  // Find, and back.
  await page.keyboard.press("ControlOrMeta+F");
  await expect(page.locator("stile-editor .cm-search input").first()).toBeFocused();
  await page.keyboard.type("alpha");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(page.locator("stile-editor .cm-content")).toBeFocused();
  // Problems, one after another.
  await page.keyboard.press("F8");
  await held(page, "at a problem");
  // Format.
  await page.keyboard.press("Shift+Alt+f");
  await expect(page.locator(".toast").first()).toBeVisible();
  await held(page, "after formatting");
  await leave(page);
  // Removing a file takes its button away.
  await to(page, /^button Remove mine\.cfg$/, "Shift+Tab");
  await press(page, "Enter");
  for (let i = 0; i < 5 && (await page.locator("[data-file]").count()) > 1; i++) {
    await to(page, /^button Remove /);
    await press(page, "Enter");
  }
  await expect(page.locator("[data-file]")).toHaveCount(1);
  await held(page, "after the last file but one was removed");
});

test("the drawing, the stepper and every tab are used by keys", async ({ quiet: page }) => {
  test.slow();
  await start(page);
  // A plan is checked, and shown in the stepper of another tab.
  await panel(page, "Verify");
  await expect(page.getByLabel(/^A plan for/)).toBeVisible();
  await to(page, /^textarea A plan for/);
  await page.keyboard.type("b1 i");
  await expect(page.getByRole("button", { name: "Step through it" })).toBeVisible();
  await to(page, /^button Step through it$/);
  await press(page, "Enter");
  await expect(page.locator("#panel-automaton")).toBeVisible();
  await held(page, "after a plan is stepped through");
  await to(page, /^button .*choose an example$/);
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Search the examples")).toBeVisible();
  await to(page, /Search the examples/);
  await page.keyboard.type("react");
  await expect(page.locator("[data-example=react]")).toBeVisible();
  await to(page, /^button .*ReAct/);
  await page.keyboard.press("Enter");
  await expect(page.locator('stile-files [data-file="react.agent"]')).toBeVisible();
  await panel(page, "Automaton");
  await to(page, /^button Zoom in$/);
  await press(page, "Enter");
  await to(page, /^button Show as a table$/);
  await press(page, "Enter");
  await press(page, "Enter");
  // Choose words until only undo remains.
  const letter = page.locator(".next-buttons .letter");
  await expect(letter.first()).toBeVisible();
  const first = ((await letter.first().locator("code").textContent()) ?? "").trim();
  await to(page, new RegExp(`^button ${first}\\b`));
  await press(page, "Enter");
  await held(page, "after a step");
  await to(page, /^button Start over$/, "Shift+Tab");
  await press(page, "Enter");
  await held(page, "after starting over");
  // Runs.
  await panel(page, "Run");
  await expect(page.getByRole("button", { name: "Run react.agent" })).toBeVisible();
  await to(page, /^button Run react\.agent$/);
  await press(page, "Enter");
  await expect(page.locator("[data-verdict]").first()).toBeVisible();
  await held(page, "after a run");
  // A trace.
  await panel(page, "Trace");
  await expect(page.getByRole("button", { name: "lighthouse.txt" })).toBeVisible();
  await to(page, /^button the last run$|^button lighthouse\.txt$/);
  await press(page, "Enter");
  await expect(page.locator("[data-trace-verdict]")).toBeVisible();
  await held(page, "after a trace was taken");
  // Export.
  await panel(page, "Export");
  await expect(page.getByRole("button", { name: "Regular expression" })).toBeVisible();
  await to(page, /^button Regular expression$/);
  await press(page, "Enter");
  await expect(page.locator("#panel-export pre").first()).not.toBeEmpty();
  await expect(page.getByRole("region", { name: "A guard for production" })).toBeVisible();
  await to(page, /^button Get react\.guard$/);
  await to(page, /textarea Events, one per line/);
  await to(page, /^button Python$/); // the buttons of the compiled guard precede the text field
  await press(page, "Enter");
  await expect(page.getByLabel("guard.py", { exact: true })).toBeVisible();
  await to(page, /^button Copy guard\.py$/);
});

test("every element that reacts to a pointer is reachable by keyboard", async ({ quiet: page }) => {
  test.slow();
  await start(page);
  /** Returns the elements with a pointer cursor that neither Tab nor the arrow keys of a group reach. */
  const unreached = async (): Promise<readonly string[]> =>
    page.evaluate(() => {
      const out: string[] = [];
      const roots: (Document | ShadowRoot)[] = [document];
      for (const root of roots) {
        for (const element of root.querySelectorAll<HTMLElement>("*")) {
          if (element.shadowRoot !== null) roots.push(element.shadowRoot);
          if (getComputedStyle(element).cursor !== "pointer" || !element.checkVisibility()) continue;
          if (
            element.closest(
              "a[href], button, input, select, textarea, label, summary, [tabindex], option, .cm-gutter, .cm-tooltip",
            ) === null
          )
            out.push(element.outerHTML.slice(0, 160));
        }
      }
      return out;
    });
  expect(await unreached()).toEqual([]);
  for (const name of ["Run", "Trace", "Verify", "Export"]) {
    await panel(page, name);
    expect(await unreached(), name).toEqual([]);
  }
  for (const opener of [/^button .*choose an example$/, /^button Share$/, /^button Help$/]) {
    await to(page, opener);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toBeVisible();
    expect(await unreached(), opener.source).toEqual([]);
    await page.keyboard.press("Escape");
  }
});
