import type { SolveQuery, SolveReply } from "./wire.js";

/** What a solver's worker is told. */
export type ToSolver =
  | { readonly type: "start"; readonly solver: string; readonly module: WebAssembly.Module }
  | { readonly type: "solve"; readonly query: SolveQuery };

/** What it says. After a fault it is of no use any more. */
export type FromSolver =
  | { readonly type: "ready" }
  | { readonly type: "reply"; readonly reply: SolveReply }
  | { readonly type: "fault"; readonly fault: { readonly code: string; readonly message: string } };
