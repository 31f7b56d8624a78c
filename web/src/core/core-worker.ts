// The core's worker: hosts the module, answers the page's calls in order, runs slices, and performs
// effects. Keys live in this worker's memory and nowhere else.
import type { Fault, FromWorker, ModuleAddress, SolverAddresses, ToWorker } from "./core-protocol.js";
import { CallError, RunController } from "./run-controller.js";
import type { EndpointKey } from "./http-effect.js";
import type { Solvers } from "../solver/solver-client.js";
import { compile, type CoreModule, loadModule } from "./wasm-module.js";
import type { Answer, Effect, Methods } from "./wire.js";

const keys = new Map<string, EndpointKey>();
const controllers = new Map<number, RunController>();
const early: ToWorker[] = [];
/** The first module, until the full one is loaded. */
let core: CoreModule | undefined;
/** Whether the loaded module is the full one. */
let complete = false;
let loading: Promise<void> | undefined;
let fullAddress: ModuleAddress | undefined;
let fullLoaded: Promise<CoreModule> | undefined;
let solvers: Promise<Solvers> | undefined;
let solverAddresses: SolverAddresses | undefined;
let requests = 0;
/** The last request of each method, unless it is long. */
const lately = new Map<string, string>();
const REHEARSED = 64 * 1024;
let collecting: ReturnType<typeof setTimeout> | undefined;
/** The idle time, in milliseconds, after which the module collects garbage. */
const COLLECT_AFTER = 20;

function post(message: FromWorker): void {
  self.postMessage(message);
}

self.addEventListener("message", (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  switch (message.type) {
    case "load":
      fullAddress = message.whole;
      solverAddresses = message.solvers;
      loading = load(message.first);
      break;
    case "key":
      if (message.base === "") keys.delete(message.endpoint);
      else keys.set(message.endpoint, message);
      break;
    case "hasten":
      void hasten();
      break;
    case "ping":
      post({ type: "pong" });
      break;
    default:
      if (core === undefined) early.push(message);
      else receive(core, message);
  }
});

async function load(first: ModuleAddress): Promise<void> {
  try {
    const loaded = loadModule(first.br, first.gz);
    complete = first.br === fullAddress?.br;
    if (complete) fullLoaded = loaded;
    core = await loaded;
  } catch (reason) {
    post({
      type: "unloadable",
      fault:
        fullLoaded === undefined
          ? { code: "module.load", message: reason instanceof Error ? reason.message : String(reason) }
          : unloaded(reason),
    });
    return;
  }
  post({ type: "ready" });
  for (const message of early.splice(0)) receive(core, message);
}

/** Downloads the full module, once. */
function loadFull(): Promise<CoreModule> {
  fullLoaded ??= (async () => {
    try {
      if (fullAddress === undefined) throw new Error("the core's address is not known");
      return await loadModule(fullAddress.br, fullAddress.gz);
    } catch (reason) {
      fullLoaded = undefined; // the next call tries again
      throw reason;
    }
  })();
  return fullLoaded;
}

/** Replaces the first module. */
function replace(module: CoreModule): CoreModule {
  const first = core;
  core = module;
  complete = true;
  if (first !== undefined && first !== module) post({ type: "replaced" });
  return module;
}

/** Downloads the full module for a pending call, and replaces the first module with it. */
async function fetchFull(): Promise<CoreModule> {
  post({ type: "fetching" });
  try {
    return replace(await loadFull());
  } finally {
    post({ type: "fetched" });
  }
}

/**
 * Replaces the first module in the background. New code is slow until it has run, so the full module
 * first repeats the first module's last requests; the replies are discarded.
 */
async function hasten(): Promise<void> {
  try {
    await loading;
    const module = await loadFull();
    if (module === core) return;
    for (const request of [...lately.values()]) {
      module.handle(request);
      await new Promise((resolve) => setTimeout(resolve)); // pending messages come first
    }
    if (core !== undefined) replace(module);
  } catch (reason) {
    post({ type: "replaced", fault: unloaded(reason) }); // the first module stays
  }
}

