import type { Page } from "@playwright/test";
import { clean } from "./axe.js";
import { expect, open, ready, tab, test, write } from "./fixtures.js";
import { onlyLong, sampled } from "./sample.js";

const testLong = onlyLong(test);

/** The address of the mock servers for tools; the build starts them. */
const servers = process.env["STILE_TOOLS"];

const examples: Readonly<Record<string, readonly string[]>> = {
  react: ["react.agent", "calculate.agent", "react-2023.agent"],
  pass: ["pass.agent"],
  rewoo: ["rewoo.agent"],
  reflexion: ["reflexion.agent", "reflexion-2023.agent"],
  cot: ["cot.agent", "cot-2023.agent", "pass.agent"],
  direct: ["direct.agent", "react.agent"],
  chatbot: ["chatbot.agent", "problem.agent"],
  "react-ablated": ["ablated.agent"],
};

const caller = `(define caller
  (:states
    (Ques (:text "[Question]"))
    (Tht (:text "[Thought]"))
    (Act (:text "[Action]"))
    (Act-Inp (:text "[Action Input]"))
    (Obs (:text "[Observation]") (:flags :env-input))
    (Ans (:text "[Answer]")))
  (:behavior (next Ques (until (next Tht Act Act-Inp Obs) Ans))))
`;

/** Opens an example of agents whose main file is not named after its folder. */
async function agents(page: Page, id: string): Promise<void> {
  await page.getByRole("button", { name: /choose an example/ }).click();
  await page.locator(`.card[data-example=${id}]`).click();
  await page.locator(`stile-files [data-file="${examples[id]?.[0] ?? ""}"]`).waitFor({ state: "attached" });
  await ready(page);
}

/** Replaces the workspace with files, as if they were opened from the device. */
async function put(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  await page
    .locator(".file-input")
    .setInputFiles(
      Object.entries(files).map(([name, text]) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) })),
    );
  for (const name of Object.keys(files))
    await page.locator(`stile-files [data-file="${name}"]`).waitFor({ state: "attached" });
  await ready(page);
}

/** Makes the model answer these lines, one per call. */
async function script(page: Page, ...lines: readonly string[]): Promise<void> {
  await page.getByLabel("Model", { exact: true }).selectOption("scripted");
  await page.getByLabel("Answers").fill(lines.join("\n"));
}

async function run(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Run \S+\.agent$/ }).click();
}

const act = (tool: string, input: string): string =>
  `[Thought] I need ${tool}\\n[Action] ${tool}\\n[Action Input] ${input}`;

for (const [id, files] of sampled("agents of examples", Object.entries(examples), 3)) {
  test(`every agent of the example ${id} reaches a valid end with a rambling model`, async ({ quiet: page }) => {
    await open(page);
    await agents(page, id);
    await tab(page, "Run");
    await page.getByLabel("Model", { exact: true }).selectOption("rambler");
    for (const [i, file] of files.entries()) {
      await page.locator(`stile-files [data-file="${file}"]`).click();
      await page.getByRole("button", { name: `Run ${file}` }).click();
      if (i > 0)
        await expect(page.getByRole("button", { name: new RegExp(`^Show run ${i + 1}: valid`) })).toBeVisible();
      await expect(page.locator("[data-verdict]")).toHaveText("valid");
      await expect(page.locator(".answer")).not.toBeEmpty();
    }
  });
}

test("a violation of the agent's behaviour is underlined, listed and fixed", async ({ quiet: page }) => {
  await open(page);
  await agents(page, "react");
  await page.locator('stile-files [data-file="examples/lighthouse.txt"]').click();
  const summary = page.locator("stile-problems .summary");
  await expect(summary).toContainText("example of react-agent");
  await expect(page.locator(".problem")).toHaveCount(0);
  const broken = "[Question] q\n[Thought] t\n[Observation] o\n[Final Thought] f\n[Answer] a\n";
  await write(page, broken);
  await expect(page.locator(".problem")).toContainText('"Obs" is not allowed here; expected "Act"');
  await expect(summary).toContainText("1 error · example of react-agent");
  await expect(page.locator("stile-editor .cm-lintRange-error")).toHaveText("[Observation]");
  // The agent reports the fault too, at the file's name.
  await page.locator('stile-files [data-file="react.agent"]').click();
  await expect(page.locator(".problem")).toContainText("examples/lighthouse.txt, line 3");
  await page.locator('stile-files [data-file="examples/lighthouse.txt"]').click();
  await page.getByRole("button", { name: /^Write \[Action\]/ }).click();
  await expect(page.locator(".problem")).toContainText("Act");
  await write(page, "[Question] q\n[Final Thought] f\n[Answer] a\n");
  await expect(page.locator(".problem")).toHaveCount(0);
  await expect(page.locator("stile-editor .cm-lintRange-error")).toHaveCount(0);
  await page.locator('stile-files [data-file="react.agent"]').click();
  await expect(summary).toContainText("7 states");
  await expect(page.locator(".problem")).toHaveCount(0);
});

