import { onWire } from "./endpoints.js";
import type { PlanChange, PlanSettings } from "./events.js";
import type { RunSettings } from "./run-form.js";
import type { Endpoint } from "./state.js";
import { taskOf } from "./tasks.js";
import type { File, LlmSpec } from "./wire.js";

// What the Run tab's form says, as the core takes it.

/** The model that the form has chosen. */
export function modelSettings(s: RunSettings, endpoint: Endpoint | undefined): LlmSpec {
  const constrained = s.constrained && { constrained: true };
  switch (s.model) {
    case "scripted":
      return { kind: s.model, script: s.script.split("\n").filter((line) => line !== "").map((line) => line.replaceAll("\\n", "\n")) };
    case "rambler":
      return { kind: s.model, errorRate: s.errorRate, ...constrained };
    case "endpoint":
      return { kind: s.model, ...(endpoint && { endpoint: onWire(endpoint) as LlmSpec["endpoint"] }) };
    case "person":
      return { kind: s.model };
    default:
      return { kind: s.model, ...constrained };
  }
}

/** The settings of a plan for a spec of the workspace. */
export function planSettings(s: RunSettings, endpoint: Endpoint | undefined, files: readonly File[], spec: string): PlanSettings {
  const task = taskOf(files, spec, s.task);
  return {
    task: s.task, model: modelSettings(s, endpoint), ...ways(s), ...bounds(s),
    ...(s.naive && { naive: true }), ...(!s.properties && { properties: "ignore" }), ...(s.otherwise !== "" && { otherwise: s.otherwise }),
    ...(s.execute && hasTools(files) && { execute: true, ...(task && { inputs: task.inputs, goal: task.goal }) }),
  };
}

/** The form's settings as a change from an offer on: all that a run can change on its way. */
export function changeFrom(from: number, s: RunSettings, endpoint: Endpoint | undefined, usual: { readonly template: string; readonly attempts: number }): PlanChange {
  return { from, model: modelSettings(s, endpoint), reading: s.reading, attempts: s.attempts || usual.attempts, template: s.template || usual.template };
}

/** How the model is asked. */
function ways(s: RunSettings): Partial<PlanSettings> {
  return { ...(s.reading !== "integer" && { reading: s.reading }), ...(s.attempts > 0 && { attempts: s.attempts }), ...(s.template !== "" && { template: s.template }) };
}

/** What may be spent. */
export function bounds(s: RunSettings): Pick<PlanSettings, "budget"> {
  return { budget: { ...(s.maxCalls > 0 && { calls: s.maxCalls }), ...(s.maxTokens > 0 && { tokens: s.maxTokens }), ...(s.maxMoney > 0 && { money: s.maxMoney }) } };
}

/** Whether the workspace says what its tools do. */
export function hasTools(files: readonly File[]): boolean {
  return files.some((f) => f.name === "tools.json");
}
