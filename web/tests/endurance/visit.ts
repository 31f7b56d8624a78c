import type { BrowserContext, CDPSession, ConsoleMessage, Page, Request, Worker as PageWorker } from "@playwright/test";
import { expect, ready } from "../fixtures.js";
import { Host, kept } from "../host.js";
import { FaultyEndpoint } from "./faults.js";
import type { Weight } from "./laws.js";

/** A key that is given to the page, and must not be found anywhere. */
export const KEY = "sk-endurance-0123456789abcdef";

/** What the page said on its console that is due to a fault that was made. */
const OF_FAULTS = /Failed to load resource|net::ERR_|CORS policy|Failed to fetch|service ?worker|ServiceWorker|QuotaExceeded|script resource is behind a redirect|An unknown error occurred when fetching the script/i;

/** How long anything may take that a person does, in milliseconds. */
const PATIENCE = 30_000;

declare global {
  interface Window {
    /** The workers that the page has started, by what they are for. */
    stileWorkers?: { name: string; worker: WeakRef<Worker> }[];
  }
}

/**
 * Where a text has to be: in the draft; among what was put aside, or another tab's draft;
 * in the page alone, which says that it is not saved; or put aside in the page alone,
 * which said so.
 */
type Place = "here" | "aside" | "unsaved" | "told";

/** What the device keeps. Texts are JSON. */
export interface Stored {
  /** The drafts of tabs, each in its slot. */
  readonly drafts: string;
  /** What was put aside. */
  readonly aside: string;
  /** How many were put aside. */
  readonly number: number;
  readonly endpoints: string;
  readonly settings: { readonly model?: string; readonly endpoint?: string };
  readonly theme: string | null;
  /** The runs that are not over, and whether a page drives them still. */
  readonly runs: readonly { readonly id: string; readonly title: string; readonly driven: boolean }[];
}

/** A page that is used, the world around it, and what a person knows to have done. */
export class Visit {
  /** What the console and the page's own faults said that no fault explains. */
  readonly unexplained: string[] = [];
  /** Where a key was seen that it should not be: the console, a request to elsewhere. */
  readonly leaks: string[] = [];
  /** Marks that were typed, by where they have to be. */
  readonly marks = new Map<string, Place>();
  /** Something was put aside that the device had no room for, which has to be said. */
  owed = false;
  /** The names of endpoints that the device has taken in. */
  readonly endpoints = new Set<string>();
  /** The runs that were interrupted, by the ids under which the device keeps them. */
  interrupted: ReadonlySet<string> = new Set();
  /** The model of the run that was started last, as the device has to know it; undefined: none, or it had no room. */
  model: string | undefined;
  /** The model that the form has; undefined: as it was. */
  picked: string | undefined;
  /** The colours that were chosen last, as the model. */
  theme: string | undefined;
  /** What the page held when it was weighed first. */
  weight: Weight | undefined;
  /** Seconds of use. */
  seconds = 0;
  /** The device takes nothing in any more. */
  full = false;
  versions = 0;
  /** The link that was read last. */
  fragment = "";
  /** Another tab of the same site. */
  other: Page | undefined;
  #marks = 0;
  #page: Page | undefined;
  #devtools: CDPSession | undefined;

  private constructor(readonly context: BrowserContext, readonly host: Host, readonly endpoint: FaultyEndpoint) {}

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
    // Who opens something in this visit gives up what runs.
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

  /** The page's worker of a name, if it is alive. */
  async worker(name: string): Promise<PageWorker | undefined> {
    for (const worker of this.page.workers()) if ((await worker.evaluate(() => self.name).catch(() => "")) === name) return worker;
    return undefined;
  }

