import { onWire } from "../models/endpoint-actions.js";
import type { PlanChange, PlanSettings } from "./events.js";
import type { RunSettings } from "./run-form.js";
import type { Thoughts } from "./settings-fields.js";
import type { Endpoint } from "../store/state.js";
import { taskOf } from "../store/tasks.js";
import type { File, LlmSpec } from "../core/wire.js";

// Converts the Run tab's form into the core's settings.

/** Returns the chosen model. */
export function modelSettings(s: RunSettings, endpoint: Endpoint | undefined): LlmSpec {
  const constrained = s.constrained && { constrained: true };
  switch (s.model) {
    case "scripted":
      return {
        kind: s.model,
        script: s.script
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => line.replaceAll("\\n", "\n")),
      };
    case "rambler":
      return { kind: s.model, errorRate: s.errorRate, ...constrained };
    case "endpoint":
      return { kind: s.model, ...(endpoint && { endpoint: onWire(thinking(s, endpoint)) as LlmSpec["endpoint"] }) };
    case "person":
      return { kind: s.model };
    default:
      return { kind: s.model, ...constrained };
  }
}

/** Returns an endpoint that thinks as much as the run's settings say, or by default as its own. */
export function thinking({ effort, thinking }: Thoughts, endpoint: Endpoint): Endpoint {
  return { ...endpoint, ...(effort && { effort }), ...(thinking && { thinking }) };
}

/** The settings of a plan for a spec of the workspace. */
export function planSettings(
  s: RunSettings,
  endpoint: Endpoint | undefined,
  files: readonly File[],
  spec: string,
): PlanSettings {
  const task = taskOf(files, spec, s.task);
  return {
    task: s.task,
    model: modelSettings(s, endpoint),
    ...ways(s),
    ...bounds(s),
    wording: "paper",
    ...(s.consequences && { consequences: true }),
    ...(s.naive && { naive: true }),
    ...(s.beam && { beam: s.beam, ...(s.score && { score: s.score }) }),
    ...(!s.properties && { properties: "ignore" }),
    ...(s.otherwise !== "" && { otherwise: s.otherwise }),
    ...(s.execute && hasTools(files) && { execute: true, ...(task && { inputs: task.inputs, goal: task.goal }) }),
  };
}

/** Returns the settings that a run can change from an offer on. */
export function changeFrom(
  from: number,
  s: RunSettings,
  endpoint: Endpoint | undefined,
  usual: { readonly template: string; readonly attempts: number },
): PlanChange {
  return {
    from,
    model: modelSettings(s, endpoint),
    reading: s.reading,
    attempts: s.attempts || usual.attempts,
    template: s.template || usual.template,
  };
}

/** Returns the temperature and the tokens of an answer, if they are not the defaults. */
export function sampling(s: RunSettings): { readonly temperature?: number; readonly maxTokens?: number } {
  return { ...(s.temperature && { temperature: s.temperature }), ...(s.answerTokens && { maxTokens: s.answerTokens }) };
}

/** Returns the form of answers. */
function ways(s: RunSettings): Partial<PlanSettings> {
  return {
    ...(s.reading !== "integer" && { reading: s.reading }),
    ...(s.attempts > 0 && { attempts: s.attempts }),
    ...sampling(s),
    ...(s.template !== "" && { template: s.template }),
  };
}

/** Returns the limits. */
export function bounds(s: RunSettings): Pick<PlanSettings, "budget"> {
  return {
    budget: {
      ...(s.maxCalls > 0 && { calls: s.maxCalls }),
      ...(s.maxTokens > 0 && { tokens: s.maxTokens }),
      ...(s.maxMoney > 0 && { money: s.maxMoney }),
    },
  };
}

/** Reports whether the workspace defines tool results. */
export function hasTools(files: readonly File[]): boolean {
  return files.some((f) => f.name === "tools.json");
}
