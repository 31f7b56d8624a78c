import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.js";

/** A row of wasm/host/testdata/wire.json, which the Go tests run natively and under wazero. */
interface Case {
  readonly name: string;
  readonly formats: readonly string[];
  readonly model: string;
  readonly options?: readonly string[];
  readonly server?: string;
  readonly idle?: number;
  readonly settings?: Record<string, unknown>;
  readonly want: Want & { readonly page?: Partial<Want> };
}

interface Want {
  readonly text?: string;
  readonly texts?: readonly string[];
  readonly any?: boolean;
  readonly reason?: string;
  readonly stop?: string;
  readonly deltas?: number;
  readonly completion?: number;
  readonly logprobs?: number;
  readonly tools?: readonly string[];
  readonly constrained?: boolean;
  readonly code?: string;
  readonly says?: string;
  readonly kept?: boolean;
  readonly requests: number;
}

interface Outcome {
  readonly deltas: readonly string[];
  readonly fault?: { readonly code: string; readonly message: string };
  readonly result?: {
    readonly text: string;
    readonly reason: string;
    readonly stop: string;
    readonly constrained: boolean;
    readonly usage: { readonly completion: number };
    readonly logprobs: readonly unknown[];
    readonly toolCalls: readonly { readonly name: string }[];
  };
}

const cases = JSON.parse(
  readFileSync(new URL("../../wasm/host/testdata/wire.json", import.meta.url), "utf8"),
) as readonly Case[];
const standin = process.env["STILE_STANDIN"];
const begun = "The answer begins";

/**
 * Opens a copy of the site without the site's policy, and starts the site's own worker in it
 * with timers of a minute or less running twenty times faster: the waits before a retry and
 * the silence that ends a request.
 */
async function worker(page: Page, baseURL: string): Promise<void> {
  const index = await (await page.request.get(baseURL)).text();
  const assets = /<script type="application\/json" id="assets">(.*?)<\/script>/s.exec(index)?.[1] ?? "{}";
  await page.goto(`${baseURL}/icon.svg`);
  await page.evaluate(
    ({ assets, baseURL }) => {
      const listed = JSON.parse(assets) as Record<string, string>;
      const address = (name: string): string => new URL(listed[name] ?? "", `${baseURL}/`).href;
      // Messages to the worker are queued until its script has loaded.
      const script = `
      const real = self.setTimeout.bind(self);
      self.setTimeout = (f, ms, ...rest) => real(f, ms > 60000 ? ms : (ms ?? 0) / 20, ...rest);
      const held = [];
      const hold = (event) => held.push(event.data);
      self.addEventListener("message", hold);
      await import(${JSON.stringify(address("core_worker"))});
      self.removeEventListener("message", hold);
      for (const data of held) self.dispatchEvent(new MessageEvent("message", { data }));`;
      const core = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), { type: "module" });
      const outcomes = new Map<number, { deltas: string[]; done: (outcome: unknown) => void }>();
      core.addEventListener("message", (event: MessageEvent) => {
        const message = event.data as {
          type: string;
          run: number;
          update: { state: string; events: { kind: string; text: string }[]; fault?: unknown; result?: unknown };
        };
        if (message.type !== "update") return;
        const open = outcomes.get(message.run);
        if (open === undefined) return;
        open.deltas.push(...message.update.events.filter((e) => e.kind === "ask.delta").map((e) => e.text));
        if (message.update.state === "done" || message.update.state === "failed")
          open.done({ deltas: open.deltas, fault: message.update.fault, result: message.update.result });
      });
      core.postMessage({
        type: "load",
        first: { br: address("module_br"), gz: address("module_gz") },
        whole: { br: address("whole_br"), gz: address("whole_gz") },
      });
      let runs = 0;
      Object.assign(window, {
        ask: (settings: unknown) =>
          new Promise((done) => {
            const run = ++runs;
            outcomes.set(run, { deltas: [], done });
            core.postMessage({
              type: "run",
              run,
              params: { kind: "ask", workspace: { files: [] }, settings, seed: 3 },
              recording: false,
              pace: "run",
            });
          }),
      });
    },
    { assets, baseURL },
  );
}

