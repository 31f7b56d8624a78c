// What the forms of runs ask for.
import type { FormulateSettings, TeamSettings } from "./events.js";
import type { ToolRemoteCall } from "./wire.js";

export type ModelKind = "uniform" | "first" | "scripted" | "rambler" | "person" | "endpoint";

/** What the Run tab asks for. */
export interface RunSettings {
  readonly task: string;
  readonly model: ModelKind;
  readonly script: string;
  readonly errorRate: number;
  /** A simulated model answers as if its server allowed nothing but the choices. */
  readonly constrained: boolean;
  /** The name of the endpoint that is asked where model is "endpoint". */
  readonly endpoint: string;
  readonly seed: number;
  readonly reading: "integer" | "label" | "logprobs";
  /** Who chooses where no answer could be read. */
  readonly otherwise: "" | "person" | "first";
  /** The tools are used once the plan is made. */
  readonly execute: boolean;
  /** The workspace's formulas are kept to. */
  readonly properties: boolean;
  /** No look-ahead: the planner backtracks from dead ends. */
  readonly naive: boolean;
  /** To get an answer that can be read; 0: as many as usual. */
  readonly attempts: number;
  /** What may be spent; 0: no bound. */
  readonly maxCalls: number;
  readonly maxTokens: number;
  readonly maxMoney: number;
  /** The prompt of a choice; "": the usual one. */
  readonly template: string;
  /** The requests that the tools of this workspace may make. They are never kept with the settings: another workspace asks again. */
  readonly agreed: readonly ToolRemoteCall[];
  /** What only runs of agents take. */
  readonly agent: AgentSettings;
  /** What only runs of teams take; without it all is as usual. */
  readonly team?: TeamForm;
  /** What only runs of problems and solvers take; without it all is as usual. */
  readonly problem?: ProblemForm;
}

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

/** A model of one of the team, where it is not that of all. */
export interface OwnModel {
  readonly model: ModelKind;
  readonly endpoint: string;
  readonly script: string;
  readonly errorRate: number;
}

/** The settings of runs of teams. A number that is 0 and a text that is "" stand for what is usual. */
export interface TeamForm {
  readonly method: "" | "react" | "cot" | "sole";
  /** What is known beforehand, for the method that plans from it. */
  readonly known: string;
  readonly approve: boolean;
  readonly supervisor: "" | "pass";
  readonly otherwise: "" | "person" | "stop";
  readonly environment: Environment;
  readonly steps: number;
  /** -1: as many as the team says. */
  readonly retries: number;
  readonly concurrent: number;
  readonly maxTokens: number;
  readonly temperature: number;
  /** By whose they are: "manager", "executors", "executor NAME" … */
  readonly models: Readonly<Record<string, OwnModel>>;
  /** The workspace's script answers in the place of the models. */
  readonly scripted: boolean;
  readonly templates: TeamSettings["templates"];
}

/** The notations of what a solver is given, by the endings of their files. */
export type Notation = "smt2" | "lp" | "pddl";

/** The settings of these runs. A number that is 0 and a text that is "" stand for what is usual. */
export interface ProblemForm {
  /** "alone": the solver is given what is there, and no model is asked. */
  readonly method: "" | "direct" | "cot" | "code" | "alone";
  readonly notation: "" | Notation;
  /** The stage that is begun with. */
  readonly from: string;
  /** Of self-assessment, and of a text that the solver cannot take; -1: as many as usual. */
  readonly rounds: number;
  readonly regenerations: number;
  readonly approve: boolean;
  readonly example: boolean;
  /** The most steps that a plan may have. */
  readonly most: number;
  readonly seconds: number;
  /** Of the solver, in MiB. */
  readonly memory: number;
  /** What is made of formulas where plans have steps. */
  readonly properties: "" | "check" | "ignore";
  /** The first solution will do. */
  readonly first: boolean;
  /** What a simulated model gets wrong, one a round; none: what its kind does by itself. */
  readonly mistakes: readonly string[];
  readonly maxTokens: number;
  readonly temperature: number;
  /** By stage. */
  readonly models: Readonly<Record<string, OwnModel>>;
  readonly templates: FormulateSettings["templates"];
}
