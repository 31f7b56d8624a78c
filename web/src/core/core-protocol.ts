import type {
  Answer,
  Diagnostic,
  Effect,
  HTTP,
  Methods,
  ToolAgenttoolsRemoteCall,
  RunLog,
  RunStartParams,
} from "./wire.js";

/** A method of the core's protocol. */
export type MethodName = keyof Methods;

/** A fault, in the words of the core or its host. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  /** The places of the errors, if the fault concerns a text of the request. */
  readonly diagnostics?: readonly Diagnostic[];
  /** The properties to omit so that a run can start. */
  readonly without?: readonly string[];
}

/** The addresses of a module compressed by brotli and by gzip. */
export interface ModuleAddress {
  readonly br: string;
  readonly gz: string;
}

/** The addresses of a solver, with its compressed and uncompressed size in bytes. */
export interface SolverAddress extends ModuleAddress {
  readonly bytes: number;
  readonly unpacked: number;
}

/** Addresses of the solvers, by name, and of the script of their workers. */
export interface SolverAddresses {
  readonly worker: string;
  readonly modules: Readonly<Record<string, SolverAddress>>;
}

/** The state of a solver; while it is downloaded, the number of bytes so far. */
export interface SolverProgress {
  readonly solver: string;
  readonly state: "fetching" | "starting" | "solving" | "idle";
  readonly loaded: number;
  readonly total: number;
}

/**
 * The key and the extra headers of an endpoint. They are sent only to addresses at `base` or below it. If `base`
 * is empty, the worker forgets them.
 */
export interface KeyMessage {
  readonly type: "key";
  readonly endpoint: string;
  readonly base: string;
  /** "" for none. */
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A message of the page to the core's worker. */
export type ToWorker =
  /** Loads the first module. The full one is loaded when a call or a run needs it. */
  | {
      readonly type: "load";
      readonly first: ModuleAddress;
      readonly whole: ModuleAddress;
      readonly solvers: SolverAddresses;
    }
  /** Replaces the first module with the full one once it is loaded, because that is faster and finds more. */
  | { readonly type: "hasten" }
  | {
      readonly type: "call";
      readonly id: number;
      readonly method: MethodName;
      readonly params: unknown;
      /** Whether only the full module may answer the call. */
      readonly full: boolean;
    }
  | KeyMessage
  /** Starts a run. A recording is only replayed: no effect beyond it is performed. */
  | {
      readonly type: "run";
      readonly run: number;
      readonly params: RunStartParams;
      readonly recording: boolean;
      readonly pace: Pace;
      readonly agreed: readonly ToolAgenttoolsRemoteCall[];
    }
  | { readonly type: "pace"; readonly run: number; readonly pace: Pace }
  | { readonly type: "answer"; readonly run: number; readonly answer: Answer }
  | { readonly type: "cancel"; readonly run: number }
  /** Checks that the worker still responds. */
  | { readonly type: "ping" };

/** The pace of a run: free, a number of moves, or paused after the current move. */
export type Pace = "run" | "pause" | number;

/** A message of the core's worker to the page. A reply's `text` is the protocol's JSON. */
export type FromWorker =
  | { readonly type: "ready" }
  | { readonly type: "pong" }
  /** Sent before the core computes the reply to a call, which may hang or crash it. */
  | { readonly type: "answering"; readonly id: number }
  /** The full module is being downloaded: replies may take as long as the network does. */
  | { readonly type: "fetching" }
  | { readonly type: "fetched" }
  /** The full module replaced the first, or it did not load. */
  | { readonly type: "replaced"; readonly fault?: Fault }
  | { readonly type: "unloadable"; readonly fault: Fault }
  | { readonly type: "crashed"; readonly fault: Fault }
  | { readonly type: "reply"; readonly id: number; readonly text: string }
  | { readonly type: "solver"; readonly progress: SolverProgress }
  /** A request to the browser's model. The page posts answers without `effect` to the port; null from it cancels. */
  | { readonly type: "prompt"; readonly http: HTTP; readonly port: MessagePort }
  | { readonly type: "update"; readonly run: number; readonly update: RunUpdate };

/** The results of one slice of a run. */
export interface RunUpdate {
  readonly state: RunState;
  readonly events: readonly unknown[];
  readonly questions: readonly Effect[];
  /** Identifiers of effects that no longer need an answer. */
  readonly dropped: readonly string[];
  readonly fault?: Fault;
  /** The result, once the run is done. */
  readonly result?: unknown;
  /** The recording, with only the answers since the last update. */
  readonly log?: RunLog;
}

/** "paused" and "cancelled" are states of the host; the others are the core's. */
export type RunState = "working" | "waiting" | "paused" | "done" | "failed" | "cancelled";
