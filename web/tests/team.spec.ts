import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { clean } from "./axe.js";
import { expect, keeps, open, ready, share, tab, test, write } from "./fixtures.js";
import { onlyLong, sampled } from "./sample.js";

const testLong = onlyLong(test);

const trip = `(define trip-team
  (:executors
    (flights
      (:does "Finds flights.")
      (:gives "{\\"price\\": 120}")
      (:constraints (check "result.price <= 500" "the flight costs at most 500")))
    (hotels (:does "Finds a room."))
    (planner (:does "Makes an itinerary of what was found.")))
  (:global (ltl "!started.planner W done.flights" "what is planned starts from a flight"))
  (:deliverer inference)
  (:limits (retries 1)))
`;

const graph = {
  subtasks: [
    { id: "t1", task: "find a flight", executor: "flights", needs: [], local: [] },
    { id: "t2", task: "find a room", executor: "hotels", needs: [], local: ["it is near the harbour"] },
    { id: "t3", task: "make an itinerary", executor: "planner", needs: ["t1", "t2"], local: [] },
  ],
  global: ["all of it costs at most 1000"],
};

const answered = (text: string): string => `[Thought] I know enough\n[Answer] ${text}`;

/** Answers with which the team completes its task, by agent. */
const answers = {
  manager: [JSON.stringify(graph)],
  supervisor: [JSON.stringify({ task: "make an itinerary with the flight for 120 and the room for 80" })],
  deliverer: [
    '{"days": [{"day": 1, "what": "fly", "cost": 120}, {"day": 2, "what": "sleep", "cost": 80}], "total": 200}',
  ],
  "task t1": [answered('{"price": 120}')],
  "task t2": [answered("a room for 80")],
  "task t3": [answered("Day 1: fly. Day 2: sleep.")],
};

type Script = Readonly<Record<string, readonly string[]>>;

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

/** Opens a team whose workspace has a script, and its Run tab. */
async function team(page: Page, script: Script = answers, text = trip): Promise<void> {
  await open(page);
  await put(page, { "trip.team": text, "team-script.json": JSON.stringify(script) });
  await page.locator('stile-files [data-file="trip.team"]').click();
  await expect(page.locator("stile-problems .summary")).toContainText("executor");
  await tab(page, "Run");
  await page.getByLabel("Task", { exact: true }).fill("two days by the sea");
}

async function run(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Run \S+\.team$/ }).click();
}

const node = (page: Page, id: string) => page.locator(`.team-canvas .node[data-id="${id}"]`);
const verdict = (page: Page) => page.locator("[data-verdict]");
const runState = (page: Page) => page.locator(".run-state");

/** Records animations in the graph. */
async function watched(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    const { animate } = Element.prototype;
    Element.prototype.animate = function (frames, options) {
      if (this.closest("stile-team-graph") !== null) moved.push(this.getAttribute("class") ?? "");
      return animate.call(this, frames, options);
    };
  });
  return () => page.evaluate(() => (window as unknown as { moved: string[] }).moved.splice(0));
}

test("a team's text is coloured, drawn and listed in a table, and its faults are underlined", async ({
  quiet: page,
}) => {
  await open(page);
  await put(page, { "trip.team": trip });
  await expect(page.locator("stile-problems .summary")).toContainText("3 executors, 2 constraints");
  const drawing = page.locator(".main-drawing .drawing");
  await expect(drawing.locator(".node")).toHaveCount(5);
  await expect(drawing.locator(".name", { hasText: "flights" })).toBeVisible();
  await expect(page.locator("stile-stepper")).toHaveCount(0);
  await page.getByRole("button", { name: "Show as a table" }).click();
  await expect(page.getByRole("row", { name: /planner/ }).first()).toBeVisible();
  await page.getByRole("button", { name: "Show as a table" }).click();
  await write(page, trip.replace("(retries 1)", "(retreis 1)"));
  await expect(page.locator(".problem").first()).toBeVisible();
  await expect(page.locator("stile-editor .cm-lintRange")).not.toHaveCount(0);
});

