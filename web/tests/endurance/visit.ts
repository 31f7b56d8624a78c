import type { BrowserContext, CDPSession, ConsoleMessage, Page } from "@playwright/test";
import { expect, ready } from "../fixtures.js";
import { Host, kept } from "../host.js";
import { FaultyEndpoint } from "./faults.js";

/** A key that is given to the page, and must not be found anywhere. */
export const KEY = "sk-endurance-0123456789abcdef";

/** What the page said on its console that is due to a fault that was made. */
const OF_FAULTS = /Failed to load resource|net::ERR_|CORS policy|Failed to fetch|service ?worker|ServiceWorker|QuotaExceeded|script resource is behind a redirect|An unknown error occurred when fetching the script/i;

declare global {
  interface Window {
    /** The workers that the page has started, by what they are for. */
    stileWorkers?: { name: string; worker: WeakRef<Worker> }[];
  }
}

/** A page that is used, the world around it, and what a person knows to have typed. */
export class Visit {
  /** What the console and the page's own faults said that no fault explains. */
  readonly unexplained: string[] = [];
  /** Marks that were typed, by where they have to be. */
  readonly marks = new Map<string, "here" | "aside" | "unsaved">();
  /** Seconds of use. */
  seconds = 0;
  /** The device takes nothing in any more. */
  full = false;
  versions = 0;
  /** The link that was read last. */
  fragment = "";
  #marks = 0;
  #page: Page | undefined;
  #devtools: CDPSession | undefined;

  private constructor(readonly context: BrowserContext, readonly host: Host, readonly endpoint: FaultyEndpoint) {}

  static async begin(context: BrowserContext, site: string): Promise<Visit> {
    const visit = new Visit(context, await Host.of(site), await FaultyEndpoint.start());
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
    visit.#page = await context.newPage();
    visit.watch(visit.page);
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

  /** Hears what a page says that it should not. */
  watch(page: Page): void {
    page.on("console", (message: ConsoleMessage) => {
      // The host packs nothing, so the page takes the other form of a module.
      if (!["error", "warning"].includes(message.type()) || message.location().url.includes("/module/br/")) return;
      const faulty = this.endpoint.fault !== "good" || this.host.down || this.full || message.location().url.startsWith(this.endpoint.url);
      if (!faulty || !OF_FAULTS.test(message.text() + message.location().url)) this.unexplained.push(`${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => this.unexplained.push(`uncaught: ${error.message}`));
  }

  /** A text that was never typed before. */
  mark(): string {
    const mark = `mark-${++this.#marks}.`;
    this.marks.set(mark, "here");
    return mark;
  }

  /** All that the device keeps of texts, as one text. */
  async stored(page = this.page): Promise<{ readonly drafts: string; readonly aside: string; readonly number: number; readonly all: string }> {
    return page.evaluate(async () => {
      const result = <T>(request: IDBRequest<T>): Promise<T> => new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      const everything: unknown[] = [];
      const drafts: unknown[] = [];
      let aside: unknown[] = [];
      for (const { name } of await indexedDB.databases()) {
        const database = await result(indexedDB.open(name ?? ""));
        for (const store of database.objectStoreNames) {
          const of = database.transaction(store).objectStore(store);
          const [keys, values] = await Promise.all([result(of.getAllKeys()), result(of.getAll() as IDBRequest<unknown[]>)]);
          everything.push(keys, values);
          keys.forEach((key, i) => {
            if (String(key).startsWith("draft:")) drafts.push(values[i]);
            else if (key === "drafts") aside = values[i] as unknown[];
          });
        }
        database.close();
      }
      return { drafts: JSON.stringify(drafts), aside: JSON.stringify(aside), number: aside.length, all: JSON.stringify([everything, { ...localStorage }, { ...sessionStorage }, location.href]) };
    });
  }

  /** The text that the editor shows, which has no more than a screenful. */
  async shown(): Promise<string> {
    return this.page.locator("stile-editor .cm-line").evaluateAll((lines) => lines.map((line) => line.textContent ?? "").join("\n"));
  }

  /** Waits until the page has come to rest: it has said what there is to be said, and saved. */
  async settled(): Promise<void> {
    const { page } = this;
    await expect.poll(() => page.evaluate(() => {
      const said = (selector: string): string => document.querySelector(selector)?.textContent?.trim() ?? "";
      if (document.querySelector("stile-problems .fault") !== null) return "";
      if (document.querySelector("stile-problems .summary .spinner") !== null) return "the summary has a spinner";
      if (said("stile-problems .summary") === "") return "the summary is empty";
      if (["Saving…"].includes(said("stile-problems .saved"))) return "it is saving";
      return "";
    }), { message: "the page comes to rest" }).toBe("");
  }

  /** Has so many seconds of use gone by, with all that was to happen in them. */
  async wait(seconds: number): Promise<void> {
    this.seconds += seconds;
    await this.page.clock.fastForward(seconds * 1000);
  }

  /** Leaves the page and comes back, which a person does who has seen that it was saved. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.settled();
    // What was not saved, and said so, went with the page.
    for (const [mark, where] of this.marks) if (where === "unsaved") this.marks.delete(mark);
  }

  /** Whatever is put aside now leaves the draft. Where the device is full that is told, and goes with the page. */
  putAside(): void {
    for (const [mark, where] of this.marks) {
      if (this.full) this.marks.delete(mark);
      else if (where === "here") this.marks.set(mark, "aside");
    }
  }

  end(): void {
    this.host.close();
    this.endpoint.close();
  }
}
