// Converts the form of a problem's or solver's run into the core's settings.
import { endpointOf } from "../models/endpoint-actions.js";
import type { FormulateSettings } from "../run/events.js";
import type { Notation, ProblemForm, RunSettings } from "../run/run-form.js";
import { bounds, modelSettings } from "../run/run-settings.js";
import { problemOf, notationOf } from "../store/file-kind.js";
import type { Endpoint, RunKind, Workspace } from "../store/state.js";
import type { File, LlmSpec, SolveLimits, SolveSettings, StepsSettings } from "../core/wire.js";

const usualProblem: ProblemForm = {
  method: "",
  notation: "",
  ask: "",
  askBack: false,
  from: "",
  rounds: -1,
  regenerations: -1,
  approve: false,
  example: false,
  most: 0,
  seconds: 0,
  memory: 0,
  properties: "",
  first: false,
  mistakes: [],
  maxTokens: 0,
  temperature: 0,
  models: {},
  templates: {},
};

/** Returns the form's settings of problems, with defaults. */
export function problemForm(s: RunSettings): ProblemForm {
  return { ...usualProblem, ...s.problem };
}

/** A stage of a formulation, its task, and its product. */
export interface Stage {
  readonly id: string;
  readonly name: string;
  readonly does: string;
  readonly makes: string;
}

export const stages: readonly Stage[] = [
  {
    id: "definer",
    name: "Definer",
    does: "states the goal, the decisions and the constraints",
    makes: "goal.md",
  },
  {
    id: "formulator",
    name: "Formulator",
    does: "lists the variables, or the objects and actions",
    makes: "variables.json",
  },
  { id: "generator", name: "Code generator", does: "writes the solver’s input", makes: "model" },
  { id: "solver", name: "Solver", does: "finds the best plan", makes: "" },
  {
    id: "formatter",
    name: "Result formatter",
    does: "formats the solution as the task requires",
    makes: "answer.json",
  },
  {
    id: "assessor",
    name: "Self-assessment",
    does: "judges each stage; the first incorrect one is replaced",
    makes: "assessment.md",
  },
];

export const notations: readonly { readonly id: Notation; readonly solver: string; readonly name: string }[] = [
  { id: "smt2", solver: "Z3", name: "SMT-LIB 2" },
  { id: "lp", solver: "HiGHS", name: "LP" },
  { id: "pddl", solver: "Z3", name: "steps, as PDDL" },
];

/** Returns the name of a stage. */
export function stageName(id: string): string {
  return stages.find((s) => s.id === id)?.name ?? id;
}

/** Returns the stage after the one that makes a file; "" if no run can start at that stage. */
export function stageAfter(product: string): string {
  const base = product.slice(product.lastIndexOf("/") + 1);
  if (base === "goal.md") return "formulator";
  if (base === "variables.json") return "generator";
  return /^model\.(smt2|lp|pddl)$/.test(base) ? "solver" : "";
}

/** Returns the notation of a problem. */
export function solverNotation(form: ProblemForm, files: readonly File[], folder: string): Notation {
  if (form.notation !== "") return form.notation;
  return notations.find(({ id }) => files.some((f) => f.name === `${folder}/model.${id}`))?.id ?? "smt2";
}

/** Returns the stages that a run can start with, given the products in the files. */
export function beginnings(form: ProblemForm, files: readonly File[], folder: string): readonly string[] {
  const notation = solverNotation(form, files, folder);
  return [
    ["formulator", "goal.md"],
    ["generator", "variables.json"],
    ["solver", `model.${notation}`],
  ]
    .filter(([, product]) => files.some((f) => f.name === `${folder}/${product}`))
    .map(([stage]) => stage ?? "");
}

/**
 * Returns the solver's run without a language model, on the open solver file or the problem's; null if language
 * models are called or the file is missing.
 */
export function alone(
  s: RunSettings,
  { files, current }: Pick<Workspace, "files" | "current">,
): { readonly kind: RunKind; readonly name: string } | null {
  const folder = problemOf(current);
  const form = problemForm(s);
  if (form.method !== "alone" || folder === "") return null;
  const model = isModel(current) ? current : `${folder}/model.${solverNotation(form, files, folder)}`;
  return files.some((f) => f.name === model)
    ? { kind: notationOf(model) === "pddl" ? "steps" : "solve", name: model }
    : null;
}

function isModel(name: string): boolean {
  return ["smt2", "lp", "pddl"].includes(notationOf(name) ?? "") && !name.endsWith("/api.smt2");
}

/** Returns the settings of a run of one of these kinds. */
export function problemSettings(
  kind: RunKind,
  s: RunSettings,
  endpoints: readonly Endpoint[],
  files: readonly File[],
  target: string,
): FormulateSettings | SolveSettings | StepsSettings {
  const form = problemForm(s);
  if (kind === "solve") return { limits: limits(form) };
  if (kind === "steps")
    return {
      ...(form.most > 0 && { most: form.most }),
      ...(form.states === true && { search: "states" }),
      limits: limits(form),
      ...(form.properties !== "" && { properties: form.properties }),
    };
  return formulateSettings(s, form, endpoints, files, problemOf(target));
}

function formulateSettings(
  s: RunSettings,
  form: ProblemForm,
  endpoints: readonly Endpoint[],
  files: readonly File[],
  folder: string,
): FormulateSettings {
  const models = Object.entries(form.models).map(([stage, model]): [string, LlmSpec] => {
    const settings = { ...s, ...model };
    return [stage, modelSettings(settings, endpointOf(settings, endpoints))];
  });
  const method = form.method === "alone" ? "" : form.method;
  const from = method === "" && beginnings(form, files, folder).includes(form.from) ? form.from : "";
  return {
    model: modelSettings(s, endpointOf(s, endpoints)),
    ...(models.length > 0 && { models: Object.fromEntries(models) }),
    ...(method !== "" && { method }),
    ...(form.notation !== "" && { notation: form.notation }),
    ...(form.ask !== "" && { ask: form.ask }),
    ...(form.askBack && { askBack: true }),
    ...(from !== "" && { from }),
    ...(form.rounds >= 0 && { rounds: form.rounds }),
    ...(form.regenerations >= 0 && { regenerations: form.regenerations }),
    ...(form.approve && { approve: true }),
    ...(form.example && { example: true }),
    ...(form.most > 0 && { horizon: form.most }),
    ...(makesMistakes(s) && form.mistakes.length > 0 && { mistakes: form.mistakes }),
    ...(form.maxTokens > 0 && { maxTokens: form.maxTokens }),
    ...(form.temperature > 0 && { temperature: form.temperature }),
    limits: limits(form),
    templates: form.templates,
    budget: bounds(s).budget,
  };
}

/** Reports whether the model is a simulated one with configurable faults. */
export function makesMistakes(s: RunSettings): boolean {
  return s.model === "uniform" || s.model === "first" || s.model === "rambler";
}

function limits({ seconds, memory, first }: ProblemForm): SolveLimits {
  return {
    ...(first && { first }),
    ...(seconds > 0 && { milliseconds: seconds * 1000 }),
    ...(memory > 0 && { memory }),
  };
}
