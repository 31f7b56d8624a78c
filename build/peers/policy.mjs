// Measures decisions on a single call: the guard for JavaScript, whose file is the first argument,
// and cedar-wasm with the policies in the second one. Prints a line of JSON for each.
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import * as cedar from "@cedar-policy/cedar-wasm/nodejs";
import { Guard } from "../../wasm/guard/js/index.js";

const args = '{"amount":50,"currency":"EUR","order":"A-17"}';

/** The least microseconds of a decision, of five rounds. */
function measure(decide) {
  for (let i = 0; i < 5000; i++) decide();
  const rounds = [];
  for (let k = 0; k < 5; k++) {
    const start = performance.now();
    for (let i = 0; i < 2000; i++) decide();
    rounds.push((performance.now() - start) / 2);
  }
  return Math.min(...rounds);
}

const print = (tool, us, note) => console.log(JSON.stringify({ tool, us, note }));

let guard;
try {
  guard = Guard.read(readFileSync(process.argv[2], "utf8"));
} catch (reason) {
  print("Stile", 0, reason.message);
}
if (guard !== undefined) {
  const session = guard.begin();
  print("Stile", measure(() => {
    const d = session.allow({ name: "refund", id: "c", arguments: args, time: 0 });
    if (d.verdict !== "allow" || !session.cancel("c")) throw new Error(JSON.stringify(d));
  }));
}

const parsed = cedar.preparsePolicySet("policies", { staticPolicies: readFileSync(process.argv[3], "utf8") });
if (parsed.type !== "success") throw new Error(JSON.stringify(parsed));
print("cedar-wasm", measure(() => {
  const answer = cedar.statefulIsAuthorized({
    principal: { type: "User", id: "a" }, action: { type: "Action", id: "refund" }, resource: { type: "Gateway", id: "g" },
    context: JSON.parse(args), preparsedPolicySetId: "policies", validateRequest: false, entities: [],
  });
  if (answer.type !== "success" || answer.response.decision !== "allow") throw new Error(JSON.stringify(answer));
}));
