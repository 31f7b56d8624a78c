// What the form of an agent's run asks for, and what of it the core is told.
import type { RunSettings } from "./store.js";
import type { File, LlmSpec, MonitorSettings } from "./wire.js";

/** Who fills in what the environment says; "": what is usual for the workspace and the model. */
export type Environment = "" | "simulated" | "person" | "tools";

/** The settings of runs of agents. A number that is 0 and a text that is "" stand for what is usual. */
export interface AgentSettings {
  readonly environment: Environment;
  /** How many runs vote on the answer. */
  readonly samples: number;
  /** The agent that answers where no two runs agree. */
  readonly then: string;
  readonly evaluator: "" | "exact" | "model" | "person";
  /** The right answer, where an evaluator compares. */
  readonly reference: string;
  readonly keep: "" | "summary" | "results";
  readonly forced: boolean;
  /** A call for each state: the baseline. */
  readonly eager: boolean;
  /** Tools are called in the endpoint's own way. */
  readonly native: boolean;
  readonly maxSteps: number;
  readonly maxLoops: number;
  readonly maxCorrections: number;
  readonly maxTokens: number;
  readonly chunk: number;
  readonly temperature: number;
  readonly template: string;
}

/** The form as it is before anything was chosen. */
export const usualAgent: AgentSettings = {
  environment: "", samples: 0, then: "", evaluator: "", reference: "", keep: "", forced: false, eager: false, native: false,
  maxSteps: 0, maxLoops: 0, maxCorrections: 0, maxTokens: 0, chunk: 0, temperature: 0, template: "",
};

/** The file of a workspace that declares the tools of its agents. */
export const agentToolsFile = "agent-tools.json";

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
