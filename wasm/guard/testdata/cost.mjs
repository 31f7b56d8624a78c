// Measures a call and its result after some events: node cost.mjs GUARD, or node cost.mjs GUARD TOOL=FIELD… for a guard of rules
// that permits these calls, each with another order and the amount 7.
import { readFileSync } from "node:fs";
import { Guard } from "../js/index.js";

const started = performance.now();
const guard = Guard.read(readFileSync(process.argv[2], "utf8"));
console.log("read", (performance.now() - started).toFixed(2), "ms");
const session = guard.begin();
session.record({ kind: "message", name: "user", content: "hello", time: 0 });
let n = 0;
const tools = process.argv.slice(3).map((arg) => arg.split("="));
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
const measure = (label) => {
  const runs = [];
  for (let k = 0; k < 5; k++) {
    const from = performance.now();
    for (let i = 0; i < 2000; i++) step();
    runs.push((performance.now() - from) / 4000 * 1000);
  }
  console.log("after", label, "events:", Math.min(...runs).toFixed(2), "µs per event");
};
for (let i = 0; i < 20_000; i++) step(); // compiled by the engine
measure(40_000);
for (let i = 0; i < 50_000; i++) step();
measure(150_000);
