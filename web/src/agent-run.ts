// What the form of an agent's run says, as the core takes it.
import { agentToolsFile } from "./agent-settings.js";
import type { Environment, RunSettings } from "./run-form.js";
import type { File, LlmSpec, MonitorSettings } from "./wire.js";

/**
 * Who fills in what the environment says. Nothing is called unless the workspace
 * declares tools, and then only for a model that makes something of their results.
 */
export function environmentOf({ agent, model }: RunSettings, files: readonly File[]): Exclude<Environment, ""> {
  if (agent.environment !== "") return agent.environment;
  return model === "endpoint" && files.some((f) => f.name === agentToolsFile) ? "tools" : "simulated";
}

/** The other agents of a workspace, one of which may stand by. */
export function otherAgents(files: readonly File[], name: string): readonly string[] {
  return files.map((f) => f.name).filter((other) => other.endsWith(".agent") && other !== name);
}

/** The settings of a run of an agent of the workspace. */
export function agentRunSettings(s: RunSettings, model: LlmSpec, files: readonly File[], name: string): Partial<MonitorSettings> {
  const a = s.agent;
  const environment = environmentOf(s, files);
  const whole = (["maxSteps", "maxLoops", "maxCorrections", "maxTokens", "chunk", "temperature"] as const).filter((field) => a[field] > 0);
  return {
    question: s.task, model, environment,
    ...(a.forced && { forced: true }), ...(a.eager && { eager: true }), ...(a.native && model.kind === "endpoint" && { surface: "tools" }),
    ...(a.template !== "" && { template: a.template }),
    ...(a.samples > 1 && { samples: a.samples, ...(otherAgents(files, name).includes(a.then) && { then: a.then }) }),
    ...(environment === "tools" && {
      ...(a.evaluator !== "" && { evaluator: a.evaluator }), ...(a.evaluator === "exact" && { reference: a.reference }),
      ...(a.keep !== "" && { keep: a.keep }),
    }),
    ...Object.fromEntries(whole.map((field) => [field, a[field]])),
    budget: { ...(s.maxCalls > 0 && { calls: s.maxCalls }), ...(s.maxTokens > 0 && { tokens: s.maxTokens }) },
  };
}
