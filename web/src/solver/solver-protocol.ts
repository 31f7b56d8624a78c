import type { SolveQuery, SolveReply } from "../core/wire.js";

/** A message to a solver's worker. */
export type ToSolver =
  | { readonly type: "start"; readonly solver: string; readonly module: WebAssembly.Module }
  | { readonly type: "solve"; readonly query: SolveQuery };

/** A message of a solver's worker. The worker cannot be used after a fault. */
export type FromSolver =
  | { readonly type: "ready" }
  | { readonly type: "reply"; readonly reply: SolveReply }
  | { readonly type: "fault"; readonly fault: { readonly code: string; readonly message: string } };