  /** Hears what a page says that it should not. */
  watch(page: Page): void {
    page.on("console", (message: ConsoleMessage) => {
      if (message.text().includes(KEY)) this.leaks.push(`the console: ${message.text()}`);
      // The host packs nothing, so the page takes the other form of a module.
      if (!["error", "warning"].includes(message.type()) || message.location().url.includes("/module/br/")) return;
      const faulty = this.endpoint.fault !== "good" || this.host.down || this.full || message.location().url.startsWith(this.endpoint.url);
      if (!faulty || !OF_FAULTS.test(message.text() + message.location().url)) this.unexplained.push(`${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => this.unexplained.push(`uncaught: ${error.message}`));
  }

  #hear(request: Request): void {
    if (request.url().startsWith(this.endpoint.url) && !request.url().includes(KEY)) return;
    if ([request.url(), request.postData() ?? "", ...Object.values(request.headers())].some((text) => text.includes(KEY))) this.leaks.push(`a request to ${request.url()}`);
  }

  /** A text that was never typed before. */
  mark(): string {
    const mark = `mark-${++this.#marks}.`;
    this.marks.set(mark, "here");
    return mark;
  }

  /** All that the device keeps. */
  async stored(): Promise<Stored> {
    return this.page.evaluate(async () => {
      const result = <T>(request: IDBRequest<T>): Promise<T> => new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      const all = new Map<string, unknown>();
      for (const { name } of await indexedDB.databases()) {
        const database = await result(indexedDB.open(name ?? ""));
        for (const store of database.objectStoreNames) {
          const of = database.transaction(store).objectStore(store);
          const [keys, values] = await Promise.all([result(of.getAllKeys()), result(of.getAll() as IDBRequest<unknown[]>)]);
          keys.forEach((key, i) => all.set(`${name} ${String(key)}`, values[i]));
        }
        database.close();
      }
      const held = new Set(((await navigator.locks.query()).held ?? []).map((lock) => lock.name));
      const own = (key: string): unknown => all.get(`keyval-store ${key}`);
      const aside = (own("drafts") ?? []) as unknown[];
      return {
        drafts: JSON.stringify([...all].filter(([key]) => key.startsWith("keyval-store draft:"))), aside: JSON.stringify(aside), number: aside.length,
        endpoints: JSON.stringify(own("endpoints") ?? []), settings: (own("settings") ?? {}) as object, theme: localStorage.getItem("stile.theme"),
        runs: [...all].filter(([key]) => key.startsWith("stile-runs ") && !key.includes("/")).map(([key, head]) => {
          const id = key.slice("stile-runs ".length);
          return { id, title: (head as { title: string }).title, driven: held.has(`stile.run/${id}`) };
        }),
      };
    });
  }

  /** The text that the editor shows, which has no more than a screenful. */
  async shown(page = this.page): Promise<string> {
    return page.locator("stile-editor .cm-line").evaluateAll((lines) => lines.map((line) => line.textContent ?? "").join("\n"));
  }

  /** All texts that the page itself has: its files, and what was put aside. */
  async held(): Promise<string> {
    return this.page.locator("stile-app").evaluate((app) => {
      const { files, drafts } = (app as unknown as { state: { files: unknown; drafts: unknown } }).state;
      return JSON.stringify([files, drafts]);
    });
  }

  /** The name of the file that is open. */
  async open(page = this.page): Promise<string> {
    return page.locator("stile-editor").evaluate((editor) => (editor as unknown as { name: string }).name);
  }

  /** Waits until the page has come to rest: it has said what there is to be said, and saved. */
  async settled(page = this.page): Promise<void> {
    await expect.poll(() => page.evaluate(() => {
      const said = (selector: string): string => document.querySelector(selector)?.textContent?.trim() ?? "";
      if (document.querySelector("stile-problems .fault") !== null) return "";
      if (document.querySelector("stile-problems .summary .spinner") !== null) return "the summary has a spinner";
      if (said("stile-problems .summary") === "") return "the summary is empty";
      if (said("stile-problems .saved") === "Saving…") return "it is saving";
      return "";
    }), { message: "the page comes to rest" }).toBe("");
  }

  /** Has so many seconds of use gone by, with all that was to happen in them. */
  async wait(seconds: number): Promise<void> {
    this.seconds += seconds;
    await this.page.clock.fastForward(seconds * 1000);
  }

  /** Leaves the page and comes back. */
  async reload(): Promise<void> {
    // A run that the device keeps is one that was interrupted from now on.
    const before = (await this.stored()).runs.map((run) => run.id);
    await this.page.reload();
    await this.settled();
    this.interrupted = new Set(before);
    this.picked = this.model;
    // What was not saved, and said so, went with the page.
    for (const [mark, where] of this.marks) if (where === "unsaved" || where === "told") this.marks.delete(mark);
  }

  /** Whatever is in the draft leaves it and is put aside. Where the device is full that is said, and holds until the page is left. */
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
