import type {
  Fault,
  FromWorker,
  KeyMessage,
  MethodName,
  ModuleAddress,
  Pace,
  RunUpdate,
  SolverAddresses,
  SolverProgress,
  ToWorker,
} from "./core-protocol.js";
import { firstMethods } from "./notations.js";
import { startWorker } from "./trusted-types.js";
import type { Answer, Methods, ToolAgenttoolsRemoteCall, RunStartParams } from "./wire.js";

/**
 * Milliseconds without a message from the core, while a reply is due, after which the core counts as hung. A
 * method's own limits and a run's slices are far shorter. Long texts get more time, because busy
 * machines are slow: a text of 200,000 characters takes a second on an idle machine, and more than twenty
 * seconds on an eighth of a core.
 */
const SILENCE_LIMIT = 5_000;
const SILENCE_PER_CHARACTER = 1 / 5;
/** The factor of the time for a call that is sent again after the core was silent. */
const SECOND_PATIENCE = 3;
/** The number of times that a request may hang or crash the core before it is refused. */
const MOST_LOSSES = 2;
/** The number of requests that hung or crashed the core whose losses are counted. */
const COUNTED_LOSSES = 32;
/** The number of milliseconds after which a loss is forgotten: the machine may have been busy. */
const LOSS_LIFETIME = 300_000;

/** Addresses of the worker's script and of the modules. */
export interface CoreAssets {
  readonly worker: string;
  readonly first: ModuleAddress;
  readonly whole: ModuleAddress;
  readonly solvers: SolverAddresses;
}

/** Receives the messages of the client that are not replies to a call. */
export interface CoreListener {
  /** Called after a new worker has started, which has no keys. */
  started?(): void;
  ready?(): void;
  unloadable?(fault: Fault): void;
  /** Called after the full module replaced the first and may find more in a text, or with the fault of its load. */
  replaced?(fault?: Fault): void;
  /** Called when the module hung or crashed and is being restarted; runs are lost, and calls that are not sent again. */
  restarted(fault: Fault): void;
  update?(run: number, update: RunUpdate): void;
  /** Called while a solver is being downloaded or is running. */
  solver?(progress: SolverProgress): void;
}

/** A fault that a method returned, or that prevented its reply. */
export class CoreError extends Error {
  readonly code: string;
  readonly diagnostics: NonNullable<Fault["diagnostics"]>;
  constructor(fault: Fault) {
    super(fault.message);
    this.code = fault.code;
    this.diagnostics = fault.diagnostics ?? [];
  }
}

type CallRequest = Extract<ToWorker, { readonly type: "call" }>;

/** The fault of a call that is not sent. */
const refusal: Fault = {
  code: "module.silent",
  message: "The core did not respond to this request before, so it is not sent again. Change it, or reload the page.",
};

/** Identifies a request by its method, and by the length and two hashes of its parameters. */
function keyOf({ method, params }: CallRequest): string {
  const text = JSON.stringify(params);
  let [first, second] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    first = (Math.imul(first, 31) + text.charCodeAt(i)) | 0;
    second = (Math.imul(second, 16_777_619) ^ text.charCodeAt(i)) | 0;
  }
  return [method, text.length, first, second].join(" ");
}

interface PendingCall {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: CoreError) => void;
  readonly patience: number;
  readonly request: CallRequest;
  /** Whether it was sent before, to a core that was silent, and has more time. */
  readonly again: boolean;
}

/**
 * The page's side of one instance of the core: typed calls, runs, and a watchdog over both. The page
 * has two instances, so that a text which crashes the core cannot end a run: one for calls, and one for runs,
 * which starts with the first run.
 */