test.use({ bypassCSP: true });

test.describe("every wire format, in the page's worker", () => {
  test.skip(standin === undefined, "the stand-in for the providers is started by the build");

  for (const format of [
    "openai",
    "completions",
    "responses",
    "anthropic",
    "ollama",
    "ollama-generate",
    "gemini",
    "bedrock",
  ]) {
    test(format, async ({ page, baseURL }) => {
      await worker(page, (baseURL ?? "").replace(/\/$/, ""));
      const faults: string[] = [];
      const one = async (c: Case): Promise<void> => {
        const run = crypto.randomUUID();
        const base = `${standin}/~${[...(c.options ?? []), `run=${run}`].join(",")}${["openai", "completions", "responses"].includes(format) ? "/v1" : format === "gemini" ? "/v1beta" : ""}`;
        const settings = {
          model: {
            kind: "endpoint",
            endpoint: {
              name: "test",
              format,
              url: base,
              model: c.model,
              server: c.server ?? "",
              idle: c.idle ?? 600_000,
            },
          },
          messages: [
            { role: "system", content: "Be brief." },
            { role: "user", content: "Hello?" },
          ],
          ...c.settings,
        };
        const outcome = (await page.evaluate(
          (s) => (window as unknown as { ask: (s: unknown) => Promise<unknown> }).ask(s),
          settings,
        )) as Outcome;
        const want: Want = c.want.page === undefined ? c.want : { requests: c.want.requests, ...c.want.page }; // the page gets fewer details
        const heard = (await (await page.request.get(`${standin}/requests?run=${run}`)).json()) as {
          readonly method: string;
        }[];
        const wrong = check(outcome, want, heard.filter((r) => r.method === "POST").length);
        if (wrong !== undefined) faults.push(`${c.name}: ${wrong}`);
      };
      const mine = cases.filter((c) => c.formats.includes(format));
      await Promise.all(mine.filter((c) => c.idle === undefined).map(one));
      // A browser has few connections to one server: a silent request would block others.
      for (const c of mine.filter((c) => c.idle !== undefined)) await one(c);
      expect(faults).toEqual([]);
    });
  }
});

/** Describes the differences between an outcome and the expected one. */
function check(outcome: Outcome, want: Want, requests: number): string | undefined {
  const { deltas, fault, result } = outcome;
  const text = deltas.join("");
  if ((fault?.code ?? "") !== (want.code ?? "") || !(fault?.message ?? "").includes(want.says ?? ""))
    return `it ends with ${JSON.stringify(fault)}`;
  if (requests !== want.requests) return `${requests} requests`;
  if (want.kept === true && text !== begun) return `it keeps ${JSON.stringify(text)}`;
  if (want.code !== undefined) return undefined;
  if (result === undefined) return "it has no result";
  if (want.any === true ? result.text === "" : want.text !== undefined && result.text !== want.text)
    return `it says ${JSON.stringify(result.text)}`;
  if (want.texts !== undefined && !want.texts.includes(result.text)) return `it says ${JSON.stringify(result.text)}`;
  if (text !== result.text || deltas.length < (want.deltas ?? 0)) return `it streams ${JSON.stringify(deltas)}`;
  if (want.reason !== undefined && result.reason !== want.reason) return `it stops for ${result.reason}`;
  if (result.stop !== (want.stop ?? "") || result.constrained !== (want.constrained ?? false))
    return JSON.stringify(result);
  if (want.completion !== undefined && result.usage.completion !== want.completion)
    return `it counts ${JSON.stringify(result.usage)}`;
  if (result.logprobs.length !== (want.logprobs ?? 0)) return `${result.logprobs.length} log-probabilities`;
  if (result.toolCalls.map((call) => call.name).join() !== (want.tools ?? []).join())
    return `it calls ${JSON.stringify(result.toolCalls)}`;
  return undefined;
}
