import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { add, close, endpoints, expect, preflight, run, stream, test } from "./endpoint-fixtures.js";
import { keptOfRuns, open, openExample, ready, tab, write } from "./fixtures.js";

const state = (page: Page) => page.locator(".run-state");
const word = (page: Page) => page.locator("[data-form=word]");
const entries = (page: Page) => page.locator(".plan-log .log-entry");
const runButton = (page: Page) => page.getByRole("button", { name: /^Run / });

/** Opens the Run tab of an example. */
async function runTab(page: Page, id = "openagi"): Promise<void> {
  await open(page);
  if (id !== "openagi") await openExample(page, id);
  await ready(page);
  await tab(page, "Run");
}

async function asPerson(page: Page): Promise<void> {
  await page.getByLabel("Model", { exact: true }).selectOption("person");
  await runButton(page).click();
  await expect(page.locator(".now.mine")).toBeVisible();
}

/** Returns the number of the model's choice in each request, by the requested symbol. */
function choosing(body: string): string {
  const { messages } = JSON.parse(body) as { messages: { content: string }[] };
  return String(1 + ((messages[0]?.content.length ?? 0) % 2));
}

test("a choice shows its goal and input, and the excluded candidates with reasons", async ({ quiet: page }) => {
  await runTab(page);
  await asPerson(page);
  await page.locator(".now .choice", { hasText: "Visual Question Answering" }).click();
  await expect(page.locator(".now h2")).toContainText("an image for");
  await page.locator(".now .choice", { hasText: "Image Denoising" }).click();
  await expect(page.locator(".now h2")).toContainText("Image Denoising");
  const withheld = page.locator(".now .withheld");
  await expect(withheld.locator("summary")).toHaveText("1 not offered");
  await withheld.locator("summary").click();
  await expect(withheld).toContainText("Image Denoising");
  await expect(withheld).toContainText("it is used already");
});

test("forbidden candidates are withheld by name, unless the properties are switched off", async ({ quiet: page }) => {
  await runTab(page, "daily");
  await page.locator("stile-files [data-file='daily-loose.pda']").click();
  await expect(runButton(page)).toHaveText(/Run\s+daily-loose.pda/);
  await page.getByLabel("Model", { exact: true }).selectOption("first");
  await runButton(page).click();
  await expect(word(page)).toContainText("supper");
  const property = page.locator(".withheld .pill", { hasText: "property" });
  await expect.poll(() => property.count()).toBeGreaterThan(0);
  await page.getByLabel("Enforce the properties").uncheck();
  await runButton(page).click();
  await expect(page.locator(".run-link[aria-current]")).toContainText("Run 2");
  await expect(state(page)).toContainText("Done");
  await expect(property).toHaveCount(0);
});

test("automata and flowcharts are planned with as well", async ({ quiet: page }) => {
  await runTab(page, "risk");
  await page.getByLabel("Model", { exact: true }).selectOption("first");
  await runButton(page).click();
  await expect(page.locator(".ending")).toContainText("The plan ");
  await openExample(page, "daily");
  await ready(page);
  await runButton(page).click();
  await expect(page.locator(".steps li").last()).toContainText("Have supper");
});

test("several ingredients are chosen at once", async ({ quiet: page }) => {
  await runTab(page, "cooking");
  await asPerson(page);
  for (let i = 0; i < 20 && (await page.getByRole("button", { name: /^Take/ }).count()) === 0; i++)
    await page.keyboard.press("1");
  await page.keyboard.press("2");
  await page.keyboard.press("5");
  await page.getByRole("button", { name: "Take 2, 5" }).click();
  await expect(page.locator(".plan-log .choice[aria-pressed=true]")).toHaveCount(2);
});

test("the tools are called, and the plan has a result", async ({ quiet: page }) => {
  await runTab(page);
  await page.getByLabel("Use the tools").check();
  await runButton(page).click();
  await expect(page.locator(".ending")).toContainText("The result");
  await expect(page.locator(".log-entry.exec").first()).toContainText("gave");
});