test("prompts and tool declarations are checked as such", async ({ quiet: page }) => {
  await open(page);
  await agents(page, "pass");
  const summary = page.locator("stile-problems .summary");
  await page.locator('stile-files [data-file="summary.txt"]').click();
  await expect(summary).toContainText("prompt for Sum of pass-agent");
  await write(page, "Sum up {result}");
  await expect(page.locator(".problem")).toHaveCount(1);
  await page.locator(".problem-fix").first().click();
  await expect(page.locator(".problem")).toHaveCount(0);
  await page.locator('stile-files [data-file="agent-tools.json"]').click();
  await expect(summary).toContainText("tools of agents");
  await write(page, '{"tools": [{"calculater": {}}]}');
  await expect(page.locator(".problem").first()).toBeVisible();
});

test("calls and a summary are shown in the order of the file", async ({ quiet: page }) => {
  await open(page);
  await agents(page, "pass");
  await tab(page, "Run");
  await script(
    page,
    "[Thought] reckon\\n[Action] Calculator\\n[Action Input] 2+3\\n[Action] Calculator\\n[Action Input] 6*7\\n[Action] Calculator\\n[Action Input] what\\n[Summary]",
    "Five and forty-two.",
    "[Final Thought] so\\n[Answer] 47",
  );
  await page.locator("#environment").selectOption("tools");
  await expect(page.locator("#environment-hint")).toHaveText(
    "Calculator, Search and Lookup are called and the model summarises.",
  );
  await run(page);
  await expect(page.locator(".answer")).toHaveText("47");
  const calls = page.locator(".tool-call");
  await expect(calls).toHaveCount(3);
  await expect(page.locator(".tools-head").first()).toContainText("3 calls for Sum");
  for (const [i, [input, output]] of [
    ["2+3", "5"],
    ["6*7", "42"],
    ["what", "tool.expression"],
  ].entries()) {
    await expect(calls.nth(i)).toContainText(input ?? "");
    await expect(calls.nth(i)).toContainText(output ?? "");
  }
  await page.locator(".side summary").click();
  await expect(page.locator(".side .prompt")).toContainText("2. 42");
  await expect(page.locator(".keep")).toContainText("kept");
  await expect(page.locator(".cost tbody tr")).toHaveCount(2);
  await expect(page.locator(".result-head")).toContainText("3 tool calls");
});

test("several runs vote, and a fallback agent takes over", async ({ quiet: page }) => {
  await open(page);
  await agents(page, "direct");
  await tab(page, "Run");
  await script(page, "60", "58", "60");
  await page.getByLabel("Runs", { exact: true }).fill("3");
  await page.getByLabel("Runs", { exact: true }).press("Tab");
  await run(page);
  await expect(page.locator(".answer")).toHaveText("60");
  await expect(page.locator(".votes tbody tr").first()).toContainText("2");
  await expect(page.locator(".votes tbody tr")).toHaveCount(2);
  await expect(page.locator(".sample")).toHaveCount(3);
  await expect(page.locator(".sample.taken")).toContainText("Run 1");
  await expect(page.locator("#environment")).toHaveCount(0);
  await page.getByLabel("If no two agree").selectOption("react.agent");
  await page.locator("#environment").selectOption("tools");
  await page.getByLabel("Answers").fill(["60", "58", "61", "[Final Thought] hm\\n[Answer] 59"].join("\n"));
  await run(page);
  await expect(page.locator(".votes")).toContainText("No answer occurred twice, so react-agent gave this one.");
  await expect(page.locator(".answer")).toHaveText("59");
  await expect(page.locator(".sample.taken summary")).toContainText("Then react-agent");
});

