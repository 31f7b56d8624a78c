import type { Answer, Diagnostic, Effect, Methods, ToolRemoteCall, RunLog, RunStartParams } from "./wire.js";

/** A method of the core's protocol. */
export type MethodName = keyof Methods;

/** What went wrong, as the core or its host says it. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  /** Where a text is at fault, if it is one that was handed over. */
  readonly diagnostics?: readonly Diagnostic[];
  /** The properties to leave out so that a run can start. */
  readonly without?: readonly string[];
}

/** Where a module is: as brotli and as gzip packed it. */
export interface ModuleAddress {
  readonly br: string;
  readonly gz: string;
}

/** Where a solver is, how many bytes it is packed, and how many unpacked. */
export interface SolverAddress extends ModuleAddress {
  readonly bytes: number;
  readonly unpacked: number;
}

/** Where the solvers are, by name, and the script of their workers. */
export interface SolverAddresses {
  readonly worker: string;
  readonly modules: Readonly<Record<string, SolverAddress>>;
}

/** What a solver is at; of what is fetched, how many of its bytes are there. */
export interface SolverProgress {
  readonly solver: string;
  readonly state: "fetching" | "starting" | "solving" | "idle";
  readonly loaded: number;
  readonly total: number;
}

/** A key for an endpoint; it is only ever sent to addresses at `base` or below. An empty key is forgotten. */
export interface KeyMessage {
  readonly type: "key";
  readonly endpoint: string;
  readonly base: string;
  readonly key: string;
}

/** What the page tells the core's worker. */
export type ToWorker =
  /** Loads the first module; the whole one is fetched when something asks for what the first has not. */
  | { readonly type: "load"; readonly first: ModuleAddress; readonly whole: ModuleAddress; readonly solvers: SolverAddresses }
  /** Has the whole module take over when it is there, for it is faster and finds more. */
  | { readonly type: "hasten" }
  | { readonly type: "call"; readonly id: number; readonly method: MethodName; readonly params: unknown }
  | KeyMessage
  /** Starts a run. A recording is only played: nothing beyond it is asked of the world. */
  | { readonly type: "run"; readonly run: number; readonly params: RunStartParams; readonly recording: boolean; readonly pace: Pace; readonly agreed: readonly ToolRemoteCall[] }
  | { readonly type: "pace"; readonly run: number; readonly pace: Pace }
  | { readonly type: "answer"; readonly run: number; readonly answer: Answer }
  | { readonly type: "cancel"; readonly run: number }
  /** Asks for a sign of life. */
  | { readonly type: "ping" };

/** How a run goes on: by itself, by a number of moves, or not beyond the move that it is at. */
export type Pace = "run" | "pause" | number;

/** What the core's worker tells the page. A reply's `text` is the protocol's JSON. */
export type FromWorker =
  | { readonly type: "ready" }
  | { readonly type: "pong" }
  /** The whole module is being fetched: answers may take as long as a network does. */
  | { readonly type: "fetching" }
  | { readonly type: "fetched" }
  /** The whole module has replaced the first, which finds less in a text; or it did not arrive. */
  | { readonly type: "replaced"; readonly fault?: Fault }
  | { readonly type: "unloadable"; readonly fault: Fault }
  | { readonly type: "crashed"; readonly fault: Fault }
  | { readonly type: "reply"; readonly id: number; readonly text: string }
  | { readonly type: "solver"; readonly progress: SolverProgress }
  | { readonly type: "update"; readonly run: number; readonly update: RunUpdate };

/** What a slice of a run brought. */
export interface RunUpdate {
  readonly state: RunState;
  readonly events: readonly unknown[];
  readonly questions: readonly Effect[];
  /** Identifiers of effects that nobody has to answer any more. */
  readonly dropped: readonly string[];
  readonly fault?: Fault;
  /** What it came to, once the run is done. */
  readonly result?: unknown;
  /** The recording, of which only those answers are here that came since the last update. */
  readonly log?: RunLog;
}

/** "paused" and "cancelled" are the host's; the others are the core's. */
export type RunState = "working" | "waiting" | "paused" | "done" | "failed" | "cancelled";
