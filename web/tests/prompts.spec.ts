import { add, endpoints, expect, open as openly, preflight, run, stream, test } from "./endpoint-fixtures.js";
import { open, openExample, tab } from "./fixtures.js";

const inMarkdown =
  "**Thought:** The page names the band.\n**Action:** Search\n**Action Input:** Trent Reznor\n**Observation:**";

test("prompts in Markdown are read as those of the states if the run allows it", async ({ page, serve }) => {
  let posts = 0;
  const server = await serve((request, response) => {
    if (preflight(request, response)) return;
    response
      .writeHead(200, { ...openly, "content-type": "text/event-stream" })
      .end(
        stream(
          request.method === "POST" && ++posts === 1 ? inMarkdown : "## Final Thought\nThat is all.\n**Answer:** 42",
        ),
      );
  });
  await open(page);
  await openExample(page, "react");
  await endpoints(page);
  await add(page, { url: server.url });
  await page.keyboard.press("Escape");
  await tab(page, "Run");
  await page.getByText("More settings").click();
  await page.getByLabel("Prompt format").selectOption("markdown");
  await run(page);
  const result = page.locator("stile-monitor-result");
  await expect(result.locator(".answer")).toHaveText("42");
  await expect(page.locator("[data-verdict]")).toHaveText("valid");
  await expect(page.locator("stile-run")).toContainText("0 violations");
  expect(posts).toBe(2);
});