async function answerCall(loaded: CoreModule, message: ToWorker & { readonly type: "call" }): Promise<void> {
  const request = JSON.stringify({ id: message.id, method: message.method, params: message.params });
  if (request.length < REHEARSED) lately.set(message.method, request);
  const answeredBy = (module: CoreModule): string | undefined => {
    post({ type: "answering", id: message.id });
    return guarded(() => module.handle(request));
  };
  let text: string | undefined;
  try {
    const module = message.full && !complete ? await fetchFull() : loaded;
    text = answeredBy(module);
    // The first module refuses an analysis that needs a construction of the full module.
    if (text !== undefined && refused(text)) {
      const full = await fetchFull();
      if (full !== module) text = answeredBy(full);
    }
  } catch (reason) {
    text = JSON.stringify({ id: message.id, error: unloaded(reason) });
  }
  if (text !== undefined) post({ type: "reply", id: message.id, text });
  clearTimeout(collecting);
  collecting = setTimeout(() => guarded(() => core?.collect()), COLLECT_AFTER);
}

/** Reports whether a reply is the error that only the full module can answer the request. */
function refused(text: string): boolean {
  return (
    text.includes('"protocol.method"') && (JSON.parse(text) as { error?: Fault }).error?.code === "protocol.method"
  );
}

function unloaded(reason: unknown): Fault {
  return {
    code: "module.load",
    message: `The rest of the core did not load: ${reason instanceof Error ? reason.message : String(reason)}`,
  };
}

function receive(core: CoreModule, message: ToWorker): void {
  switch (message.type) {
    case "call":
      void answerCall(core, message);
      break;
    case "run":
      void control(message);
      break;
    case "answer":
      controllers.get(message.run)?.answer(message.answer);
      break;
    case "pace":
      controllers.get(message.run)?.setPace(message.pace);
      break;
    case "cancel":
      controllers.get(message.run)?.cancel();
      break;
  }
}

/** Performs a solve effect. The code is loaded with the first one. */
async function solve(effect: Effect, signal: AbortSignal, answer: (answer: Answer) => void): Promise<void> {
  solvers ??= import("../solver/solver-client.js").then(
    ({ Solvers }) =>
      new Solvers(solverAddresses?.modules ?? {}, solverAddresses?.worker ?? "", compile, (progress) =>
        post({ type: "solver", progress }),
      ),
  );
  try {
    (await solvers).perform(effect, signal, answer);
  } catch (reason) {
    solvers = undefined;
    answer({
      effect: effect.id,
      error: {
        code: "solver.load",
        message: `the solver could not be downloaded: ${reason instanceof Error ? reason.message : String(reason)}`,
      },
    });
  }
}

/** Passes a request to the page, because workers have no access to the model of the browser. */
function prompt(effect: Effect, signal: AbortSignal, answer: (answer: Answer) => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = (event: MessageEvent<Omit<Answer, "effect">>) => answer({ effect: effect.id, ...event.data });
  signal.addEventListener("abort", () => port1.postMessage(null));
  if (effect.http !== undefined)
    self.postMessage({ type: "prompt", http: effect.http, port: port2 } satisfies FromWorker, { transfer: [port2] });
}

/** Runs f. An instance that traps is lost, and the page has to start a new worker. */
function guarded<T>(f: () => T): T | undefined {
  try {
    return f();
  } catch (reason) {
    post({
      type: "crashed",
      fault: { code: "module.crash", message: reason instanceof Error ? reason.message : String(reason) },
    });
    return undefined;
  }
}

/** A call by the worker itself. */
function call<M extends keyof Methods>(
  core: CoreModule,
  method: M,
  params: Methods[M]["params"],
): Methods[M]["result"] {
  const id = `worker-${requests++}`;
  const reply = JSON.parse(core.handle(JSON.stringify({ id, method, params }))) as {
    result?: Methods[M]["result"];
    error?: Fault;
  };
  if (reply.result === undefined) {
    throw new CallError(reply.error ?? { code: "internal", message: "the core returned no reply" });
  }
  return reply.result;
}

async function control({ run, params, recording, pace, agreed }: ToWorker & { readonly type: "run" }): Promise<void> {
  const controller = new RunController(
    keys,
    agreed,
    (...effect) => void solve(...effect),
    prompt,
    recording,
    pace,
    (update) => post({ type: "update", run, update }),
  );
  controllers.set(run, controller);
  try {
    const core = await fetchFull().catch((reason: unknown) => {
      throw new CallError(unloaded(reason));
    });
    await controller.go((method, params) => call(core, method, params), params);
  } catch (reason) {
    if (reason instanceof CallError) controller.fail(reason.fault);
    else
      post({
        type: "crashed",
        fault: { code: "module.crash", message: reason instanceof Error ? reason.message : String(reason) },
      });
  } finally {
    controllers.delete(run);
  }
}
