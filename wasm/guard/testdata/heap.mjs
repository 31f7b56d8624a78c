// Prints the bytes of the heap that a session takes after a run, and its state: node --expose-gc heap.mjs, with requests on the standard input, one a line.
import { createInterface } from "node:readline";
import { Guard } from "../js/index.js";

const sessions = 200;
const used = () => {
  gc();
  gc();
  return process.memoryUsage().heapUsed;
};
for await (const line of createInterface({ input: process.stdin })) {
  const run = JSON.parse(line), guard = Guard.read(run.guard);
  const begin = () => {
    const session = guard.begin({ clock: null });
    for (const { op, event } of run.ops) session[op](event);
    return session;
  };
  for (let i = 0; i < 500; i++) begin(); // fills the lists that sessions share, and is compiled by the engine
  let bytes = Infinity; // the least of three: the engine only adds to the heap, for example compiled code
  const list = new Array(sessions);
  for (let k = 0; k < 3; k++) {
    list.fill(null);
    const before = used();
    for (let i = 0; i < sessions; i++) list[i] = begin();
    bytes = Math.min(bytes, Math.round((used() - before) / sessions));
  }
  process.stdout.write(JSON.stringify({ bytes, state: list[0].save() }) + "\n");
}