test("a new file with a team's ending gets a team's template", async ({ quiet: page }) => {
  await open(page);
  await page.getByRole("button", { name: "New file" }).click();
  const name = page.locator('stile-files [data-file="untitled.cfg"]');
  await name.waitFor({ state: "attached" });
  await name.dblclick();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("mine.team");
  await page.keyboard.press("Enter");
  await expect(page.locator("stile-problems .summary")).toContainText("3 executors");
  await expect(page.locator(".problem")).toHaveCount(0);
});

test("a run shows the progress on its graph, the messages and the deliverable", async ({ quiet: page }) => {
  await team(page);
  await run(page);
  await expect(verdict(page)).toHaveText("all met");
  await expect(page.locator(".result .team-value")).toContainText("total");
  await expect(page.locator(".result .team-value").getByRole("cell", { name: "sleep" })).toBeVisible();
  for (const id of ["t1", "t2", "t3"])
    await expect(node(page, id)).toHaveAttribute("aria-label", new RegExp(`^${id}, \\w+, done: `));
  await expect(node(page, "t1").locator(".mark-state text")).toHaveText("done");
  await expect(page.locator(".legend")).toContainText("3 done");
  // An edge shows its messages, a node its work.
  await page.locator('.team-canvas .edge[data-id="t1>t3"]').focus();
  await expect(page.locator(".team-told")).toContainText('{"price": 120}');
  await node(page, "t3").focus();
  await page.keyboard.press("Enter");
  const part = page.locator("stile-team-node");
  await expect(part).toContainText("make an itinerary with the flight for 120 and the room for 80");
  await expect(part.locator("stile-monitor-log .segment").last()).toContainText("Day 1: fly");
  await expect(page.getByText("Critical path: ")).toBeVisible();
  // The table shows the same.
  await page.getByRole("button", { name: "Show the task graph as a table" }).click();
  await expect(page.getByRole("row", { name: /^t2 hotels done/ })).toContainText("a room for 80");
  await page.getByRole("button", { name: "t2", exact: true }).click();
  await expect(part).toContainText("it is near the harbour");
});

test("a person sees the graph first, edits it, and the edited graph is executed", async ({ quiet: page }) => {
  await team(page, { ...answers, "task t4": [answered("the boat is at nine")] });
  await page.getByLabel("Show me the task graph before the sub-tasks run").check();
  await run(page);
  const form = page.getByRole("form", { name: "The task graph, to be approved" });
  await expect(form.getByRole("group", { name: /^Sub-task/ })).toHaveCount(3);
  // A cycle is refused before it is sent.
  const first = form.getByRole("group", { name: "Sub-task t1" });
  await first.getByRole("checkbox", { name: "t3" }).check();
  await expect(form.getByRole("alert")).toContainText("cycle");
  await expect(form.getByRole("button", { name: "Run it" })).toBeDisabled();
  await first.getByRole("checkbox", { name: "t3" }).uncheck();
  await expect(form.getByRole("alert")).toHaveCount(0);
  await form.getByRole("button", { name: "Add a sub-task" }).click();
  await page.keyboard.type("find a boat");
  const fourth = form.getByRole("group", { name: "Sub-task t4" });
  await fourth.getByRole("combobox").selectOption("hotels");
  await form.getByRole("group", { name: "Sub-task t3" }).getByRole("checkbox", { name: "t4" }).check();
  await form.getByRole("button", { name: "Run it" }).click();
  await expect(verdict(page)).toHaveText("all met");
  await node(page, "t4").click();
  await expect(page.locator("stile-team-node")).toContainText("find a boat");
  await expect(page.locator("stile-team-node")).toContainText("the boat is at nine");
});

