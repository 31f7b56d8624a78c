import type { Layout, LayoutReply, LayoutRequest } from "./layout-protocol.js";
import { startWorker } from "../core/trusted-types.js";

/** The time limit of a layout in milliseconds: Graphviz can take minutes for a dense graph. */
export const LAYOUT_LIMIT = 3_000;

/** The time limit for loading the engine in milliseconds. */
const ARRIVAL_LIMIT = 30_000;

/** The reason why there is no layout, as a sentence. */
export class LayoutError extends Error {}

/** Lays graphs out in a worker, one at a time. Waiting requests replace older ones of the same `slot`. */
export class LayoutClient {
  #worker: Worker | undefined;
  #warm = false;
  #numbers = 0;
  #current: Job | undefined;
  #waiting: Job[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #done = new Map<string, Layout>();

  constructor(
    private readonly workerURL: string,
    private readonly viz: string,
  ) {}

  /** Returns the layout of a graph, or null if a newer request replaced it. */
  layout(slot: string, dot: string): Promise<Layout | null> {
    const known = this.#done.get(dot);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      this.#waiting = this.#waiting.filter((job) => {
        if (job.slot === slot) job.resolve(null);
        return job.slot !== slot;
      });
      this.#waiting.push({ id: ++this.#numbers, slot, dot, resolve, reject });
      this.#next();
    });
  }

  /** Loads the engine in advance. */
  warm(): void {
    if (this.#worker !== undefined) return;
    this.#worker = this.#start();
    this.#worker.postMessage({ id: 0, viz: this.viz, dot: "graph{}" } satisfies LayoutRequest);
  }

  #next(): void {
    if (this.#current !== undefined) return;
    const job = this.#waiting.shift();
    if (job === undefined) return;
    this.#current = job;
    this.#worker ??= this.#start();
    this.#worker.postMessage({ id: job.id, viz: this.viz, dot: job.dot } satisfies LayoutRequest);
    this.#timer = setTimeout(() => this.#expire(job), this.#warm ? LAYOUT_LIMIT : ARRIVAL_LIMIT);
  }

  /** Ends a job that exceeded its time limit, and its worker, which might continue for minutes. */
  #expire(job: Job): void {
    this.#drop();
    if (job.stage === undefined && !job.again) {
      // a worker that the browser has ended does not respond
      job.again = true;
      this.#waiting.unshift(job);
      this.#settle(() => {});
      return;
    }
    this.#settle((j) =>
      j.reject(
        new LayoutError(
          job.stage === "loaded"
            ? "This graph is too dense to lay out in a few seconds; it is shown as a table."
            : "The layout engine does not respond, so the graph is shown as a table. Reload the page to try again.",
        ),
      ),
    );
  }

  #start(): Worker {
    const worker = startWorker(this.workerURL, "layout");
    worker.addEventListener("message", (event: MessageEvent<LayoutReply>) => {
      if (worker !== this.#worker || event.data.id !== this.#current?.id) return;
      const { stage, layout, error } = event.data;
      if (stage !== undefined) {
        const job = this.#current;
        job.stage = stage;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#expire(job), stage === "loaded" ? LAYOUT_LIMIT : ARRIVAL_LIMIT);
        return;
      }
      if (layout === undefined) {
        const failed = this.#warm
          ? `The graph could not be laid out (${error ?? "no reason given"}); it is shown as a table.`
          : "The layout engine did not load, so the graph is shown as a table. Reload the page to try again.";
        this.#settle((job) => job.reject(new LayoutError(failed)));
        return;
      }
      this.#warm = true;
      this.#settle((job) => {
        this.#remember(job.dot, layout);
        job.resolve(layout);
      });
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker !== this.#worker) return;
      this.#drop();
      this.#settle((job) =>
        job.reject(
          new LayoutError(
            "The layout engine did not load, so the graph is shown as a table. Reload the page to try again.",
          ),
        ),
      );
    });
    return worker;
  }

  #drop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#warm = false;
  }

  #settle(finish: (job: Job) => void): void {
    clearTimeout(this.#timer);
    const job = this.#current;
    this.#current = undefined;
    if (job !== undefined) finish(job);
    this.#next();
  }

  /** Caches a layout, so that undo and tab changes need none. */
  #remember(dot: string, layout: Layout): void {
    this.#done.set(dot, layout);
    if (this.#done.size > 40) {
      const oldest = this.#done.keys().next();
      if (oldest.done !== true) this.#done.delete(oldest.value);
    }
  }
}

interface Job {
  readonly id: number;
  readonly slot: string;
  readonly dot: string;
  /** The last stage that the worker reported. */
  stage?: "arrived" | "loaded";
  /** Whether this is the second attempt. */
  again?: boolean;
  readonly resolve: (layout: Layout | null) => void;
  readonly reject: (reason: LayoutError) => void;
}
