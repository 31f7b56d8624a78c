import type { Answer, Effect, Methods, RunLog, RunStartParams } from "./wire.js";

/** A method of the core's protocol. */
export type MethodName = keyof Methods;

/** What went wrong, as the core or its host says it. */
export interface Fault {
  readonly code: string;
  readonly message: string;
}

/** Where a module is: as brotli and as gzip packed it. */
export interface ModuleAddress {
  readonly br: string;
  readonly gz: string;
}

/** What the page tells the core's worker. */
export type ToWorker =
  /** Loads the first module; the whole one is fetched when something asks for what the first has not. */
  | { readonly type: "load"; readonly first: ModuleAddress; readonly whole: ModuleAddress }
  | { readonly type: "call"; readonly id: number; readonly method: MethodName; readonly params: unknown }
  /** A key for an endpoint; it is only ever sent to `origin`. An empty key forgets it. */
  | { readonly type: "key"; readonly endpoint: string; readonly origin: string; readonly key: string }
  | { readonly type: "run"; readonly run: number; readonly params: RunStartParams }
  | { readonly type: "answer"; readonly run: number; readonly answer: Answer }
  | { readonly type: "cancel"; readonly run: number };

/** What the core's worker tells the page. A reply's `text` is the protocol's JSON. */
export type FromWorker =
  | { readonly type: "ready" }
  /** The whole module is being fetched: answers may take as long as a network does. */
  | { readonly type: "fetching" }
  | { readonly type: "fetched" }
  | { readonly type: "unloadable"; readonly fault: Fault }
  | { readonly type: "crashed"; readonly fault: Fault }
  | { readonly type: "reply"; readonly id: number; readonly text: string }
  | { readonly type: "update"; readonly run: number; readonly update: RunUpdate };

/** What a slice of a run brought. */
export interface RunUpdate {
  readonly state: RunState;
  readonly events: readonly unknown[];
  readonly questions: readonly Effect[];
  /** Identifiers of effects that nobody has to answer any more. */
  readonly dropped: readonly string[];
  readonly fault?: Fault;
  /** The recording, once the run has ended. */
  readonly log?: RunLog;
}

/** "cancelled" is the host's; the others are the core's. */
export type RunState = "working" | "waiting" | "done" | "failed" | "cancelled";