test("a graph is edited while a run is paused: done work is kept, and unchanged nodes keep their places", async ({
  quiet: page,
}) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  const moved = await watched(page);
  await team(page, {
    ...answers,
    "task t3": [answered("Day 1: fly. Day 2: sleep."), answered("by the hour")],
    supervisor: [...answers.supervisor, ...answers.supervisor],
    "task t4": [answered("the boat is at nine")],
  });
  const step = page.getByRole("button", { name: "Step", exact: true });
  await page.evaluate(() => customElements.whenDefined("stile-team-graph"));
  // The message and the paused state appear together.
  for (
    let moves = 0;
    moves < 40 && !/1 running\s*2 done/.test((await page.locator(".legend").allTextContents()).join(""));
    moves++
  ) {
    await step.click();
    await expect(runState(page)).toContainText("Paused");
  }
  await expect(node(page, "t3")).toHaveAttribute(
    "aria-label",
    /^t3, planner, running: make an itinerary, needs t1 and t2/,
  );
  const place = (id: string) =>
    node(page, id)
      .locator(".box")
      .evaluate((box) => {
        const { x, y } = box.getBoundingClientRect();
        const { scrollTop } = box.closest(".team-canvas") ?? { scrollTop: 0 };
        return { x, y: y + scrollTop - (box.closest("stile-team-graph")?.getBoundingClientRect().y ?? 0) };
      });
  const before = { t1: await place("t1"), t2: await place("t2"), t3: await place("t3") };
  expect((await moved()).length).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Change the graph…" }).click();
  const form = page.getByRole("form", { name: "Change the task graph" });
  await expect(form.getByLabel("Executor of t1")).toBeFocused();
  await form.getByLabel("Task of t3").fill("make an itinerary by the hour");
  await form.getByRole("button", { name: "Add a sub-task" }).click();
  await page.keyboard.type("find a boat");
  await form.getByLabel("Executor of t4").selectOption("hotels");
  await form.getByRole("group", { name: "Sub-task t4" }).getByRole("checkbox", { name: "t1" }).check();
  await form.getByRole("button", { name: "Show the effects" }).click();
  // The graph shows the consequences, too.
  await expect(form.getByRole("region", { name: "Consequences" })).toContainText(
    /Runs\s+again\s*nothing\s*Restarted\s*t3\s*New\s*t4\s*Kept\s*t1,\s+t2/,
  );
  await expect(node(page, "t1").locator(".mark-state text")).toHaveText("kept");
  await expect(node(page, "t3").locator(".mark-state text")).toHaveText("restarted");
  await expect(node(page, "t4").locator(".mark-state text")).toHaveText("new");
  await expect(page.locator('.team-canvas [data-id="t1>t4"]')).toBeAttached();
  expect((await moved()).some((part) => part.startsWith("node"))).toBe(true);
  await expect
    .poll(() =>
      page
        .locator(".team-canvas svg")
        .evaluate(
          (svg) =>
            svg.getAnimations({ subtree: true }).filter((a) => a.effect?.getTiming().iterations !== Infinity).length,
        ),
    )
    .toBe(0);
  const after = { t1: await place("t1"), t2: await place("t2"), t3: await place("t3") };
  // One is new, and the others move aside; on average they keep their places.
  const shifts = (["t1", "t2", "t3"] as const).map((id) =>
    Math.hypot(after[id].x - before[id].x, after[id].y - before[id].y),
  );
  expect(shifts.filter((shift) => shift < 2).length).toBeGreaterThanOrEqual(2);
  await page.getByRole("button", { name: "Change it and continue" }).click();
  await expect(page.getByRole("button", { name: /^Show run 2: paused, run 1, another graph/ })).toBeVisible();
  // No finished work is repeated, although the log has no answer of a model.
  await expect(node(page, "t1")).toHaveAttribute("aria-label", /^t1, flights, done: /);
  await expect(node(page, "t2")).toHaveAttribute("aria-label", /^t2, hotels, done: /);
  await expect(node(page, "t3")).toHaveAttribute(
    "aria-label",
    /^t3, planner, (ready|waiting|running): make an itinerary by the hour/,
  );
  await expect(node(page, "t4")).toHaveAttribute("aria-label", /^t4, hotels, (ready|waiting|running): find a boat/);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(verdict(page)).toHaveText("all met");
  await expect(page.locator(".result-head .hint")).toContainText("4 of 4 sub-tasks done");
  await node(page, "t3").click();
  await expect(page.locator("stile-team-node")).toContainText("by the hour");
  await expect(node(page, "t1").locator(".mark-state text")).toHaveText("done");
});