test("a failing tool is shown, and the fallback after it", async ({ quiet: page }) => {
  await runTab(page);
  await page.locator("stile-files [data-file='tools.json']").click();
  await write(
    page,
    `{"types": ["image", "text"], "inputs": {"i": {"type": "image", "text": "a cat"}},
    "tools": {"b1": {"takes": ["image"], "gives": "text", "does": {"text": "{1}"}, "fails": {"always": true, "message": "no answer"}},
      "*": {"takes": ["image"], "gives": "text", "does": {"text": "{symbol} of {1}"}}}}`,
  );
  await page.locator("stile-files [data-file='openagi.cfg']").click();
  await write(page, "S -> b1 i | b2 i\n");
  await ready(page);
  await page.getByLabel("Model", { exact: true }).selectOption("first");
  await page.getByLabel("Use the tools").check();
  await runButton(page).click();
  await expect(page.locator(".log-entry.exec.failed")).toContainText("no answer");
  await expect(page.locator(".log-entry.went-back")).toContainText("Backtracked.");
  await expect(page.locator(".log-entry.undone").first()).toContainText("undone");
  await expect(word(page)).toHaveText("b2 i");
});

test("a run advances move by move, and the tree grows", async ({ quiet: page }) => {
  await runTab(page);
  await page.getByRole("button", { name: "Step", exact: true }).click();
  for (let moves = 1; moves <= 3; moves++) {
    await expect(state(page)).toContainText("Paused");
    await expect(entries(page)).toHaveCount(moves);
    await expect(page.locator(".outline .next-up")).toBeVisible();
    await page.getByRole("button", { name: "Step", exact: true }).click();
  }
  await expect(entries(page)).toHaveCount(4);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(state(page)).toContainText("Done");
  await expect(page.locator("stile-plan-result svg.tree")).toBeVisible();
  await expect(page.locator("stile-plan-tree")).toHaveCount(0);
});

test("a paused run of an endpoint sends no request until it resumes", async ({ quiet: page, serve }) => {
  const release: (() => void)[] = [];
  const server = await serve((request, response, body) => {
    if (preflight(request, response)) return;
    release.push(() =>
      response
        .writeHead(200, { "content-type": "text/event-stream", "access-control-allow-origin": "*" })
        .end(stream(choosing(body))),
    );
  });
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url });
  await run(page);
  await expect.poll(() => release.length).toBe(1);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(state(page)).toContainText("Pauses after this move");
  release[0]?.();
  await expect(state(page)).toContainText("Paused");
  await expect(entries(page)).toHaveCount(2);
  expect(release.length).toBe(1);
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await expect.poll(() => release.length).toBe(2);
  release[1]?.();
  await expect(state(page)).toContainText("Paused");
  await expect(entries(page)).toHaveCount(3);
  expect(release.length).toBe(2);
});

test("another choice starts another run, and the first is kept", async ({ quiet: page }) => {
  await runTab(page);
  await runButton(page).click();
  await expect(state(page)).toContainText("Done");
  const first = await word(page).textContent();
  const second = page.locator(".plan-log .log-entry", { has: page.locator("button.choice") }).nth(1);
  const before = await page.locator(".plan-log .choice.chosen").first().textContent();
  await second.locator("button.choice").first().click();
  await expect(page.locator(".run-link[aria-current]")).toContainText("another choice at 2");
  await expect(state(page)).toContainText("Done");
  await expect(page.locator(".plan-log .choice.chosen").first()).toHaveText(before ?? "");
  await expect(second.locator(".pill", { hasText: "you" })).toBeVisible();
  await expect.poll(() => word(page).textContent()).not.toBe(first);
  await page.locator(".run-link").first().click();
  await expect(word(page)).toHaveText(first ?? "");
});

test("a person takes over at a choice, and earlier answers are not requested again", async ({ quiet: page, serve }) => {
  const server = await serve((request, response, body) => {
    if (preflight(request, response)) return;
    response
      .writeHead(200, { "content-type": "text/event-stream", "access-control-allow-origin": "*" })
      .end(stream(choosing(body)));
  });
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url });
  await run(page);
  await expect(state(page)).toContainText("Done");
  const asked = server.requests.length;
  const third = page.locator(".plan-log .log-entry", { has: page.locator(".from-here") }).nth(2);
  await third.getByText("From here").click();
  await third.getByRole("button", { name: "Ask me instead" }).click();
  await expect(page.locator(".now.mine h2")).toContainText("Your choice 3");
  await expect(page.locator(".spent dd").first()).toHaveText("2 of 200");
  const [done, now] = [state(page).getByText("Done"), page.locator(".now.mine .now-number")];
  for (let i = 0; i < 40; i++) {
    await expect(done.or(now).first()).toBeVisible();
    if (await done.isVisible()) break;
    const number = (await now.textContent()) ?? "";
    const last = page.locator(".now.mine .choices button").last();
    await last.click();
    await expect(page.locator(".now.mine .now-number", { hasText: number })).toHaveCount(0);
  }
  await expect(state(page)).toContainText("Done");
  expect(server.requests.length).toBe(asked);
});

