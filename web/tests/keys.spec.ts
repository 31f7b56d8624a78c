import { readFile } from "node:fs/promises";
import { inflateRawSync } from "node:zlib";
import type { Page } from "@playwright/test";
import {
  add,
  close,
  endpoints,
  event,
  expect,
  fill,
  fulfil,
  open as openly,
  preflight,
  run,
  stream,
  test,
} from "./endpoint-fixtures.js";
import { open, ready, share, tab } from "./fixtures.js";
import { sampled } from "./sample.js";

const canary = "sk-canary-7f3a9c51e2d84b06";

/**
 * Returns everything that the page stores, as one text: both storages, and all databases
 * except the given ones.
 */
async function stored(page: Page, except: readonly string[] = []): Promise<string> {
  return page.evaluate(async (except) => {
    const out: unknown[] = [{ ...localStorage }, { ...sessionStorage }, document.cookie];
    const wait = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    for (const { name = "" } of await indexedDB.databases()) {
      if (except.includes(name)) continue;
      const database = await wait(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store);
        out.push(name, store, await wait(objects.getAllKeys()), await wait(objects.getAll()));
      }
      database.close();
    }
    for (const name of await caches.keys())
      out.push(
        name,
        (await (await caches.open(name)).keys()).map((r) => r.url),
      );
    return JSON.stringify(out);
  }, except);
}

/** Returns the document's markup with the values of its fields, which no attribute shows. */
async function shown(page: Page): Promise<string> {
  return page.evaluate(() => {
    const values = [...document.querySelectorAll<HTMLInputElement>("input, textarea, select")].map(
      (e) => `${e.value} ${e.defaultValue}`,
    );
    return [document.documentElement.outerHTML, ...values, location.href, document.title].join("\n");
  });
}

/** Returns the decompressed archive of a link. */
function unpacked(link: string): string {
  return inflateRawSync(Buffer.from(new URL(link).hash.slice("#1:".length), "base64url")).toString();
}

test("a key is gone after a reload, unless the person lets this device keep it", async ({ quiet: page }) => {
  const seen: (string | undefined)[] = [];
  await page.route("https://models.example/**", async (route) => {
    seen.push(route.request().headers()["authorization"]);
    await fulfil(route);
  });
  const again = async (): Promise<(string | undefined)[]> => {
    await page.reload();
    await ready(page);
    await tab(page, "Run");
    await page.getByLabel("Model", { exact: true }).selectOption("endpoint:other");
    await run(page);
    await expect(page.locator(".run-state .pill")).toHaveText("Done");
    return [...new Set(seen.splice(0))];
  };
  await open(page);
  await endpoints(page);
  await add(page, { url: "https://models.example/v1", key: canary });
  expect(await stored(page)).not.toContain(canary);
  expect(await again()).toEqual([undefined]);
  await expect(page.locator("#model-hint")).toContainText("without a key");

  await endpoints(page);
  await page.locator("stile-endpoint-key input[type=password]").fill(canary);
  await page.getByLabel("keep it on this device").check();
  await expect(page.locator("stile-endpoint-key")).toContainText("is stored unencrypted in this browser’s storage");
  await expect.poll(() => stored(page)).toContain(canary);
  expect(await stored(page, ["stile-keys"])).not.toContain(canary);
  expect(await again()).toEqual([`Bearer ${canary}`]);

  await endpoints(page);
  await page.getByLabel("keep it on this device").uncheck();
  await expect.poll(() => stored(page)).not.toContain(canary);
  await expect(page.locator("stile-endpoint-key")).toContainText("a key is set");
  await page.getByLabel("keep it on this device").check();
  await expect.poll(() => stored(page)).toContain(canary);
  await page.getByRole("button", { name: "Remove the key" }).click();
  await expect.poll(() => stored(page)).not.toContain(canary);
  expect(await again()).toEqual([undefined]);
});

test("an unsaved key is used by the connection test, and by closing the window", async ({ quiet: page }) => {
  const seen: (string | undefined)[] = [];
  await page.route("https://models.example/**", async (route) => {
    seen.push(route.request().headers()["authorization"]);
    await fulfil(route);
  });
  await open(page);
  await endpoints(page);
  await add(page, { url: "https://models.example/v1" });
  const field = page.locator("stile-endpoint-key input[type=password]");
  await field.fill(canary);
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.locator("stile-endpoint-test .pill")).toHaveText("The connection works");
  expect([...new Set(seen)]).toEqual([`Bearer ${canary}`]);
  await page.getByRole("button", { name: "Remove the key" }).click();
  await field.fill(canary);
  await run(page);
  await expect(page.locator("#model-hint")).toContainText("with its key");
  expect(await shown(page)).not.toContain(canary);
});

