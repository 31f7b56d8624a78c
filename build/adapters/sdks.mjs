// Runs the example of each SDK in the Export tab, with the names of two guards: an order only, and an agent whose runs have a
// question and an answer. A log shows that each event was entered, also the error of a tool that fails.
import assert from "node:assert/strict";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { Guard } from "stile-guard";
import { complete, executed, faults, seen } from "./script.mjs";

export const { guardCode, guardFile, uses } = await import(pathToFileURL(resolve("guard-code.mjs")).href);
/** A name of a spec with signs that the languages treat differently. */
export const hostile = `7 "élan" $(touch pwned) it's.agent`;
export const guards = ["shop.guard", guardFile(hostile)];
await copyFile("desk.guard", guards[1]);
export const site = "https://stile.example/";
const prompt = "Refund order A7.";

/** Writes a filled-in example to the working directory, and imports it. */
let last = 0;
export async function imported(use, file) {
  const code = guardCode(use, file, [], site);
  assert.ok(code.trim().split("\n").filter((line) => line !== "").length <= 15 || use === "JavaScript", `the example of ${use} has more than 15 lines`);
  const name = resolve(`example-${++last}.mjs`);
  await writeFile(name, code);
  return import(pathToFileURL(name).href);
}

/** The lines of the logs of all sessions. */
const log = [], begin = Guard.prototype.begin;
Guard.prototype.begin = function (options = {}) {
  return begin.call(this, { ...options, log: (line) => log.push(JSON.parse(line)) });
};

const entered = () => log.map(({ op, kind, name, verdict }) => [op === "end" ? op : kind, name, verdict].join(" "));

/** The arguments of the function ask of each SDK, after the prompt. */
const given = {
  "OpenAI Agents SDK": async () => { const { model, declarations } = await import("./sdk/openai-agents.mjs"); return [model, declarations]; },
  "LangChain, LangGraph": async () => { const { model, tools } = await import("./sdk/langchain.mjs"); return [model, tools]; },
  "AI SDK of Vercel": async () => { const { model, tools } = await import("./sdk/ai.mjs"); return [model, tools]; },
  "Strands Agents SDK": async () => { const { model, tools } = await import("./sdk/strands.mjs"); return [model, tools]; },
  "Claude Agent SDK": async () => { const { server, options } = await import("./sdk/claude.mjs"); return [server, options]; },
};

const checks = {};
for (const [title, of] of Object.entries(given)) {
  for (const file of guards) {
    for (const fails of [false, true]) {
      const check = async () => {
        executed.length = seen.length = log.length = 0;
        if (fails) faults.add("login");
        const { ask } = await imported(title, file);
        const answer = ask(prompt, ...await of());
        if (fails && title.startsWith("LangChain")) { // ends the run of a tool that throws, also without a guard
          await assert.rejects(answer, /no login/);
          executed.length = seen.length = 0;
          assert.deepEqual(entered(), ["message user allow", "call refund deny", "call login allow", "error login allow"]);
          return;
        }
        assert.equal(await answer, "Done.");
        if (title === "Claude Agent SDK") assert.deepEqual(executed.splice(0), ["login", "logout"]); // the program asserts that the model reads the reason
        else complete();
        const again = title === "Claude Agent SDK" ? (name) => [`call ${name} allow`] : () => []; // before the result
        assert.deepEqual(entered(), [
          "message user allow", "call refund deny", "call login allow", ...again("login"), `${fails ? "error" : "result"} login allow`,
          "call logout allow", ...again("logout"), "result logout allow", "message assistant allow", "end  allow",
        ]);
      };
      checks[`${title}, ${file}${fails ? ", a tool that fails" : ""}`] = () => check().finally(() => faults.clear());
    }
  }
}
checks["Claude Agent SDK, a prompt that the specs refuse"] = async () => {
  const { guardHooks } = await import("stile-guard/claude");
  const session = Guard.read(await readFile("words.guard", "utf8")).begin(), hooks = guardHooks(session);
  const ask = (prompt) => hooks.UserPromptSubmit[0].hooks[0]({ hook_event_name: "UserPromptSubmit", prompt });
  const call = (tool_name, event = "PreToolUse") => hooks[event][0].hooks[0]({ hook_event_name: event, tool_name, tool_use_id: tool_name, tool_input: {}, tool_response: "ok" });
  log.length = 0;
  for (const prompt of ["DROP TABLE 1", "", 1n]) {
    const { decision, reason } = await ask(prompt);
    assert.equal(decision, "block");
    assert.match(reason, typeof prompt === "string" ? /^"Ques" must match/ : /./);
  }
  assert.deepEqual(entered(), []);
  assert.deepEqual(await ask("refund my order"), {});
  assert.deepEqual(await ask("DROP TABLE 1"), {}); // has no step
  assert.deepEqual(await call("login"), {});
  assert.deepEqual(entered(), ["message user allow", "message user allow", "call login allow"]);
  assert.match((await call("lookup", "PostToolUse")).reason, /unknown tool "lookup"/);
  assert.deepEqual(await ask("what happened?"), {});
  assert.match((await call("login")).hookSpecificOutput.permissionDecisionReason, /^the session violated its spec/);
};
checks["Claude Agent SDK, a prompt without a step that a rule refuses or asks about"] = async () => {
  const { guardHooks } = await import("stile-guard/claude");
  const guard = Guard.read(await readFile("again.guard", "utf8"));
  for (const mode of ["enforce", "ask"]) {
    log.length = 0;
    const hooks = guardHooks(guard.begin({ modes: { "again.rules: m": mode } }));
    const ask = (prompt) => hooks.UserPromptSubmit[0].hooks[0]({ hook_event_name: "UserPromptSubmit", prompt });
    assert.deepEqual(await ask("refund my order"), {});
    assert.deepEqual(await hooks.PreToolUse[0].hooks[0]({ hook_event_name: "PreToolUse", tool_name: "login", tool_use_id: "c1", tool_input: {} }), {});
    const later = await ask("again");
    if (mode === "enforce") assert.equal(later.decision, "block");
    else assert.deepEqual(later, {});
    assert.deepEqual(entered(), ["message user allow", "call login allow", ...(mode === "enforce" ? [] : ["message user ask"])]);
  }
};
export default checks;
