import type { Page } from "@playwright/test";
import { clean } from "./axe.js";
import { add, endpoints, expect, preflight, run, stream, test } from "./endpoint-fixtures.js";
import { keptIn, keptOfRuns, open, openExample, ready, tab, textOf, write } from "./fixtures.js";
import { type FinishedRun, overLimit } from "../src/store/run-history.js";

const state = (page: Page) => page.locator("#panel-run .run-state");
const list = (page: Page) => page.locator("stile-finished-runs li");
const word = (page: Page) => page.locator("[data-form=word]");

async function unfold(page: Page): Promise<void> {
  await tab(page, "Run");
  await page.getByText("Earlier runs on this device").click();
}

/** Returns the number of finished runs that this device keeps. */
const kept = async (page: Page): Promise<number> =>
  (await keptIn(page, "stile-history")).filter(([key]) => key.startsWith("head/")).length;

async function runs(page: Page, spec: string): Promise<void> {
  await tab(page, "Run");
  await page.getByRole("button", { name: `Run ${spec}` }).click();
  await expect(state(page)).toContainText("Done");
}

test("a finished run survives a reload with its own workspace, and opens by keyboard", async ({
  quiet: page,
  serve,
}) => {
  const server = await serve(
    (request, response) =>
      void (
        preflight(request, response) ||
        response
          .writeHead(200, { "content-type": "text/event-stream", "access-control-allow-origin": "*" })
          .end(stream("1"))
      ),
  );
  const key = "sk-history-0123456789abcdef0123456789";
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url, model: "small", key });
  await run(page);
  await expect(state(page)).toContainText("Done");
  const planned = (await word(page).textContent()) ?? "";
  const calls = server.requests.filter((r) => r.method === "POST").length;
  await expect.poll(() => kept(page)).toBe(1);
  await expect.poll(async () => (await keptOfRuns(page)).length).toBe(0);
  expect(JSON.stringify(await keptIn(page, "stile-history"))).not.toContain(key);
  const text = await textOf(page);
  // The current text differs from that of the run.
  await write(page, "S -> other\n");
  await expect(page.locator(".saved")).toHaveText("Saved on this device");
  await page.reload();
  await ready(page);
  await unfold(page);
  await expect(list(page)).toHaveCount(1);
  await expect(list(page)).toContainText("OpenAGI plan");
  await expect(list(page)).toContainText("openagi.cfg");
  await expect(list(page)).toContainText(/valid,\s+\d+\s+steps/);
  await expect(list(page)).toContainText(`small · ${calls} calls`);
  await list(page).locator(".finished-link").focus();
  await page.keyboard.press("Enter");
  await expect(state(page)).toContainText("Done");
  await expect(word(page)).toHaveText(planned);
  await expect.poll(() => textOf(page)).toBe(text);
  expect(server.requests.filter((r) => r.method === "POST").length).toBe(calls);
  // The earlier draft is kept.
  await page.getByRole("button", { name: /choose an example/ }).click();
  await expect(page.locator("[data-draft]", { hasText: "S -> other" })).toBeVisible();
});

test("a run is kept if the page is left in the moment of its end: no request is repeated", async ({ page, serve }) => {
  const server = await serve(
    (request, response) =>
      void (
        preflight(request, response) ||
        response
          .writeHead(200, { "content-type": "text/event-stream", "access-control-allow-origin": "*" })
          .end(stream("1"))
      ),
  );
  // It is never listed among the finished runs.
  await page.addInitScript(() => {
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (name: string, version?: number) {
      return name === "stile-history" && sessionStorage.getItem("late") !== null
        ? (new EventTarget() as IDBOpenDBRequest)
        : open.call(this, name, version);
    };
  });
  await open(page);
  await page.evaluate(() => sessionStorage.setItem("late", "yes"));
  await endpoints(page);
  await add(page, { url: server.url });
  await run(page);
  await expect(state(page)).toContainText("Done");
  const planned = (await word(page).textContent()) ?? "";
  const calls = server.requests.filter((r) => r.method === "POST").length;
  await expect.poll(async () => (await keptOfRuns(page)).filter(([key]) => key.includes("/")).length).toBe(calls);
  await page.evaluate(() => sessionStorage.removeItem("late"));
  await page.reload();
  await ready(page);
  await tab(page, "Run");
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(state(page)).toContainText("Done");
  await expect(word(page)).toHaveText(planned);
  expect(server.requests.filter((r) => r.method === "POST").length).toBe(calls);
  await expect.poll(() => kept(page)).toBe(1);
});