export class CoreClient {
  #worker: Worker | undefined;
  #ready = false;
  #fetching = false;
  #calls = new Map<number, PendingCall>();
  #busyRuns = new Set<number>();
  /** The number of milliseconds that the core may be silent, by run. */
  #runs = new Map<number, number>();
  #pinged = false;
  /** The call that the worker is answering; 0 before the first. */
  #handled = 0;
  /** How often a request hung or crashed the core, by its method and parameters. */
  #losses = new Map<string, { readonly times: number; readonly at: number }>();
  #numbers = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly assets: CoreAssets,
    private readonly listener: CoreListener,
    /** Name of the worker. */
    private readonly name = "core",
  ) {}

  /** Starts the worker, or restarts it after it failed to load. */
  start(): void {
    this.#end({ code: "module.load", message: "the core was restarted" });
    const worker = startWorker(this.assets.worker, this.name);
    this.#worker = worker;
    worker.addEventListener("message", (event: MessageEvent<FromWorker>) => {
      if (worker === this.#worker) this.#receive(event.data);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === this.#worker && !this.#ready)
        this.#unload({ code: "module.load", message: event.message || "the worker's script did not load" });
    });
    this.#send({ type: "load", first: this.assets.first, whole: this.assets.whole, solvers: this.assets.solvers });
    this.listener.started?.();
  }

  /** Loads the full module, which is faster and finds more, in the background. */
  hasten(): void {
    this.#send({ type: "hasten" });
  }

  /**
   * Calls a method of the core. The call waits until its module is loaded: the full one for a method
   * that the first module lacks, or if `full` is set.
   */
  call<M extends MethodName>(
    method: M,
    params: Methods[M]["params"],
    full = !firstMethods.has(method),
  ): Promise<Methods[M]["result"]> {
    return new Promise((resolve, reject) => {
      const id = ++this.#numbers;
      const patience = SILENCE_LIMIT + characters(params) * SILENCE_PER_CHARACTER;
      const request = { type: "call", id, method, params, full } as const;
      if (this.#isRefused(request)) reject(new CoreError(refusal));
      else this.#expect({ resolve: resolve as (result: unknown) => void, reject, patience, request, again: false });
    });
  }

  /** Sends a call and waits for its reply. */
  #expect(call: PendingCall): void {
    this.#calls.set(call.request.id, call);
    this.#send(call.request);
    this.#watch();
  }

  /** Starts a run, or replays a recording, and returns the number that its updates carry. */
  run(
    params: RunStartParams,
    recording = false,
    pace: Pace = "run",
    agreed: readonly ToolAgenttoolsRemoteCall[] = [],
  ): number {
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

  /** Passes a key to the worker, which sends it only to its endpoint. */
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
      case "answering":
        this.#handled = message.id;
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
      case "prompt": {
        const { http, port } = message;
        import("../models/browser-model.js").then(
          ({ answer }) => answer(http, port),
          () => port.postMessage({ error: { code: "network", message: "a part of this page did not load" } }),
        );
        break;
      }
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

  /** Restarts the watchdog. If no reply is due but a run waits for an effect, it sends a ping. */
  #watch(): void {
    clearTimeout(this.#timer);
    if (!this.#ready || this.#fetching) return;
    const due = this.#calls.size > 0 || this.#busyRuns.size > 0 || this.#pinged;
    if (!due && this.#runs.size === 0) return;
    const since = performance.now();
    const limit = Math.max(
      SILENCE_LIMIT,
      ...[...this.#calls.values()].map((call) => call.patience),
      ...this.#runs.values(),
    );
    this.#timer = setTimeout(() => {
      if (!due) {
        this.#pinged = true;
        this.#send({ type: "ping" });
      }
      // When a device wakes up, its timers may be long overdue; the worker then gets its full time
      // again.
      if (!due || performance.now() - since > 2 * limit) this.#watch();
      else
        this.#restart({
          code: "module.silent",
          message: "The core did not respond and was restarted.",
        });
    }, limit);
  }

  /**
   * Starts another worker. The calls of a silent core are sent again, with more time, because the machine may only
   * be busy: a method has no effects. A call that hung or crashed the core twice is refused; otherwise the page, which
   * repeats its calls whenever a core has started, would send it to each new core.
   */
  #restart(fault: Fault): void {
    const culprit = this.#calls.get(this.#handled) ?? this.#calls.values().next().value;
    if (culprit !== undefined) this.#lose(culprit.request);
    const calls = [...this.#calls.values()].filter(
      (call) => fault.code === "module.silent" && !this.#isRefused(call.request),
    );
    for (const call of calls) this.#calls.delete(call.request.id);
    this.#end(fault);
    this.start();
    for (const call of calls)
      this.#expect({ ...call, patience: call.again ? call.patience : SECOND_PATIENCE * call.patience, again: true });
    this.listener.restarted(fault);
  }

  #lose(request: CallRequest): void {
    const key = keyOf(request);
    const times = this.#lossesOf(key) + 1;
    this.#losses.delete(key); // the latest is the last
    this.#losses.set(key, { times, at: performance.now() });
    const [oldest] = this.#losses.keys();
    if (this.#losses.size > COUNTED_LOSSES && oldest !== undefined) this.#losses.delete(oldest);
  }

  /** Reports whether a request hung or crashed the core too often to send it again. */
  #isRefused(request: CallRequest): boolean {
    return this.#losses.size > 0 && this.#lossesOf(keyOf(request)) >= MOST_LOSSES;
  }

  #lossesOf(key: string): number {
    const known = this.#losses.get(key);
    return known === undefined || performance.now() - known.at > LOSS_LIFETIME ? 0 : known.times;
  }

  #unload(fault: Fault): void {
    this.#end(fault);
    this.listener.unloadable?.(fault);
  }

  /** Ends the worker, and with it its calls and runs. */
  #end(fault: Fault): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#ready = this.#fetching = this.#pinged = false;
    this.#handled = 0;
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const call of calls) call.reject(new CoreError(fault));
    const runs = [...this.#runs.keys()];
    this.#runs.clear();
    this.#busyRuns.clear();
    for (const run of runs)
      this.listener.update?.(run, { state: "failed", events: [], questions: [], dropped: [], fault });
  }
}

/** Counts the characters of text in a value. */
function characters(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, part) => sum + characters(part), 0);
}