test("a run continues from a choice with another prompt", async ({ quiet: page, serve }) => {
  const prompts: string[] = [];
  const server = await serve((request, response, body) => {
    if (preflight(request, response)) return;
    prompts.push((JSON.parse(body) as { messages: { content: string }[] }).messages[0]?.content ?? "");
    response
      .writeHead(200, { "content-type": "text/event-stream", "access-control-allow-origin": "*" })
      .end(stream(choosing(body)));
  });
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url });
  await run(page);
  await expect(state(page)).toContainText("Done");
  const asked = prompts.length;
  await page.getByText("More settings").click();
  const template = page.getByLabel("Prompt of a choice");
  await expect(template).toHaveValue(/\{options\}/);
  await template.fill("Please choose for {task}:\n{choices}");
  const second = page.locator(".plan-log .log-entry", { has: page.locator(".from-here") }).nth(1);
  await second.getByText("From here").click();
  await second.getByRole("button", { name: /^Choose again/ }).click();
  await expect(page.locator(".run-link[aria-current]")).toContainText("repeated from choice 2");
  await expect(state(page)).toContainText("Done");
  const later = prompts.slice(asked);
  expect(later.length).toBeGreaterThan(0);
  for (const prompt of later) expect(prompt).toMatch(/^Please choose for/);
  expect(prompts.slice(0, asked).some((p) => p.startsWith("Please"))).toBe(false);
  await page.getByRole("button", { name: "Default" }).click();
  await expect(template).toHaveValue(/\{decided\}/);
});

test("a run has its own thinking, temperature and limit of answers", async ({ quiet: page, serve }) => {
  const bodies: Record<string, unknown>[] = [];
  const server = await serve((request, response, body) => {
    if (preflight(request, response)) return;
    bodies.push(JSON.parse(body) as Record<string, unknown>);
    response
      .writeHead(200, { "content-type": "text/event-stream", "access-control-allow-origin": "*" })
      .end(stream(choosing(body)));
  });
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url });
  await close(page);
  await page.locator("stile-run-more summary").first().click();
  const more = page.locator("stile-run-more");
  await more.getByLabel("Thinking effort").selectOption("low");
  for (const [name, value] of [
    ["Thinking tokens", "700"],
    ["Temperature", "0.4"],
    ["Tokens per answer", "90"],
  ] as const) {
    await more.getByLabel(name, { exact: true }).fill(value);
    await more.getByLabel(name, { exact: true }).press("Tab");
  }
  await expect(more.locator("summary").first()).toContainText("thinking, temperature 0.4, tokens per answer");
  await run(page);
  await expect(state(page)).toContainText("Done");
  expect(bodies.length).toBeGreaterThan(0);
  for (const body of bodies) {
    expect(body).toMatchObject({ temperature: 0.4, reasoning_effort: "low" });
    expect(body["max_tokens"] ?? body["max_completion_tokens"]).toBe(790);
  }
  // The endpoint keeps its own settings.
  await endpoints(page);
  await expect(page.locator("stile-endpoint-extras summary")).toHaveText("Thinking, extra body and headers");
});

test("a prompt without the choices is refused with its reason", async ({ quiet: page }) => {
  await runTab(page);
  await page.getByText("More settings").click();
  const prompt = page.getByLabel("Prompt of a choice");
  await expect(prompt).toHaveValue(/\{options\}/); // the core's default, which arrives late
  await prompt.fill("Choose, please.");
  await runButton(page).click();
  await expect(page.locator("stile-run .fault")).toContainText("lacks the placeholder {choices}");
});

test("a budget ends a run, which then continues with a larger one", async ({ quiet: page }) => {
  await runTab(page);
  await page.getByText("More settings").click();
  const calls = page.getByLabel("Calls", { exact: true });
  await calls.fill("3");
  await calls.blur();
  await runButton(page).click();
  await expect(page.locator("stile-run .fault")).toContainText("budget of 3 calls is used up");
  await expect(page.getByRole("progressbar", { name: "Calls spent" })).toHaveAttribute("value", "3");
  await calls.fill("");
  await calls.blur();
  await page.getByRole("button", { name: "Try again from here" }).click();
  await expect(state(page)).toContainText("Done");
  await expect(word(page)).not.toBeEmpty();
});