test("a constraint's refusal shows its reason, and a person decides", async ({ quiet: page }) => {
  const dear = answered('{"price": 900}');
  await team(page, { ...answers, "task t1": [dear, dear, dear, dear] });
  await page.getByText("More settings").click();
  await page.getByLabel("When a sub-task has failed").selectOption("person");
  await run(page);
  await expect(page.locator("stile-team-run").getByRole("heading", { name: "Question from the run" })).toBeVisible();
  await expect(page.locator(".team-broken")).toContainText("the flight costs at most 500");
  await expect(page.locator(".team-broken")).toContainText("900");
  await node(page, "t1").click();
  await expect(page.locator("stile-team-node .team-violations li")).toHaveCount(2);
  await page.getByLabel("Or write the sub-task’s result yourself").fill('{"price": 410}');
  await page.getByRole("button", { name: "Use this as the result" }).click();
  await expect(verdict(page)).toHaveText("all met");
  await expect(page.locator("stile-team-node")).toContainText("410");
});

test("a team's run is approved, fixed, inspected, edited, stepped and cancelled with the keyboard alone", async ({
  quiet: page,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const moved = await watched(page);
  const dear = answered('{"price": 900}');
  // Two executors exceed the cost in both of their attempts, and then a person writes the result.
  await team(
    page,
    {
      ...answers,
      "task t1": [dear, dear, dear, dear, dear, dear],
      "task t3": [answered("Day 1: fly."), answered("by the hour")],
      supervisor: [...answers.supervisor, ...answers.supervisor],
      deliverer: ['"first"', '"second"'],
    },
    trip
      .replace('"Finds a room."', '"Finds a room.") (:constraints (check "length(text) < 14" "it is short")')
      .replace("done.flights", "done.t1"),
  );
  const { keyboard } = page;
  /** Moves to an element by Tab or Shift+Tab. */
  const to = async (what: Locator, key = "Tab"): Promise<void> => {
    await expect(what).toBeVisible();
    for (let i = 0; i < 90 && !(await what.evaluate((element) => element === document.activeElement)); i++)
      await keyboard.press(key);
    await expect(what).toBeFocused();
  };
  const press = async (name: string | RegExp, key = "Tab"): Promise<void> => {
    await to(page.getByRole("button", { name, ...(typeof name === "string" && { exact: true }) }).first(), key);
    await keyboard.press("Enter");
  };
  await page.getByLabel("Task", { exact: true }).focus();
  await to(page.getByLabel("Show me the task graph before the sub-tasks run"));
  await keyboard.press("Space");
  await to(page.locator("stile-run-team summary", { hasText: "More settings" }));
  await keyboard.press("Enter");
  await to(page.getByLabel("When a sub-task has failed"));
  await keyboard.type("you");
  await expect(page.getByLabel("When a sub-task has failed")).toHaveValue("person");
  await press(/^Run trip/);
  // The graph, before it is executed.
  const approve = page.getByRole("form", { name: "The task graph, to be approved" });
  await to(approve.getByLabel("Task of t2"));
  await keyboard.press("End");
  await keyboard.type(" with a view");
  await expect(page.getByRole("button", { name: "Run it" })).toBeEnabled();
  await press("Run it");
  // After a decision the focus is on the consequences; keys move through the graph from there.
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
  await expect(node(page, "t2")).toHaveAttribute("aria-label", /^t2, hotels, done: find a room with a view/);
  await press(/Try again$/, "Shift+Tab");
  await expect(node(page, "t1").locator(".mark-state text")).toHaveText("running, try 4");
  await press(/Give it to hotels/);
  await expect(node(page, "t1")).toHaveAttribute("aria-label", /^t1, hotels, running, try 6/);
  await to(page.getByLabel("Or write the sub-task’s result yourself"));
  await keyboard.type('{"price":410}');
  await press("Use this as the result");
  await expect(verdict(page)).toHaveText("all met");
  // Nodes and edges.
  const stop = page.locator(".team-canvas [tabindex='0']");
  await expect(stop).toHaveCount(1);
  await to(stop);
  await keyboard.press("Home");
  await expect(page.locator('.team-canvas [data-id="manager"]')).toBeFocused();
  await keyboard.press("ArrowRight");
  await expect(page.locator('.team-canvas [data-id="manager>t1"]')).toBeFocused();
  await expect(page.locator(".team-told")).toContainText("hotels takes over from flights");
  await keyboard.press("ArrowDown");
  await expect(node(page, "t1")).toBeFocused();
  await keyboard.press("Enter");
  await expect(node(page, "t1")).toHaveAttribute("aria-pressed", "true");
  await to(page.locator("stile-team-node summary").first());
  await expect(page.locator("stile-team-node")).toContainText("410");
  await expect(
    page.getByRole("group", {
      name: "Task graph, 3 sub-tasks: t1 needs nothing; t2 needs nothing; t3 needs t1 and t2",
    }),
  ).toBeVisible();
  // Another graph: dismissed, and then accepted.
  await press("Change the graph…", "Shift+Tab");
  await expect(page.getByLabel("Executor of t1")).toBeFocused();
  await keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Change the graph…" })).toBeFocused();
  await keyboard.press("Enter");
  await to(page.getByLabel("Task of t3"));
  await keyboard.type("by the hour: ");
  await expect(page.getByRole("button", { name: "Show the effects" })).toBeEnabled();
  await press("Show the effects");
  await expect(page.getByRole("region", { name: "Consequences" })).toBeFocused();
  await keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Show the effects" })).toBeFocused();
  await keyboard.press("Enter");
  await press("Change it and continue");
  await expect(page.getByRole("button", { name: /^Show run 2: delivered, run 1, another graph/ })).toBeVisible();
  await expect(node(page, "t1")).toHaveAttribute("aria-label", /^t1, hotels, done/);
  await expect(node(page, "t3")).toHaveAttribute("aria-label", /^t3, planner, done: /);
  await expect(page.locator(".team-canvas :focus")).toHaveCount(1);
  // Paused, and cancelled.
  await press("Step", "Shift+Tab");
  await expect(runState(page)).toContainText("Paused");
  await press("Cancel");
  await expect(runState(page)).toContainText("Cancelled");
  // Reduced motion: nothing has moved.
  expect(await moved()).toEqual([]);
});

test("a run is stepped through, paused, resumed and cancelled", async ({ quiet: page }) => {
  await team(page);
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await expect(runState(page)).toContainText("Paused");
  await expect(page.locator(".result")).toHaveCount(0);
  await expect(async () => {
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await expect(page.locator(".legend")).toContainText("ready", { timeout: 500 });
  }).toPass();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(verdict(page)).toHaveText("all met");
  await page.getByLabel("Show me the task graph before the sub-tasks run").check();
  await run(page);
  await expect(page.getByRole("form", { name: "The task graph, to be approved" })).toBeVisible();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(runState(page)).toContainText("Cancelled");
  await page.getByRole("button", { name: "Resume from here" }).click();
  await page.getByRole("button", { name: "Run it" }).click();
  await expect(verdict(page)).toHaveText("all met");
});

testLong("a run that the page left resumes at the same move", async ({ quiet: page }) => {
  const dear = answered('{"price": 900}');
  await team(page, { ...answers, "task t1": [dear, dear, dear, dear] });
  await page.getByLabel("Show me the task graph before the sub-tasks run").check();
  await page.getByText("More settings").click();
  await page.getByLabel("When a sub-task has failed").selectOption("person");
  await run(page);
  await page.getByRole("button", { name: "Run it" }).click();
  await expect(page.getByRole("button", { name: "Continue without it" })).toBeVisible();
  await keeps(page, 1);
  await expect(page.locator("stile-problems")).toContainText("Saved");
  await page.reload();
  await ready(page);
  await tab(page, "Run");
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("button", { name: "Continue without it" })).toBeVisible();
  await expect(node(page, "t2")).toHaveAttribute("aria-label", /done/);
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(runState(page)).toContainText("Failed");
  await expect(page.getByRole("alert")).toContainText("a person has stopped the run");
});