test("runs are pinned, deleted and cleared, all by keyboard", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "anbn");
  await ready(page);
  for (let n = 1; n <= 3; n++) {
    await runs(page, "anbn.cfg");
    await expect.poll(() => kept(page)).toBe(n);
  }
  await page.reload();
  await ready(page);
  await unfold(page);
  await expect(list(page)).toHaveCount(3);
  await clean(page);
  await list(page).nth(2).getByRole("button", { name: /^Pin/ }).focus();
  await page.keyboard.press("Space");
  await expect(list(page).nth(2).getByRole("button", { name: /^Pin/ })).toHaveAttribute("aria-pressed", "true");
  await list(page)
    .nth(0)
    .getByRole("button", { name: /^Delete/ })
    .press("Enter");
  await expect(list(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Delete all that are not pinned" }).click();
  await expect(page.getByRole("dialog")).toContainText("1 run will be deleted");
  await page.keyboard.press("Enter"); // the button that changes nothing has the focus
  await expect(list(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Delete all that are not pinned" }).click();
  await page.getByRole("button", { name: "Delete 1 run" }).click();
  await expect(list(page)).toHaveCount(1);
  await page.reload();
  await ready(page);
  await unfold(page);
  await expect(list(page)).toHaveCount(1);
  await expect(list(page).getByRole("button", { name: /^Pin/ })).toHaveAttribute("aria-pressed", "true");
});

test("older runs are removed by bytes, pinned ones never", () => {
  const of = (at: number, bytes: number, pinned = false): FinishedRun => ({
    id: `${at}`,
    title: "",
    name: "",
    kind: "plan",
    at,
    outcome: "",
    model: "",
    calls: 0,
    bytes,
    pinned,
  });
  const ids = (list: readonly FinishedRun[]): string =>
    overLimit(list, 100)
      .map((run) => run.id)
      .join();
  expect(ids([of(1, 40), of(2, 40), of(3, 20)])).toBe("");
  expect(ids([of(1, 40), of(2, 40), of(3, 40)])).toBe("1");
  expect(ids([of(1, 40, true), of(2, 40), of(3, 40), of(4, 40)])).toBe("2");
  expect(ids([of(1, 1), of(2, 900, true), of(3, 900)])).toBe("1");
  expect(ids([of(1, 900)])).toBe("");
});

test("runs that are removed for newer ones are named", async ({ quiet: page }) => {
  await open(page);
  await openExample(page, "anbn");
  await ready(page);
  await runs(page, "anbn.cfg");
  await expect.poll(() => kept(page)).toBe(1);
  // Pretend that the run is long.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        indexedDB.open("stile-history").onsuccess = (event) => {
          const database = (event.target as IDBOpenDBRequest).result;
          const store = database.transaction("runs", "readwrite").objectStore("runs");
          store.openCursor(IDBKeyRange.bound("head/", "head0")).onsuccess = (e) => {
            const cursor = (e.target as IDBRequest<IDBCursorWithValue>).result;
            cursor.update({ ...(cursor.value as object), bytes: 1 << 25 });
          };
          store.transaction.oncomplete = () => {
            database.close();
            resolve(undefined);
          };
        };
      }),
  );
  await page.getByRole("button", { name: "Run anbn.cfg" }).click();
  await expect(page.locator(".toast")).toContainText(
    /1\s+earlier\s+run\s+removed\s+from\s+this\s+device\s+to\s+make\s+room:\s+anbn\.cfg/,
  );
  await expect.poll(() => kept(page)).toBe(1);
});

test("a run that cannot be stored is reported", async ({ page }) => {
  await page.addInitScript(() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...given) {
      if (this.name === "runs") throw new DOMException("there is no room", "QuotaExceededError");
      return put.apply(this, given);
    };
  });
  await open(page);
  await runs(page, "openagi.cfg");
  await expect(page.locator(".toast.bad")).toContainText("The run of openagi.cfg was not saved: storage is full");
});
