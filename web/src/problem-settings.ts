// What the form of a run of a problem, or of a solver, asks for, and says to the core.
import { endpointOf } from "./endpoints.js";
import type { FormulateSettings } from "./events.js";
import type { Notation, ProblemForm, RunSettings } from "./run-form.js";
import { bounds, modelSettings } from "./run-settings.js";
import { problemOf, thing } from "./spec.js";
import type { Endpoint, RunKind, Workspace } from "./state.js";
import type { File, LlmSpec, SolveLimits, SolveSettings, StepsSettings } from "./wire.js";

const usualProblem: ProblemForm = {
  method: "", notation: "", from: "", rounds: -1, regenerations: -1, approve: false, example: false, most: 0, seconds: 0, memory: 0, properties: "", first: false,
  mistakes: [], maxTokens: 0, temperature: 0, models: {}, templates: {},
};

/** The form's settings of problems, as usual where nothing was chosen. */
export function problemForm(s: RunSettings): ProblemForm {
  return { ...usualProblem, ...s.problem };
}

/** A stage of a formulation, what it does, and the file that it makes. */
export interface Stage {
  readonly id: string;
  readonly name: string;
  readonly does: string;
  readonly makes: string;
}

export const stages: readonly Stage[] = [
  { id: "definer", name: "Definer", does: "says what is wanted, what is decided, and what must hold", makes: "goal.md" },
  { id: "formulator", name: "Formulator", does: "says which variables, or which objects and actions, there are", makes: "variables.json" },
  { id: "generator", name: "Code generator", does: "writes that down for the solver", makes: "model" },
  { id: "solver", name: "Solver", does: "finds the best plan there is", makes: "" },
  { id: "formatter", name: "Result formatter", does: "puts the solution into the form that was asked for", makes: "answer.json" },
  { id: "assessor", name: "Self-assessment", does: "judges each step; the first wrong one is replaced", makes: "assessment.md" },
];

export const notations: readonly { readonly id: Notation; readonly solver: string; readonly name: string }[] = [
  { id: "smt2", solver: "Z3", name: "SMT-LIB 2" },
  { id: "lp", solver: "HiGHS", name: "LP" },
  { id: "pddl", solver: "Z3", name: "steps, as PDDL" },
];

/** The name of a stage, in words. */
export function stageName(id: string): string {
  return stages.find((s) => s.id === id)?.name ?? id;
}

/** The stage that comes after the one that makes a file; "" where a run cannot begin there. */
export function stageAfter(product: string): string {
  const base = product.slice(product.lastIndexOf("/") + 1);
  if (base === "goal.md") return "formulator";
  if (base === "variables.json") return "generator";
  return /^model\.(smt2|lp|pddl)$/.test(base) ? "solver" : "";
}

/** The notation that a problem is written in. */
export function notationOf(form: ProblemForm, files: readonly File[], folder: string): Notation {
  if (form.notation !== "") return form.notation;
  return notations.find(({ id }) => files.some((f) => f.name === `${folder}/model.${id}`))?.id ?? "smt2";
}

/** The stages that a run of a problem can begin with, for what those before them make is there. */
export function beginnings(form: ProblemForm, files: readonly File[], folder: string): readonly string[] {
  const notation = notationOf(form, files, folder);
  return [["formulator", "goal.md"], ["generator", "variables.json"], ["solver", `model.${notation}`]]
    .filter(([, product]) => files.some((f) => f.name === `${folder}/${product}`)).map(([stage]) => stage ?? "");
}

/** What the solver is given without any model: the model file that is open, or the problem's; null where models are asked. */
export function alone(s: RunSettings, { files, current }: Pick<Workspace, "files" | "current">): { readonly kind: RunKind; readonly name: string } | null {
  const folder = problemOf(current);
  const form = problemForm(s);
  if (form.method !== "alone" || folder === "") return null;
  const model = isModel(current) ? current : `${folder}/model.${notationOf(form, files, folder)}`;
  return files.some((f) => f.name === model) ? { kind: thing(model) === "pddl" ? "steps" : "solve", name: model } : null;
}

function isModel(name: string): boolean {
  return ["smt2", "lp", "pddl"].includes(thing(name) ?? "") && !name.endsWith("/api.smt2");
}

/** The settings of a run of one of these kinds. */
export function problemSettings(kind: RunKind, s: RunSettings, endpoints: readonly Endpoint[], files: readonly File[], target: string): FormulateSettings | SolveSettings | StepsSettings {
  const form = problemForm(s);
  if (kind === "solve") return { limits: limits(form) };
  if (kind === "steps") return { ...(form.most > 0 && { most: form.most }), limits: limits(form), ...(form.properties !== "" && { properties: form.properties }) };
  return formulateSettings(s, form, endpoints, files, problemOf(target));
}

function formulateSettings(s: RunSettings, form: ProblemForm, endpoints: readonly Endpoint[], files: readonly File[], folder: string): FormulateSettings {
  const models = Object.entries(form.models).map(([stage, model]): [string, LlmSpec] => {
    const settings = { ...s, ...model };
    return [stage, modelSettings(settings, endpointOf(settings, endpoints))];
  });
  const method = form.method === "alone" ? "" : form.method;
  const from = method === "" && beginnings(form, files, folder).includes(form.from) ? form.from : "";
  return {
    model: modelSettings(s, endpointOf(s, endpoints)), ...(models.length > 0 && { models: Object.fromEntries(models) }),
    ...(method !== "" && { method }), ...(form.notation !== "" && { notation: form.notation }), ...(from !== "" && { from }),
    ...(form.rounds >= 0 && { rounds: form.rounds }), ...(form.regenerations >= 0 && { regenerations: form.regenerations }),
    ...(form.approve && { approve: true }), ...(form.example && { example: true }), ...(form.most > 0 && { horizon: form.most }),
    ...(makesMistakes(s) && form.mistakes.length > 0 && { mistakes: form.mistakes }),
    ...(form.maxTokens > 0 && { maxTokens: form.maxTokens }), ...(form.temperature > 0 && { temperature: form.temperature }),
    limits: limits(form), templates: form.templates, budget: bounds(s).budget,
  };
}

/** Whether the model is a simulated one that can be told what to get wrong. */
export function makesMistakes(s: RunSettings): boolean {
  return s.model === "uniform" || s.model === "first" || s.model === "rambler";
}

function limits({ seconds, memory, first }: ProblemForm): SolveLimits {
  return { ...(first && { first }), ...(seconds > 0 && { milliseconds: seconds * 1000 }), ...(memory > 0 && { memory }) };
}