test("without look-ahead the planner reaches a dead end and backtracks", async ({ quiet: page }) => {
  await runTab(page);
  await write(page, "S -> A B\nA -> a | c\nB -> a\nlimit 1 each\n");
  await ready(page);
  await page.getByLabel("Model", { exact: true }).selectOption("first");
  await runButton(page).click();
  await expect(word(page)).toHaveText("c a");
  await expect(page.locator("stile-plan-result")).toContainText("0 dead ends");
  await page.getByText("More settings").click();
  await page.getByLabel(/Without look-ahead/).check();
  await runButton(page).click();
  await expect(page.locator(".went-back")).toContainText("Backtracked.");
  await expect(page.locator(".log-entry.undone")).toHaveCount(1);
  await expect(word(page)).toHaveText("c a");
  await expect(page.locator("stile-plan-result")).toContainText("1 dead end, 1 choice undone");
});

for (const [how, text] of [
  ["as it is", "S -> A B | B A\nA -> a | c A\nB -> b B | d | ε\nlimit 2 each\n"],
  ["without look-ahead", "S -> A B C\nA -> a | c | d\nB -> a | c\nC -> a | ε D\nD -> c c\nlimit 1 each\n"],
] as const) {
  test(`the leaves of the grown tree are the plan's word, ${how}`, async ({ quiet: page }) => {
    await runTab(page);
    await write(page, text);
    await ready(page);
    if (how !== "as it is") {
      await page.getByText("More settings").click();
      await page.getByLabel(/Without look-ahead/).check();
    }
    const seed = page.getByLabel("Seed", { exact: true });
    for (let i = 1; i <= 5; i++) {
      await seed.fill(String(i));
      await runButton(page).click();
      if (i > 1) await expect(page.locator(".run-link")).toHaveCount(i);
      await expect(state(page)).toContainText("Done");
      const made = ((await word(page).textContent()) ?? "").replace("ε", "");
      // Show the moment before the run's last one, which no key reaches: its tree is complete.
      await page.evaluate(() => {
        const last = Number((document.querySelector("stile-moments input") as HTMLInputElement).max);
        document
          .querySelector("stile-run")
          ?.dispatchEvent(new CustomEvent("run-command", { detail: { command: "moment", moment: last - 1 } }));
      });
      await expect(page.locator("stile-plan-tree")).toBeVisible();
      const leaves = await page
        .locator(".outline .leaf > .outline-node")
        .evaluateAll((nodes) => nodes.map((n) => (n.textContent ?? "").trim()));
      expect(leaves.join(" ")).toBe(made);
      expect(await page.locator(".outline .waits").count()).toBe(0);
      await page.getByRole("button", { name: "To the end" }).click();
    }
  });
}

test("the keyboard steps through the moves of a run", async ({ quiet: page }) => {
  await runTab(page);
  await runButton(page).click();
  await expect(state(page)).toContainText("Done");
  const all = await entries(page).count();
  const slider = page.getByRole("slider", { name: "Moment" });
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(entries(page)).toHaveCount(1);
  await expect(page.locator("stile-plan-result")).toHaveCount(0);
  await page.keyboard.press("ArrowRight");
  await expect(entries(page)).toHaveCount(2);
  await expect(slider).toHaveAttribute("aria-valuetext", /^2 of /);
  await page.keyboard.press("End");
  await expect(entries(page)).toHaveCount(all);
  await expect(page.locator("stile-plan-result")).toBeVisible();
});

test("a run is saved as a recording that replays, and as a report", async ({ quiet: page }) => {
  await runTab(page);
  await page.getByLabel("Model", { exact: true }).selectOption("rambler");
  await runButton(page).click();
  await expect(state(page)).toContainText("Done");
  const made = await word(page).textContent();
  const save = async (name: string): Promise<string> => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name }).click();
    return (await download).path();
  };
  const recording = await save("Save as JSON");
  const report = await readFile(await save("Save as Markdown"), "utf8");
  expect(report).toContain("# A run of openagi.cfg");
  expect(report).toContain(`Word: \`${made}\``);
  expect(report).toMatch(/\| 2 \| .* \| model \| “/);
  await openExample(page, "anbn");
  await ready(page);
  await page
    .locator(".file-input")
    .setInputFiles({ name: "a-run.json", mimeType: "application/json", buffer: await readFile(recording) });
  await expect(state(page)).toContainText("replayed");
  await expect(word(page)).toHaveText(made ?? "");
  await expect(page.locator("stile-files [data-file='openagi.cfg']")).toBeVisible();
});

