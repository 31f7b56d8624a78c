// The core worker's side of the solvers, loaded with the first query.
import type { SolverAddress, SolverProgress } from "../core/core-protocol.js";
import type { FromSolver, ToSolver } from "./solver-protocol.js";
import type { Answer, Effect, SolveQuery } from "../core/wire.js";

/** Downloads and compiles a module; `arrived` receives the number of bytes so far. */
export type Compile = (br: string, gz: string, arrived: (bytes: number) => void) => Promise<WebAssembly.Module>;

/** Extra milliseconds for a solver that enforces its own time limit. */
const GRACE = 2_000;

/** The time limit for the start of a loaded solver, in milliseconds. */
const START_LIMIT = 20_000;

/** The idle time, in milliseconds, after which a solver is ended to free its memory. */
const IDLE = 120_000;

const names: Readonly<Record<string, string>> = { z3: "Z3", highs: "HiGHS" };

interface Job {
  readonly query: SolveQuery;
  readonly signal: AbortSignal;
  readonly post: (outcome: Outcome) => void;
}

type Outcome = Pick<Answer, "value" | "error">;

/** All solvers of this page. Each answers one query at a time. */
export class Solvers {
  #lines = new Map<string, Line>();

  constructor(
    private readonly addresses: Readonly<Record<string, SolverAddress>>,
    private readonly worker: string,
    private readonly compile: Compile,
    private readonly progress: (progress: SolverProgress) => void,
    private readonly startLimit = START_LIMIT,
  ) {}

  /** Performs a solve effect. */
  perform(effect: Effect, signal: AbortSignal, post: (answer: Answer) => void): void {
    const { solve: query } = effect;
    const address = query === undefined ? undefined : this.addresses[query.solver];
    if (query === undefined || address === undefined) {
      post({ effect: effect.id, error: { code: "solver.load", message: "unknown solver" } });
      return;
    }
    let line = this.#lines.get(query.solver);
    if (line === undefined) {
      line = new Line(query.solver, address, this.worker, this.compile, this.progress, this.startLimit);
      this.#lines.set(query.solver, line);
    }
    line.add({ query, signal, post: (outcome) => post({ effect: effect.id, ...outcome }) });
  }
}

/** The queue of a solver. */
class Line {
  #module: Promise<WebAssembly.Module> | undefined;
  #worker: Worker | undefined;
  #ready = false;
  #current: Job | undefined;
  #waiting: Job[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly solver: string,
    private readonly address: SolverAddress,
    private readonly script: string,
    private readonly compile: Compile,
    private readonly post: (progress: SolverProgress) => void,
    private readonly startLimit: number,
  ) {}

  add(job: Job): void {
    job.signal.addEventListener("abort", () => {
      this.#waiting = this.#waiting.filter((other) => other !== job);
      if (this.#current !== job) return;
      this.#drop();
      this.#settle({ error: { code: "aborted", message: "the query was cancelled" } });
    });
    this.#waiting.push(job);
    this.#next();
  }

  #next(): void {
    if (this.#current !== undefined) return;
    const job = this.#waiting.shift();
    if (job === undefined) {
      this.#timer = setTimeout(() => this.#drop(), IDLE);
      return;
    }
    clearTimeout(this.#timer);
    this.#current = job;
    if (this.#ready) this.#ask(job);
    else void this.#start(job);
  }

  async #start(job: Job): Promise<void> {
    let module: WebAssembly.Module;
    try {
      module = await this.#fetch();
    } catch (reason) {
      this.#module = undefined; // the next query tries again
      const said = reason instanceof Error ? reason.message : String(reason);
      const message = `${names[this.solver]} (${(this.address.bytes / 1e6).toFixed(1)} MB) could not be downloaded, and this device has no copy of it; connect it to the network and try again (${said})`;
      if (this.#current === job) this.#settle({ error: { code: "solver.load", message } });
      return;
    }
    if (this.#current !== job) return; // it was cancelled meanwhile
    this.#say("starting");
    let worker: Worker;
    try {
      worker = new Worker(scriptAddress(this.script), { type: "module", name: this.solver });
    } catch (reason) {
      this.#settle({
        error: {
          code: "solver.load",
          message: `this browser does not support nested workers (${reason instanceof Error ? reason.message : String(reason)})`,
        },
      });
      return;
    }
    this.#worker = worker;
    worker.addEventListener("message", (event: MessageEvent<FromSolver>) => {
      if (worker === this.#worker) this.#receive(event.data);
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker !== this.#worker) return;
      this.#drop();
      this.#settle({ error: { code: "solver.crash", message: event.message || "the solver's script did not load" } });
    });
    worker.postMessage({ type: "start", solver: this.solver, module } satisfies ToSolver);
    // A worker that the browser has ended does not respond.
    this.#timer = setTimeout(() => {
      this.#drop();
      this.#settle({
        error: {
          code: "solver.crash",
          message: `${names[this.solver]} did not start within ${this.startLimit / 1000} s; try again`,
        },
      });
    }, this.startLimit);
  }

  #fetch(): Promise<WebAssembly.Module> {
    this.#module ??= this.compile(this.address.br, this.address.gz, (loaded) => this.#say("fetching", loaded));
    return this.#module;
  }

  #ask(job: Job): void {
    this.#say("solving");
    const { milliseconds } = job.query;
    this.#timer = setTimeout(
      () => {
        this.#drop();
        this.#settle({ error: { code: "timeout", message: `the solver ran out of time: ${milliseconds / 1000} s` } });
      },
      milliseconds + (this.solver === "highs" ? GRACE : 0),
    );
    this.#worker?.postMessage({ type: "solve", query: job.query } satisfies ToSolver);
  }

  #receive(message: FromSolver): void {
    switch (message.type) {
      case "ready":
        this.#ready = true;
        clearTimeout(this.#timer);
        if (this.#current !== undefined) this.#ask(this.#current);
        break;
      case "reply":
        this.#settle({ value: message.reply });
        break;
      case "fault":
        this.#drop();
        this.#settle({ error: message.fault });
        break;
    }
  }

  /** Ends the solver; the next query gets a fresh one. */
  #drop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#ready = false;
  }

  #settle(outcome: Outcome): void {
    clearTimeout(this.#timer);
    const job = this.#current;
    this.#current = undefined;
    this.#say("idle");
    if (job !== undefined) job.post(outcome);
    this.#next();
  }

  #say(state: SolverProgress["state"], loaded = 0): void {
    this.post({ solver: this.solver, state, loaded, total: this.address.unpacked });
  }
}

const policy = (
  globalThis as {
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL: (url: string) => string },
      ): { createScriptURL(url: string): string };
    };
  }
).trustedTypes?.createPolicy("stile", { createScriptURL: ownAddress });

/** Returns a script address of this site; see trusted-types.ts for frames without an origin. */
function ownAddress(url: string): string {
  if (new URL(url).origin !== new URL(import.meta.url).origin) throw new TypeError(`${url} is not on this site`);
  return self.origin === "null" ? `data:text/javascript,${encodeURIComponent(`import ${JSON.stringify(url)};`)}` : url;
}

function scriptAddress(url: string): string {
  return policy?.createScriptURL(url) ?? ownAddress(url);
}
