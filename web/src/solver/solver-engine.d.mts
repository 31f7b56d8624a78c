import type { SolveQuery, SolveReply } from "../core/wire.js";

/** A failure with the core's code. */
export class SolverFault extends Error {
  readonly code: string;
}

/** A running solver. It cannot be used after a fault. */
export interface SolverEngine {
  solve(query: SolveQuery): Promise<Omit<SolveReply, "milliseconds">>;
}

/** Starts a solver from a compiled module. */
export function startSolver(solver: string, module: WebAssembly.Module): Promise<SolverEngine>;
