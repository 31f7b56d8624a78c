// The core's worker: hosts the module, answers the page's calls in their order,
// drives runs slice by slice, and performs their effects. Keys live in this
// worker's memory and nowhere else.
import type { Fault, FromWorker, ModuleAddress, RunUpdate, ToWorker } from "./core-protocol.js";
import { type EndpointKey, performHTTP } from "./http-effect.js";
import { type CoreModule, loadModule } from "./wasm-module.js";
import type { Answer, Methods, RunStartParams } from "./wire.js";

/** A run under way. */
interface Drive {
  readonly answers: Answer[];
  readonly aborts: Map<string, AbortController>;
  cancelled: boolean;
  /** Wakes the driver that waits for an answer. */
  wake: () => void;
}

const keys = new Map<string, EndpointKey>();
const drives = new Map<number, Drive>();
const early: ToWorker[] = [];
/** The first module, until the whole one is there. */
let core: CoreModule | undefined;
let wholeAddress: ModuleAddress | undefined;
let whole: Promise<CoreModule> | undefined;
let requests = 0;

function tell(message: FromWorker): void {
  self.postMessage(message);
}

self.addEventListener("message", (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  switch (message.type) {
    case "load":
      wholeAddress = message.whole;
      void load(message.first);
      break;
    case "key":
      if (message.key === "") keys.delete(message.endpoint);
      else keys.set(message.endpoint, { origin: message.origin, key: message.key });
      break;
    default:
      if (core === undefined) early.push(message);
      else receive(core, message);
  }
});

async function load(first: ModuleAddress): Promise<void> {
  try {
    core = await loadModule(first.br, first.gz);
  } catch (reason) {
    tell({ type: "unloadable", fault: { code: "module.load", message: reason instanceof Error ? reason.message : String(reason) } });
    return;
  }
  tell({ type: "ready" });
  for (const message of early.splice(0)) receive(core, message);
}

/** Fetches the whole module, once, and lets it take over. */
function fetchWhole(): Promise<CoreModule> {
  whole ??= (async () => {
    tell({ type: "fetching" });
    try {
      if (wholeAddress === undefined) throw new Error("the core's address is not known");
      return (core = await loadModule(wholeAddress.br, wholeAddress.gz));
    } catch (reason) {
      whole = undefined; // the next one who asks tries again
      throw reason;
    } finally {
      tell({ type: "fetched" });
    }
  })();
  return whole;
}

async function answerCall(first: CoreModule, message: ToWorker & { readonly type: "call" }): Promise<void> {
  const request = JSON.stringify({ id: message.id, method: message.method, params: message.params });
  let text = guarded(() => first.handle(request));
  if (text !== undefined && lacksMethod(text)) {
    try {
      const core = await fetchWhole();
      text = guarded(() => core.handle(request));
    } catch (reason) {
      text = JSON.stringify({ id: message.id, error: unloaded(reason) });
    }
  }
  if (text !== undefined) tell({ type: "reply", id: message.id, text });
}

/** Whether a reply says that the module has no such method. */
function lacksMethod(text: string): boolean {
  return text.includes('"protocol.method"') && (JSON.parse(text) as { error?: Fault }).error?.code === "protocol.method";
}

function unloaded(reason: unknown): Fault {
  return { code: "module.load", message: `The rest of the core did not arrive: ${reason instanceof Error ? reason.message : String(reason)}` };
}

function receive(core: CoreModule, message: ToWorker): void {
  switch (message.type) {
    case "call":
      void answerCall(core, message);
      break;
    case "run":
      void drive(message.run, message.params);
      break;
    case "answer": {
      const run = drives.get(message.run);
      run?.answers.push(message.answer);
      run?.wake();
      break;
    }
    case "cancel": {
      const run = drives.get(message.run);
      if (run !== undefined) {
        run.cancelled = true;
        run.wake();
      }
      break;
    }
  }
}

/** Runs f; an instance that traps is lost, and the page has to start a new worker. */
function guarded<T>(f: () => T): T | undefined {
  try {
    return f();
  } catch (reason) {
    tell({ type: "crashed", fault: { code: "module.crash", message: reason instanceof Error ? reason.message : String(reason) } });
    return undefined;
  }
}

/** A call that the worker itself makes. */
function call<M extends keyof Methods>(core: CoreModule, method: M, params: Methods[M]["params"]): Methods[M]["result"] {
  const id = `worker-${requests++}`;
  const reply = JSON.parse(core.handle(JSON.stringify({ id, method, params }))) as { result?: Methods[M]["result"]; error?: Fault };
  if (reply.result === undefined) {
    throw new CallError(reply.error ?? { code: "internal", message: "the core gave no answer" });
  }
  return reply.result;
}

class CallError extends Error {
  constructor(readonly fault: Fault) {
    super(fault.message);
  }
}

async function drive(number: number, params: RunStartParams): Promise<void> {
  const run: Drive = { answers: [], aborts: new Map(), cancelled: false, wake: () => {} };
  drives.set(number, run);
  const update = (u: Partial<RunUpdate> & Pick<RunUpdate, "state">): void =>
    tell({ type: "update", run: number, update: { events: [], questions: [], dropped: [], ...u } });
  try {
    const core = await fetchWhole().catch((reason: unknown) => {
      throw new CallError(unloaded(reason));
    });
    const { run: id } = call(core, "run.start", params);
    for (;;) {
      if (run.cancelled) {
        const log = call(core, "run.log", { run: id }).log;
        const { events } = call(core, "run.stop", { run: id });
        update({ state: "cancelled", events, log });
        return;
      }
      const out = call(core, "run.resume", { run: id, answers: run.answers.splice(0) });
      for (const effect of out.cancel) {
        run.aborts.get(effect)?.abort();
        run.aborts.delete(effect);
      }
      for (const effect of out.effects) {
        if (effect.kind !== "http") continue;
        const abort = new AbortController();
        run.aborts.set(effect.id, abort);
        void performHTTP(effect, keys, abort.signal, (answer) => {
          if (!run.aborts.has(effect.id)) return; // the core has cancelled it
          if (answer.chunk === undefined) run.aborts.delete(effect.id);
          run.answers.push(answer);
          run.wake();
        });
      }
      const questions = out.effects.filter((effect) => effect.kind === "question");
      if (out.state === "done" || out.state === "failed") {
        const log = call(core, "run.log", { run: id }).log;
        call(core, "run.stop", { run: id });
        update({ state: out.state, events: out.events, dropped: out.cancel, log, ...(out.error && { fault: out.error }) });
        return;
      }
      update({ state: out.state === "waiting" ? "waiting" : "working", events: out.events, questions, dropped: out.cancel });
      if (out.state === "waiting" && run.answers.length === 0 && !run.cancelled) {
        await new Promise<void>((resolve) => (run.wake = resolve));
        run.wake = () => {};
      } else {
        await macrotask();
      }
    }
  } catch (reason) {
    if (reason instanceof CallError) update({ state: "failed", fault: reason.fault });
    else tell({ type: "crashed", fault: { code: "module.crash", message: reason instanceof Error ? reason.message : String(reason) } });
  } finally {
    for (const abort of run.aborts.values()) abort.abort();
    run.aborts.clear();
    drives.delete(number);
  }
}

/** Lets the messages that have arrived be handled before the next slice. */
function macrotask(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
}
