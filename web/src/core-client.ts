import type { Fault, FromWorker, KeyMessage, MethodName, ModuleAddress, Pace, RunUpdate, SolverAddresses, SolverProgress, ToWorker } from "./core-protocol.js";
import { startWorker } from "./trusted.js";
import type { Answer, Methods, ToolRemoteCall, RunStartParams } from "./wire.js";

/**
 * How many milliseconds the core may be silent while an answer is due. A method's
 * own limits and a run's slices end far below it, so silence means that the module
 * hangs. Who has a long text to read gets longer, slow and busy machines in mind:
 * a text of 200,000 characters takes a second where nothing else is going on.
 */
const SILENCE_LIMIT = 5_000;
const SILENCE_PER_CHARACTER = 1 / 20;

/** Where the worker's script and the modules are. */
export interface CoreAssets {
  readonly worker: string;
  readonly first: ModuleAddress;
  readonly whole: ModuleAddress;
  readonly solvers: SolverAddresses;
}

/** What the client has to say that is no answer to a call. */
export interface CoreListener {
  /** There is a new worker, which knows no keys. */
  started?(): void;
  ready?(): void;
  unloadable?(fault: Fault): void;
  /** The whole module answers from now on, and may find more in a text; or it did not arrive. */
  replaced?(fault?: Fault): void;
  /** The module hung or crashed and a new one is on its way; calls and runs are lost. */
  restarted(fault: Fault): void;
  update?(run: number, update: RunUpdate): void;
  /** A solver is being fetched, or at work. */
  solver?(progress: SolverProgress): void;
}

/** A fault that a method answered with, or that kept it from answering. */
export class CoreError extends Error {
  readonly code: string;
  readonly diagnostics: NonNullable<Fault["diagnostics"]>;
  constructor(fault: Fault) {
    super(fault.message);
    this.code = fault.code;
    this.diagnostics = fault.diagnostics ?? [];
  }
}

interface PendingCall {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: CoreError) => void;
  readonly patience: number;
}

/**
 * The page's side of one instance of the core: typed calls, runs, and a watchdog over both.
 * The page has two, so that no text can end a run: one for calls, and one for runs, which
 * starts with the first of them.
 */
