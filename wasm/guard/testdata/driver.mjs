// Judges the runs on its standard input, one a line, for the differential test.
import { createInterface } from "node:readline";
import { Guard } from "../js/index.js";

const guards = new Map();
for await (const line of createInterface({ input: process.stdin })) {
  const run = JSON.parse(line);
  let reply;
  try {
    if (!guards.has(run.guard)) {
      guards.clear();
      guards.set(run.guard, Guard.read(run.guard));
    }
    const guard = guards.get(run.guard), log = [];
    const options = { modes: run.modes, redact: run.redact, log: (text) => log.push(text), clock: run.clock ? () => run.clock.shift() : null };
    const session = run.state === "" ? guard.begin(options) : guard.load(run.state, options);
    const decisions = run.ops.map(({ op, event }) => {
      switch (op) {
        case "allow": return session.allow(event);
        case "record": return session.record(event);
        case "end": return session.end();
        case "feed": return session.feed(event.content);
        case "discard": session.discard();
      }
      return { verdict: String(session.cancel(event.id)), code: "", reason: "", rule: "", next: session.next().next, mayEnd: session.next().mayEnd, shadow: [] };
    });
    reply = { decisions, state: session.save(), log, error: "" };
  } catch (error) {
    reply = { decisions: [], state: "", log: [], error: String(error.code ?? error.stack) };
  }
  process.stdout.write(JSON.stringify(reply) + "\n");
}
