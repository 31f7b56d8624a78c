// What the form of an agent's run asks for.

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