export class CoreClient {
  #worker: Worker | undefined;
  #ready = false;
  #fetching = false;
  #calls = new Map<number, PendingCall>();
  #busyRuns = new Set<number>();
  /** How long the core may be silent for each run. */
  #runs = new Map<number, number>();
  #pinged = false;
  #numbers = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly assets: CoreAssets,
    private readonly listener: CoreListener,
    /** What the worker is called. */
    private readonly name = "core",
  ) {}

  /** Starts the worker, or starts it anew after it could not load. */
  start(): void {
    this.#end({ code: "module.load", message: "the core was restarted" });
    const worker = startWorker(this.assets.worker, this.name);
    this.#worker = worker;
    worker.addEventListener("message", (event: MessageEvent<FromWorker>) => {
      if (worker === this.#worker) this.#receive(event.data);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === this.#worker && !this.#ready) this.#unload({ code: "module.load", message: event.message || "the worker's script did not arrive" });
    });
    this.#send({ type: "load", first: this.assets.first, whole: this.assets.whole, solvers: this.assets.solvers });
    this.listener.started?.();
  }

  /** Has the core become faster and find more for somebody who stays, while nothing waits for it. */
  hasten(): void {
    this.#send({ type: "hasten" });
  }

  /** Calls a method of the core. Before the module has arrived the call waits. */
  call<M extends MethodName>(method: M, params: Methods[M]["params"]): Promise<Methods[M]["result"]> {
    return new Promise((resolve, reject) => {
      const id = ++this.#numbers;
      const patience = SILENCE_LIMIT + characters(params) * SILENCE_PER_CHARACTER;
      this.#calls.set(id, { resolve: resolve as (result: unknown) => void, reject, patience });
      this.#send({ type: "call", id, method, params });
      this.#watch();
    });
  }

  /** Starts a run, or plays a recording, and returns the number that its updates carry. */
  run(params: RunStartParams, recording = false, pace: Pace = "run", agreed: readonly ToolRemoteCall[] = []): number {
    if (this.#worker === undefined) this.start();
    const run = ++this.#numbers;
    this.#runs.set(run, SILENCE_LIMIT + characters(params) * SILENCE_PER_CHARACTER);
    this.#busyRuns.add(run);
    this.#send({ type: "run", run, params, recording, pace, agreed });
    this.#watch();
    return run;
  }

  answer(run: number, answer: Answer): void {
    this.#send({ type: "answer", run, answer });
  }

  pace(run: number, pace: Pace): void {
    this.#send({ type: "pace", run, pace });
  }

  cancel(run: number): void {
    this.#send({ type: "cancel", run });
  }

  /** Hands a key to the worker, which sends it to its endpoint only. */
  key(message: KeyMessage): void {
    this.#send(message);
  }

  #send(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  #receive(message: FromWorker): void {
    this.#pinged = false;
    switch (message.type) {
      case "ready":
        this.#ready = true;
        this.listener.ready?.();
        break;
      case "fetching":
      case "fetched":
        this.#fetching = message.type === "fetching";
        break;
      case "replaced":
        this.listener.replaced?.(message.fault);
        break;
      case "unloadable":
        this.#unload(message.fault);
        return;
      case "crashed":
        this.#restart(message.fault);
        return;
      case "reply":
        this.#reply(message.id, message.text);
        break;
      case "solver":
        this.listener.solver?.(message.progress);
        break;
      case "update": {
        const { state } = message.update;
        if (state === "working") this.#busyRuns.add(message.run);
        else this.#busyRuns.delete(message.run);
        if (state === "done" || state === "failed" || state === "cancelled") this.#runs.delete(message.run);
        this.listener.update?.(message.run, message.update);
        break;
      }
    }
    this.#watch();
  }

  #reply(id: number, text: string): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    const reply = JSON.parse(text) as { result?: unknown; error?: Fault };
    if (reply.error !== undefined) call.reject(new CoreError(reply.error));
    else call.resolve(reply.result);
  }

  /** Waits anew for a sign of life. Where none is due but a run waits for the world, one is asked for. */
  #watch(): void {
    clearTimeout(this.#timer);
    if (!this.#ready || this.#fetching) return;
    const due = this.#calls.size > 0 || this.#busyRuns.size > 0 || this.#pinged;
    if (!due && this.#runs.size === 0) return;
    const since = performance.now();
    const limit = Math.max(SILENCE_LIMIT, ...[...this.#calls.values()].map((call) => call.patience), ...this.#runs.values());
    this.#timer = setTimeout(() => {
      if (!due) {
        this.#pinged = true;
        this.#send({ type: "ping" });
      }
      // A device that slept wakes up with timers long overdue; the worker then
      // gets its time once more.
      if (!due || performance.now() - since > 2 * limit) this.#watch();
      else this.#restart({ code: "module.silent", message: "The core did not answer and was started anew; your text is as it was." });
    }, limit);
  }

  #restart(fault: Fault): void {
    this.#end(fault);
    this.start();
    this.listener.restarted(fault);
  }

  #unload(fault: Fault): void {
    this.#end(fault);
    this.listener.unloadable?.(fault);
  }

  /** Ends the worker, and with it calls and runs. */
  #end(fault: Fault): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#ready = this.#fetching = this.#pinged = false;
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const call of calls) call.reject(new CoreError(fault));
    const runs = [...this.#runs.keys()];
    this.#runs.clear();
    this.#busyRuns.clear();
    for (const run of runs) this.listener.update?.(run, { state: "failed", events: [], questions: [], dropped: [], fault });
  }
}

/** How much text a value carries. */
function characters(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, part) => sum + characters(part), 0);
}