test("a person answers for the environment with the keyboard alone", async ({ quiet: page }) => {
  await open(page);
  await agents(page, "react");
  await tab(page, "Run");
  await script(page, "[Thought] t\\n[Action] Search\\n[Action Input] The film\\n", "[Final Thought] f\\n[Answer] a");
  await page.locator("#environment").selectOption("person");
  await page.getByRole("button", { name: "Run react.agent" }).focus();
  await page.keyboard.press("Enter");
  const answer = page.getByLabel("Your answer");
  await expect(answer).toBeFocused();
  await expect(page.locator(".asked")).toContainText("[Observation]");
  await expect(page.locator(".question .prompt")).toContainText("[Action Input] The film");
  await page.keyboard.type("It is from 2010.");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("It has a soundtrack.");
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-verdict]")).toHaveText("valid");
  await expect(page.locator(".segment", { hasText: "Obs" }).last()).toContainText("It has a soundtrack.");
});

test("a person judges, a comparison judges, and a tool asks a person with choices", async ({ quiet: page }) => {
  await open(page);
  await agents(page, "reflexion");
  await tab(page, "Run");
  await expect(page.getByLabel("Judge of an answer")).toHaveCount(0);
  await page.locator("#environment").selectOption("tools");
  await page.getByLabel("Judge of an answer").selectOption("exact");
  await page.getByLabel("The right answer").fill("the Rhine");
  const lines = ["[Final Thought] t\\n[Proposed Answer] Rhine", "[Reflection] good\\n[Answer] Rhine"];
  await script(page, ...lines);
  await run(page);
  await expect(page.locator(".segment", { hasText: "Eval" }).first()).toContainText("correct");
  await page.getByLabel("Judge of an answer").selectOption("person");
  await expect(page.getByLabel("The right answer")).toHaveCount(0);
  await run(page);
  await expect(page.locator(".asked")).toContainText("[Evaluation]");
  await page.keyboard.type("not quite");
  await page.keyboard.press("Enter");
  await expect(page.locator(".segment", { hasText: "Eval" }).first()).toContainText("not quite");
  await put(page, {
    "caller.agent": caller,
    "agent-tools.json": '{"tools":[{"person":{"name":"Ask","choices":["red","blue"]}}]}',
  });
  await expect(page.getByRole("button", { name: "Run caller.agent" })).toBeEnabled();
  await page.locator("#environment").selectOption("tools");
  await script(page, act("Ask", "Which colour?"), "[Answer] done");
  await run(page);
  await expect(page.locator(".question .choice")).toHaveText([/red/, /blue/]);
  await page.keyboard.press("2");
  await expect(page.locator("[data-tool=Ask]")).toBeVisible();
  await expect(page.locator(".segment", { hasText: "Obs" })).toContainText("blue");
});

test("a conversation continues until the person sends an empty message", async ({ quiet: page }) => {
  await open(page);
  await agents(page, "chatbot");
  await tab(page, "Run");
  await page.locator("#environment").selectOption("tools");
  await expect(page.locator("#environment-hint")).toHaveText("You are asked.");
  await script(page, "Which side has the sun?\\nUser:", "Chat Bot: Then chives.\\nUser:");
  await run(page);
  const answer = page.getByLabel("Your answer");
  await expect(answer).toBeFocused();
  await expect(page.locator(".question")).toContainText("An empty answer ends the run.");
  await page.keyboard.type("The east.");
  await page.keyboard.press("Enter");
  await expect(page.locator(".question .prompt")).toContainText("Then chives.");
  await expect(answer).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-verdict]")).toHaveText("valid");
});