test("removing an endpoint removes its key from this device", async ({ quiet: page }) => {
  await open(page);
  await endpoints(page);
  await add(page, { url: "https://models.example/v1", key: canary, keep: true });
  await expect.poll(() => stored(page)).toContain(canary);
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect.poll(() => stored(page)).not.toContain(canary);
  await page.locator(".removal").getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("stile-endpoint-key input[type=password]")).toBeVisible();
});

for (const [preset, header, before] of [
  ["other", "authorization", "Bearer "],
  ["azure", "api-key", ""],
] as const)
  test(`a key is sent only to the address it was given for: ${preset}`, async ({ page, serve }) => {
    const other = await serve((request, response) => {
      if (!preflight(request, response))
        response.writeHead(200, { ...openly, "content-type": "text/event-stream" }).end(stream("1"));
    });
    const first = await serve((request, response) => {
      if (!preflight(request, response))
        response.writeHead(307, { ...openly, location: `${other.url}/v1/chat/completions` }).end();
    });
    await open(page);
    await endpoints(page);
    await add(page, { preset, url: `${first.url}/v1?api-version=preview`, key: canary });
    // The server redirects: the key does not follow.
    await run(page);
    await expect(page.locator("stile-run .fault")).toContainText("the key is not sent there");
    expect(
      first.requests.some((r) => r.headers[header] === before + canary && r.path.endsWith("?api-version=preview")),
    ).toBe(true);
    expect(other.requests).toEqual([]);
    // The person changes the address: the key is not sent to the new one.
    await endpoints(page);
    await fill(page, "Address", `${other.url}/v1`);
    await expect(page.locator("stile-endpoint-key")).toContainText(`belongs to ${first.url}`);
    await run(page);
    await expect(page.locator(".run-state .pill")).toHaveText("Done");
    expect(other.requests.length).toBeGreaterThan(0);
    expect(JSON.stringify(other.requests)).not.toContain(canary);
  });

test("an invalid key is refused without being repeated", async ({ quiet: page }) => {
  await open(page);
  await endpoints(page);
  await add(page, { url: "https://models.example/v1" });
  const field = page.locator("stile-endpoint-key input[type=password]");
  await field.fill("sk two words");
  await page.getByRole("button", { name: "Set the key" }).click();
  await expect(page.locator("#key-fault")).toContainText("no spaces and only ASCII characters");
  await expect(field).toHaveValue("");
  expect(await shown(page)).not.toContain("two words");
});

test("a key that a server repeats is redacted, wherever the answer is cut", async ({ page, serve }) => {
  const whole = event(`1, by ${canary}`);
  const server = await serve((request, response) => {
    if (preflight(request, response)) return;
    response.writeHead(200, { ...openly, "content-type": "text/event-stream" });
    // One character per chunk on the wire.
    let at = 0;
    const next = (): void => {
      if (at < whole.length) response.write(whole.charAt(at++), () => setImmediate(next));
      else response.end("data: [DONE]\n\n");
    };
    next();
  });
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url, key: canary });
  await run(page);
  await expect(page.locator(".run-state .pill")).toHaveText("Done");
  await expect(page.locator("stile-run")).toContainText("1, by •••");
  await share(page);
  await page.getByLabel(/with the last run/).check();
  const link = page.getByLabel("Link to the workspace");
  await expect.poll(async () => unpacked(await link.inputValue())).toContain("1, by •••");
  expect(unpacked(await link.inputValue())).not.toContain(canary);
});

test("a replay uses no key and makes no request, even if it breaks off", async ({ page, serve }) => {
  const server = await serve((request, response) => void preflight(request, response));
  await open(page);
  await endpoints(page);
  await add(page, { url: server.url, key: canary, keep: true });
  await run(page);
  await expect.poll(() => server.requests.some((r) => r.method === "POST")).toBe(true);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.locator(".run-state")).toContainText("Cancelled");
  const short = await share(page);
  await page.getByLabel(/with the last run/).check();
  const field = page.getByLabel("Link to the workspace");
  await expect(field).not.toHaveValue(short);
  const asked = server.requests.length;
  const other = await page.context().newPage();
  await other.goto(await field.inputValue());
  await expect(other.locator("stile-run .fault")).toContainText("the recording ends here");
  expect(server.requests.length).toBe(asked);
});

