// Runs a solver under Node for programs in other languages. Each line on standard input is a query of the
// core as JSON; each line on standard output is the answer to a query, {"reply": …}
// or {"fault": …}. The process ends after a fault, because a crashed instance cannot be reused.
//
//     node web/tools/solve.mjs z3
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

// A page without cross-origin isolation lacks it, and Node must solve as the page does.
globalThis.SharedArrayBuffer = undefined;

const solver = process.argv[2] === "highs" ? "highs" : "z3";
const require = createRequire(import.meta.url);
const tell = (answer) => new Promise((done) => process.stdout.write(`${JSON.stringify(answer)}\n`, done));

try {
  const { startSolver } = await import("../src/solver/solver-engine.mjs");
  const file = require.resolve(solver === "highs" ? "highs/runtime" : "z3-solver/build/z3-built.wasm");
  const engine = await startSolver(solver, await WebAssembly.compile(await readFile(file)));
  await tell({ ready: true });
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const began = performance.now();
    const reply = await engine.solve(JSON.parse(line));
    await tell({ reply: { ...reply, milliseconds: Math.round(performance.now() - began) } });
  }
} catch (reason) {
  await tell({
    fault: { code: reason?.code ?? "solver.crash", message: reason instanceof Error ? reason.message : String(reason) },
  });
}
process.exit(0);