test("a run replays from a link, move by move, and is saved as a report", async ({ quiet: page }) => {
  await team(page);
  await run(page);
  await expect(verdict(page)).toHaveText("all met");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as Markdown" }).click();
  const report = await readFile(await (await download).path(), "utf8");
  expect(report).toContain("## The task graph");
  expect(report).toContain("| t2 | hotels | done |  | find a room | a room for 80 |");
  const without = await share(page);
  await page.getByLabel(/with the last run/).check();
  const field = page.getByLabel("Link to the workspace");
  await expect(field).not.toHaveValue(without);
  await expect(field).toHaveValue(/#1:/);
  const link = await field.inputValue();
  await page.goto("about:blank");
  await page.goto(link);
  await expect(verdict(page)).toHaveText("all met");
  const moment = page.getByRole("slider", { name: "Moment" });
  await moment.focus();
  await page.keyboard.press("Home");
  await expect(page.locator(".result")).toHaveCount(0);
  await page.getByRole("button", { name: "To the end" }).click();
  await expect(verdict(page)).toHaveText("all met");
  await expect(page.getByRole("button", { name: "Change the graph…" })).toHaveCount(0);
});

test("texts of models stay text", async ({ quiet: page }) => {
  const bad = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>\\"'\\n${"x".repeat(300)}`;
  const hostile = { subtasks: graph.subtasks.map((s) => ({ ...s, task: bad, local: [bad] })), global: [bad] };
  await team(page, {
    ...answers,
    manager: [JSON.stringify(hostile)],
    "task t2": [answered(bad)],
    deliverer: [JSON.stringify({ [bad]: [{ [bad]: bad }] })],
  });
  const title = await page.title();
  await run(page);
  await expect(verdict(page)).toHaveText("all met");
  await node(page, "t2").click();
  await expect(page.locator("stile-team-node")).toContainText("<img src=x");
  await page.locator('.team-canvas .edge[data-id="t2>t3"]').focus();
  await expect(page.locator(".team-told")).toContainText("<img src=x");
  expect(await page.locator("stile-team-run img, stile-team-run script").count()).toBe(0);
  expect(await page.title()).toBe(title);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    page.viewportSize()?.width ?? 0,
  );
});