test("a task is found by its words and sets its spec, its input and its goal", async ({ quiet: page }) => {
  await runTab(page);
  await page.getByRole("button", { name: /choose an example/ }).click();
  await page.locator(".card[data-example=openagi-tasks]").click();
  const field = page.getByRole("combobox", { name: /Choose one of 185 tasks/ });
  await field.fill("blurry caption german");
  const list = page.getByRole("listbox", { name: "Tasks" });
  await expect(list.getByRole("option").first()).toContainText("caption");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(list).toBeHidden();
  await expect(page.getByLabel("Task", { exact: true })).toHaveValue(/caption.*German/);
  await expect(runButton(page)).toHaveText(/Run\s+image-to-text.cfg/);
  await page.getByLabel("Use the tools").check();
  await runButton(page).click();
  await expect(page.locator(".ending")).toContainText(/meets\s+the\s+goal|does\s+not\s+meet\s+the\s+goal/);
});

test("the keys 1 to 9 choose, but not while a person types", async ({ quiet: page }) => {
  await runTab(page, "anbn");
  await asPerson(page);
  await page.getByLabel("Your answer").focus();
  await page.keyboard.press("1");
  await expect(page.locator(".now-number")).toHaveText("Your choice 1");
  await page.getByLabel("Your answer").fill("");
  await page.locator(".now .choices button").first().focus();
  await page.keyboard.press("1");
  await expect(page.locator(".now-number")).toHaveText("Your choice 2");
  await page.keyboard.press("2");
  await expect(word(page)).toHaveText("a b");
});

test("no recording, report or stored run contains a key", async ({ quiet: page, serve }) => {
  const canary = "sk-canary-of-the-runs";
  let hold = false;
  const server = await serve((request, response, body) => {
    if (preflight(request, response)) return;
    if (hold) return;
    response
      .writeHead(200, { "content-type": "text/event-stream", "access-control-allow-origin": "*" })
      .end(stream(choosing(body)));
  });
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url, key: canary });
  await run(page);
  await expect(state(page)).toContainText("Done");
  expect(server.requests.some((r) => r.headers["authorization"] === `Bearer ${canary}`)).toBe(true);
  for (const name of ["Save as JSON", "Save as Markdown"]) {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name }).click();
    expect(await readFile(await (await download).path(), "utf8")).not.toContain(canary);
  }
  hold = true;
  await runButton(page).click();
  await expect(state(page)).toContainText("Calling the model");
  const kept = async (): Promise<string> => JSON.stringify(await keptOfRuns(page));
  await expect.poll(kept).toContain("openagi.cfg");
  expect(await kept()).not.toContain(canary);
});

test("runs of another workspace can be reopened", async ({ quiet: page }) => {
  await runTab(page);
  await runButton(page).click();
  await expect(state(page)).toContainText("Done");
  const made = await word(page).textContent();
  await openExample(page, "anbn");
  await ready(page);
  await expect(page.locator("stile-plan-result")).toHaveCount(0);
  await page.locator(".run-link").click();
  await expect(word(page)).toHaveText(made ?? "");
});

test("a beam keeps the most probable beginnings of plans, and its best one is the plan", async ({ quiet: page }) => {
  await runTab(page);
  await page.getByText("More settings").click();
  await page.getByLabel("Beam width").fill("3");
  await page.getByLabel("Beam width").press("Tab");
  await runButton(page).click();
  await expect(page.locator("stile-plan-result .pill.good")).toHaveText("valid");
  const beam = page.locator("stile-beam-tree");
  await expect(beam.locator("g.best").first()).toBeVisible();
  expect(await beam.locator("g.dropped").count()).toBeGreaterThan(0);
  await beam.getByText("As a list").click();
  await expect(beam.locator("li").first()).toContainText("Kept:");
  await expect(page.locator(".plan-log")).toContainText("the beam");
});