test("rarely used settings apply, and faults in them are reported", async ({ quiet: page }) => {
  await open(page);
  await agents(page, "react");
  await tab(page, "Run");
  await page.getByLabel("Model", { exact: true }).selectOption("rambler");
  await page.getByText("More settings").click();
  await expect(page.getByLabel("Prompt format")).toHaveCount(0);
  await expect(page.getByLabel("States", { exact: true })).toHaveAttribute("placeholder", "40");
  await page.getByLabel("States", { exact: true }).fill("3");
  await page.getByLabel("States", { exact: true }).press("Tab");
  await page.getByLabel("Temperature").fill("9");
  await page.getByLabel("Temperature").press("Tab");
  await expect(page.getByLabel("Temperature")).toHaveValue("2");
  await page.getByLabel(/one call per state/).check();
  await page.getByRole("combobox", { name: /^Corrections/ }).selectOption("forced");
  await expect(page.locator(".more > summary")).toContainText("forced, one call per state, temperature 2, states 3");
  await run(page);
  await expect(page.locator("[data-verdict]")).toHaveText("valid");
  await expect(page.locator(".cost tbody tr")).toHaveCount(1);
  await page.getByLabel("Prompt", { exact: true }).fill("Use {tols}.");
  await run(page);
  await expect(page.locator("stile-run .fault")).toContainText("Line 1 of the prompt");
  await page.getByRole("button", { name: "Default" }).click();
  await expect(page.getByLabel("Prompt", { exact: true })).toHaveValue(/Thought/);
  await page.locator("stile-run").getByLabel("Calls", { exact: true }).fill("1");
  await page.locator("stile-run").getByLabel("Calls", { exact: true }).press("Tab");
  await run(page);
  await expect(page.locator("stile-run .fault")).toContainText("budget of 1 call");
});

/** Confirms the requests that the tools of the workspace make. */
async function allow(page: Page): Promise<void> {
  await page.getByRole("checkbox", { name: "Allow these requests" }).check();
}

test.describe("tools of servers, called by the page's worker", () => {
  test.skip(servers === undefined, "the servers are started by the build");

  const pets =
    '{"openapi":"3.1.0","info":{"title":"Pets","version":"1"},"paths":{"/pets/{id}":{"parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}],"get":{"operationId":"getPet"},"put":{"operationId":"changePet","requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","properties":{"name":{"type":"string"}}}}}}}}}}';
  const declared = (...tools: readonly unknown[]): Record<string, string> => ({
    "caller.agent": caller,
    "agent-tools.json": JSON.stringify({ tools }),
    "pets.openapi.json": pets,
  });

  for (const mode of sampled("tools by transport", ["", "sse", "modern+sse+pages", "sse+noisy+pages"], 2)) {
    test(`Wikipedia, an HTTP API and MCP${mode === "" ? "" : ` (${mode})`} answer`, async ({ quiet: page }) => {
      await open(page);
      await put(
        page,
        declared(
          { calculator: {} },
          { wikipedia: { api: `${servers}/wiki/api.php` } },
          { http: { file: "pets.openapi.json", server: `${servers}/api` } },
          { mcp: { url: `${servers}/~mode=${mode}/mcp` } },
        ),
      );
      await tab(page, "Run");
      await allow(page);
      await page.locator("#environment").selectOption("tools");
      await expect(page.locator("#environment-hint")).toContainText("those of 1 server are called");
      await script(
        page,
        act("Calculator", "3*(4+5)"),
        act("Search", "Milhouse"),
        act("Lookup", "named after"),
        act("getPet", "7"),
        act("changePet", '{"id":"7","body":{"name":"Rex"}}'),
        act("echo", "hello"),
        act("long", "{}"),
        act("nobody", "x"),
        "[Answer] Nixon",
      );
      await run(page);
      await expect(page.locator(".answer")).toHaveText("Nixon");
      const said = page.locator(".segment", { has: page.locator(".called") });
      for (const [i, text] of [
        "27",
        "He wears red glasses",
        "(Result 1 / 2) Milhouse was named after",
        '"path":"/pets/7"',
        '"type":"application/json","body":"{\\"name\\":\\"Rex\\"}"',
        "You said: hello",
        "many words",
        "nobody",
      ].entries()) {
        await expect(said.nth(i)).toContainText(text);
      }
      await expect(page.locator(".called.failed")).toHaveCount(1);
      const long = said.nth(6);
      await long.locator(".fold > summary").click();
      await expect(long.locator(".prompt")).toBeVisible();
    });
  }

  test("a server that blocks cross-origin pages is distinguished from an unreachable one", async ({ page }) => {
    await open(page);
    await put(
      page,
      declared(
        { mcp: { url: `${servers}/~cors=off/mcp` } },
        { wikipedia: { api: `${servers}/~cors=off/wiki/api.php` } },
        { http: { file: "pets.openapi.json", server: `${servers}/~fault=500/api` } },
      ),
    );
    await tab(page, "Run");
    await allow(page);
    await page.locator("#environment").selectOption("tools");
    await script(page, act("Search", "Milhouse"), act("getPet", "7"), "[Answer] none");
    await run(page);
    await expect(page.locator(".answer")).toHaveText("none");
    await expect(page.locator(".violation").first()).toContainText("does not allow requests from web pages (CORS)");
    await expect(page.locator(".segment", { has: page.locator("[data-tool=Search]") })).toContainText("CORS");
    await expect(page.locator(".segment", { has: page.locator("[data-tool=getPet]") })).toContainText("status 500");
  });

  test("no request is made before a person confirms the list, and editing the address asks again", async ({
    quiet: page,
  }) => {
    const asked: string[] = [];
    page.on(
      "request",
      (request) =>
        void (request.url().startsWith(servers ?? "none") && asked.push(`${request.method()} ${request.url()}`)),
    );
    await open(page);
    await put(page, declared({ http: { file: "pets.openapi.json", server: `${servers}/api`, auth: "mine" } }));
    await tab(page, "Run");
    const consent = page.locator("stile-tool-consent");
    await expect(consent.locator("li")).toHaveText([
      `GET ${servers}/api/pets/{id} getPet; sends your key of “mine”`,
      `PUT ${servers}/api/pets/{id} changePet; sends your key of “mine”`,
    ]);
    await expect(page.locator("#environment")).toHaveValue("simulated");
    await expect(page.locator("#environment option[value=tools]")).toBeDisabled();
    await script(page, act("getPet", "7"), "[Answer] none");
    await run(page);
    await expect(page.locator(".answer")).toHaveText("none");
    expect(asked).toEqual([]);
    await allow(page);
    await page.locator("#environment").selectOption("tools");
    await run(page);
    // The requests are confirmed, but this endpoint has no key: no request carries one.
    await expect(page.locator(".segment", { has: page.locator("[data-tool=getPet]") })).toContainText(
      "has no key to send",
    );
    expect(asked).toEqual([]);
    await put(page, declared({ http: { file: "pets.openapi.json", server: `${servers}/other` } }));
    await tab(page, "Run");
    await expect(consent.getByRole("checkbox")).not.toBeChecked();
    await expect(page.locator("#environment")).toHaveValue("simulated");
    expect(asked).toEqual([]);
  });
});