for (const width of sampled("axe in teams", [1280, 390], 2)) {
  test(`axe finds nothing in a team's run at ${width} px, light and dark`, async ({ quiet: page }) => {
    const dear = answered('{"price": 900}');
    await team(page, { ...answers, "task t1": [dear, dear, dear] });
    await page.setViewportSize({ width, height: 900 });
    await page.getByText("More settings").click();
    await page.getByLabel("Show me the task graph before the sub-tasks run").check();
    await run(page);
    await expect(page.getByRole("button", { name: "Run it" })).toBeEnabled();
    await clean(page);
    await page.getByRole("button", { name: "Run it" }).click();
    await expect(verdict(page)).toBeVisible();
    await node(page, "t1").focus();
    await page.keyboard.press("Enter");
    await expect(page.locator("stile-team-node")).toBeVisible();
    await page.getByRole("button", { name: "Change the graph…" }).click();
    await expect(page.getByRole("button", { name: "Show the effects" })).toBeEnabled();
    await clean(page);
    await page.getByRole("button", { name: "Show the task graph as a table" }).click();
    await clean(page);
  });
}

test("a manager creates an executor, which the run shows with its instructions", async ({ quiet: page }) => {
  const judged = {
    ...graph,
    executors: [{ name: "judge", does: "Compares offers and names the better one.", tools: [] }],
    subtasks: graph.subtasks.map((s) => (s.id === "t2" ? { ...s, executor: "judge" } : s)),
  };
  await team(page, { ...answers, manager: [JSON.stringify(judged)] });
  await page.getByLabel("New executors").fill("1");
  await page.getByLabel("New executors").press("Tab");
  await run(page);
  await expect(runState(page).locator(".pill")).toHaveText("Done");
  await expect(page.getByRole("region", { name: "New executors" })).toContainText("Compares offers");
  await expect(node(page, "t2")).toContainText("judge");
});
