// The settings of runs.
import type { FormulateSettings, TeamSettings } from "./events.js";
import type { ToolAgenttoolsRemoteCall } from "../core/wire.js";

export type ModelKind = "uniform" | "first" | "scripted" | "rambler" | "person" | "endpoint";

/** The settings of the Run tab. */
export interface RunSettings {
  readonly task: string;
  readonly model: ModelKind;
  /** Whether the run that a person wrote for the example is played, instead of the well-behaved simulated model. */
  readonly recorded: boolean;
  readonly script: string;
  readonly errorRate: number;
  /** Whether a simulated model answers as if its server enforced the choices. */
  readonly constrained: boolean;
  /** Name of the endpoint if model is "endpoint". */
  readonly endpoint: string;
  readonly seed: number;
  /** The width of a beam search; 0 for none. Undefined in settings that were stored by earlier versions. */
  readonly beam?: number;
  /** The source of the probabilities in a beam; "" for the default. */
  readonly score?: "" | "logprobs" | "grades";
  readonly reading: "integer" | "label" | "logprobs";
  /** The fallback if no answer could be read: none, the person's choice, or the first choice. */
  readonly otherwise: "" | "person" | "first";
  /** Whether tools are called once the plan is complete. */
  readonly execute: boolean;
  /** Whether the workspace's formulas are enforced. */
  readonly properties: boolean;
  /** Whether the workspace's rules about data are enforced on the calls. */
  readonly rules: boolean;
  /** Whether the planner works without look-ahead, and backtracks from dead ends. */
  readonly naive: boolean;
  /** Whether the model sees the consequences of a flowchart's answers. */
  readonly consequences: boolean;
  /** The maximum number of attempts to get a readable answer; 0 for the default. */
  readonly attempts: number;
  /** The limits of the run; 0 for none. */
  readonly maxCalls: number;
  readonly maxTokens: number;
  readonly maxMoney: number;
  /** The thinking effort of the run's endpoints, instead of their own; undefined or "" for their own. */
  readonly effort?: string;
  /** The tokens for thoughts, instead of those of the endpoints; undefined or 0 for theirs. */
  readonly thinking?: number;
  /** The temperature and the tokens of an answer in a plan's run; undefined or 0 for the defaults. */
  readonly temperature?: number;
  readonly answerTokens?: number;
  /** The prompt of a choice; "" for the default. */
  readonly template: string;
  /**
   * The requests of this workspace's tools that the person allowed. They are never stored with the settings, so that
   * the person is asked again for another workspace.
   */
  readonly agreed: readonly ToolAgenttoolsRemoteCall[];
  /** Settings of agents only. */
  readonly agent: AgentSettings;
  /** Settings of teams only; undefined for the defaults. */
  readonly team?: TeamForm;
  /** Settings of problems and solvers only; undefined for the defaults. */
  readonly problem?: ProblemForm;
}

/** The source of the environment's contents; "" for the default of the workspace and the model. */
export type Environment = "" | "simulated" | "person" | "tools";

/** The settings of agents' runs. 0 and "" stand for the defaults. */
export interface AgentSettings {
  readonly environment: Environment;
  /** Number of runs that vote on the answer. */
  readonly samples: number;
  /** The agent that answers if no two runs agree. */
  readonly then: string;
  readonly evaluator: "" | "exact" | "model" | "person";
  /** The correct answer, for an evaluator that compares. */
  readonly reference: string;
  readonly keep: "" | "summary" | "results";
  readonly forced: boolean;
  /** Whether the model is called once per state, as in the baseline. */
  readonly eager: boolean;
  /** Whether the endpoint's own tool calls are used. */
  readonly native: boolean;
  /** Whether Markdown forms of the prompts count as prompts; undefined in settings that were stored by earlier versions. */
  readonly markdown?: boolean;
  readonly maxSteps: number;
  readonly maxLoops: number;
  readonly maxCorrections: number;
  readonly maxTokens: number;
  readonly chunk: number;
  readonly temperature: number;
  readonly template: string;
}

/** The model of one role, if it differs from the model of the others. */
export interface OwnModel {
  readonly model: ModelKind;
  readonly endpoint: string;
  readonly script: string;
  readonly errorRate: number;
}

/** The settings of teams' runs. 0 and "" stand for the defaults. */
export interface TeamForm {
  readonly method: "" | "react" | "cot" | "sole";
  /** Known facts, for the method that plans from them. */
  readonly known: string;
  readonly approve: boolean;
  /** The maximum number of executors that the manager may create; undefined in settings that were stored by earlier versions. */
  readonly create?: number;
  readonly supervisor: "" | "pass";
  readonly otherwise: "" | "person" | "stop";
  readonly environment: Environment;
  readonly steps: number;
  /** The number of retries; -1 for the number in the team's file. */
  readonly retries: number;
  readonly concurrent: number;
  readonly maxTokens: number;
  readonly temperature: number;
  /** The models by role: "manager", "executors", "executor NAME" … */
  readonly models: Readonly<Record<string, OwnModel>>;
  /** Whether the workspace's script answers instead of the models. */
  readonly scripted: boolean;
  readonly templates: NonNullable<TeamSettings["templates"]>;
}

/** The notations of solvers, by the endings of their files. */
export type Notation = "smt2" | "lp" | "pddl";

/** The settings of problems' and solvers' runs. 0 and "" stand for the defaults. */
export interface ProblemForm {
  /** "alone": the solver runs on the existing file, and no model is called. */
  readonly method: "" | "direct" | "cot" | "code" | "alone";
  readonly notation: "" | Notation;
  /** The kind of the question; "" if the definer decides it. */
  readonly ask: "" | "plan" | "what-if" | "why" | "why-not";
  /** Whether the person is asked about an ambiguous question. */
  readonly askBack: boolean;
  /** The first stage. */
  readonly from: string;
  /** Rounds of self-assessment, and of regeneration after a rejected text; -1 for the default. */
  readonly rounds: number;
  readonly regenerations: number;
  readonly approve: boolean;
  readonly example: boolean;
  /** Whether states are searched without a solver; undefined in settings that were stored by earlier versions. */
  readonly states?: boolean;
  /** The maximum number of steps of a plan. */
  readonly most: number;
  readonly seconds: number;
  /** Memory of the solver, in MiB. */
  readonly memory: number;
  /** The use of formulas for plans with steps. */
  readonly properties: "" | "check" | "ignore";
  /** Whether the solver stops at the first solution. */
  readonly first: boolean;
  /** Faults of a simulated model, one per round; none for its default. */
  readonly mistakes: readonly string[];
  readonly maxTokens: number;
  readonly temperature: number;
  /** The models by stage. */
  readonly models: Readonly<Record<string, OwnModel>>;
  readonly templates: NonNullable<FormulateSettings["templates"]>;
}
