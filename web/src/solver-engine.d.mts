import type { SolveQuery, SolveReply } from "./wire.js";

/** A failure by the name that the core knows it by. */
export class SolverFault extends Error {
  readonly code: string;
}

/** A solver that is ready. After a fault it is of no use any more. */
export interface SolverEngine {
  solve(query: SolveQuery): Promise<Omit<SolveReply, "milliseconds">>;
}

/** Starts a solver of a compiled module. */
export function startSolver(solver: string, module: WebAssembly.Module): Promise<SolverEngine>;
