import type { BrowserContext, CDPSession, ConsoleMessage, Page, Request, Worker as PageWorker } from "@playwright/test";
import { expect, ready } from "../fixtures.js";
import { Host, kept } from "../host.js";
import { FaultyEndpoint } from "./faults.js";
import type { Weight } from "./laws.js";

/** A key that the page is given, and that must not leak. */
export const KEY = "sk-endurance-0123456789abcdef";

/** Console messages that an injected fault causes. */
const OF_FAULTS =
  /Failed to load resource|net::ERR_|CORS policy|Failed to fetch|service ?worker|ServiceWorker|QuotaExceeded|script resource is behind a redirect|An unknown error occurred when fetching the script/i;

/** The time limit of an action of a person, in milliseconds. */
const PATIENCE = 30_000;

declare global {
  interface Window {
    /** The workers that the page has started, by purpose. */
    stileWorkers?: { name: string; worker: WeakRef<Worker> }[];
  }
}

/**
 * Where a text has to be: in the draft; among the earlier drafts, or in another tab's draft;
 * in the page only, which reports that it is not saved; or among the page's earlier drafts
 * only, as reported.
 */
type Place = "here" | "aside" | "unsaved" | "told";

/** The state that the device keeps. Texts are JSON. */
export interface Stored {
  /** The drafts of tabs, each in its slot. */
  readonly drafts: string;
  /** The earlier drafts. */
  readonly aside: string;
  /** The number of earlier drafts. */
  readonly number: number;
  readonly endpoints: string;
  readonly settings: { readonly model?: string; readonly endpoint?: string };
  readonly theme: string | null;
  /** The unfinished runs, and whether a page still controls them. */
  readonly runs: readonly { readonly id: string; readonly title: string; readonly driven: boolean }[];
}

/** A page in use, its environment, and the actions of its person so far. */
export class Visit {
  /** Console messages and page errors that no fault explains. */
  readonly unexplained: string[] = [];
  /** Where the key leaked: the console, or a request elsewhere. */
  readonly leaks: string[] = [];
  /** The typed marks, by where they have to be. */
  readonly marks = new Map<string, Place>();
  /** Whether an earlier draft found no room on the device, which has to be reported. */
  owed = false;
  /** The names of the endpoints that the device keeps. */
  readonly endpoints = new Set<string>();
  /** The interrupted runs, by their ids on the device. */
  interrupted: ReadonlySet<string> = new Set();
  /** The model of the last started run, as the device has to keep it; undefined: none, or it had no room. */
  model: string | undefined;
  /** The model in the form; undefined: the default. */
  picked: string | undefined;
  /** The last chosen theme, as for the model. */
  theme: string | undefined;
  /** The page's first measured memory. */
  weight: Weight | undefined;
  /** Seconds of use. */
  seconds = 0;
  /** Whether the device rejects writes. */
  full = false;
  versions = 0;
  /** The link that was read last. */
  fragment = "";
  /** Another tab of the same site. */
  other: Page | undefined;
  #marks = 0;
  #page: Page | undefined;
  #devtools: CDPSession | undefined;

  private constructor(
    readonly context: BrowserContext,
    readonly host: Host,
    readonly endpoint: FaultyEndpoint,
  ) {}

