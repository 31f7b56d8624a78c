import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page, Route } from "@playwright/test";
import { expect, keptIn, tab, test as base } from "./fixtures.js";

export { expect };

/** A local server: its address and the requests that it received. */
export interface Heard {
  readonly url: string;
  readonly requests: {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingMessage["headers"];
    readonly at: number;
  }[];
}

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Tests that may start their own servers on this machine. */
export const test = base.extend<{ serve: (handler: Handler) => Promise<Heard> }>({
  serve: async ({}, use) => {
    const servers: Server[] = [];
    await use(async (handler) => {
      const requests: Heard["requests"] = [];
      const server = createServer((request, response) => {
        let body = "";
        request
          .setEncoding("utf8")
          .on("data", (text: string) => (body += text))
          .on("end", () => {
            requests.push({
              method: request.method ?? "",
              path: request.url ?? "",
              headers: request.headers,
              at: performance.now(),
            });
            handler(request, response, body);
          });
      });
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
    });
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  },
});

export const open = { "access-control-allow-origin": "*", "access-control-allow-headers": "*, authorization" };

/** Answers a preflight; returns false if the request is none. */
export function preflight(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method !== "OPTIONS") return false;
  response.writeHead(204, open).end();
  return true;
}

export function event(text: string): string {
  return `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`;
}

/** Returns a stream of chat completions with a text. */
export function stream(text: string): string {
  return `${event(text)}data: [DONE]\n\n`;
}

/** A well-behaved server of chat completions for page.route: lists two models and answers "1". */
export async function fulfil(route: Route, text = "1"): Promise<void> {
  const headers = { "access-control-allow-origin": "*" };
  if (route.request().url().endsWith("/models"))
    await route.fulfill({ status: 200, headers, json: { data: [{ id: "small" }, { id: "large" }] } });
  else
    await route.fulfill({
      status: 200,
      headers: { ...headers, "content-type": "text/event-stream" },
      body: stream(text),
    });
}

/** Opens the window of endpoints. */
export async function endpoints(page: Page): Promise<void> {
  await tab(page, "Run");
  await page.getByRole("button", { name: "Endpoints…" }).click();
  await expect(page.locator("stile-endpoints")).toBeVisible();
}

export async function fill(page: Page, label: string, text: string): Promise<void> {
  const field = page.locator("stile-endpoint-editor").getByLabel(label, { exact: true });
  await field.fill(text);
  await field.blur();
}

/** Adds an endpoint in the open window. */
export async function add(
  page: Page,
  { preset = "other", label = "", url = "", model = "small", key = "", keep = false, header = "" },
): Promise<void> {
  if ((await page.locator("[data-preset]").count()) === 0)
    await page.getByRole("button", { name: "Add an endpoint" }).click();
  await page.locator(`[data-preset=${preset}]`).click();
  if (label !== "") await fill(page, "Name", label);
  if (url !== "") await fill(page, "Address", url);
  await fill(page, "Model", model);
  if (keep) await page.getByLabel("keep it on this device").check();
  if (key !== "") {
    await page.locator("stile-endpoint-key input[type=password]").fill(key);
    await page.getByRole("button", { name: "Set the key" }).click();
    await expect(page.locator("stile-endpoint-key")).toContainText("a key is set");
  }
  if (header !== "") await addHeader(page, "X-Extra", header);
}

/** Adds an extra header to the endpoint in the open window. */
export async function addHeader(page: Page, name: string, value: string): Promise<void> {
  const extras = page.locator("stile-endpoint-extras");
  if (!(await extras.locator("details").evaluate((e) => (e as HTMLDetailsElement).open)))
    await extras.locator("summary").click();
  await extras.getByLabel("Name of a header").fill(name);
  await extras.getByLabel("Value of a header").fill(value);
  await extras.getByLabel("Value of a header").press("Enter");
}

/** Closes the window of endpoints, if it is open. */
export async function close(page: Page): Promise<void> {
  if (await page.locator("stile-endpoints").isVisible()) await page.keyboard.press("Escape");
  await expect(page.locator("stile-endpoints")).toHaveCount(0);
}

/** Closes the window and runs the spec. */
export async function run(page: Page): Promise<void> {
  await close(page);
  await page.getByRole("button", { name: /^Run \S+$/ }).click();
}

/** Returns the names of the endpoints that this device keeps. */
export async function remembered(page: Page): Promise<readonly string[]> {
  const kept = (await keptIn(page, "keyval-store")).find(([key]) => key === "endpoints")?.[1] as
    readonly { readonly name: string }[] | undefined;
  return (kept ?? []).map(({ name }) => name);
}

/** Agrees to the requests of an experiment with an endpoint. */
export async function agree(page: Page): Promise<void> {
  await page
    .getByRole("dialog", { name: "Experiment with an endpoint" })
    .getByRole("button", { name: "Start" })
    .click();
}