for (const width of sampled("axe in runs of agents", [1280, 390], 2)) {
  testLong(`axe finds nothing in runs of agents at ${width} px, light and dark`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: "reduce" });
    const page = await context.newPage();
    await open(page, baseURL);
    await agents(page, "pass");
    await tab(page, "Run");
    await page.getByText("More settings").click();
    await script(
      page,
      `[Thought] reckon\\n[Action] Calculator\\n[Action Input] 2+3\\n[Action] Calculator\\n[Action Input] what\\n[Summary]`,
      `Five. ${"So it goes on. ".repeat(60)}`,
      "[Final Thought] so\\n[Answer] 47",
    );
    await page.locator("#environment").selectOption("tools");
    await run(page);
    await expect(page.locator(".answer")).toHaveText("47");
    await page.locator(".side summary").first().click();
    for (const fold of await page.locator(".fold > summary").all()) await fold.click();
    await clean(page);
    await agents(page, "cot");
    await page.getByLabel("Model", { exact: true }).selectOption("rambler");
    await page.getByLabel("Runs", { exact: true }).fill("3");
    await page.getByLabel("Runs", { exact: true }).press("Tab");
    await page.getByLabel("If no two agree").selectOption("pass.agent");
    await run(page);
    await expect(page.locator(".votes")).toBeVisible();
    for (const sample of await page.locator(".sample").all())
      if ((await sample.getAttribute("open")) === null) await sample.locator(":scope > summary").click();
    await clean(page);
    await agents(page, "reflexion");
    await page.getByLabel("Runs", { exact: true }).fill("1");
    await page.getByLabel("Runs", { exact: true }).press("Tab");
    await page.locator("#environment").selectOption("person");
    await script(page, "[Final Thought] t\\n[Proposed Answer] Rhine", "[Reflection] good\\n[Answer] Rhine");
    await run(page);
    await expect(page.locator(".question")).toBeVisible();
    await clean(page);
    await context.close();
  });
}