for (const kept of sampled("canary keys", [false, true], 2)) {
  test(`canary keys stay with their endpoints${kept ? " and, on request, in their own database" : ""}`, async ({
    page,
    serve,
  }) => {
    const heard: string[] = [];
    page.on("console", (message) => heard.push(message.text()));
    page.on("pageerror", (error) => heard.push(`${error.message}\n${error.stack ?? ""}`));
    const keys = ["good", "bad", "bare", "silent"].map((name) => `${canary}-${name}`);
    // Each server repeats the received key in all its answers.
    const good = await serve((request, response) => {
      if (preflight(request, response)) return;
      const key = `${request.headers["authorization"]} ${String(request.headers["x-extra"])}`;
      if (request.method === "GET")
        response
          .writeHead(200, { ...openly, "x-echo": key, "access-control-expose-headers": "x-echo" })
          .end(JSON.stringify({ data: [{ id: key }, { id: "small" }] }));
      else response.writeHead(200, { ...openly, "content-type": "text/event-stream" }).end(stream(`1 (${key})`));
    });
    const bad = await serve((request, response) => {
      if (!preflight(request, response))
        response.writeHead(401, openly).end(
          JSON.stringify({
            error: {
              message: `Incorrect API key provided: ${request.headers["authorization"]}, ${String(request.headers["x-extra"])}`,
            },
          }),
        );
    });
    const bare = await serve((request, response) => {
      if (!preflight(request, response))
        response.writeHead(500, openly).end(`cannot read ${request.headers["x-api-key"]}`);
    });
    const silent = await serve((request) => request.socket.destroy());
    await open(page);
    await endpoints(page);
    const made = [good, bad, bare, silent].map((server, i) => ({
      url: `${server.url}/v1`,
      key: keys[i] ?? "",
      header: `${keys[i]}-header`,
      keep: kept,
      preset: server === bare ? "anthropic" : "other",
      label: `E${i}`,
    }));
    for (const endpoint of made) {
      await add(page, endpoint);
      await page.getByRole("button", { name: "Test connection" }).click();
      await expect(page.locator("stile-endpoint-test .pill")).toBeVisible();
      heard.push(await shown(page));
    }
    await close(page);
    for (const { label } of made) {
      await page.getByLabel("Model", { exact: true }).selectOption({ label: `${label}: small` });
      await run(page);
      await expect(page.locator(".run-state .pill")).toHaveText(label === "E0" ? "Done" : "Failed", {
        timeout: 40_000,
      });
      heard.push(await shown(page));
      const short = await share(page);
      heard.push(unpacked(short));
      await page.getByLabel(/with the last run/).check();
      const field = page.getByLabel("Link to the workspace");
      await expect(field).not.toHaveValue(short);
      heard.push(unpacked(await field.inputValue()), await shown(page));
      await page.keyboard.press("Escape");
      for (const name of ["Save", "Save as JSON", "Save as Markdown"]) {
        const download = page.waitForEvent("download");
        await page.getByRole("button", { name, exact: true }).click();
        heard.push(await readFile(await (await download).path(), "utf8"));
      }
    }
    // Each key and header has reached its own endpoint, and no other.
    for (const [i, server] of [good, bad, bare].entries()) {
      const sent = JSON.stringify(server.requests.map((r) => r.headers));
      for (const [j, key] of keys.entries())
        for (const secret of [key, `${key}-header`]) expect(sent.includes(secret)).toBe(i === j);
    }
    const found = (text: string): string | undefined => /.{0,80}canary.{0,40}/.exec(text)?.[0];
    for (const text of heard) expect(found(text)).toBeUndefined();
    expect(found(await stored(page, ["stile-keys"]))).toBeUndefined();
    expect(found(await stored(page)) !== undefined).toBe(kept);
    // The same after a reload, when the page restores its state from storage.
    await page.reload();
    await ready(page);
    await endpoints(page);
    expect(found(await shown(page))).toBeUndefined();
  });
}
