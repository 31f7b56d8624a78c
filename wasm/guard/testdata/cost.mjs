// Measures an event, of calls and their results, after 10 and after 100,000 events: node cost.mjs GUARD, or node cost.mjs GUARD
// TOOL=FIELD… for a guard of rules that permits these calls, each with another order and the amount 7. Prints lines as benchmarks of Go do.
import { readFileSync } from "node:fs";
import { Guard } from "../js/index.js";

const started = performance.now();
const guard = Guard.read(readFileSync(process.argv[2], "utf8"));
console.log(`BenchmarkRead/JavaScript 1 ${((performance.now() - started) * 1e6).toFixed(0)} ns/op`);
const tools = process.argv.slice(3).map((arg) => arg.split("="));

/** A session with a number of events, which makes a call and enters its result in each step. */
function begin(events) {
  const session = guard.begin();
  session.record({ kind: "message", name: "user", content: "hello", time: 0 });
  let n = 0;
  const step = tools.length > 0 ? () => {
    const [name, field] = tools[n % tools.length], order = Math.floor(n / tools.length), id = "c" + n, time = n++;
    const d = session.allow({ name, id, arguments: `{"order":${order},"${field}":7}`, time });
    if (d.verdict !== "allow") throw new Error(d.reason);
    session.record({ kind: "result", id, content: "x", time });
  } : () => {
    const id = "c" + n++;
    if (session.allow({ name: "lookup", id, arguments: '{"q":"7"}' }).verdict !== "allow") throw new Error("denied");
    session.record({ kind: "result", id, content: "x" });
  };
  for (let i = 0; i < events / 2; i++) step();
  return step;
}

const SESSIONS = 200, STEPS = 10;
const late = begin(100_000); // the engine has compiled the runtime afterwards
const best = { 10: Infinity, 100_000: Infinity };
const time = (events, run) => {
  const from = performance.now();
  run();
  best[events] = Math.min(best[events], (performance.now() - from) * 1e6 / (2 * SESSIONS * STEPS));
};
for (let round = 0; round < 9; round++) {
  const early = Array.from({ length: SESSIONS }, () => begin(10));
  time(10, () => { for (const step of early) for (let i = 0; i < STEPS; i++) step(); });
  time(100_000, () => { for (let i = 0; i < SESSIONS * STEPS; i++) late(); });
}
for (const [events, ns] of Object.entries(best)) console.log(`BenchmarkEvent/JavaScript/${events} 1 ${ns.toFixed(0)} ns/op`);
