// A solver's worker: the first message chooses the solver, and queries run one after the other.
// Ending the worker cancels a query.
import { type SolverEngine, SolverFault, startSolver } from "./solver-engine.mjs";
import type { FromSolver, ToSolver } from "./solver-protocol.js";

// Z3 tries threads for some problems, falls back without them, and warns each time. The warning
// needs no action.
const warn = console.warn.bind(console);
console.warn = (...said: unknown[]): void => {
  if (!String(said[0]).includes("pthread_create: environment does not support")) warn(...said);
};

let engine: Promise<SolverEngine> | undefined;

function post(message: FromSolver): void {
  self.postMessage(message);
}

self.addEventListener("message", (event: MessageEvent<ToSolver>) => void answer(event.data));

async function answer(message: ToSolver): Promise<void> {
  try {
    if (message.type === "start") {
      engine = startSolver(message.solver, message.module);
      await engine;
      post({ type: "ready" });
      return;
    }
    if (engine === undefined) throw new Error("the solver was not started");
    const ready = await engine;
    const began = performance.now();
    const reply = await ready.solve(message.query);
    post({ type: "reply", reply: { ...reply, milliseconds: Math.round(performance.now() - began) } });
  } catch (reason) {
    const code = reason instanceof SolverFault ? reason.code : "solver.crash";
    post({ type: "fault", fault: { code, message: reason instanceof Error ? reason.message : String(reason) } });
  }
}