  static async begin(context: BrowserContext, site: string): Promise<Visit> {
    const visit = new Visit(context, await Host.of(site), await FaultyEndpoint.start());
    context.setDefaultTimeout(PATIENCE);
    await context.addInitScript(() => {
      const workers: NonNullable<Window["stileWorkers"]> = (window.stileWorkers = []);
      window.Worker = class extends Worker {
        constructor(address: string | URL, options?: WorkerOptions) {
          super(address, options);
          workers.push({ name: options?.name ?? "", worker: new WeakRef(this) });
        }
      };
    });
    await context.clock.install();
    context.on("request", (request) => visit.#hear(request));
    visit.#page = await context.newPage();
    visit.watch(visit.page);
    // Opening anything in this visit cancels the active run.
    const leave = visit.page.getByRole("button", { name: "Cancel the run and open" });
    await visit.page.addLocatorHandler(leave, () => leave.click());
    await visit.page.goto(visit.host.address);
    await ready(visit.page);
    await kept(visit.page);
    return visit;
  }

  get page(): Page {
    if (this.#page === undefined) throw new Error("the visit has not begun");
    return this.#page;
  }

  async devtools(): Promise<CDPSession> {
    return (this.#devtools ??= await this.context.newCDPSession(this.page));
  }

  /** Returns the page's worker of a name, if it is alive. */
  async worker(name: string): Promise<PageWorker | undefined> {
    for (const worker of this.page.workers())
      if ((await worker.evaluate(() => self.name).catch(() => "")) === name) return worker;
    return undefined;
  }

  /** Records messages that a page should not log. */
  watch(page: Page): void {
    page.on("console", (message: ConsoleMessage) => {
      if (message.text().includes(KEY)) this.leaks.push(`the console: ${message.text()}`);
      // The host compresses nothing, so the page loads the other form of a module.
      if (!["error", "warning"].includes(message.type()) || message.location().url.includes("/module/br/")) return;
      const faulty =
        this.endpoint.fault !== "good" ||
        this.host.down ||
        this.full ||
        message.location().url.startsWith(this.endpoint.url);
      if (!faulty || !OF_FAULTS.test(message.text() + message.location().url))
        this.unexplained.push(`${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => this.unexplained.push(`uncaught: ${error.message}`));
  }

  #hear(request: Request): void {
    if (request.url().startsWith(this.endpoint.url) && !request.url().includes(KEY)) return;
    if (
      [request.url(), request.postData() ?? "", ...Object.values(request.headers())].some((text) => text.includes(KEY))
    )
      this.leaks.push(`a request to ${request.url()}`);
  }

  /** Returns a unique text. */
  mark(): string {
    const mark = `mark-${++this.#marks}.`;
    this.marks.set(mark, "here");
    return mark;
  }

  /** Returns everything that the device keeps. */
  async stored(): Promise<Stored> {
    return this.page.evaluate(async () => {
      const result = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const all = new Map<string, unknown>();
      for (const { name } of await indexedDB.databases()) {
        const database = await result(indexedDB.open(name ?? ""));
        for (const store of database.objectStoreNames) {
          const of = database.transaction(store).objectStore(store);
          const [keys, values] = await Promise.all([
            result(of.getAllKeys()),
            result(of.getAll() as IDBRequest<unknown[]>),
          ]);
          keys.forEach((key, i) => all.set(`${name} ${String(key)}`, values[i]));
        }
        database.close();
      }
      const held = new Set(((await navigator.locks.query()).held ?? []).map((lock) => lock.name));
      const own = (key: string): unknown => all.get(`keyval-store ${key}`);
      const aside = (own("drafts") ?? []) as unknown[];
      return {
        drafts: JSON.stringify([...all].filter(([key]) => key.startsWith("keyval-store draft:"))),
        aside: JSON.stringify(aside),
        number: aside.length,
        endpoints: JSON.stringify(own("endpoints") ?? []),
        settings: (own("settings") ?? {}) as object,
        theme: localStorage.getItem("stile.theme"),
        runs: [...all]
          .filter(([key]) => key.startsWith("stile-runs ") && !key.includes("/"))
          .map(([key, head]) => {
            const id = key.slice("stile-runs ".length);
            return { id, title: (head as { title: string }).title, driven: held.has(`stile.run/${id}`) };
          }),
      };
    });
  }

  /** Returns the editor's text, which is at most a screenful. */
  async shown(page = this.page): Promise<string> {
    return page
      .locator("stile-editor .cm-line")
      .evaluateAll((lines) => lines.map((line) => line.textContent ?? "").join("\n"));
  }

  /** Returns all texts of the page itself: its files and the earlier drafts. */
  async held(): Promise<string> {
    return this.page.locator("stile-app").evaluate((app) => {
      const { files, drafts } = (app as unknown as { state: { files: unknown; drafts: unknown } }).state;
      return JSON.stringify([files, drafts]);
    });
  }

  /** Returns the name of the open file. */
  async open(page = this.page): Promise<string> {
    return page.locator("stile-editor").evaluate((editor) => (editor as unknown as { name: string }).name);
  }

  /** Waits until the page is idle: all messages are shown and all texts saved. */
  async settled(page = this.page): Promise<void> {
    await expect
      .poll(
        () =>
          page.evaluate(() => {
            const said = (selector: string): string => document.querySelector(selector)?.textContent?.trim() ?? "";
            if (document.querySelector("stile-problems .fault") !== null) return "";
            if (document.querySelector("stile-problems .summary .spinner") !== null) return "the summary has a spinner";
            if (said("stile-problems .summary") === "") return "the summary is empty";
            if (said("stile-problems .saved") === "Saving…") return "it is saving";
            return "";
          }),
        { message: "the page comes to rest" },
      )
      .toBe("");
  }

  /** Advances the clock by seconds of use, with all timers in between. */
  async wait(seconds: number): Promise<void> {
    this.seconds += seconds;
    await this.page.clock.fastForward(seconds * 1000);
  }

  /** Leaves the page and returns. */
  async reload(): Promise<void> {
    // From now on a stored run is an interrupted one.
    const before = (await this.stored()).runs.map((run) => run.id);
    await this.page.reload();
    await this.settled();
    this.interrupted = new Set(before);
    this.picked = this.model;
    // Text that was reported as not saved is lost with the page.
    for (const [mark, where] of this.marks) if (where === "unsaved" || where === "told") this.marks.delete(mark);
  }

  /**
   * Moves the draft to the earlier drafts. If the device is full, the page reports that and
   * keeps them until it is left.
   */
  putAside(): void {
    for (const [mark, where] of this.marks) {
      if (where !== "here" && where !== "unsaved") continue;
      this.marks.set(mark, this.full || where === "unsaved" ? "told" : "aside");
      this.owed ||= this.full;
    }
  }

  end(): void {
    this.host.close();
    this.endpoint.close();
  }
}
